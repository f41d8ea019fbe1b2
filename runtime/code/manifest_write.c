/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest_write.c - writes manifests for code of other compilers, and for linked code.
 *
 * Linked code has the kernels of all its pieces. Keys in the manifest of a piece that this version
 * does not know are kept.
 */
#include <string.h>

#include "core/json.h"
#include "manifest.h"

/* Joins the lists of a name in all pieces; returns the number of elements. */
static size_t join_lists(Buf *out, yyjson_val *const *parts, size_t count, const char *name)
{
  size_t n_items = 0;
  for (size_t i = 0; i < count; ++i) {
    yyjson_arr_iter items = yyjson_arr_iter_with(yyjson_obj_get(parts[i], name));
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
      buf_puts(out, n_items++ ? ",\n" : "\n");
      json_write(out, item);
    }
  }
  return n_items;
}

/* Writes `"name":[...]`, or nothing if the list is empty. */
static void put_list(Buf *out, yyjson_val *const *parts, size_t count, const char *name)
{
  Buf items = BUF(out->arena);
  if (join_lists(&items, parts, count, name))
    buf_printf(out, ",\n\"%s\":[%s]", name, buf_text(&items));
}

static void put_text(Buf *out, const char *name, const char *text)
{
  buf_printf(out, ",\n\"%s\":", name);
  buf_json_string(out, text, strlen(text));
}

/* Writes the symbols of the pieces and the new ones as one list. */
static void put_symbols(Buf *out, yyjson_val *const *roots, const ManifestParts *parts)
{
  Buf items = BUF(out->arena);
  join_lists(&items, roots, parts->json_count, "symbols");
  for (size_t i = 0; i < parts->symbol_count; ++i) {
    const ManifestSymbol *symbol = &parts->symbols[i];
    buf_puts(&items, items.len ? ",\n{\"name\":" : "\n{\"name\":");
    buf_json_string(&items, symbol->name, strlen(symbol->name));
    buf_puts(&items, ",\"symbol\":");
    buf_json_string(&items, symbol->symbol, strlen(symbol->symbol));
    buf_putc(&items, '}');
  }
  if (items.len) buf_printf(out, ",\n\"symbols\":[%s]", buf_text(&items));
}

bool manifest_write(Buf *out, const ManifestParts *parts, Buf *why)
{
  Arena scratch = {0};
  yyjson_val **roots = NEW_ARRAY(&scratch, yyjson_val *, parts->json_count + 1);
  bool has_foreign = parts->has_foreign, is_good = true;
  for (size_t i = 0; i < parts->json_count && is_good; ++i) {
    roots[i] = json_parse(&scratch, parts->jsons[i], strlen(parts->jsons[i]), why);
    has_foreign |= yyjson_is_true(yyjson_obj_get(roots[i], "foreign"));
    is_good = roots[i] != NULL;
  }
  if (is_good) {
    buf_puts(out, "{\"manifest\":1");
    put_text(out, "compiler", CK_VERSION_TEXT);
    put_text(out, "source", parts->source);
    put_text(out, "target", parts->target);
    put_text(out, "backend", parts->backend);
    if (has_foreign) buf_puts(out, ",\n\"foreign\":true");
    put_list(out, roots, parts->json_count, "imports");
    put_list(out, roots, parts->json_count, "sources");
    buf_puts(out, ",\n\"kernels\":[");
    join_lists(out, roots, parts->json_count, "kernels");
    buf_putc(out, ']');
    put_list(out, roots, parts->json_count, "algorithms");
    if (parts->has_functions) put_list(out, roots, parts->json_count, "functions");
    put_symbols(out, roots, parts);
    buf_puts(out, "}\n");
  }
  arena_free(&scratch);
  return is_good;
}

static void append_trailer(Buf *code, const char *json, size_t bytes)
{
  uint64_t length = bytes;
  buf_bytes(code, json, bytes);
  buf_bytes(code, &length, sizeof length);
  buf_puts(code, "CKMANIF1");
}

/* Inserts the manifest in front of the body, whose offset is the sixth word of the header. */
static void insert_in_ltoir(Buf *code, const char *json, size_t bytes)
{
  enum { BODY_WORD = 5, ALIGNMENT = 4 };
  uint32_t body;
  memcpy(&body, code->data + BODY_WORD * sizeof body, sizeof body);
  Buf whole = BUF(code->arena), text = BUF(code->arena);
  buf_bytes(&text, json, bytes);
  while ((text.len + body) % ALIGNMENT) buf_putc(&text, '\n');
  buf_bytes(&whole, code->data, body);
  append_trailer(&whole, text.data, text.len);
  uint32_t moved = (uint32_t)whole.len;
  memcpy(whole.data + BODY_WORD * sizeof moved, &moved, sizeof moved);
  buf_bytes(&whole, code->data + body, code->len - body);
  *code = whole;
}

static void append_lines(Buf *code, const char *json, size_t bytes)
{
  while (code->len && !code->data[code->len - 1]) --code->len;
  buf_putc(code, '\n');
  for (const char *line = json, *end = json + bytes; line < end;) {
    size_t len = strcspn(line, "\n");
    buf_puts(code, "//ck: ");
    buf_bytes(code, line, len);
    buf_putc(code, '\n');
    line += len + 1;
  }
}

void manifest_attach(Buf *code, ck_emit_t form, const char *json, size_t bytes)
{
  if (form == CK_EMIT_PTX) append_lines(code, json, bytes);
  else if (form == CK_EMIT_LTOIR) insert_in_ltoir(code, json, bytes);
  else append_trailer(code, json, bytes);
}
