/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.c - finds the manifest in object code, and converts its JSON into structs.
 *
 * manifest_check.c has verified that every key is known and every value has the right kind and is
 * within its bounds. This file checks what values mean in combination: which keys a parameter of a
 * kind has, whether types, layouts and expressions are well-formed, and whether names are unique.
 */
#include "manifest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"

static const char trailer_magic[] = "CKMANIF1";
static const char ptx_prefix[] = "//ck: ";
/* The manifest after an image is followed by its length, 8 bytes, and this word. */
enum { TRAILER_BYTES = 16, PTX_PREFIX_BYTES = sizeof ptx_prefix - 1 };

/* Joins the comment lines at the end of PTX that contain the manifest. */
static bool locate_in_ptx(Arena *arena, const char *text, size_t bytes, const char **out_json,
                          size_t *out_json_bytes)
{
  Buf json = BUF(arena);
  for (const char *line = text, *end = text + bytes; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    if (stop - line > PTX_PREFIX_BYTES && !memcmp(line, ptx_prefix, PTX_PREFIX_BYTES))
      buf_bytes(&json, line + PTX_PREFIX_BYTES, (size_t)(stop - line) - PTX_PREFIX_BYTES);
    line = stop + 1;
  }
  *out_json = buf_text(&json);
  *out_json_bytes = json.len;
  return json.len > 0;
}

/* In LTO-IR the manifest is in front of the body, whose offset is the sixth word of the header. */
static size_t manifest_end(const char *data, size_t bytes)
{
  enum { MAGIC = 0x7f4e43ed, BODY_WORD = 5, HEAD_WORDS = 6 };
  uint32_t head[HEAD_WORDS];
  if (bytes < sizeof head) return bytes;
  memcpy(head, data, sizeof head);
  return head[0] == MAGIC && head[BODY_WORD] <= bytes ? head[BODY_WORD] : bytes;
}

bool manifest_locate(Arena *arena, const void *data, size_t bytes, const char **out_json,
                     size_t *out_json_bytes, size_t *out_image_bytes)
{
  const char *text = data;
  size_t whole = bytes;
  bytes = manifest_end(text, bytes);
  *out_json = "";
  *out_json_bytes = 0;
  *out_image_bytes = whole;
  if (bytes > TRAILER_BYTES && !memcmp(text + bytes - 8, trailer_magic, 8)) {
    uint64_t json_bytes;
    memcpy(&json_bytes, text + bytes - TRAILER_BYTES, sizeof json_bytes);
    if (json_bytes > bytes - TRAILER_BYTES) return false;
    *out_json = text + bytes - TRAILER_BYTES - json_bytes;
    *out_image_bytes = bytes < whole ? whole : bytes - TRAILER_BYTES - json_bytes;
    *out_json_bytes = json_bytes;
    return true;
  }
  return locate_in_ptx(arena, text, whole, out_json, out_json_bytes);
}

/* The state of the readers below. The first error is written to `why`. */
typedef struct Reader {
  Arena *arena;
  Buf *why;
} Reader;

static bool refuse(Reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
static bool refuse(Reader *reader, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  buf_vprintf(reader->why, format, values);
  va_end(values);
  return false;
}

/* A member that is a text; "" if it is absent. */
static const char *text_of(yyjson_val *object, const char *key)
{
  const char *text = yyjson_get_str(yyjson_obj_get(object, key));
  return text ? text : "";
}

static bool find_dtype(const char *name, ck_dtype_t *out)
{
  for (int dtype = CK_BOOL; dtype <= CK_F64; ++dtype) {
    if (strcmp(name, ck_dtype_name((ck_dtype_t)dtype))) continue;
    *out = (ck_dtype_t)dtype;
    return true;
  }
  return false;
}

static bool read_dtype(Reader *reader, const char *name, ck_dtype_t *out)
{
  return find_dtype(name, out) || refuse(reader, "'%s' is no type", name);
}

/* Parses "f32" or "f32x4": component type and number of components. */
static bool read_type(Reader *reader, const char *text, ManifestParam *param)
{
  static const char counts[][3] = {"2", "3", "4", "8", "16"};
  char name[8] = "";
  const char *x = strrchr(text, 'x');
  size_t len = x ? (size_t)(x - text) : 0;
  param->components = 1;
  for (size_t i = 0; x && i < COUNT_OF(counts); ++i)
    if (!strcmp(x + 1, counts[i])) param->components = (uint32_t)atoi(counts[i]);
  if (param->components > 1 && len < sizeof name) text = memcpy(name, text, len);
  if (!read_dtype(reader, text, &param->dtype)) return false;
  uint32_t stored = param->components == 3 ? 4 : param->components;
  param->element_bytes = (uint32_t)ck_dtype_bytes(param->dtype) * stored;
  param->element_align = param->element_bytes < 16 ? param->element_bytes : 16;
  return true;
}

/* Reads a texture or surface: the type that is read, and the size of the handle. */
static bool read_handle(Reader *reader, yyjson_val *json, ManifestParam *param)
{
  enum { HANDLE_BYTES = 8 };
  int64_t rank = json_integer(yyjson_obj_get(json, "rank"), 0);
  if (rank < 1 || rank > 3)
    return refuse(reader, "parameter '%s' has %" PRId64 " dimensions", param->name, rank);
  if (!read_type(reader, param->type, param)) return false;
  param->rank = (uint32_t)rank;
  param->is_layered = yyjson_is_true(yyjson_obj_get(json, "layered"));
  param->access = param->kind == CK_PARAM_SURFACE ? CK_ACCESS_INOUT : CK_ACCESS_IN;
  bool is_map = param->kind == CK_PARAM_TENSOR_MAP;
  param->element_bytes = param->element_align = is_map ? CK_TENSOR_MAP_BYTES : HANDLE_BYTES;
  return true;
}

/* Checks a layout such as "{x:f32@0,at:(i32@4,i32@8)}", whose scalars must end within `bytes`, and
 * returns its end; NULL if it is malformed. */
static const char *skip_layout(const char *at, uint32_t bytes, int depth)
{
  static const char opening[] = "{([", closing[] = "})]", letters[] = "abcdefghijklmnopqrstuvwxyz";
  /* Layouts are read by recursion, so their nesting is limited. */
  enum { DEPTH_MAX = 64 };
  const char *bracket = *at ? strchr(opening, *at) : NULL;
  if (depth > DEPTH_MAX) return NULL;
  if (bracket) {
    char end = closing[bracket - opening];
    do {
      ++at;
      if (end == '}') {
        size_t name = strcspn(at, ":{}()[],@");
        if (!name || at[name] != ':') return NULL;
        at += name + 1;
      }
      at = skip_layout(at, bytes, depth + 1);
      if (!at) return NULL;
    } while (*at == ',');
    return *at == end ? at + 1 : NULL;
  }
  char name[8] = "", *stop;
  size_t len = strspn(at, letters), digits = strspn(at + len, "0123456789");
  ck_dtype_t dtype;
  if (!len || len + digits >= sizeof name || at[len + digits] != '@') return NULL;
  memcpy(name, at, len + digits);
  at += len + digits + 1;
  if (*at < '0' || *at > '9' || !find_dtype(name, &dtype)) return NULL;
  unsigned long long offset = strtoull(at, &stop, 10);
  return offset <= bytes && bytes - offset >= ck_dtype_bytes(dtype) ? stop : NULL;
}

/* Reads a struct, an array or a tuple: size, alignment and layout. */
static bool read_record(Reader *reader, yyjson_val *json, ManifestParam *param)
{
  int64_t bytes = json_integer(yyjson_obj_get(json, "bytes"), 0);
  int64_t align = json_integer(yyjson_obj_get(json, "align"), 0);
  if (bytes < 1 || bytes > UINT32_MAX)
    return refuse(reader, "parameter '%s' has %" PRId64 " bytes", param->name, bytes);
  if (align < 1 || align > 256 || (align & (align - 1)) || bytes % align)
    return refuse(reader, "parameter '%s' is aligned to %" PRId64 " bytes", param->name, align);
  param->element_bytes = (uint32_t)bytes;
  param->element_align = (uint32_t)align;
  param->components = 1;
  param->layout = yyjson_get_str(yyjson_obj_get(json, "layout"));
  const char *end = param->layout ? skip_layout(param->layout, param->element_bytes, 0) : "";
  if (end && !*end) return true;
  return refuse(reader, "parameter '%s' has the layout '%s', its bytes are %" PRId64, param->name,
                param->layout, bytes);
}

/* Checks which keys a parameter of a kind has besides name, kind and type. */
static bool check_param_keys(Reader *reader, yyjson_val *json, const ManifestParam *param)
{
  bool is_span = param->kind == CK_PARAM_SPAN, is_handle = param->kind >= CK_PARAM_TEXTURE;
  bool is_record = !is_handle && yyjson_obj_get(json, "bytes");
  const struct {
    const char *key;
    bool may_be;
  } rows[] = {{"access", is_span},   {"extents", is_span},  {"bytes", is_record},
              {"align", is_record},  {"layout", is_record}, {"rank", is_handle},
              {"layered", is_handle}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (!rows[i].may_be && yyjson_obj_get(json, rows[i].key))
      return refuse(reader, "parameter '%s' is of kind '%s' and type '%s', and has the key '%s'",
                    param->name, text_of(json, "kind"), param->type, rows[i].key);
  return true;
}

static bool read_access(Reader *reader, yyjson_val *json, ManifestParam *param)
{
  static const char accesses[][6] = {
      [CK_ACCESS_IN] = "in", [CK_ACCESS_OUT] = "out", [CK_ACCESS_INOUT] = "inout"};
  const char *access = text_of(json, "access");
  param->access = 0;
  for (size_t i = CK_ACCESS_IN; i < COUNT_OF(accesses); ++i)
    if (!strcmp(access, accesses[i])) param->access = (ck_access_t)i;
  return param->access || refuse(reader, "span '%s' has the access '%s'", param->name, access);
}

/* Reads a parameter: its kind, its type or record layout, and for spans the extents and the access.
 */
static bool read_param(Reader *reader, yyjson_val *json, ManifestParam *param)
{
  static const char kinds[][11] = {[CK_PARAM_SCALAR] = "scalar",
                                   [CK_PARAM_SPAN] = "span",
                                   [CK_PARAM_TEXTURE] = "texture",
                                   [CK_PARAM_SURFACE] = "surface",
                                   [CK_PARAM_TENSOR_MAP] = "tensor_map"};
  param->name = text_of(json, "name");
  const char *kind = text_of(json, "kind");
  param->kind = CK_PARAM_SCALAR;
  for (size_t i = 0; i < COUNT_OF(kinds); ++i)
    if (!strcmp(kind, kinds[i])) param->kind = (ck_param_kind_t)i;
  if (!*param->name || strcmp(kind, kinds[param->kind]) != 0)
    return refuse(reader, "parameter '%s' is of kind '%s'", param->name, kind);
  param->type = text_of(json, "type");
  if (!check_param_keys(reader, json, param)) return false;
  if (param->kind >= CK_PARAM_TEXTURE) return read_handle(reader, json, param);
  bool is_record = yyjson_obj_get(json, "bytes");
  if (!(is_record ? read_record(reader, json, param) : read_type(reader, param->type, param)))
    return false;
  param->access = CK_ACCESS_IN;
  if (param->kind == CK_PARAM_SCALAR && param->components > 1)
    return refuse(reader, "'%s' is a vector by value", param->name);
  if (param->kind == CK_PARAM_SCALAR) return true;
  param->extent_count = (uint32_t)yyjson_arr_size(yyjson_obj_get(json, "extents"));
  return read_access(reader, json, param);
}

/* Compiles a list of at most `room` expressions; if it is absent, `out` does not change. */
static bool read_exprs(Reader *reader, ManifestKernel *kernel, uint32_t known_params,
                       ExprReads reads, yyjson_val *list, Expr *out, uint32_t room)
{
  if (yyjson_arr_size(list) > room)
    die("a list of %zu expressions was not checked", yyjson_arr_size(list));
  yyjson_arr_iter items = yyjson_arr_iter_with(list);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    if (!expr_compile(reader->arena, kernel, known_params, reads, yyjson_get_str(item), out++,
                      reader->why))
      return false;
  }
  return true;
}

/* Notes a name; false if it was noted before. */
static bool note(Names *names, const char *text)
{
  Name *name = (Name *)(uintptr_t)name_of(names, text, strlen(text)); /* `bound` is the user's */
  bool is_new = !name->bound;
  name->bound = name;
  return is_new;
}

/* Parameter names are unique, since expressions refer to them. */
static bool read_params(Reader *reader, yyjson_val *params, ManifestKernel *kernel)
{
  kernel->param_count = (uint32_t)yyjson_arr_size(params);
  kernel->params = NEW_ARRAY(reader->arena, ManifestParam, kernel->param_count);
  ManifestParam *param = kernel->params;
  Names names;
  names_init(&names, reader->arena);
  yyjson_arr_iter items = yyjson_arr_iter_with(params);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items)); ++param) {
    if (!read_param(reader, item, param)) return false;
    if (!note(&names, param->name))
      return refuse(reader, "two parameters are called '%s'", param->name);
    param->slot = kernel->slot_count;
    bool has_size = param->kind == CK_PARAM_TENSOR_MAP ||
                    (param->kind == CK_PARAM_SPAN && param->extent_count == 0);
    kernel->slot_count += has_size ? 2 : 1;
  }
  /* Extents can refer to later parameters, so they are compiled when all are known. */
  uint32_t index = 0;
  items = yyjson_arr_iter_with(params);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items)); ++index)
    if (!read_exprs(reader, kernel, index, READS_params, yyjson_obj_get(item, "extents"),
                    kernel->params[index].extents, COUNT_OF(kernel->params[index].extents)))
      return false;
  return true;
}

/* Computes the summary of the parameters that launches use. */
static void summarize_params(Reader *reader, ManifestKernel *kernel)
{
  ManifestRow *rows = NEW_ARRAY(reader->arena, ManifestRow, kernel->param_count + 1);
  uint32_t *spans = NEW_ARRAY(reader->arena, uint32_t, kernel->param_count + 1);
  uint32_t *written = NEW_ARRAY(reader->arena, uint32_t, kernel->param_count + 1);
  for (uint32_t i = 0; i < kernel->param_count; ++i) {
    const ManifestParam *param = &kernel->params[i];
    bool is_scalar = param->kind == CK_PARAM_SCALAR && param->dtype != CK_NONE;
    bool is_span = param->kind == CK_PARAM_SPAN;
    if (is_span) spans[kernel->span_count++] = i;
    if (is_span && param->access != CK_ACCESS_IN) written[kernel->written_span_count++] = i;
    rows[i] =
        (ManifestRow){is_scalar && !param->is_in_expr ? param->dtype : ROW_OTHER, param->slot};
    kernel->has_values |= param->kind == CK_PARAM_TENSOR_MAP ||
                          (param->kind == CK_PARAM_SCALAR && param->dtype == CK_NONE);
  }
  kernel->rows = rows;
  kernel->spans = spans;
  kernel->written_spans = written;
}

static bool read_expr(Reader *reader, ManifestKernel *kernel, ExprReads reads, yyjson_val *text,
                      Expr *out)
{
  return !text || expr_compile(reader->arena, kernel, kernel->param_count, reads,
                               yyjson_get_str(text), out, reader->why);
}

/* Reads what the step of an algorithm has besides: persistent memory, condition, loops. */
static bool read_step(Reader *reader, yyjson_val *json, ManifestKernel *kernel)
{
  yyjson_val *kept = yyjson_obj_get(json, "kept_bytes");
  yyjson_val *condition = yyjson_obj_get(json, "condition");
  yyjson_arr_iter loops = yyjson_arr_iter_with(yyjson_obj_get(json, "loops"));
  kernel->is_step = kept != NULL;
  kernel->is_kept_own = yyjson_is_true(yyjson_obj_get(json, "kept_own"));
  if (!kernel->is_step && (condition || loops.max))
    return refuse(reader, "kernel '%s' has a condition or loops, but is no step", kernel->name);
  if (kernel->is_step && !yyjson_obj_get(json, "scratch_bytes"))
    return refuse(reader, "the step '%s' does not say its scratch memory", kernel->name);
  kernel->slot_count += kernel->is_step;
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&loops)); ++kernel->loop_count) {
    ManifestLoop *loop = &kernel->loops[kernel->loop_count];
    loop->id = json_integer(yyjson_obj_get(item, "loop"), 0);
    yyjson_val *from = yyjson_obj_get(item, "from"), *to = yyjson_obj_get(item, "to");
    if (!from || !to) return refuse(reader, "a loop around '%s' has no end", kernel->name);
    if (!read_expr(reader, kernel, READS_params, from, &loop->from) ||
        !read_expr(reader, kernel, READS_params, to, &loop->to))
      return false;
    ++kernel->slot_count;
  }
  return read_expr(reader, kernel, READS_params, kept, &kernel->kept_bytes) &&
         read_expr(reader, kernel, READS_params, condition, &kernel->condition);
}

/* Reads a kernel: its parameters, then its expressions. Each expression may use only numbers that
 * are known when it is evaluated: the block comes before the grid, and scratch memory last. */
static bool read_kernel(Reader *reader, yyjson_val *json, ManifestKernel *kernel)
{
  kernel->name = text_of(json, "name");
  kernel->symbol = text_of(json, "symbol");
  if (!*kernel->name || !*kernel->symbol) return refuse(reader, "a kernel has no name or symbol");
  yyjson_val *written = yyjson_obj_get(json, "written");
  kernel->written = NEW_ARRAY(reader->arena, const char *, yyjson_arr_size(written) + 1);
  yyjson_arr_iter items = yyjson_arr_iter_with(written);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
    kernel->written[kernel->written_count++] = yyjson_get_str(item);
  kernel->line = (uint32_t)json_integer(yyjson_obj_get(json, "line"), 0);
  kernel->shared_bytes = (uint32_t)json_integer(yyjson_obj_get(json, "shared_bytes"), 0);
  kernel->is_coroutine = yyjson_is_true(yyjson_obj_get(json, "coroutine"));
  kernel->is_cooperative = yyjson_is_true(yyjson_obj_get(json, "cooperative"));
  kernel->is_dependent = yyjson_is_true(yyjson_obj_get(json, "dependent"));
  if (!read_params(reader, yyjson_obj_get(json, "params"), kernel)) return false;
  if (!read_step(reader, json, kernel)) return false;
  yyjson_val *launch = yyjson_obj_get(json, "launch");
  uint32_t all = kernel->param_count;
  const char *dynamic = yyjson_get_str(yyjson_obj_get(json, "dynamic_shared"));
  const char *scratch = yyjson_get_str(yyjson_obj_get(json, "scratch_bytes"));
  kernel->slot_count += scratch != NULL;
  yyjson_val *block = yyjson_obj_get(launch, "block"), *grid = yyjson_obj_get(launch, "grid"),
             *cluster = yyjson_obj_get(launch, "cluster");
  if (!read_exprs(reader, kernel, all, READS_params, block, kernel->block, 3) ||
      !read_exprs(reader, kernel, all, READS_resident, grid, kernel->grid, 3) ||
      !read_exprs(reader, kernel, all, READS_params, cluster, kernel->cluster, 3) ||
      (dynamic && !expr_compile(reader->arena, kernel, all, READS_params, dynamic,
                                &kernel->dynamic_shared, reader->why)) ||
      (scratch && !expr_compile(reader->arena, kernel, all, READS_shape, scratch,
                                &kernel->scratch_bytes, reader->why)))
    return false;
  summarize_params(reader, kernel);
  return true;
}

/* The type of a need: an integer of less than 64 bits. */
static bool read_integer(Reader *reader, const char *name, ck_dtype_t *out)
{
  if (!read_dtype(reader, name, out)) return false;
  return (*out >= CK_I8 && *out < CK_U64 && ck_dtype_bytes(*out) < 8) ||
         refuse(reader, "'%s' is no narrow integer", name);
}

static bool read_needs(Reader *reader, yyjson_val *list, ManifestKernel *plan)
{
  ManifestNeed *need = NEW_ARRAY(reader->arena, ManifestNeed, yyjson_arr_size(list) + 1);
  plan->needs = need;
  plan->need_count = (uint32_t)yyjson_arr_size(list);
  yyjson_arr_iter items = yyjson_arr_iter_with(list);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items)); ++need) {
    need->what = text_of(item, "what");
    yyjson_val *has = yyjson_obj_get(item, "has"), *needs = yyjson_obj_get(item, "needs");
    yyjson_val *holds = yyjson_obj_get(item, "holds");
    const char *type = text_of(item, "type");
    if (holds) has = holds;
    else if (*type && !read_integer(reader, type, &need->dtype)) return false;
    else if (!(has || *type) || !needs)
      return refuse(reader, "a need of '%s' is no comparison", plan->name);
    if (!read_expr(reader, plan, READS_params, yyjson_obj_get(item, "condition"),
                   &need->condition) ||
        !read_expr(reader, plan, READS_params, has, &need->has) ||
        !read_expr(reader, plan, READS_params, needs, &need->needs))
      return false;
  }
  return true;
}

/* Makes the kernel that stands for an algorithm of several steps. Its parameters are the steps'. */
static bool read_plan(Reader *reader, yyjson_val *json, Manifest *manifest)
{
  ManifestKernel *plan = &manifest->kernels[manifest->kernel_count];
  yyjson_val *steps = yyjson_obj_get(json, "steps");
  *plan = (ManifestKernel){.name = text_of(json, "name"), .symbol = ""};
  plan->steps = NEW_ARRAY(reader->arena, const ManifestKernel *, yyjson_arr_size(steps));
  if (!read_params(reader, yyjson_obj_get(json, "params"), plan) ||
      !read_needs(reader, yyjson_obj_get(json, "needs"), plan))
    return false;
  yyjson_arr_iter items = yyjson_arr_iter_with(steps);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    const char *name = yyjson_get_str(item);
    const ManifestKernel *step = NULL;
    for (uint32_t i = 0; i < manifest->kernel_count && !step; ++i)
      if (!strcmp(manifest->kernels[i].name, name)) step = &manifest->kernels[i];
    if (!step || !step->is_step || step->param_count != plan->param_count)
      return refuse(reader, "'%s' is no step of the algorithm '%s'", name, plan->name);
    for (uint32_t i = 0; i < plan->param_count; ++i) {
      const ManifestParam *own = &plan->params[i], *its = &step->params[i];
      if (own->kind != its->kind || own->slot != its->slot || strcmp(own->name, its->name) != 0 ||
          strcmp(own->type, its->type) != 0)
        return refuse(reader, "parameter '%s' of '%s' is not the step's", own->name, plan->name);
      plan->params[i].is_in_expr |= its->is_in_expr;
    }
    plan->steps[plan->step_count++] = step;
  }
  summarize_params(reader, plan);
  ++manifest->kernel_count;
  return true;
}

/* Reads the parts of an algorithm's result. */
static bool read_algorithm(Reader *reader, yyjson_val *json, Manifest *manifest)
{
  const char *name = text_of(json, "name");
  yyjson_val *result = yyjson_obj_get(json, "result");
  uint32_t found = 0;
  if (yyjson_obj_get(json, "steps") && !read_plan(reader, json, manifest)) return false;
  for (uint32_t i = 0; i < manifest->kernel_count; ++i) {
    ManifestKernel *kernel = &manifest->kernels[i];
    if (strcmp(kernel->name, name) != 0) continue;
    ++found;
    if (!result) continue;
    ManifestPart *part = NEW_ARRAY(reader->arena, ManifestPart, yyjson_arr_size(result) + 1);
    kernel->result = part;
    kernel->result_count = (uint32_t)yyjson_arr_size(result);
    const ManifestParam *last =
        kernel->param_count ? &kernel->params[kernel->param_count - 1] : NULL;
    yyjson_arr_iter items = yyjson_arr_iter_with(result);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items)); ++part) {
      part->name = text_of(item, "name");
      int64_t offset = json_integer(yyjson_obj_get(item, "offset"), -1);
      if (!read_dtype(reader, text_of(item, "type"), &part->dtype)) return false;
      size_t bytes = ck_dtype_bytes(part->dtype);
      if (!last || offset < 0 || (uint64_t)offset + bytes > last->element_bytes)
        return refuse(reader, "the result of '%s' has no '%s'", name, part->name);
      part->offset = (uint32_t)offset;
    }
  }
  return found || refuse(reader, "there is no kernel of the algorithm '%s'", name);
}

static bool read_symbols(Reader *reader, yyjson_val *symbols, Manifest *manifest)
{
  manifest->symbols = NEW_ARRAY(reader->arena, ManifestSymbol, yyjson_arr_size(symbols) + 1);
  yyjson_arr_iter items = yyjson_arr_iter_with(symbols);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    ManifestSymbol *symbol = &manifest->symbols[manifest->symbol_count++];
    *symbol = (ManifestSymbol){text_of(item, "name"), text_of(item, "symbol")};
    if (!*symbol->name || !*symbol->symbol) return refuse(reader, "a name or its symbol is empty");
  }
  return true;
}

/* Reads a list of paths; if it is absent, *out_paths stays NULL. */
static void read_paths(Reader *reader, yyjson_val *list, const char ***out_paths,
                       uint32_t *out_count)
{
  if (!list) return;
  const char **paths = *out_paths =
      NEW_ARRAY(reader->arena, const char *, yyjson_arr_size(list) + 1);
  yyjson_arr_iter items = yyjson_arr_iter_with(list);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
    paths[(*out_count)++] = yyjson_get_str(item);
}

static bool read_manifest(Reader *reader, yyjson_val *json, Manifest *manifest)
{
  int64_t version = json_integer(yyjson_obj_get(json, "manifest"), 0);
  if (version < 1) return refuse(reader, "it has no version");
  if (version > 1)
    return refuse(reader, "its version is %lld, this library reads 1: the code needs a newer one",
                  (long long)version);
  if (!manifest_check(json, reader->why)) return false;
  manifest->source = text_of(json, "source");
  manifest->target = text_of(json, "target");
  manifest->backend = text_of(json, "backend");
  manifest->cpu = text_of(json, "cpu");
  manifest->image = text_of(json, "image");
  manifest->has_foreign = yyjson_is_true(yyjson_obj_get(json, "foreign"));
  read_paths(reader, yyjson_obj_get(json, "imports"), &manifest->imports, &manifest->import_count);
  read_paths(reader, yyjson_obj_get(json, "looked_for"), &manifest->looked_for,
             &manifest->looked_for_count);
  if (!read_symbols(reader, yyjson_obj_get(json, "symbols"), manifest)) return false;
  yyjson_val *kernels = yyjson_obj_get(json, "kernels");
  yyjson_val *algorithms = yyjson_obj_get(json, "algorithms");
  manifest->kernels = NEW_ARRAY(reader->arena, ManifestKernel,
                                yyjson_arr_size(kernels) + yyjson_arr_size(algorithms));
  yyjson_arr_iter items = yyjson_arr_iter_with(kernels);
  Names symbols;
  names_init(&symbols, reader->arena);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
    ManifestKernel *kernel = &manifest->kernels[manifest->kernel_count++];
    if (!read_kernel(reader, item, kernel)) return false;
    if (!note(&symbols, kernel->symbol))
      return refuse(reader, "two kernels have the symbol '%s'", kernel->symbol);
  }
  items = yyjson_arr_iter_with(algorithms);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
    if (!read_algorithm(reader, item, manifest)) return false;
  return true;
}

const Manifest *manifest_parse(Arena *arena, const char *json, size_t bytes, Buf *why)
{
  yyjson_val *root = json_parse(arena, json, bytes, why);
  Reader reader = {arena, why};
  Manifest *manifest = NEW(arena, Manifest);
  return root && read_manifest(&reader, root, manifest) ? manifest : NULL;
}

size_t manifest_prefix(const char *json, size_t bytes)
{
  static const char before[] = ",\n  \"image\": \"", behind[] = "\"\n}\n";
  size_t tail = sizeof before - 1 + DIGEST_TEXT_BYTES - 1 + sizeof behind - 1;
  if (bytes <= tail || memcmp(json + bytes - tail, before, sizeof before - 1)) return 0;
  bool ends = !memcmp(json + bytes - (sizeof behind - 1), behind, sizeof behind - 1);
  return ends ? bytes - tail : 0;
}

/* The parameter whose first slot this is; NULL for the second slot of one, or scratch memory. */
static const ManifestParam *param_at(const ManifestKernel *kernel, uint32_t slot)
{
  for (uint32_t i = 0; i < kernel->param_count; ++i)
    if (kernel->params[i].slot == slot) return &kernel->params[i];
  return NULL;
}

enum { WORD_BYTES = 8 }; /* an address, or a number of elements or bytes */

uint32_t manifest_slot_bytes(const ManifestKernel *kernel, uint32_t slot)
{
  const ManifestParam *param = param_at(kernel, slot);
  return param && param->kind != CK_PARAM_SPAN ? param->element_bytes : WORD_BYTES;
}

uint32_t manifest_slot_align(const ManifestKernel *kernel, uint32_t slot)
{
  const ManifestParam *param = param_at(kernel, slot);
  return param && param->kind != CK_PARAM_SPAN ? param->element_align : WORD_BYTES;
}

/* How a requested name matches a kernel's name, ignoring blanks. */
typedef enum Likeness {
  OTHER,
  BEGINS, /* "k" and "k<f32>" match "k<f32,2>": trailing arguments may be left out */
  SAME
} Likeness;

static Likeness compare_names(const char *name, const char *asked)
{
  for (;;) {
    name += strspn(name, " \t");
    asked += strspn(asked, " \t");
    if (*name != *asked) break;
    if (!*name) return SAME;
    ++name, ++asked;
  }
  if (!*asked) return *name == '<' ? BEGINS : OTHER;
  return *asked == '>' && !asked[1 + strspn(asked + 1, " \t")] && *name == ',' ? BEGINS : OTHER;
}

static Likeness likeness(const ManifestKernel *kernel, const char *asked)
{
  Likeness most = compare_names(kernel->name, asked);
  for (uint32_t i = 0; i < kernel->written_count; ++i) {
    Likeness this = compare_names(kernel->written[i], asked);
    if (this > most) most = this;
  }
  return most;
}

const ManifestKernel *manifest_find(const Manifest *manifest, const char *name)
{
  const ManifestKernel *one = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < manifest->kernel_count; ++i) {
    const ManifestKernel *kernel = &manifest->kernels[i];
    Likeness alike = likeness(kernel, name);
    if (alike == SAME) return kernel;
    if (alike == BEGINS) one = kernel, ++count;
  }
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    if (!strcmp(manifest->kernels[i].symbol, name)) return &manifest->kernels[i];
  return count == 1 ? one : NULL;
}

const char *manifest_symbol(const Manifest *manifest, const char *name)
{
  for (uint32_t i = 0; i < manifest->symbol_count; ++i)
    if (compare_names(manifest->symbols[i].name, name) == SAME) return manifest->symbols[i].symbol;
  return NULL;
}
