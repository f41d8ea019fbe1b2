/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_record.c - makes structs, tuples, vectors and arrays of them from their written form.
 *
 * A written record is a tree of brackets with expressions as leaves; the layout of the manifest is
 * another tree. Both are walked together, and each scalar is stored at its offset. An array of
 * records is written as records in brackets, or as one record whose parts are arrays:
 *
 *     [{x: 1, at: (2, 3)}, {x: 4, at: (5, 6)}]  =  {x: [1, 4], at: ([2, 5], [3, 6])}
 */
#include <string.h>

#include "test.h"

/* The destination of one record or of all of them. */
typedef struct Target {
  const ValueMaker *maker;
  char *data; /* NULL: only the extents are computed */
  size_t width;
  Shape *shape; /* of all parts together; rank 0: one record */
  bool is_one;  /* parts have to be numbers */
  Buf *why;
} Target;

static bool no_array(const Target *target)
{
  return buf_fail(target->why, "a number is needed, this is an array");
}

/* "1" or "[1, 2]", as far as a message needs it. */
static const char *text_of(Arena *arena, const Record *from)
{
  return from->open ? arena_printf(arena, "%c", from->open) : "an expression";
}

static bool store_number(const Target *target, ck_dtype_t dtype, char *at, const Expr *expr,
                         Wide value)
{
  ck_arg_t arg;
  int64_t integer;
  if (number_store(dtype, at, 0, value)) return true;
  const char *text = test_number_text(target->maker->arena, expr, value);
  if (number_read(text, dtype, &arg, &integer, target->why))
    buf_printf(target->why, "'%s' is no %s", text, ck_dtype_name(dtype));
  return false;
}

/* The expression of a leaf. A list in the place of a number has a value for each record. */
static Expr *leaf_of(const Target *target, const Record *from)
{
  Reader reader = {.arena = target->maker->arena, .at = "", .end = ""};
  if (!from->open) return from->expr;
  Expr **items = NEW_ARRAY(target->maker->arena, Expr *, from->items.count + 1);
  for (uint32_t i = 0; from->open == '[' && i < from->items.count; ++i)
    if (!(items[i] = leaf_of(target, from->items.at[i]))) return NULL;
  Expr *list = from->open == '[' ? expr_list(&reader, items, from->items.count) : NULL;
  if (!list && !target->why->len)
    buf_puts(target->why, reader.error ? reader.error : "a number is needed here");
  return list;
}

static bool put_leaf(const Target *target, const Record *from, const char *layout)
{
  size_t offset;
  ck_dtype_t dtype;
  Shape own;
  Expr *expr = leaf_of(target, from);
  if (!expr || !expr_bind(expr, target->maker->bindings, &own, target->why)) return false;
  if (own.rank && target->is_one) return no_array(target);
  if (!record_first(layout, &dtype, &offset)) return buf_fail(target->why, "its layout is damaged");
  Shape *shape = target->shape;
  if (!target->data) { /* the parts' extents are equal, or they are numbers */
    if (!own.rank) return true;
    if (!shape->rank) *shape = own;
    if (shape->count == own.count) return true;
    return buf_fail(target->why, "arrays of %s and of %s elements do not go together",
                    shape_text(target->maker->arena, shape),
                    shape_text(target->maker->arena, &own));
  }
  for (uint64_t i = 0; i < shape->count; ++i) {
    Wide value = expr_value(expr, own.rank ? i : 0);
    if (!store_number(target, dtype, target->data + i * target->width + offset, expr, value))
      return false;
  }
  return true;
}

static bool put_record(const Target *target, const Record *from, const char *layout);

static bool put_items(const Target *target, const Record *from, const char *layout)
{
  const char *name, *part;
  size_t bytes;
  part = record_item(layout, 0, &name, &bytes);
  for (uint32_t i = 0; part; part = record_next(part, &name, &bytes), ++i) {
    if (i == from->items.count) return buf_fail(target->why, "there are fewer values than it has");
    const Record *item = from->items.at[i];
    bool is_named = item->name && (strlen(item->name) != bytes || memcmp(item->name, name, bytes));
    if (is_named && bytes)
      buf_printf(target->why, "'%s' stands where '%.*s' is", item->name, (int)bytes, name);
    else if (is_named)
      buf_printf(target->why, "'%s' is no part of a tuple or an array", item->name);
    if (is_named || !put_record(target, item, part)) return false;
  }
  if (!record_item(layout, from->items.count - 1, &name, &bytes) && from->items.count)
    return buf_fail(target->why, "there are more values than it has");
  return true;
}

static bool put_record(const Target *target, const Record *from, const char *layout)
{
  static const char takes[][4] = {"{{(", "(([", "[["}; /* what is written for each kind */
  if (!strchr("{([", *layout)) return put_leaf(target, from, layout);
  for (size_t i = 0; i < COUNT_OF(takes); ++i)
    if (takes[i][0] == *layout && from->open && strchr(takes[i] + 1, from->open))
      return put_items(target, from, layout);
  Wide value;
  Arena *arena = target->maker->arena;
  const char *text = text_of(arena, from);
  Buf ignored = BUF(arena);
  if (!from->open && expr_number(from->expr, target->maker->bindings, &value, &ignored))
    text = test_number_text(arena, from->expr, value);
  return buf_fail(target->why, "'%s': '%c' is missing", text, *layout);
}

/* The number of opening [ before anything else. */
static uint32_t depth_of(const Record *from)
{
  uint32_t depth = 0;
  for (; from->open == '['; from = from->items.at[0]) {
    ++depth;
    if (!from->items.count) break;
  }
  return depth;
}

/* Collects the records of [[V, V], [V, V]], and their extents. */
static bool flatten(const ValueMaker *maker, const Record *from, uint32_t axis, Shape *shape,
                    bool is_first, Records *out, Buf *why)
{
  if (axis == shape->rank) {
    vec_push(maker->arena, out, (Record *)from);
    return true;
  }
  if (is_first) shape->at[axis] = from->items.count;
  if (from->open != '[' || from->items.count != shape->at[axis])
    return buf_fail(why, "this row has another shape than the first one");
  for (uint32_t i = 0; i < from->items.count; ++i)
    if (!flatten(maker, from->items.at[i], axis + 1, shape, is_first && !i, out, why)) return false;
  return true;
}

static bool make_columns(Target *target, const Record *from, const char *layout, void **out_data)
{
  if (!put_record(target, from, layout)) return false;
  uint64_t count = target->shape->rank ? target->shape->count : 1;
  target->shape->count = count;
  target->data = arena_alloc(target->maker->arena, count * target->width + 1);
  *out_data = target->data;
  return put_record(target, from, layout);
}

bool test_records_make(const ValueMaker *maker, const Record *from, const char *layout,
                       size_t width, Shape *out_shape, void **out_data, Buf *why)
{
  uint32_t depth = depth_of(from), own = (uint32_t)strspn(layout, "[");
  Target target = {.maker = maker, .width = width, .shape = out_shape, .why = why};
  Records records = {0};
  *out_shape = (Shape){.count = 1};
  if (depth <= own) return make_columns(&target, from, layout, out_data);
  out_shape->rank = depth - own;
  if (out_shape->rank > EXTENTS_MAX) return buf_fail(why, "lists are at most %d deep", EXTENTS_MAX);
  if (!flatten(maker, from, 0, out_shape, true, &records, why)) return false;
  shape_set_count(out_shape);
  char *data = arena_alloc(maker->arena, records.count * width + 1);
  *out_data = data;
  Shape one = {.count = 1};
  target.shape = &one;
  target.is_one = true;
  for (uint32_t i = 0; i < records.count; ++i) {
    target.data = data + i * width;
    if (!put_record(&target, records.at[i], layout)) return false;
  }
  return true;
}

bool test_layout_is_array(const char *layout, Shape *io_shape, ck_dtype_t *out_dtype)
{
  size_t offset;
  Shape shape = *io_shape;
  if (*layout != '[') return false;
  while (*layout == '[') {
    uint64_t count = 1;
    if (shape.rank == EXTENTS_MAX) return false;
    for (const char *at = record_skip(++layout); *at == ','; at = record_skip(at + 1)) ++count;
    shape.at[shape.rank++] = count;
  }
  if (strchr("{(", *layout) || !record_first(layout, out_dtype, &offset)) return false;
  *io_shape = shape;
  return shape_set_count(io_shape);
}
