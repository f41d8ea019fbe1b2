/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* json.c - reads JSON (RFC 8259) by yyjson, and writes a value of its tree.
 *
 * yyjson allocates from the arena, where memory that it frees stays until the arena is released.
 * yyjson reads without recursion, but the functions that walk a tree recurse. Therefore the text is
 * scanned once more, and one that is nested too deeply is refused. Values are written here, since
 * yyjson's writer is twice as large as its reader, and manifests need no layout.
 */
#include "json.h"

#include <string.h>

enum { MAX_DEPTH = 64 }; /* a manifest of a compiler has 6 */

static void *take(void *arena, size_t bytes)
{
  return arena_alloc(arena, bytes);
}

static void *take_more(void *arena, void *old, size_t old_bytes, size_t bytes)
{
  return bytes <= old_bytes ? old : memcpy(arena_alloc(arena, bytes), old, old_bytes);
}

static void give_back(void *arena, void *piece)
{
  (void)arena;
  (void)piece;
}

/* What yyjson allows and its users don't: the first such place, or NULL. A text that is no JSON may
 * have one too. */
static const char *find_refused(const char *text, const char *end, const char **out_what)
{
  int depth = 0;
  bool is_string = false;
  for (const char *at = text; at < end; ++at) {
    if (is_string && *at == '\\') {
      *out_what = "a NUL in a string";
      if (end - at >= 6 && !memcmp(at, "\\u0000", 6)) return at;
      ++at; /* the escaped character is no quote */
    } else if (*at == '"') {
      is_string = !is_string;
    } else if (!is_string && (*at == '[' || *at == '{')) {
      *out_what = "nested too deeply";
      if (++depth > MAX_DEPTH) return at;
    } else if (!is_string && (*at == ']' || *at == '}')) {
      --depth;
    }
  }
  return NULL;
}

yyjson_val *json_parse(Arena *arena, const char *text, size_t bytes, Buf *why)
{
  const yyjson_alc memory = {take, take_more, give_back, arena};
  yyjson_read_err error;
  /* Cast: without YYJSON_READ_INSITU the text is not written to. File names need not be UTF-8. */
  yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)text, bytes,
                                     YYJSON_READ_ALLOW_INVALID_UNICODE, &memory, &error);
  const char *what = NULL, *refused = find_refused(text, text + bytes, &what);
  if (doc && !refused) return yyjson_doc_get_root(doc);
  if (!doc && (!refused || text + error.pos < refused)) /* the first of both */
    refused = text + error.pos, what = error.msg;
  buf_printf(why, "byte %zu: %s", (size_t)(refused - text), what);
  return NULL;
}

bool json_is_integer(yyjson_val *json, int64_t *out)
{
  *out = yyjson_get_sint(json);
  return yyjson_is_int(json) && !(yyjson_is_uint(json) && yyjson_get_uint(json) > INT64_MAX);
}

int64_t json_integer(yyjson_val *json, int64_t otherwise)
{
  int64_t value;
  return json_is_integer(json, &value) ? value : otherwise;
}

double json_real(yyjson_val *json, double otherwise)
{
  return yyjson_is_num(json) ? yyjson_get_num(json) : otherwise;
}

static void write_string(Buf *out, yyjson_val *json)
{
  buf_json_string(out, yyjson_get_str(json), yyjson_get_len(json));
}

static void write_list(Buf *out, yyjson_val *json)
{
  const char *between = "";
  yyjson_arr_iter items = yyjson_arr_iter_with(json);
  buf_putc(out, '[');
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items)); between = ",") {
    buf_puts(out, between);
    json_write(out, item);
  }
  buf_putc(out, ']');
}

static void write_object(Buf *out, yyjson_val *json)
{
  const char *between = "";
  yyjson_obj_iter names = yyjson_obj_iter_with(json);
  buf_putc(out, '{');
  for (yyjson_val *name; (name = yyjson_obj_iter_next(&names)); between = ",") {
    buf_puts(out, between);
    write_string(out, name);
    buf_putc(out, ':');
    json_write(out, yyjson_obj_iter_get_val(name));
  }
  buf_putc(out, '}');
}

void json_write(Buf *out, yyjson_val *json)
{
  switch (yyjson_get_type(json)) {
  case YYJSON_TYPE_BOOL: buf_puts(out, yyjson_get_bool(json) ? "true" : "false"); return;
  case YYJSON_TYPE_NUM:
    if (yyjson_is_uint(json)) buf_printf(out, "%llu", (unsigned long long)yyjson_get_uint(json));
    else if (yyjson_is_sint(json)) buf_printf(out, "%lld", (long long)yyjson_get_sint(json));
    else buf_printf(out, "%.17g", yyjson_get_real(json));
    return;
  case YYJSON_TYPE_STR: write_string(out, json); return;
  case YYJSON_TYPE_ARR: write_list(out, json); return;
  case YYJSON_TYPE_OBJ: write_object(out, json); return;
  default: buf_puts(out, "null"); return;
  }
}
