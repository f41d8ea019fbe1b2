/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* record.c - walks the manifest's layouts of structs, tuples, arrays and vectors, and prints
 * records.
 *
 *     layout "{x:f32@0,at:(i32@4,i32@8)}"    bytes 0: 1.0f, 4: 2, 8: 3
 *     printed {x: 1, at: (2, 3)}
 *
 * Printed records look as print() in a kernel prints them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* A scalar of a layout: "f32@16". */
typedef struct Leaf {
  ck_dtype_t dtype;
  size_t offset;
} Leaf;

static bool is_bracket(char letter)
{
  return letter == '{' || letter == '(' || letter == '[';
}

static char closing(char bracket)
{
  return bracket == '{' ? '}' : bracket == '(' ? ')' : ']';
}

/* False where the layout is damaged: a record has `size` bytes. */
static bool read_leaf(const char **layout, size_t size, Leaf *out)
{
  size_t len = strcspn(*layout, "@");
  ck_dtype_t dtype;
  char *end;
  if (!(*layout)[len] || !number_type(*layout, len, &dtype)) return false;
  *out = (Leaf){dtype, strtoul(*layout + len + 1, &end, 10)};
  *layout = end;
  return out->offset <= size && ck_dtype_bytes(dtype) <= size - out->offset;
}

/* The name of a field, if the layout has one here. */
static size_t field_bytes(const char *layout)
{
  size_t len = strcspn(layout, ":@{([,");
  return layout[len] == ':' ? len : 0;
}

/* ---- layouts ---- */

const char *record_skip(const char *layout)
{
  int depth = 0;
  for (; *layout; ++layout) {
    if (is_bracket(*layout)) ++depth;
    else if (strchr("}])", *layout) && --depth < 0) return layout;
    else if (*layout == ',' && depth == 0) return layout;
  }
  return layout;
}

bool record_first(const char *layout, ck_dtype_t *out_dtype, size_t *out_offset)
{
  Leaf leaf;
  while (is_bracket(*layout)) {
    ++layout;
    size_t len = field_bytes(layout);
    layout += len ? len + 1 : 0;
  }
  if (!read_leaf(&layout, SIZE_MAX, &leaf)) return false;
  *out_dtype = leaf.dtype;
  *out_offset = leaf.offset;
  return true;
}

/* Reads the name of the part that begins here, and gives the part behind it. */
static const char *open_item(const char *layout, const char **out_name, size_t *out_bytes)
{
  size_t len = field_bytes(layout);
  *out_name = layout;
  *out_bytes = len;
  return layout + (len ? len + 1 : 0);
}

const char *record_next(const char *part, const char **out_name, size_t *out_bytes)
{
  const char *end = record_skip(part);
  return *end == ',' ? open_item(end + 1, out_name, out_bytes) : NULL;
}

const char *record_item(const char *layout, uint32_t index, const char **out_name,
                        size_t *out_bytes)
{
  char end = closing(*layout++);
  if (!*layout || *layout == end) return NULL;
  const char *part = open_item(layout, out_name, out_bytes);
  for (; index && part; --index) part = record_next(part, out_name, out_bytes);
  return part;
}

const char *record_field(const char *layout, const char *name)
{
  const char *field, *field_name;
  size_t bytes;
  field = record_item(layout, 0, &field_name, &bytes);
  for (uint32_t i = 0; field; field = record_next(field, &field_name, &bytes), ++i) {
    char place[16];
    snprintf(place, sizeof place, "f%u", i); /* NumPy's names for elements without one */
    if (bytes ? strlen(name) == bytes && !memcmp(name, field_name, bytes) : !strcmp(name, place))
      return field;
  }
  return NULL;
}

/* ---- parts ---- */

/* Appends the scalars of one part of the layout, and gives the end of the part. `path` has the
 * part's name. */
static const char *list_parts(RecordParts *parts, const char *layout, size_t size, Buf *path)
{
  if (!is_bracket(*layout)) {
    Leaf leaf;
    if (!read_leaf(&layout, size, &leaf)) return "";
    const char *name = arena_printf(path->arena, "%.*s", (int)path->len, buf_text(path));
    RecordPart part = {name, leaf.dtype, leaf.offset};
    vec_push(path->arena, parts, part);
    return layout;
  }
  char end = closing(*layout++);
  size_t start = path->len;
  for (uint32_t i = 0; *layout && *layout != end; ++i) {
    layout += i > 0;
    size_t len = field_bytes(layout);
    if (len) buf_printf(path, ".%.*s", (int)len, layout);
    else buf_printf(path, "[%u]", i);
    layout = list_parts(parts, layout + (len ? len + 1 : 0), size, path);
    path->len = start;
  }
  return *layout ? layout + 1 : layout;
}

RecordParts record_parts(Arena *arena, const char *layout, size_t size)
{
  RecordParts parts = {.count = 0};
  Buf path = BUF(arena);
  list_parts(&parts, layout, size, &path);
  return parts;
}

size_t record_end(const char *layout, size_t size)
{
  size_t end = 0;
  Arena scratch = {0};
  RecordParts parts = record_parts(&scratch, layout, size);
  for (size_t i = 0; i < parts.count; ++i) {
    size_t behind = parts.at[i].offset + ck_dtype_bytes(parts.at[i].dtype);
    end = behind > end ? behind : end;
  }
  arena_free(&scratch);
  return end;
}

/* ---- filling ---- */

void record_fill(const Value *value, const char *layout, size_t width, uint64_t first, size_t count,
                 void *out)
{
  enum { PIECE = 512 };
  char column[PIECE * sizeof(double)];
  Arena scratch = {0};
  RecordParts parts = record_parts(&scratch, layout, width);
  memset(out, 0, count * width); /* with the padding between the scalars */
  for (size_t i = 0; i < parts.count; ++i) {
    const RecordPart *part = &parts.at[i];
    Value own = *value;
    own.seed += (uint32_t)i * 0xd1342543de82ef95u; /* a generator for each scalar */
    size_t bytes = ck_dtype_bytes(part->dtype);
    for (size_t at = 0; at < count; at += PIECE) {
      size_t some = count - at < PIECE ? count - at : PIECE;
      value_fill(&own, part->dtype, first + at, some, column);
      for (size_t j = 0; j < some; ++j)
        memcpy((char *)out + (at + j) * width + part->offset, column + j * bytes, bytes);
    }
  }
  arena_free(&scratch);
}

/* ---- writing ---- */

static const char *print_value(const char *layout, const char *bytes, size_t size)
{
  Leaf leaf;
  if (!is_bracket(*layout)) {
    char text[NUMBER_TEXT_BYTES];
    if (!read_leaf(&layout, size, &leaf)) return "";
    number_text(text, leaf.dtype, bytes + leaf.offset);
    fputs(text, stdout);
    return layout;
  }
  char end = closing(*layout);
  putchar(*layout++);
  for (bool is_first = true; *layout && *layout != end; is_first = false) {
    if (!is_first) fputs(", ", stdout);
    layout += !is_first;
    size_t len = field_bytes(layout);
    if (len) printf("%.*s: ", (int)len, layout);
    layout = print_value(layout + (len ? len + 1 : 0), bytes, size);
  }
  putchar(end);
  return *layout ? layout + 1 : layout;
}

void record_print(const char *layout, const void *bytes, size_t size)
{
  print_value(layout, bytes, size);
}
