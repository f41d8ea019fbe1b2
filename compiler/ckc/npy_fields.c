/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* npy_fields.c - converts between NumPy's structured types and layouts of structs, tuples and
 * arrays.
 *
 * A file's type is a list of fields in the order of their bytes; gaps are fields without a name:
 *
 *     {x:f32@0,at:(i8@4,i32@8)}
 *     [('x', '<f4'), ('at', [('f0', '|i1'), ('', '|V3'), ('f1', '<i4')])]
 *
 * A file's type may have other gaps than the kernel's, so scalars are moved one by one. Fields of
 * tuples may have any names, and a tuple or vector of one type may be an array, ('v', '<f4', (2,)).
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { DEPTH_MAX = 64 };

/* The text of a type. */
typedef struct Descr {
  const char *at;
  NpyFields *out;
  Buf *why;
  int depth;
} Descr;

static bool skip(Descr *descr, char c)
{
  while (*descr->at == ' ') ++descr->at;
  if (*descr->at != c) return false;
  ++descr->at;
  return true;
}

static bool unreadable(Descr *descr)
{
  if (!descr->why->len) buf_puts(descr->why, "the type of its elements can't be read");
  return false;
}

/* 'text' */
static bool read_text(Descr *descr, const char **out, size_t *out_len)
{
  char quote = skip(descr, '\'') ? '\'' : skip(descr, '"') ? '"' : 0;
  const char *end = quote ? strchr(descr->at, quote) : NULL;
  if (!end) return unreadable(descr);
  *out = descr->at;
  *out_len = (size_t)(end - descr->at);
  descr->at = end + 1;
  return true;
}

/* (2, 3) behind a field's type; rank 0 if it is not there. */
static bool read_extents(Descr *descr, Shape *out)
{
  *out = (Shape){.count = 1};
  if (!skip(descr, ',')) return true;
  if (!skip(descr, '(')) return unreadable(descr);
  while (!skip(descr, ')')) {
    char *end;
    while (*descr->at == ' ') ++descr->at;
    if (*descr->at < '0' || *descr->at > '9' || out->rank == EXTENTS_MAX) return unreadable(descr);
    out->at[out->rank++] = strtoull(descr->at, &end, 10);
    descr->at = end;
    if (!skip(descr, ',') && *descr->at != ')') return unreadable(descr);
  }
  return shape_set_count(out) || unreadable(descr);
}

/* Behind one type: a text, or a list in brackets. */
static bool skip_type(Descr *descr)
{
  const char *text;
  size_t len;
  if (!skip(descr, '[')) return read_text(descr, &text, &len);
  for (int depth = 1; depth; ++descr->at) {
    if (!*descr->at) return unreadable(descr);
    depth += (*descr->at == '[') - (*descr->at == ']');
  }
  return true;
}

/* "|V3" */
static bool is_gap(size_t name_len, const char *type, size_t len, size_t *out_bytes)
{
  char *end;
  if (name_len || len < 3 || type[1] != 'V') return false;
  *out_bytes = strtoull(type + 2, &end, 10);
  return end == type + len && *out_bytes < 1u << 30;
}

static bool match_type(Descr *descr, const Shape *extents, uint32_t axis, const char *layout,
                       size_t *io_offset);

static bool match_scalar(Descr *descr, const char *layout, size_t *io_offset)
{
  const char *text;
  size_t len, offset;
  ck_dtype_t dtype;
  if (!read_text(descr, &text, &len)) return false;
  if (strchr("{([", *layout))
    return buf_fail(descr->why, "'%.*s' stands where %s is", (int)len, text,
                    *layout == '{'   ? "a struct"
                    : *layout == '(' ? "a tuple or vector"
                                     : "an array");
  if (!record_first(layout, &dtype, &offset)) return unreadable(descr);
  if (strlen(npy_type(dtype)) != len || memcmp(npy_type(dtype), text, len))
    return buf_fail(descr->why, "a field is '%.*s', that of %s is '%s'", (int)len, text,
                    ck_dtype_name(dtype), npy_type(dtype));
  NpyMove move = {*io_offset, offset, ck_dtype_bytes(dtype)};
  vec_push(descr->out->arena, &descr->out->moves, move);
  *io_offset += move.bytes;
  return true;
}

/* ('name', TYPE) or ('name', TYPE, (2, 3)) against part `index`; *out_is_gap: it is none. */
static bool match_field(Descr *descr, const char *layout, uint32_t index, size_t *io_offset,
                        bool *out_is_gap)
{
  const char *name, *own, *text;
  size_t len, own_len, bytes, text_len;
  Shape extents;
  if (!skip(descr, '(') || !read_text(descr, &name, &len) || !skip(descr, ','))
    return unreadable(descr);
  const char *type = descr->at;
  *out_is_gap = false;
  if (!len && !skip(descr, '[') && read_text(descr, &text, &text_len) &&
      is_gap(len, text, text_len, &bytes)) {
    *out_is_gap = true;
    *io_offset += bytes;
    return skip(descr, ')') || unreadable(descr);
  }
  descr->at = type;
  const char *part = record_item(layout, index, &own, &own_len);
  if (!part || (own_len && (own_len != len || memcmp(own, name, len)))) {
    if (!part) buf_printf(descr->why, "it has more fields than the %u that are needed", index);
    else
      buf_printf(descr->why, "its field '%.*s' stands where '%.*s' is", (int)len, name,
                 (int)own_len, own);
    return false;
  }
  if (!skip_type(descr) || !read_extents(descr, &extents)) return false;
  const char *end = descr->at;
  descr->at = type;
  if (!match_type(descr, &extents, 0, part, io_offset)) return false;
  descr->at = end;
  return skip(descr, ')') || unreadable(descr);
}

static bool match_struct(Descr *descr, const char *layout, size_t *io_offset)
{
  const char *name;
  size_t len;
  uint32_t count = 0;
  if (*layout != '{' && *layout != '(')
    return buf_fail(descr->why, "it has a struct where none is");
  while (!skip(descr, ']')) {
    bool is_gap;
    if (!match_field(descr, layout, count, io_offset, &is_gap)) return false;
    count += !is_gap;
    if (!skip(descr, ',') && *descr->at != ']') return unreadable(descr);
  }
  if (!record_item(layout, count, &name, &len)) return true;
  return buf_fail(descr->why, "it has %u field%s, more are needed", count, count == 1 ? "" : "s");
}

/* Reads the same type once for each element of an array. */
static bool match_type(Descr *descr, const Shape *extents, uint32_t axis, const char *layout,
                       size_t *io_offset)
{
  const char *name, *part, *type = descr->at;
  size_t len;
  bool is_good = true;
  if (++descr->depth > DEPTH_MAX) return unreadable(descr);
  if (axis == extents->rank)
    is_good = skip(descr, '[') ? match_struct(descr, layout, io_offset)
                               : match_scalar(descr, layout, io_offset);
  else {
    bool is_array = *layout == '[' || *layout == '(';
    uint64_t count = 0;
    part = is_array ? record_item(layout, 0, &name, &len) : NULL;
    for (; is_good && part; part = record_next(part, &name, &len), ++count) {
      descr->at = type;
      is_good = count < extents->at[axis] && match_type(descr, extents, axis + 1, part, io_offset);
    }
    is_good &= count == extents->at[axis];
    if (!is_good && !descr->why->len)
      buf_puts(descr->why, "an array in its elements has another length");
  }
  --descr->depth;
  return is_good;
}

bool npy_match_fields(NpyFields *out, const char *descr_text, const Shape *shape,
                      const char *layout, Buf *why)
{
  Descr descr = {descr_text, out, why, 0};
  Shape own = {.rank = 0};
  if (*descr_text != '[') { /* numbers: the last axes belong to an element */
    const char *name, *at = layout;
    size_t len;
    for (; at && (*at == '[' || *at == '('); at = record_item(at, 0, &name, &len)) ++out->axes;
    if (out->axes > shape->rank)
      return buf_fail(why, "its elements are numbers, these are made of several: %s", layout);
    own.rank = out->axes;
    memcpy(own.at, shape->at + shape->rank - own.rank, own.rank * sizeof *own.at);
    descr.at = arena_printf(out->arena, "'%s'", descr_text);
  }
  if (!match_type(&descr, &own, 0, layout, &out->record_bytes)) return false;
  shape_set_count(&own);
  out->bytes = own.rank ? out->record_bytes / (own.count ? own.count : 1) : out->record_bytes;
  return true;
}

/* writing ------------------------------------------------------------------------------------ */

/* The distance between elements of an array; 0 if it has only one. */
static size_t stride_of(const char *array, uint32_t *out_count)
{
  const char *name, *part;
  ck_dtype_t dtype;
  size_t len, first = 0, second = 0;
  *out_count = 0;
  part = record_item(array, 0, &name, &len);
  for (; part; part = record_next(part, &name, &len), ++*out_count)
    if (*out_count < 2) record_first(part, &dtype, *out_count ? &second : &first);
  return *out_count > 1 ? second - first : 0;
}

/* The end of a part's bytes. */
static size_t end_of(const char *layout)
{
  const char *name, *part;
  ck_dtype_t dtype;
  size_t len, first = 0, end = 0;
  uint32_t count;
  if (!record_first(layout, &dtype, &first)) return 0;
  if (!strchr("{([", *layout)) return first + ck_dtype_bytes(dtype);
  size_t stride = *layout == '[' ? stride_of(layout, &count) : 0;
  if (stride) return first + count * stride;
  part = record_item(layout, 0, &name, &len);
  for (; part; part = record_next(part, &name, &len)) {
    size_t own = end_of(part);
    if (own > end) end = own;
  }
  return end;
}

static void put_comma(Buf *out)
{
  if (out->data[out->len - 1] != '[') buf_puts(out, ", ");
}

static void put_gap(Buf *out, size_t from, size_t to)
{
  if (to <= from) return;
  put_comma(out);
  buf_printf(out, "('', '|V%zu')", to - from);
}

/* Writes the type of a part that occupies the bytes from `start` to `end`. For an array it is that
 * of an element, and `extents` gets "2, 3, ". */
static void put_type(Buf *out, const char *layout, size_t start, size_t end, Buf *extents)
{
  const char *name, *part;
  ck_dtype_t dtype;
  size_t len, first = 0;
  for (uint32_t count; *layout == '['; layout = record_item(layout, 0, &name, &len)) {
    size_t stride = stride_of(layout, &count);
    buf_printf(extents, "%u, ", count);
    if (stride) end = start + stride;
    if (!count) return; /* no type has an array without elements */
  }
  if (*layout != '{' && *layout != '(') {
    if (record_first(layout, &dtype, &first)) buf_printf(out, "'%s'", npy_type(dtype));
    return;
  }
  buf_putc(out, '[');
  part = record_item(layout, 0, &name, &len);
  for (uint32_t i = 0; part; part = record_next(part, &name, &len), ++i) {
    Buf own = BUF(out->arena);
    size_t part_end = end_of(part);
    if (!record_first(part, &dtype, &first)) return;
    put_gap(out, start, first);
    put_comma(out);
    if (len) buf_printf(out, "('%.*s', ", (int)len, name);
    else buf_printf(out, "('f%u', ", i);
    put_type(out, part, first, part_end, &own);
    if (own.len) buf_printf(out, ", (%s)", buf_text(&own));
    buf_putc(out, ')');
    start = part_end;
  }
  put_gap(out, start, end);
  buf_putc(out, ']');
}

const char *npy_fields_text(Arena *arena, const char *layout, size_t width, Shape *io_shape)
{
  Buf out = BUF(arena), extents = BUF(arena);
  put_type(&out, layout, 0, width, &extents);
  for (const char *at = buf_text(&extents); *at && io_shape->rank < EXTENTS_MAX;
       at += strcspn(at, " ") + 1)
    io_shape->at[io_shape->rank++] = strtoull(at, NULL, 10);
  shape_set_count(io_shape);
  return buf_text(&out);
}
