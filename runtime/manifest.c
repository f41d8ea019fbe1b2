/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest.c - finds the manifest in object code, and parses its JSON (jansson). */
#include "manifest.h"

#include <jansson.h>
#include <string.h>

static const char trailer_magic[] = "CKMANIF1";
static const char ptx_prefix[] = "//ck: ";
enum { TRAILER_BYTES = 16, PTX_PREFIX_BYTES = sizeof ptx_prefix - 1 };

/* The comment lines at the end of PTX, joined. */
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

bool manifest_locate(Arena *arena, const void *data, size_t bytes, const char **out_json,
                     size_t *out_json_bytes, size_t *out_image_bytes)
{
  const char *text = data;
  *out_json = "";
  *out_json_bytes = 0;
  *out_image_bytes = bytes;
  if (bytes > TRAILER_BYTES && !memcmp(text + bytes - 8, trailer_magic, 8)) {
    uint64_t json_bytes;
    memcpy(&json_bytes, text + bytes - TRAILER_BYTES, sizeof json_bytes);
    if (json_bytes > bytes - TRAILER_BYTES) return false;
    *out_image_bytes = bytes - TRAILER_BYTES - json_bytes;
    *out_json = text + *out_image_bytes;
    *out_json_bytes = json_bytes;
    return true;
  }
  return locate_in_ptx(arena, text, bytes, out_json, out_json_bytes);
}

/* What the readers below share. The first thing that is wrong goes to `why`. */
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

/* A text member, copied; "" if it is absent. */
static const char *text_of(Reader *reader, const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? arena_strdup(reader->arena, text) : "";
}

static bool read_dtype(Reader *reader, const char *name, ck_dtype_t *out)
{
  for (int dtype = CK_BOOL; dtype <= CK_F64; ++dtype) {
    if (strcmp(name, ck_dtype_name((ck_dtype_t)dtype))) continue;
    *out = (ck_dtype_t)dtype;
    return true;
  }
  return refuse(reader, "'%s' is no type", name);
}

static bool read_param(Reader *reader, const json_t *json, ManifestParam *param)
{
  static const char *const accesses[] = {
      [CK_ACCESS_IN] = "in", [CK_ACCESS_OUT] = "out", [CK_ACCESS_INOUT] = "inout"};
  param->name = text_of(reader, json, "name");
  const char *kind = text_of(reader, json, "kind");
  if (!*param->name || (strcmp(kind, "scalar") && strcmp(kind, "span")))
    return refuse(reader, "parameter '%s' is of kind '%s'", param->name, kind);
  if (!read_dtype(reader, text_of(reader, json, "type"), &param->dtype)) return false;
  param->element_bytes = (uint32_t)ck_dtype_bytes(param->dtype);
  param->access = CK_ACCESS_IN;
  if (!strcmp(kind, "scalar")) return true;
  param->kind = CK_PARAM_SPAN;
  const char *access = text_of(reader, json, "access");
  param->access = 0;
  for (size_t i = CK_ACCESS_IN; i < COUNT_OF(accesses); ++i)
    if (!strcmp(access, accesses[i])) param->access = (ck_access_t)i;
  if (!param->access) return refuse(reader, "span '%s' has the access '%s'", param->name, access);
  param->extent_count = (uint32_t)json_array_size(json_object_get(json, "extents"));
  if (param->extent_count > COUNT_OF(param->extents))
    return refuse(reader, "span '%s' has %u extents", param->name, param->extent_count);
  return true;
}

/* A list of 1 to `room` expressions; an absent one leaves `out` as it is. */
static bool read_exprs(Reader *reader, ManifestKernel *kernel, uint32_t known_params,
                       const json_t *list, Expr *out, size_t room)
{
  if (json_array_size(list) > room)
    return refuse(reader, "%zu expressions where %zu can be", json_array_size(list), room);
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *text = json_string_value(json_array_get(list, i));
    if (!text) return refuse(reader, "an expression is not a string");
    text = arena_strdup(reader->arena, text);
    if (!expr_compile(reader->arena, kernel, known_params, text, &out[i], reader->why))
      return false;
  }
  return true;
}

static bool read_kernel(Reader *reader, const json_t *json, ManifestKernel *kernel)
{
  kernel->name = text_of(reader, json, "name");
  kernel->symbol = text_of(reader, json, "symbol");
  if (!*kernel->name || !*kernel->symbol) return refuse(reader, "a kernel has no name or symbol");
  kernel->line = (uint32_t)json_integer_value(json_object_get(json, "line"));
  kernel->shared_bytes = (uint32_t)json_integer_value(json_object_get(json, "shared_bytes"));
  kernel->is_coroutine = json_is_true(json_object_get(json, "coroutine"));
  const json_t *params = json_object_get(json, "params");
  if (json_array_size(params) > MAX_PARAMS)
    return refuse(reader, "kernel '%s' has %zu parameters", kernel->name, json_array_size(params));
  kernel->param_count = (uint32_t)json_array_size(params);
  kernel->params = NEW_ARRAY(reader->arena, ManifestParam, kernel->param_count);
  for (uint32_t i = 0; i < kernel->param_count; ++i) {
    ManifestParam *param = &kernel->params[i];
    if (!read_param(reader, json_array_get(params, i), param)) return false;
    param->slot = kernel->slot_count;
    kernel->slot_count += param->kind == CK_PARAM_SPAN && param->extent_count == 0 ? 2 : 1;
  }
  for (uint32_t i = 0; i < kernel->param_count; ++i)
    if (!read_exprs(reader, kernel, i, json_object_get(json_array_get(params, i), "extents"),
                    kernel->params[i].extents, COUNT_OF(kernel->params[i].extents)))
      return false;
  const json_t *launch = json_object_get(json, "launch");
  uint32_t all = kernel->param_count;
  const char *dynamic = json_string_value(json_object_get(json, "dynamic_shared"));
  return read_exprs(reader, kernel, all, json_object_get(launch, "block"), kernel->block, 3) &&
         read_exprs(reader, kernel, all, json_object_get(launch, "grid"), kernel->grid, 3) &&
         read_exprs(reader, kernel, all, json_object_get(launch, "cluster"), kernel->cluster, 3) &&
         (!dynamic || expr_compile(reader->arena, kernel, all, arena_strdup(reader->arena, dynamic),
                                   &kernel->dynamic_shared, reader->why));
}

static bool read_manifest(Reader *reader, const json_t *json, Manifest *manifest)
{
  const json_t *version = json_object_get(json, "manifest");
  if (!json_is_integer(version)) return refuse(reader, "it has no version");
  if (json_integer_value(version) > 1)
    return refuse(reader, "its version is %lld, this library reads 1: the code needs a newer one",
                  (long long)json_integer_value(version));
  manifest->source = text_of(reader, json, "source");
  manifest->target = text_of(reader, json, "target");
  manifest->backend = text_of(reader, json, "backend");
  const json_t *imports = json_object_get(json, "imports");
  if (json_is_array(imports)) {
    manifest->import_count = (uint32_t)json_array_size(imports);
    manifest->imports = NEW_ARRAY(reader->arena, const char *, manifest->import_count + 1);
    for (uint32_t i = 0; i < manifest->import_count; ++i) {
      const char *path = json_string_value(json_array_get(imports, i));
      if (!path) return refuse(reader, "an import is not a string");
      manifest->imports[i] = arena_strdup(reader->arena, path);
    }
  }
  const json_t *kernels = json_object_get(json, "kernels");
  manifest->kernel_count = (uint32_t)json_array_size(kernels);
  manifest->kernels = NEW_ARRAY(reader->arena, ManifestKernel, manifest->kernel_count);
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    if (!read_kernel(reader, json_array_get(kernels, i), &manifest->kernels[i])) return false;
  return true;
}

const Manifest *manifest_parse(Arena *arena, const char *json, size_t bytes, Buf *why)
{
  json_error_t error;
  json_t *root = json_loadb(json, bytes, 0, &error);
  if (!root) {
    buf_printf(why, "line %d: %s", error.line, error.text);
    return NULL;
  }
  Reader reader = {arena, why};
  Manifest *manifest = NEW(arena, Manifest);
  bool is_good = read_manifest(&reader, root, manifest);
  json_decref(root);
  return is_good ? manifest : NULL;
}

/* Whether two names are the same but for blanks. */
static bool same_name(const char *a, const char *b)
{
  for (;;) {
    a += strspn(a, " \t");
    b += strspn(b, " \t");
    if (*a != *b) return false;
    if (!*a) return true;
    ++a, ++b;
  }
}

const ManifestKernel *manifest_find(const Manifest *manifest, const char *name)
{
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    if (same_name(manifest->kernels[i].name, name)) return &manifest->kernels[i];
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    if (!strcmp(manifest->kernels[i].symbol, name)) return &manifest->kernels[i];
  return NULL;
}
