/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* record.c - structs, tuples, arrays and vectors as text, by the layout that a manifest has of
 * them:
 * "{x:f32@0,at:(i32@4,i32@8)}" is written {x: 1, at: (2, 3)}, as print() writes it.
 */
#include <ctype.h>
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
  static const ck_dtype_t types[] = {CK_BOOL, CK_I8,  CK_I16, CK_I32,  CK_I64, CK_U8, CK_U16,
                                     CK_U32,  CK_U64, CK_F16, CK_BF16, CK_F32, CK_F64};
  size_t len = strcspn(*layout, "@");
  if (!(*layout)[len]) return false;
  for (size_t i = 0; i < COUNT_OF(types); ++i) {
    const char *name = ck_dtype_name(types[i]);
    if (strlen(name) != len || strncmp(name, *layout, len) != 0) continue;
    char *end;
    *out = (Leaf){types[i], strtoul(*layout + len + 1, &end, 10)};
    *layout = end;
    return out->offset <= size && ck_dtype_bytes(types[i]) <= size - out->offset;
  }
  return false;
}

/* The name of a field, if the layout has one here. */
static size_t field_bytes(const char *layout)
{
  size_t len = strcspn(layout, ":@{([,");
  return layout[len] == ':' ? len : 0;
}

static void skip_space(const char **text)
{
  while (isspace((unsigned char)**text)) ++*text;
}

/* ---- reading ---- */

typedef struct Record {
  char *bytes;
  size_t size;
} Record;

static bool read_number(const char **layout, const char **text, const Record *out, Buf *why)
{
  enum { ROOM = 64 };
  char number[ROOM];
  Leaf leaf;
  ck_arg_t arg;
  int64_t integer;
  if (!read_leaf(layout, out->size, &leaf)) {
    buf_printf(why, "its layout is damaged");
    return false;
  }
  size_t len = strcspn(*text, ",)]}");
  snprintf(number, sizeof number, "%.*s", len < ROOM ? (int)len : ROOM - 1, *text);
  *text += len;
  for (size_t i = strlen(number); i && isspace((unsigned char)number[i - 1]);) number[--i] = 0;
  if (!number_read(number, leaf.dtype, &arg, &integer, why)) return false;
  memcpy(out->bytes + leaf.offset, &arg.value, ck_dtype_bytes(leaf.dtype)); /* its first bytes */
  return true;
}

static bool read_value(const char **layout, const char **text, const Record *out, Buf *why);

static bool read_name(const char **layout, const char **text, Buf *why)
{
  size_t len = field_bytes(*layout), given = strcspn(*text, ":,)]}");
  const char *name = *layout;
  if (!len) return true;
  *layout += len + 1;
  if ((*text)[given] != ':' || is_bracket(**text)) return true; /* by its place */
  const char *at = *text;
  *text += given + 1;
  while (given && isspace((unsigned char)at[given - 1])) --given;
  if (given == len && !strncmp(at, name, len)) return true;
  buf_printf(why, "'%.*s' stands where '%.*s' is", (int)given, at, (int)len, name);
  return false;
}

static bool read_list(const char **layout, const char **text, const Record *out, Buf *why)
{
  char bracket = *(*layout)++, end = closing(bracket);
  if (**text != bracket) {
    buf_printf(why, "'%s': '%c' is missing", *text, bracket);
    return false;
  }
  ++*text;
  for (bool is_first = true; **layout != end; is_first = false) {
    skip_space(text);
    if (!is_first) ++*layout;
    if (!is_first && **text != ',') {
      buf_printf(why, "there are fewer values than it has");
      return false;
    }
    if (!is_first) ++*text;
    skip_space(text);
    if (!read_name(layout, text, why)) return false;
    if (!read_value(layout, text, out, why)) return false;
  }
  ++*layout;
  skip_space(text);
  if (**text == end) {
    ++*text;
    return true;
  }
  buf_printf(why, "there are more values than it has, or no '%c'", end);
  return false;
}

static bool read_value(const char **layout, const char **text, const Record *out, Buf *why)
{
  skip_space(text);
  return is_bracket(**layout) ? read_list(layout, text, out, why)
                              : read_number(layout, text, out, why);
}

bool record_read(const char *layout, const char *text, void *out, size_t size, Buf *why)
{
  Record record = {out, size};
  if (!read_value(&layout, &text, &record, why)) return false;
  skip_space(&text);
  if (!*text) return true;
  buf_printf(why, "'%s' stands behind its value", text);
  return false;
}

bool record_read_list(const char *layout, const char *text, size_t size, Buf *out, Buf *why)
{
  Record record = {NEW_ARRAY(why->arena, char, size), size};
  skip_space(&text);
  if (*text++ != '[') {
    buf_printf(why, "an array of them is written [..., ...]");
    return false;
  }
  for (skip_space(&text); *text && *text != ']'; skip_space(&text)) {
    const char *from = layout;
    memset(record.bytes, 0, size);
    if (!read_value(&from, &text, &record, why)) return false;
    buf_bytes(out, record.bytes, size);
    skip_space(&text);
    if (*text == ',') ++text;
    else if (*text != ']') break;
  }
  if (*text == ']') return true;
  buf_printf(why, "'%s' stands where ',' or ']' is", text);
  return false;
}

/* ---- parts ---- */

/* Walks over a part of the layout, to the leaf that *left leaves before it stand. `path` has its
 * name only if it is found. */
static const char *find_leaf(const char *layout, size_t size, uint32_t *left, Leaf *out, Buf *path,
                             bool *out_is_found)
{
  if (!is_bracket(*layout)) {
    if (!read_leaf(&layout, size, out)) return "";
    *out_is_found = (*left)-- == 0;
    return layout;
  }
  char end = closing(*layout++);
  size_t start = path->len;
  for (uint32_t i = 0; *layout && *layout != end; ++i) {
    layout += i > 0;
    size_t len = field_bytes(layout);
    if (len) buf_printf(path, ".%.*s", (int)len, layout);
    else buf_printf(path, "[%u]", i);
    layout = find_leaf(layout + (len ? len + 1 : 0), size, left, out, path, out_is_found);
    if (*out_is_found) return layout;
    path->len = start;
  }
  return *layout ? layout + 1 : layout;
}

bool record_part(const char *layout, size_t size, uint32_t index, ck_dtype_t *out_dtype,
                 size_t *out_offset, Buf *path)
{
  Leaf leaf;
  bool is_found = false;
  find_leaf(layout, size, &index, &leaf, path, &is_found);
  if (!is_found) return false;
  *out_dtype = leaf.dtype;
  *out_offset = leaf.offset;
  return true;
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
