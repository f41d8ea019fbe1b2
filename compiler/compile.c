/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - the pipeline: a loop over the rows of passes.def, and the C API around it.
 *
 *   text -> lex -> parse -> resolve -> check -> uniform -> gen -> LLVM module
 *         tokens   tree     names      types
 *
 *   module -+-> nvvm -> libnvvm ----------------------+-> repair -> link -> cubin
 *           |                                         | PTX
 *           +-> layout -> inline -> opt -+-> nvptx ---+
 *                                        +-> host -> x86-64 object
 *
 * Before and behind the passes run the repairs of repair/repair.def that the tools in use need.
 * The options decide the last pass and which passes are on the way to it; each pass that runs can
 * be dumped and timed. A compilation owns all that it makes in its arenas. Two compilations share
 * nothing but tables and the CUDA libraries, so any number may run at a time.
 *
 * A text with errors is compiled a second time with c->is_repairing, which recognises CUDA C++ and
 * other languages and makes fixes. A correct program thus pays nothing for that. If memory runs
 * out, longjmp leads back to ck_compile (base.h, MemoryEscape). No pass may ever call exit().
 */
#include "compile_options.h"
#include "front/target.h"
#include "gen/gen.h"
#include "output/output.h"
#include "repair/repair.h"
#include "target/target.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the passes that are too small for a file ---- */

static bool pass_lex(Session *c)
{
  (void)c; /* parse pulls the tokens one by one */
  return true;
}

/* Parses the text of an option as a source of its own, so that messages name the option. */
static Node *parse_option(Session *c, const char *option, const char *text)
{
  return parse_source(c, source_add(&c->sources, option, text, strlen(text), false))->a;
}

/* Is it a call of `tune`, before names are resolved? */
static bool is_tune(const Node *value)
{
  return value && value->kind == NODE_call && value->a->kind == NODE_name && value->a->name &&
         !strcmp(value->a->name->text, "tune");
}

typedef VEC(const Node *) Defines;

/* -D NAME=VALUE replaces the value of all constants of that name, in whichever module they are
 * declared (check/define.c). A name that no module has is added to `others`. */
static void apply_define(Session *c, const char *define, Defines *others)
{
  Node *given = parse_option(c, "-D", arena_printf(c->unit, "const %s;", define));
  bool is_known = false;
  if (!given || given->kind != NODE_constant) return;
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (Node *item = c->modules.at[i]->tree->a; item; item = item->next) {
      if (item->kind != NODE_constant || item->name != given->name) continue;
      item->b = define_value(c, item, given->b);
      is_known = true;
    }
  if (!is_known) vec_push(&c->scratch, others, given);
}

/* Of the library, -D replaces the values of tuning parameters. */
static void apply_to_library(Session *c, const Node *given)
{
  Node *item = c->library;
  for (; item; item = item->next)
    if (item->kind == NODE_constant && item->name == given->name && is_tune(item->b)) break;
  if (item) item->b = define_value(c, item, given->b);
  else diag_at(&c->diag, DIAG_define_unknown, given->span, given->name->text);
}

/* Drops a module's exports, and its instances by defaults, for users who name the instances that
 * they want. */
static void drop_exports(Node *module)
{
  for (Node **slot = &module->a; *slot;) {
    Node *item = *slot;
    bool is_kernel = item->kind == NODE_kernel || item->kind == NODE_algorithm;
    /* marked as already instantiated */
    if (is_kernel && generic_params(item)) item->flags |= FLAG_written;
    if (item->kind == NODE_export) *slot = item->next;
    else slot = &item->next;
  }
}

typedef VEC(const Name *) NameList;

static bool has_name(const NameList *list, const Name *name)
{
  uint32_t i = 0;
  while (i < list->count && list->at[i] != name) ++i;
  return i < list->count;
}

static void add_names(Session *c, NameList *list, const Node *node)
{
  if (node->kind == NODE_name && !has_name(list, node->name))
    vec_push(&c->scratch, list, node->name);
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *child = node->children[i]; child; child = child->next)
      add_names(c, list, child);
}

/* Leaves those instances in an export that are of wanted kernels. */
static void drop_instances(Node *export, const NameList *wanted)
{
  for (Node **slot = &export->a; *slot;) {
    const Node *what = *slot;
    while (what && what->kind != NODE_name) what = node_width(what) ? what->a : NULL;
    if (what && !has_name(wanted, what->name)) *slot = (*slot)->next;
    else slot = &(*slot)->next;
  }
}

/* Drops the kernels and algorithms that neither are wanted (options.kernels) nor occur in one that
 * is, so that nothing is spent on them: "sort.2.fold" is of the algorithm `sort`, "add<f32>" is an
 * instance of the kernel `add`. */
static void drop_unwanted(Session *c, Node *module)
{
  NameList wanted = {0};
  for (size_t i = 0; i < c->options.kernel_count; ++i) {
    const char *name = c->options.kernels[i];
    vec_push(&c->scratch, &wanted, name_of(&c->names, name, strcspn(name, ".<")));
  }
  for (uint32_t before = 0; before < wanted.count;) {
    before = wanted.count;
    for (const Node *item = module->a; item; item = item->next)
      if ((item->kind == NODE_kernel || item->kind == NODE_algorithm) &&
          has_name(&wanted, item->name))
        add_names(c, &wanted, item);
  }
  for (Node **slot = &module->a; *slot;) {
    Node *item = *slot;
    bool is_kernel = item->kind == NODE_kernel || item->kind == NODE_algorithm;
    if (item->kind == NODE_export) drop_instances(item, &wanted);
    bool is_empty = item->kind == NODE_export && !item->a;
    if (is_empty || (is_kernel && !has_name(&wanted, item->name))) *slot = item->next;
    else slot = &item->next;
  }
}

static bool pass_parse(Session *c)
{
  modules_load(c);
  Node *module = c->modules.at[0]->tree, **end = &module->a;
  if (c->options.flags & CK_COMPILE_ONLY && c->options.instance_count) drop_exports(module);
  Defines others = {0};
  for (size_t i = 0; i < c->options.define_count; ++i)
    apply_define(c, c->options.defines[i], &others);
  while (*end) end = &(*end)->next;
  for (size_t i = 0; i < c->options.instance_count; ++i) {
    *end =
        parse_option(c, "--instance", arena_printf(c->unit, "export %s;", c->options.instances[i]));
    while (*end) end = &(*end)->next;
  }
  if (c->options.kernel_count) drop_unwanted(c, module);
  algorithm_words(c);
  library_load(c);
  for (uint32_t i = 0; i < others.count; ++i) apply_to_library(c, others.at[i]);
  c->module = module;
  if (!c->is_repairing) c->is_read = !c->diag.error_count;
  return c->diag.error_count == c->diag.repaired_count;
}

/* ---- the table ---- */

typedef enum When { ALWAYS, LLVM, NVVM, NVPTX, GPU, HOST } When;
typedef enum DumpForm { NONE, TOKENS, AST, LLVM_IR, TEXT } DumpForm;
enum {
  DUMP_NONE = NONE,
  DUMP_TOKENS = TOKENS,
  DUMP_AST = AST,
  DUMP_LLVM = LLVM_IR,
  DUMP_TEXT = TEXT
};

static const struct {
  const char *name;
  bool (*run)(Session *c);
  When when;
  DumpForm dump;
} passes[] = {
#define PASS(name, when, dump, text) {#name, pass_##name, when, (DumpForm)DUMP_##dump},
#include "passes.def"
};

/* ---- dumps ---- */

static void dump(Session *c, PassId pass, Buf *out)
{
  switch (passes[pass].dump) {
  case NONE: break;
  case TOKENS: lex_dump(c, c->source, out); break;
  case AST: ast_dump(c->module, out); break;
  case LLVM_IR: gen_dump(c, out); break;
  case TEXT: buf_puts(out, buf_text(pass == PASS_nvvm ? &c->ir : &c->ptx)); break;
  }
}

static bool names_pass(const char *list, const char *name)
{
  size_t len = strlen(name);
  for (const char *p = list; p && *p; p += strspn(p, ",")) {
    size_t part = strcspn(p, ",");
    if (part == len && !memcmp(p, name, len)) return true;
    p += part;
  }
  return false;
}

static bool is_pass(const char *name)
{
  if (repair_exists(name)) return true;
  for (size_t i = 0; i < COUNT_OF(passes); ++i)
    if (!strcmp(passes[i].name, name)) return true;
  return false;
}

/* The first name of a list that isn't a pass, or NULL. */
static const char *unknown_pass(Session *c, const char *list)
{
  for (const char *p = list; p && *p; p += strspn(p, ",")) {
    const char *name = arena_strndup(c->unit, p, strcspn(p, ","));
    if (!is_pass(name)) return name;
    p += strlen(name);
  }
  return NULL;
}

/* ---- messages about options ---- */

static DiagForm diag_form(const Session *c)
{
  return c->options.flags & CK_COMPILE_JSON    ? DIAG_JSON
         : c->options.flags & CK_COMPILE_COLOR ? DIAG_COLOR
                                               : DIAG_TEXT;
}

static bool option_error(Session *c, const char *format, ...) PRINTF_LIKE(2, 3);
static bool option_error(Session *c, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  diag_render_plain(diag_form(c), arena_vprintf(c->unit, format, values), &c->log);
  va_end(values);
  return false;
}

/* ---- the loop ---- */

static bool is_on_way(const Session *c, PassId pass)
{
  bool is_nvptx = c->options.backend == CK_BACKEND_NVPTX, is_gpu = c->target->has_ptx;
  switch (passes[pass].when) {
  case ALWAYS: return true;
  case LLVM: return !is_gpu || is_nvptx;
  case NVVM: return is_gpu && !is_nvptx;
  case NVPTX: return is_gpu && is_nvptx;
  case GPU: return is_gpu;
  case HOST: return !is_gpu;
  }
  return false;
}

/* The last pass for the requested output; is_on_way() is true for the passes on the way to it. */
static PassId last_pass(const Session *c)
{
  switch (c->options.emit) {
  case CK_EMIT_TOKENS: return PASS_lex;
  case CK_EMIT_AST:
  case CK_EMIT_HEADS: return PASS_parse;
  case CK_EMIT_MANIFEST: return PASS_uniform;
  case CK_EMIT_LLVM: return is_on_way(c, PASS_opt) ? PASS_opt : PASS_gen;
  case CK_EMIT_NVVM: return PASS_nvvm;
  case CK_EMIT_PTX: return PASS_repair;
  case CK_EMIT_LTOIR: return PASS_libnvvm;
  case CK_EMIT_CUBIN: return PASS_link;
  case CK_EMIT_HOST: return PASS_host;
  case CK_EMIT_DEFAULT:
  case CK_EMIT_FATBIN:
  case CK_EMIT_HEADER: break; /* made of several compilations: output/bundle.c */
  }
  die("no pass gives the form %d", (int)c->options.emit);
}

static void give_output(Session *c, Buf *text)
{
  Buf *output = text;
  switch (c->options.emit) {
  case CK_EMIT_MANIFEST: output = &c->manifest; break;
  case CK_EMIT_NVVM: output = &c->ir; break;
  case CK_EMIT_PTX: image_add_lines(c, output = &c->ptx); break;
  case CK_EMIT_LTOIR: image_add_in_head(c, output = &c->ptx); break;
  case CK_EMIT_HOST:
    image_add_digest(c);
    image_add_manifest(c, output = &c->object);
    break;
  case CK_EMIT_CUBIN: image_add_manifest(c, output = &c->object); break;
  case CK_EMIT_TOKENS:
  case CK_EMIT_AST:
  case CK_EMIT_HEADS:
  case CK_EMIT_LLVM: break; /* the text */
  case CK_EMIT_DEFAULT:
  case CK_EMIT_FATBIN:
  case CK_EMIT_HEADER: die("no output of the form %d", (int)c->options.emit);
  }
  c->output = buf_text(output);
  c->output_bytes = output->len;
}

static void note_time(Session *c, const char *name, double seconds)
{
  if (c->options.flags & CK_COMPILE_TIME) buf_printf(&c->times, "%s %.9f\n", name, seconds);
}

static bool stop_with(Session *c, Buf *text)
{
  c->output = buf_text(text);
  c->output_bytes = text->len;
  return true;
}

/* Those of a place in the pipeline. Whether --stop-after names one; its dump is in `text` then. The
 * time of those that changed something is listed; *seconds grows by that of the others. */
static bool run_repairs(Session *c, PassId pass, RepairTime when, Buf *text, double *seconds)
{
  for (RepairId id = 0; id < REPAIR_COUNT; ++id) {
    if (!repair_is_at(c, id, pass, when)) continue;
    double start = seconds_now();
    bool has_changed = repair_run(c, id, when, NULL);
    double taken = seconds_now() - start;
    if (has_changed) note_time(c, repair_name(id), taken);
    else *seconds += taken;
    if (names_pass(c->options.dump, repair_name(id))) repair_dump(c, id, &c->log);
    if (!names_pass(c->options.stop_after, repair_name(id))) continue;
    repair_dump(c, id, text);
    return true;
  }
  return false;
}

/* Are there kernels of all the names for which the options want code? */
static bool has_kernels(Session *c)
{
  for (size_t i = 0; i < c->options.kernel_count; ++i) {
    const char *name = c->options.kernels[i];
    uint32_t at = 0;
    while (at < c->kernels.count && strcmp(c->kernels.at[at]->name->text, name) != 0) ++at;
    if (at == c->kernels.count) return option_error(c, "there is no kernel '%s'", name);
  }
  return true;
}

static bool run_passes(Session *c, PassId first)
{
  Buf text = BUF(c->unit);
  PassId last = last_pass(c);
  for (PassId pass = first; pass <= last; ++pass) {
    if (!is_on_way(c, pass)) continue;
    double seconds = 0, start;
    if (run_repairs(c, pass, REPAIR_before, &text, &seconds)) return stop_with(c, &text);
    if (pass == PASS_gen && !has_kernels(c)) return false;
    start = seconds_now();
    bool is_good = passes[pass].run(c);
    seconds += seconds_now() - start;
    /* What launchers must know is known; and what the linker said of it. */
    if (is_good && (pass == PASS_check || (pass == PASS_link && c->resources.count)))
      manifest_make(c);
    if (is_good && run_repairs(c, pass, REPAIR_behind, &text, &seconds)) return stop_with(c, &text);
    note_time(c, passes[pass].name, seconds);
    arena_free(&c->scratch);
    if (!is_good) return false;
#ifndef NDEBUG
    if (c->module && passes[pass].dump == AST) ast_verify(c->module);
#endif
    if (names_pass(c->options.dump, passes[pass].name)) dump(c, pass, &c->log);
    if (names_pass(c->options.stop_after, passes[pass].name)) {
      dump(c, pass, &text);
      return stop_with(c, &text);
    }
  }
  if (c->options.emit == CK_EMIT_TOKENS || c->options.emit == CK_EMIT_AST ||
      c->options.emit == CK_EMIT_LLVM)
    dump(c, last, &text);
  if (c->options.emit == CK_EMIT_HEADS && !c->diag.error_count) heads_write(c, &text);
  give_output(c, &text);
  return c->diag.error_count == 0;
}

/* ---- options ---- */

/* Copies the fields that this version knows. Fields that it doesn't know have to be zero. */
static bool copy_options(Session *c, const ck_compile_options_t *options)
{
  size_t known = sizeof c->options, given = options ? options->struct_size : 0;
  if (!options) return true;
  if (!given) return option_error(c, "struct_size of the options is 0; start from CK_OPTIONS_INIT");
  memcpy(&c->options, options, given < known ? given : known);
  for (size_t i = known; i < given; ++i)
    if (((const char *)options)[i])
      return option_error(c, "the options have a field that this version does not know");
  const char *fault = compile_options_fault(c->unit, &c->options);
  if (fault) return option_error(c, "%s", fault);
  if (c->options.lib_folder && !library_is_in(c, c->options.lib_folder))
    return option_error(c, "--lib=%s: there is no file of the standard library",
                        c->options.lib_folder);
  for (size_t i = 0; i < c->options.warning_count; ++i)
    if (!diag_set_warning(&c->diag, c->options.warnings[i]))
      return option_error(c, "-W%s: there is no such warning; ckc explain has them all",
                          c->options.warnings[i]);
  for (size_t i = 0; i < c->options.no_repair_count; ++i) {
    Buf list = BUF(c->unit);
    repair_list(&list);
    if (!repair_exists(c->options.no_repairs[i]))
      return option_error(c, "there is no repair '%s'; there are all, %s", c->options.no_repairs[i],
                          buf_text(&list));
  }
  if (c->options.flags & CK_COMPILE_DEBUG) c->options.opt_level = CK_OPT_0;
  return true;
}

static bool choose_emit(Session *c)
{
  ck_emit_t *emit = &c->options.emit;
  if (*emit == CK_EMIT_DEFAULT)
    *emit = !c->target->has_ptx ? CK_EMIT_HOST : link_is_available() ? CK_EMIT_CUBIN : CK_EMIT_PTX;
  c->form = *emit;
  bool is_gpu_form = *emit == CK_EMIT_NVVM || *emit == CK_EMIT_PTX || *emit == CK_EMIT_LTOIR ||
                     *emit == CK_EMIT_CUBIN;
  if (is_gpu_form && !c->target->has_ptx)
    return option_error(c, "the target 'host' has no such form; name a GPU: --target=sm_90");
  if (*emit == CK_EMIT_HOST && c->target->has_ptx)
    return option_error(c, "--emit=host goes with --target=host, not %s", c->target->name);
  return true;
}

static bool choose_backend(Session *c)
{
  ck_backend_t *backend = &c->options.backend;
  quick_choose(c);
  if (!c->target->has_ptx) *backend = CK_BACKEND_AUTO;
  if (!c->target->has_ptx) return true;
  bool is_libnvvms = c->options.emit == CK_EMIT_LTOIR || c->options.emit == CK_EMIT_NVVM;
  if (*backend == CK_BACKEND_AUTO)
    *backend = is_libnvvms || libnvvm_is_available() ? CK_BACKEND_LIBNVVM : CK_BACKEND_NVPTX;
  if (*backend != CK_BACKEND_NVPTX) return true;
  if (!c->target->is_nvptx)
    return option_error(c, "LLVM's NVPTX back end does not know %s; libNVVM does", c->target->name);
  if (is_libnvvms)
    return option_error(c, "LTO-IR and NVVM IR are libNVVM's: leave out --backend=nvptx");
  return true;
}

/* Will this process link a cubin? Who asks for the manifest of code for a GPU, in a process that
 * isn't for compiling alone, will want the code as well. */
static bool needs_linker(const Session *c)
{
  ck_emit_t emit = c->options.emit;
  return c->target->has_ptx && !(c->options.flags & CK_COMPILE_ISOLATE) && !c->options.stop_after &&
         (emit == CK_EMIT_DEFAULT || emit == CK_EMIT_CUBIN || emit == CK_EMIT_MANIFEST);
}

static bool choose_target(Session *c)
{
  const char *name = c->options.target ? c->options.target : "host";
  if (!target_named(name, c->target)) {
    Buf list = BUF(c->unit);
    target_list(&list);
    return option_error(c, "there is no target '%s'; there are host, %s", name, buf_text(&list));
  }
  const char *stop = c->options.stop_after;
  const char *unknown = stop && !is_pass(stop) ? stop : unknown_pass(c, c->options.dump);
  if (unknown)
    return option_error(c,
                        "there is no pass '%s'; there are lex, parse, resolve, check, gen, layout, "
                        "inline, opt, nvvm, libnvvm, nvptx, repair, link, host, and the repairs "
                        "that --no-repair takes",
                        unknown);
  if (needs_linker(c)) link_warm_up(c);
  if (!choose_emit(c) || !choose_backend(c)) return false;
  repairs_choose(c);
  return true;
}

static bool open_source(Session *c, const char *text, size_t bytes)
{
  const char *name = c->options.file_name ? c->options.file_name : "kernel.ck";
  if (bytes >= SOURCE_BYTES_MAX / 2)
    return diag_at(&c->diag, DIAG_source_size, (Span){0, 0}, bytes, (unsigned)SOURCE_BYTES_MAX / 2);
  /* The lexer needs a NUL behind the text, and the result may outlive the caller's text. */
  c->source = source_add(&c->sources, arena_strdup(c->unit, name),
                         arena_strndup(c->unit, text, bytes), bytes, false);
  return true;
}

/* ---- the API ---- */

/* Stores the compilation in *place as soon as there is something to free. */
static Session *compile_new(Session **place)
{
  Arena arena = {0};
  Session *c = NEW(&arena, Session);
  *place = c;
  c->unit_arena = arena;
  c->unit = &c->unit_arena;
  c->target = NEW(c->unit, Target);
  c->types = NEW(c->unit, Types);
  c->sources.arena = c->unit;
  c->diag = (Diag){.arena = c->unit, .sources = &c->sources};
  names_init(&c->names, c->unit);
  types_init(c->types, c->unit);
  Buf *bufs[] = {&c->ir,  &c->ptx,   &c->object, &c->manifest, &c->contract,
                 &c->log, &c->times, &c->report, &c->digits};
  for (size_t i = 0; i < COUNT_OF(bufs); ++i) *bufs[i] = BUF(c->unit);
  return c;
}

/* Numbers are read and printed in the C locale, whatever the process has set. */
static locale_t c_locale;

static void process_once(void)
{
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  arena_keep_heap();
}

static Session *compile_one(const char *source, size_t bytes, const ck_compile_options_t *options,
                            ck_status_t *out_status)
{
  ck_compilation_t *made;
  *out_status = ck_compile(source, bytes, options, &made);
  return (Session *)made;
}

/* The end of a compilation, whether it was good or not. */
static ck_status_t end(Session *c, ck_status_t status)
{
  link_warmed_up();
  diag_render(&c->diag, diag_form(c), &c->log);
  gen_dispose(c);
  arena_free(&c->scratch);
  c->is_checked = status == CK_OK && c->form == CK_EMIT_MANIFEST;
  if (status != CK_OK) {
    c->output = NULL;
    c->output_bytes = 0;
  }
  return status;
}

static ck_status_t status_of(const Session *c, bool is_good)
{
  return is_good ? CK_OK : c->is_unavailable ? CK_UNAVAILABLE : CK_COMPILE;
}

static ck_status_t compile(Session *c, const char *source, size_t bytes,
                           const ck_compile_options_t *options)
{
  ck_status_t status = CK_INVALID_ARGUMENT;
  bool is_known = copy_options(c, options);
  if (!source && bytes) is_known = option_error(c, "the source is %zu bytes at NULL", bytes);
  if (is_known && (c->options.emit == CK_EMIT_FATBIN || c->options.emit == CK_EMIT_HEADER)) {
    status = bundle_compile(c, source, bytes, compile_one);
  } else if (is_known && choose_target(c)) {
    status = status_of(c, open_source(c, source, bytes) && run_passes(c, 0));
  }
  return end(c, status);
}

/* Makes code of a checked program. */
static ck_status_t compile_checked(Session *c, const ck_compile_options_t *options)
{
  bool was_quick = c->is_quick;
  c->log.len = c->times.len = 0;
  bool is_good = c->is_checked && copy_options(c, options) && choose_target(c);
  c->is_checked = false;
  if (!is_good || (was_quick != c->is_quick && c->has_asked_quick))
    return end(c, CK_INVALID_ARGUMENT);
  manifest_make(c);
  return end(c, status_of(c, run_passes(c, PASS_gen)));
}

/* What a call of ck_compile has made so far, to be freed when memory runs out. */
typedef struct Call {
  Session *c, *first; /* NULL: there is none */
} Call;

static ck_status_t compile_twice(Call *call, const char *source, size_t bytes,
                                 const ck_compile_options_t *options)
{
  Session *c = compile_new(&call->c);
  ck_status_t status = compile(c, source, bytes, options);
  if (c->is_refused) {
    Session *quick = call->first = c;
    call->c = NULL;
    c = compile_new(&call->c);
    c->is_refused = true;
    status = compile(c, source, bytes, options);
    ck_compilation_release((ck_compilation_t *)quick);
    call->first = NULL;
  }
  /* A text with errors is compiled once more, with attention to other languages. A correct program
   * pays nothing for that, and nothing in it can be mistaken for CUDA C++. */
  if (status == CK_COMPILE && c->diag.error_count) {
    Session *first = call->first = c;
    call->c = NULL;
    c = compile_new(&call->c);
    c->is_repairing = true;
    c->is_read = first->is_read;
    c->wanted.at = first->wanted.at;
    c->wanted.count = first->wanted.count;
    status = compile(c, source, bytes, options);
    ck_compilation_release((ck_compilation_t *)first);
    call->first = NULL;
#ifndef NDEBUG
    if (status == CK_OK)
      die("the library was not read as far as it is used (front/library_index.c)");
#endif
  }
  return status;
}

static void give_up(Session *c, bool may_call_llvm)
{
  if (c && may_call_llvm) gen_dispose(c);
  if (c) arena_free(&c->scratch);
  ck_compilation_release((ck_compilation_t *)c);
}

/* What is to be done: a text to be compiled, or a session to go on with. */
typedef struct Job {
  const char *source;
  size_t bytes;
  const ck_compile_options_t *options;
  Session *checked; /* or NULL */
} Job;

/* Does it in the C locale, and comes back if memory runs out. */
static ck_status_t guard(const Job *job, ck_compilation_t **out)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Thread_local Call call; /* not on the stack, so that longjmp doesn't change it */
  pthread_once(&once, process_once);
  llvm_watch_memory();
  locale_t callers = uselocale(c_locale); /* of this thread only */
  MemoryEscape escape;
  volatile ck_status_t status = CK_OUT_OF_MEMORY;
  Call outer = call; /* a bundle calls ck_compile for each target */
  call = (Call){NULL, NULL};
  *out = NULL;
  memory_escape_enter(&escape);
  if (setjmp(escape.at) == 0) {
    status = job->checked ? compile_checked(job->checked, job->options)
                          : compile_twice(&call, job->source, job->bytes, job->options);
    *out = (ck_compilation_t *)call.c;
    memory_escape_leave(&escape);
  } else {
    give_up(call.c, !escape.is_foreign);
    give_up(call.first, false); /* has finished with LLVM */
    if (job->checked && !escape.is_foreign) gen_dispose(job->checked);
    if (job->checked) arena_free(&job->checked->scratch);
  }
  call = outer;
  uselocale(callers);
  return status;
}

ck_status_t ck_compile(const char *source, size_t bytes, const ck_compile_options_t *options,
                       ck_compilation_t **out)
{
  return guard(&(Job){.source = source, .bytes = bytes, .options = options}, out);
}

ck_status_t ck_compile_kernels(ck_compilation_t *checked, const ck_compile_options_t *options)
{
  ck_compilation_t *none;
  if (!checked) return CK_INVALID_ARGUMENT;
  return guard(&(Job){.options = options, .checked = (Session *)checked}, &none);
}

void ck_compilation_release(ck_compilation_t *compilation)
{
  if (!compilation) return;
  session_free((Session *)compilation);
}

const void *ck_compilation_output(const ck_compilation_t *compilation, size_t *out_bytes)
{
  const Session *c = (const Session *)compilation;
  if (out_bytes) *out_bytes = c->output_bytes;
  return c->output;
}

const char *ck_compilation_log(const ck_compilation_t *compilation)
{
  return buf_text(&((const Session *)compilation)->log);
}

const char *ck_compilation_manifest(const ck_compilation_t *compilation)
{
  return buf_text(&((const Session *)compilation)->manifest);
}

int ck_compilation_is_quick(const ck_compilation_t *compilation)
{
  return ((const Session *)compilation)->is_quick;
}

ck_emit_t ck_compilation_form(const ck_compilation_t *compilation)
{
  return ((const Session *)compilation)->form;
}

const char *ck_compilation_file(const ck_compilation_t *compilation, size_t index)
{
  const Session *c = (const Session *)compilation;
  return index < c->files.count ? c->files.at[index] : NULL;
}

const char *ck_compilation_resources(const ck_compilation_t *compilation)
{
  return buf_text(&((const Session *)compilation)->report);
}

const char *ck_compilation_times(const ck_compilation_t *compilation)
{
  return buf_text(&((const Session *)compilation)->times);
}

/* ---- the digest of everything that influences the output ---- */

static char digest_chars[DIGEST_TEXT_BYTES];

static Digest digest_file(Digest digest, const char *path)
{
  struct stat info;
  if (!path || stat(path, &info) != 0) return digest_more(digest, "absent", 6);
  int64_t facts[] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                     (int64_t)info.st_mtim.tv_nsec, (int64_t)info.st_ino};
  return digest_more(digest_more(digest, path, strlen(path)), facts, sizeof facts);
}

static void digest_once(void)
{
  Arena arena = {0};
  Digest digest = digest_of(CK_VERSION_TEXT, strlen(CK_VERSION_TEXT));
  Dl_info info;
  digest = digest_file(digest,
                       dladdr((const void *)(uintptr_t)ck_compile, &info) ? info.dli_fname : NULL);
  static const ToolkitPart used[] = {TOOLKIT_libnvvm, TOOLKIT_libdevice, TOOLKIT_nvjitlink};
  for (size_t i = 0; i < COUNT_OF(used); ++i)
    digest = digest_file(digest, toolkit_find(used[i], &arena, NULL));
  digest_text(digest, digest_chars);
  arena_free(&arena);
}

const char *ck_compiler_digest(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, digest_once);
  return digest_chars;
}
