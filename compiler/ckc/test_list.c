/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_list.c - computes the values of lists in test lines: lists of arrays, comprehensions, lists
 * that are joined or repeated.
 *
 * A comprehension is a nest of loops. Each `for` evaluates its array and binds its names to one row
 * after the other, in a scope of its own in front of the scopes around it; each `if` goes on or
 * not. The innermost step binds the value anew, since its extents may depend on the names, and
 * appends its elements.
 *
 *     [i * j for i in range(3) if i for j in range(i)]
 *
 *     i = 0  if: no
 *     i = 1  j = 0: append 0
 *     i = 2  j = 0: append 0    j = 1: append 2              3 elements: [0, 0, 2]
 *
 * The items of one list have the same extents. Those of [*x, *y] are rows of x and y, which may
 * differ in number.
 */
#include <string.h>

#include "test_expr.h"

/* The elements of a list that grows. */
typedef struct Items {
  VEC(Wide) values;
  uint64_t count; /* items */
  bool is_begun;  /* `shape` is known */
  Shape shape;    /* of an item */
} Items;

/* Appends a bound value as one item, or each of its rows (`is_spread`). */
static bool append(Items *items, Expr *value, bool is_spread, Buf *why)
{
  Shape shape = value->shape;
  uint64_t rows = 1, count = shape.rank ? shape.count : 1;
  if (is_spread && !shape.rank)
    return buf_fail(why, "an array is needed behind '*' and in concatenate, this is a number");
  if (is_spread) {
    rows = shape.at[0];
    memmove(shape.at, shape.at + 1, --shape.rank * sizeof *shape.at);
  }
  if (!items->is_begun) items->shape = shape;
  items->is_begun = true;
  if (!shape_is_same(&shape, &items->shape))
    return buf_fail(why, "the items of a list have different extents");
  items->count += rows;
  for (uint64_t i = 0; i < count; ++i) vec_push(why->arena, &items->values, expr_value(value, i));
  return true;
}

/* Makes the list of the items: `extents` of them, then the extents of an item. */
static bool finish(Expr *expr, const Items *items, const uint64_t *extents, uint32_t rank, Buf *why)
{
  if (rank + items->shape.rank > EXTENTS_MAX)
    return buf_fail(why, "lists are at most %d deep", EXTENTS_MAX);
  expr->shape = (Shape){.rank = rank + items->shape.rank};
  memcpy(expr->shape.at, extents, rank * sizeof *extents);
  memcpy(expr->shape.at + rank, items->shape.at, items->shape.rank * sizeof *extents);
  expr->values = items->values.at;
  if (!expr->values) expr->values = expr_new_values(0, why);
  return shape_set_count(&expr->shape);
}

static bool bind_items(Expr *expr, const Bindings *bindings, Items *out, Buf *why)
{
  for (uint32_t i = 0; i < expr->items.count; ++i) {
    Expr *item = expr->items.at[i];
    if (!expr_bind_numbers(item, bindings, why)) return false;
    bool is_empty = item->is_spread && item->shape.rank == 1 && !item->shape.at[0];
    if (is_empty && !expr->is_array) continue; /* of concatenate, the extents have to agree */
    if (!append(out, item, item->is_spread, why)) return false;
  }
  return true;
}

/* Nested lists are flat. Their items are numbers, which stay as they are, or arrays. */
bool list_bind(Expr *expr, const Bindings *bindings, Buf *why)
{
  Items items = {.count = 0};
  bool has_arrays = false;
  expr->values = NULL;
  expr->shape.rank = expr->list_rank;
  shape_set_count(&expr->shape);
  for (uint32_t i = 0; i < expr->items.count; ++i) {
    if (!expr_bind_numbers(expr->items.at[i], bindings, why)) return false;
    has_arrays |= expr->items.at[i]->shape.rank > 0;
  }
  if (!has_arrays) return true;
  Shape own = expr->shape;
  for (uint32_t i = 0; i < expr->items.count; ++i)
    if (!append(&items, expr->items.at[i], false, why)) return false;
  return finish(expr, &items, own.at, own.rank, why);
}

bool list_bind_stack(Expr *expr, const Bindings *bindings, Buf *why)
{
  Items items = {.count = 0};
  return bind_items(expr, bindings, &items, why) && finish(expr, &items, &items.count, 1, why);
}

static bool bind_each(Expr *expr, uint32_t index, const Bindings *bindings, Items *out, Buf *why);

/* Binds the names of a part to row i of its array: one name to the row, several to its elements. */
static bool bind_row(const EachPart *part, Wide *values, const Shape *shape, uint64_t i,
                     Binding *out, Shape *out_shape, Buf *why)
{
  Shape row = *shape;
  memmove(row.at, row.at + 1, --row.rank * sizeof *row.at);
  bool is_taken_apart = part->name_count > 1;
  if (is_taken_apart && (!row.rank || row.at[0] != part->name_count))
    return buf_fail(why, "'%s' and so on are %u names, for %s", part->names[0], part->name_count,
                    row.rank ? shape_text(why->arena, &row) : "a number");
  if (is_taken_apart) memmove(row.at, row.at + 1, --row.rank * sizeof *row.at);
  shape_set_count(&row);
  uint64_t width = row.rank ? row.count : 1;
  *out_shape = row;
  for (uint32_t n = 0; n < part->name_count; ++n) {
    Wide *from = values + (i * part->name_count + n) * width;
    out[n] = (Binding){.name = part->names[n], .dtype = CK_F64};
    if (row.rank) out[n].values = from, out[n].shape = out_shape;
    else out[n].number = *from;
  }
  return true;
}

static bool bind_loop(Expr *expr, uint32_t index, const Bindings *bindings, Items *out, Buf *why)
{
  const EachPart *part = &expr->parts.at[index];
  Binding names[EACH_NAMES_MAX];
  Bindings scope = {.outer = bindings};
  Shape row;
  if (!expr_bind_numbers(part->expr, bindings, why)) return false;
  Shape shape = part->expr->shape;
  if (!shape.rank)
    return buf_fail(why, "'for %s in' takes an array, this is a number", part->names[0]);
  Wide *values = part->expr->values ? part->expr->values : expr_all_values(part->expr, why);
  scope.names.at = names;
  scope.names.count = scope.names.room = part->name_count;
  for (uint64_t i = 0; values && i < shape.at[0]; ++i)
    if (!bind_row(part, values, &shape, i, names, &row, why) ||
        !bind_each(expr, index + 1, &scope, out, why))
      return false;
  return values != NULL;
}

/* Runs the parts of a comprehension from `index` on. */
static bool bind_each(Expr *expr, uint32_t index, const Bindings *bindings, Items *out, Buf *why)
{
  Wide condition;
  if (index == expr->parts.count)
    return expr_bind_numbers(expr->operands[0], bindings, why) &&
           append(out, expr->operands[0], expr->spreads_value, why);
  if (expr->parts.at[index].name_count) return bind_loop(expr, index, bindings, out, why);
  if (!expr_number(expr->parts.at[index].expr, bindings, &condition, why)) return false;
  return condition == 0 || bind_each(expr, index + 1, bindings, out, why);
}

bool list_bind_each(Expr *expr, const Bindings *bindings, Buf *why)
{
  Items items = {.count = 0};
  return bind_each(expr, 0, bindings, &items, why) && finish(expr, &items, &items.count, 1, why);
}

bool list_bind_join(Expr *expr, const Bindings *bindings, Buf *why)
{
  Items items = {.count = 0};
  for (uint32_t i = 0; i < expr->operand_count; ++i)
    if (!expr_bind_numbers(expr->operands[i], bindings, why)) return false;
  for (uint32_t i = 0; i < expr->operand_count; ++i) {
    bool is_empty = expr->operands[i]->shape.rank == 1 && !expr->operands[i]->shape.at[0];
    if (!is_empty && !append(&items, expr->operands[i], true, why)) return false;
  }
  return finish(expr, &items, &items.count, 1, why);
}

/* Python repeats a list that is multiplied by a number. */
bool list_bind_repeat(Expr *expr, const Bindings *bindings, Buf *why)
{
  bool is_right = expr->which; /* 3 * [1, 2] */
  Expr *list = expr->operands[is_right], *times = expr->operands[!is_right];
  Items items = {.count = 0};
  Wide count;
  if (!expr_number(times, bindings, &count, why) || !expr_bind_numbers(list, bindings, why))
    return false;
  if (!(count < 0x1p40L) || !expr_new_values((uint64_t)(count > 0 ? count : 0), why)) return false;
  for (Wide i = 0; i < count; ++i)
    if (!append(&items, list, true, why)) return false;
  return finish(expr, &items, &items.count, 1, why);
}
