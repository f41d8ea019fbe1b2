/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.c - writes the manifest: what the runtime must know to launch the kernels, as JSON.
 * docs/manifest.md specifies every field.
 *
 *     kernel fill(n: u32, x: out f32[n]) launch(block = 256, grid = (n + 255) / 256)
 *
 *     {"name": "fill", "symbol": "fill",
 *      "params": [{"name": "n", "kind": "scalar", "type": "u32"},
 *                 {"name": "x", "kind": "span", "type": "f32", "access": "out", "extents": ["n"]}],
 *      "launch": {"block": ["256"], "grid": ["n 255 + 256 /"]}, ...}
 *
 * Expressions (extents, launch, bytes of dynamic shared memory) are in reverse Polish notation,
 * which the runtime evaluates at each launch with a small stack, without a parser.
 *
 * needs   checked kernels; for "resources", what ptxas reported
 * gives   c->manifest; c->contract: the parts that must be equal for all targets of a bundle
 * keeps   the order of kernels and parameters
 * fails   never
 */
#include "front/target.h"
#include "output/output_private.h"

#include <inttypes.h>
#include <string.h>

/* Used for the fields of every kernel: a module can have thousands, and printf then takes more time
 * than everything else in this file. */
static void put3(Buf *out, const char *before, const char *text, const char *behind)
{
  buf_puts(out, before);
  buf_puts(out, text);
  buf_puts(out, behind);
}

static void put_number(Buf *out, const char *before, uint64_t number, const char *behind)
{
  buf_puts(out, before);
  buf_number(out, number);
  buf_puts(out, behind);
}

static void put_list(Session *c, Buf *out, const char *key, const Node *list)
{
  put3(out, "\"", key, "\": [");
  for (const Node *node = list; node; node = node->next) {
    buf_puts(out, node == list ? "\"" : ", \"");
    buf_puts(out, contract_text(c, node));
    buf_putc(out, '"');
  }
  buf_putc(out, ']');
}

/* "{x:f32@0,at:(i32@4,i32@8)}": the scalars of an aggregate, each with its offset in bytes. */
static void put_layout(Buf *out, const Type *type, uint64_t offset)
{
  bool is_array = type->kind == TYPE_array, is_struct = type->kind == TYPE_struct;
  if (!is_array && !is_struct && type->kind != TYPE_tuple && type->kind != TYPE_vector) {
    const char *name = type->kind == TYPE_pointer ? "u64" : type_text(type_as_data(type));
    buf_printf(out, "%s@%" PRIu64, name, offset);
    return;
  }
  const Node *field = is_struct ? type->decl->b : NULL;
  buf_putc(out, is_array ? '[' : is_struct ? '{' : '(');
  for (uint32_t i = 0; i < type->count; ++i) {
    if (i) buf_putc(out, ',');
    while (field && field->kind != NODE_field) field = field->next;
    if (field) buf_printf(out, "%s:", field->name->text);
    if (field) field = field->next;
    const Type *part = type->elements ? type->elements[i] : type->element;
    put_layout(out, part, offset + (type->elements ? type_offset(type, i) : i * type_bytes(part)));
  }
  buf_putc(out, is_array ? ']' : is_struct ? '}' : ')');
}

/* A texture, surface or tensor map: the argument is an object of the runtime. */
static void put_handle(Buf *out, const Node *param, const Handle *handle)
{
  buf_printf(out, "        {\"name\": \"%s\", \"kind\": \"%s\", \"type\": \"%s\", \"rank\": %u%s}",
             param->name->text, handle->kind, type_text(handle->element), (unsigned)handle->rank,
             handle->is_layered ? ", \"layered\": true" : "");
}

static void put_param(Session *c, Buf *out, const Node *param)
{
  Handle handle;
  if (handle_of(param->type, &handle)) {
    put_handle(out, param, &handle);
    return;
  }
  bool is_span = param->type->kind == TYPE_span;
  const Type *element = is_span ? param->type->element : param->type;
  put3(out, "        {\"name\": \"", param->name->text, "\", \"kind\": \"");
  put3(out, is_span ? "span" : "scalar", "\", \"type\": \"",
       element->kind == TYPE_pointer ? "u64" : type_text(type_as_data(element)));
  buf_putc(out, '"');
  bool is_number = type_is_scalar(element) || (is_span && element->kind == TYPE_vector);
  if (!is_number && element->kind != TYPE_pointer) {
    buf_printf(out, ", \"bytes\": %" PRIu64 ", \"align\": %u, \"layout\": \"", type_bytes(element),
               element->align);
    put_layout(out, element, 0);
    buf_putc(out, '"');
  }
  if (is_span) {
    put3(out, ", \"access\": \"", op_text((Op)param->op), "\"");
    if (node_extents(param)) {
      buf_puts(out, ", ");
      put_list(c, out, "extents", node_extents(param));
    }
  }
  buf_putc(out, '}');
}

/* "n 4 * 15 + 16 / 16 * 512 +": the bytes of each dynamic array, rounded up to the alignment, and
 * the bytes of the arrays of constant size. */
static void put_dynamic(Session *c, Buf *out, const Node *kernel)
{
  uint64_t constant = shared_is_large(c, kernel) ? shared_bytes(c, kernel) : 0;
  unsigned unit = shared_dynamic_alignment(kernel);
  bool is_first = true;
  for (const Node *node = kernel->d->a; node; node = node->next) {
    if (node->kind != NODE_shared || node->type->kind != TYPE_span) continue;
    buf_puts(out, is_first ? "      \"dynamic_shared\": \"" : " ");
    for (const Node *extent = node->a->b; extent; extent = extent->next) {
      buf_puts(out, contract_text(c, extent));
      buf_puts(out, extent == node->a->b ? " " : " * ");
    }
    buf_printf(out, "%" PRIu64 " * %u + %u / %u *%s", type_bytes(node->type->element), unit - 1,
               unit, unit, is_first ? "" : " +");
    is_first = false;
  }
  if (is_first && !constant) return;
  if (is_first) buf_printf(out, "      \"dynamic_shared\": \"%" PRIu64, constant);
  else if (constant) buf_printf(out, " %" PRIu64 " +", (constant + unit - 1) / unit * unit);
  buf_puts(out, "\",\n");
}

static void put_parameters(Session *c, Buf *out, const Node *kernel)
{
  buf_puts(out, "      \"params\": [");
  for (const Node *param = kernel->b; param; param = param->next) {
    buf_puts(out, param == kernel->b ? "\n" : ",\n");
    put_param(c, out, param);
  }
  buf_puts(out, "\n      ]");
}

static void put_step_extents(Buf *out, const char *key, const char *const *extents)
{
  for (unsigned i = 0; i < 3 && extents[i]; ++i) {
    if (i) buf_puts(out, ", ");
    else put3(out, ", \"", key, "\": [");
    put3(out, "\"", extents[i], "\"");
  }
  if (extents[0]) buf_putc(out, ']');
}

/* What the host computes for the step of an algorithm. */
static void put_step(Buf *out, const PlanStep *step, const Scratch *scratch)
{
  if (step->condition) put3(out, "      \"condition\": \"", step->condition, "\",\n");
  for (uint32_t i = 0; i < step->loop_count; ++i) {
    const PlanLoop *loop = &step->loops[i];
    buf_printf(out, "%s{\"loop\": %u, \"from\": \"%s\", \"to\": \"%s\"}",
               i ? ", " : "      \"loops\": [", loop->id, loop->from, loop->to);
  }
  if (step->loop_count) buf_puts(out, "],\n");
  const char *kept = scratch->kept;
  if (*kept) buf_printf(out, "      \"kept_bytes\": \"%d %s +\",\n", KEPT_HEAD, kept);
  else buf_puts(out, "      \"kept_bytes\": \"0\",\n");
  if (scratch->is_kept_own) buf_puts(out, "      \"kept_own\": true,\n");
}

static void put_params(Session *c, Buf *out, const Node *kernel)
{
  const PlanStep *step = kernel->flags & FLAG_plan ? plan_step(c, kernel) : NULL;
  put_parameters(c, out, kernel);
  buf_puts(out, ",\n");
  if (step) {
    buf_puts(out, "      \"launch\": {");
    put_list(c, out, "block", kernel->c->a->a);
    put_step_extents(out, "grid", step->grid);
    put_step_extents(out, "cluster", step->cluster);
    buf_puts(out, "},\n");
  } else if (kernel->c) {
    buf_puts(out, "      \"launch\": {");
    for (const Node *part = kernel->c; part; part = part->next) {
      if (part != kernel->c) buf_puts(out, ", ");
      put_list(c, out, part->name->text, part->a->kind == NODE_tuple ? part->a->a : part->a);
    }
    buf_puts(out, "},\n");
  }
}

static void put_text(Buf *out, const char *text)
{
  buf_json_string(out, text, strlen(text));
}

/* The arguments of a generic kernel in this instance: "T" is "f32". */
static void put_arguments(Session *c, Buf *out, const Node *kernel)
{
  if (!(kernel->flags & FLAG_instance)) return;
  buf_puts(out, "      \"arguments\": [");
  for (const Node *param = generic_params(kernel); param; param = param->next) {
    const char *value =
        param->kind == NODE_type_param ? type_text(param->type) : scalar_text(c, param->b);
    buf_printf(out, "%s{\"name\": \"%s\", \"value\": ", param == generic_params(kernel) ? "" : ", ",
               param->name->text);
    put_text(out, value);
    buf_putc(out, '}');
  }
  buf_puts(out, "],\n");
}

/* Are the names equal, apart from blanks? */
static bool is_same_name(const char *name, const char *text, size_t len)
{
  for (const char *end = text + len; text < end; ++text)
    if (*text != ' ' && *text != *name++) return false;
  return !*name;
}

/* The other spellings under which the instance was requested, such as `sum<f32, WIDTH>` for
 * sum<f32, 32>. */
static void put_written(Session *c, Buf *out, const Node *kernel)
{
  bool is_first = true;
  for (uint32_t i = 0; i < c->asked.count; ++i) {
    Span span = c->asked.at[i].span;
    const char *text = source_text(&c->sources, span);
    size_t len = span.hi - span.lo;
    if (c->asked.at[i].kernel != kernel || is_same_name(kernel->name->text, text, len)) continue;
    buf_puts(out, is_first ? "      \"written\": [" : ", ");
    buf_json_string(out, text, len);
    is_first = false;
  }
  if (!is_first) buf_puts(out, "],\n");
}

static void put_resources(Session *c, Buf *out, const Node *kernel)
{
  for (uint32_t i = 0; i < c->resources.count; ++i) {
    const Resources *row = &c->resources.at[i];
    if (row->kernel != kernel) continue;
    buf_printf(out,
               "      \"resources\": {\"registers\": %u, \"barriers\": %u, \"shared_bytes\": %u, "
               "\"local_bytes\": %u, \"spill_store_bytes\": %u, \"spill_load_bytes\": %u},\n",
               row->registers, row->barriers, row->shared_bytes, row->local_bytes,
               row->spill_store_bytes, row->spill_load_bytes);
  }
}

/* Writes a list of texts behind `lead`, a comma at the end of an item or of a line. */
static void put_texts(Buf *out, const char *lead, const char *key, const char *const *texts,
                      size_t count)
{
  buf_printf(out, "%s\"%s\": [", lead, key);
  for (size_t i = 0; i < count; ++i) {
    if (i) buf_puts(out, ", ");
    put_text(out, texts[i]);
  }
  buf_putc(out, ']');
}

static void put_options(Session *c, Buf *out)
{
  const ck_compile_options_t *options = &c->options;
  bool is_default = options->opt_level == CK_OPT_DEFAULT;
  buf_printf(out, "  \"options\": {\"opt_level\": %d, \"lineinfo\": %s",
             is_default ? 3 : (int)options->opt_level - (int)CK_OPT_0,
             options->flags & CK_COMPILE_LINEINFO ? "true" : "false");
  put_texts(out, ", ", "defines", options->defines, options->define_count);
  put_texts(out, ", ", "instances", options->instances, options->instance_count);
  buf_puts(out, "},\n");
}

/* The tuning parameters that were needed, each with its value and what chose it. */
static void put_tunings(Session *c, Buf *out)
{
  if (!c->tunings.count) return;
  buf_puts(out, "  \"tuning\": [");
  for (uint32_t i = 0; i < c->tunings.count; ++i) {
    const Tuning *tuning = &c->tunings.at[i];
    buf_printf(out, "%s\n    {\"name\": \"%s\", \"value\": \"%s\", \"values\": [%s], \"from\": ",
               i ? "," : "", tuning->constant->name->text, tuning->value, tuning->values);
    put_text(out, tuning->from);
    buf_putc(out, '}');
  }
  buf_puts(out, "\n  ],\n");
}

/* The source files with the digests of their texts: the user's file, then the imported ones. */
static void put_sources(Session *c, Buf *out)
{
  buf_puts(out, "  \"sources\": [");
  for (uint32_t i = 0; i < c->modules.count; ++i) {
    const Source *source = c->modules.at[i]->source;
    char digest[DIGEST_TEXT_BYTES];
    digest_text(digest_of(source->text, source->bytes), digest);
    buf_puts(out, i ? ",\n    {\"file\": " : "\n    {\"file\": ");
    put_text(out, source->name);
    buf_printf(out, ", \"digest\": \"%s\"}", digest);
  }
  buf_puts(out, "\n  ],\n");
}

static void put_scratch(Session *c, Buf *out, const Node *kernel)
{
  const Scratch *scratch = scratch_of(c, kernel);
  const char *bytes = scratch ? scratch->bytes : NULL;
  if (bytes) put3(out, "      \"scratch_bytes\": \"", *bytes ? bytes : "0", "\",\n");
  if (kernel->flags & FLAG_plan) put_step(out, plan_step(c, kernel), scratch);
}

static void put_kernel(Session *c, Buf *out, Node *kernel)
{
  uint32_t line, col;
  const Source *source = source_at(&c->sources, kernel->span.lo, &line, &col);
  buf_puts(out, "    {\n      \"name\": ");
  buf_json_string(out, kernel->name->text, kernel->name->len);
  put3(out, ",\n      \"symbol\": \"", kernel_symbol(c, kernel), "\",\n      \"file\": ");
  put_text(out, source->name);
  put_number(out, ",\n      \"line\": ", line, ",\n");
  put_arguments(c, out, kernel);
  put_written(c, out, kernel);
  size_t params = out->len;
  put_params(c, out, kernel);
  put3(&c->contract, kernel->name->text, "\n", "");
  buf_bytes(&c->contract, out->data + params, out->len - params);
  put_resources(c, out, kernel);
  put_dynamic(c, out, kernel);
  put_scratch(c, out, kernel);
  put_scratch(c, &c->contract, kernel);
  uint64_t bytes = shared_is_large(c, kernel) ? 0 : shared_bytes(c, kernel);
  put_number(out, "      \"shared_bytes\": ", bytes, ",\n      \"coroutine\": ");
  put3(out, c->target->has_coroutines && kernel->flags & FLAG_waits ? "true" : "false",
       kernel->flags & FLAG_grid ? ",\n      \"cooperative\": true" : "",
       kernel->flags & FLAG_dependent ? ",\n      \"dependent\": true" : "");
  uint32_t registers = kernel_limit(kernel, "registers");
  uint32_t blocks = kernel_limit(kernel, "blocks_per_sm");
  if (registers) buf_printf(out, ",\n      \"registers_max\": %u", registers);
  if (blocks) buf_printf(out, ",\n      \"blocks_per_sm\": %u", blocks);
  buf_puts(out, "\n    }");
}

/* The scalars that the result of an algorithm consists of, with their offsets. A name is the path
 * from the outside in: `.lo` for a struct's field, `.0` for a tuple's, `[0]` for an array's or
 * vector's; "" if the result is a scalar. */
static void put_result_parts(Session *c, Buf *out, const Type *type, const char *name,
                             uint64_t offset)
{
  bool is_list = type->kind == TYPE_array || type->kind == TYPE_vector;
  if (is_list || type->kind == TYPE_struct || type->kind == TYPE_tuple) {
    const Node *field = type->kind == TYPE_struct ? type->decl->b : NULL;
    for (uint32_t i = 0; i < type->count; ++i, field = field ? field->next : NULL) {
      Type *part = is_list ? type->element : type->elements[i];
      const char *inner = field     ? arena_printf(&c->scratch, "%s.%s", name, field->name->text)
                          : is_list ? arena_printf(&c->scratch, "%s[%u]", name, i)
                                    : arena_printf(&c->scratch, "%s.%u", name, i);
      uint64_t at = is_list ? i * type_bytes(part) : type_offset(type, i);
      put_result_parts(c, out, part, inner, offset + at);
    }
    return;
  }
  bool is_first = out->data[out->len - 1] == '[';
  buf_printf(out, "%s\n        {\"name\": \"%s\", \"type\": \"%s\", \"offset\": %" PRIu64 "}",
             is_first ? "" : ",", name, type->kind == TYPE_pointer ? "u64" : type_text(type),
             offset);
}

/* An algorithm, without its closing brace. The kernel has its parameters. */
static void put_algorithm(Session *c, Buf *out, const Node *item, const Node *kernel,
                          const Type *result, bool *is_first)
{
  buf_puts(out, *is_first ? ",\n  \"algorithms\": [\n" : ",\n");
  *is_first = false;
  buf_puts(out, "    {\n      \"name\": ");
  buf_json_string(out, item->name->text, item->name->len);
  buf_puts(out, ",\n");
  put_parameters(c, out, kernel);
  if (!result) return;
  buf_puts(out, ",\n      \"result\": [");
  put_result_parts(c, out, result, "", 0);
  buf_puts(out, "\n      ]");
}

static void put_needs(Session *c, Buf *out, const Plan *plan)
{
  bool is_first = true;
  for (uint32_t i = 0; i < c->needs.count; ++i) {
    const PlanNeed *need = &c->needs.at[i];
    if (need->plan != plan) continue;
    buf_puts(out,
             is_first ? ",\n      \"needs\": [\n        {\"what\": " : ",\n        {\"what\": ");
    put_text(out, need->what);
    if (need->condition) put3(out, ", \"condition\": \"", need->condition, "\"");
    if (need->type) put3(out, ", \"type\": \"", type_text(need->type), "\"");
    else put3(out, need->needs ? ", \"has\": \"" : ", \"holds\": \"", need->has, "\"");
    if (need->needs) put3(out, ", \"needs\": \"", need->needs, "\"");
    buf_putc(out, '}');
    is_first = false;
  }
  if (!is_first) buf_puts(out, "\n      ]");
}

static void put_algorithms(Session *c, Buf *out)
{
  bool is_first = true;
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    Node *kernel = c->kernels.at[i];
    if (!(kernel->flags & FLAG_algorithm) || !kernel_has_code(c, kernel)) continue;
    put_algorithm(c, out, kernel, kernel, algorithm_result(kernel), &is_first);
    buf_puts(out, "\n    }");
  }
  for (uint32_t i = 0; i < c->plans.count && !c->options.kernel_count; ++i) {
    const Plan *plan = c->plans.at[i];
    const Node *first = NULL;
    Buf steps = BUF(&c->scratch);
    for (uint32_t k = 0; k < c->steps.count; ++k) {
      const PlanStep *step = &c->steps.at[k];
      if (step->plan != plan) continue;
      if (!first) first = step->kernel;
      buf_puts(&steps, steps.len ? ", " : "");
      buf_json_string(&steps, step->kernel->name->text, step->kernel->name->len);
    }
    if (!first) continue; /* it launches nothing and returns nothing */
    put_algorithm(c, out, plan->item, first, plan->result, &is_first);
    put3(out, ",\n      \"steps\": [", buf_text(&steps), "]");
    put_needs(c, out, plan);
    buf_puts(out, "\n    }");
  }
  if (!is_first) buf_puts(out, "\n  ]");
}

/* {"name": "f", "type": "fn(i32, f32) -> f32"}. A function that is imported several times is listed
 * once. */
static void put_function(const Session *c, Names *listed, Buf *out, Node *function)
{
  Name *name = (Name *)(uintptr_t)name_of(listed, function->name->text, function->name->len);
  if (name->bound) return;
  name->bound = function;
  put3(out, out->len ? ",\n    {\"name\": \"" : "\n    {\"name\": \"", function->name->text,
       "\", \"type\": \"fn(");
  for (const Node *param = function->b; param; param = param->next)
    put3(out, param == function->b ? "" : ", ", type_text(param->type), "");
  buf_putc(out, ')');
  if (function->type != c->types->none) put3(out, " -> ", type_text(function->type), "");
  buf_puts(out, function->flags & FLAG_imported ? "\", \"imported\": true}" : "\"}");
}

/* The functions that this module exports to other modules of a link, and those that it imports.
 * Host code and cubins can't be linked, so they list none. */
static void put_functions(Session *c, Buf *out)
{
  Buf items = BUF(&c->scratch);
  Names listed;
  if (!c->target->has_linker || c->options.emit == CK_EMIT_CUBIN) return;
  names_init(&listed, &c->scratch);
  for (Node *item = c->module->a; item; item = item->next)
    if (item->kind == NODE_function && item->flags & FLAG_exported)
      put_function(c, &listed, &items, item);
  for (uint32_t i = 0; i < c->calls.count; ++i)
    if (c->calls.at[i].callee->flags & FLAG_imported)
      put_function(c, &listed, &items, c->calls.at[i].callee);
  if (items.len) put3(out, ",\n  \"functions\": [", buf_text(&items), "\n  ]");
}

/* Reserves memory for all kernels from the size of the first. Growing the text by doubling would
 * leave every old copy in the arena, megabytes in all; reserved memory that is never touched costs
 * nothing. */
static void reserve(const Session *c, Buf *out, size_t first)
{
  buf_reserve(out, (c->kernels.count - 1) * (first + first / 8));
}

void manifest_make(Session *c)
{
  const char *backend = !c->target->has_ptx                      ? c->target->name
                        : c->options.backend == CK_BACKEND_NVPTX ? "nvptx"
                                                                 : "libnvvm";
  Buf *out = &c->manifest;
  out->len = c->contract.len = 0;
  buf_printf(out,
             "{\n  \"manifest\": 1,\n  \"compiler\": \"%s\",\n  \"source\": ", CK_VERSION_TEXT);
  buf_json_string(out, c->source->name, strlen(c->source->name));
  buf_printf(out, ",\n  \"target\": \"%s\",\n  \"backend\": \"%s\"", c->target->name, backend);
  if (c->target->has_levels) buf_printf(out, ",\n  \"cpu\": \"%s\"", host_cpu());
  put_texts(out, ",\n  ", "imports", c->files.at, c->files.count);
  if (c->tried.count) put_texts(out, ",\n  ", "looked_for", c->tried.at, c->tried.count);
  buf_puts(out, ",\n");
  put_sources(c, out);
  put_options(c, out);
  put_tunings(c, out);
  buf_puts(out, "  \"kernels\": [");
  size_t head = out->len;
  bool is_first = true;
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    if (!kernel_has_code(c, c->kernels.at[i])) continue;
    buf_puts(out, is_first ? "\n" : ",\n");
    put_kernel(c, out, c->kernels.at[i]);
    if (is_first && !c->options.kernel_count) {
      reserve(c, out, out->len - head);
      reserve(c, &c->contract, c->contract.len);
    }
    is_first = false;
  }
  buf_puts(out, is_first ? "]" : "\n  ]");
  put_algorithms(c, out);
  put_functions(c, out);
  buf_puts(out, MANIFEST_END);
}
