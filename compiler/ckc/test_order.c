/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_order.c - computes the values of what orders and picks elements in test lines: sort,
 * argsort, unique, bincount, x[INDICES], x[MASK].
 *
 *     x = [5, 3, 5]    sort(x) = [3, 5, 5]    argsort(x) = [1, 0, 2]    unique(x) = [3, 5]
 *     bincount(x) = [0, 0, 0, 1, 0, 2]: how often 0, 1, 2 and so on occur
 *     x[[2, 0]] is [x[2], x[0]]; of a matrix x, these are rows
 *     x[x > 3] = [5, 5]; a mask of two extents picks elements of a matrix
 */
#include <math.h>
#include <stdlib.h>

#include "test_expr.h"

static int compare_wides(const void *a, const void *b)
{
  Wide x = *(const Wide *)a, y = *(const Wide *)b;
  if (isnan(x) || isnan(y)) return !!isnan(x) - !!isnan(y); /* NaN last, as NumPy has it */
  return (x > y) - (x < y);
}

/* A value and where it was. */
typedef struct Keyed {
  Wide value;
  uint64_t index;
} Keyed;

static int compare_keyed(const void *a, const void *b)
{
  const Keyed *x = a, *y = b;
  int order = compare_wides(&x->value, &y->value);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Replaces values by the indices that sort them; equal ones stay in order. */
static void sort_indices(Wide *values, uint64_t length, Arena *arena)
{
  Keyed *keyed = NEW_ARRAY(arena, Keyed, length + 1);
  for (uint64_t i = 0; i < length; ++i) keyed[i] = (Keyed){values[i], i};
  qsort(keyed, length, sizeof *keyed, compare_keyed);
  for (uint64_t i = 0; i < length; ++i) values[i] = (Wide)keyed[i].index;
}

/* The different values of all, in order. Returns how many there are. */
static uint64_t make_unique(Wide *values, uint64_t count)
{
  uint64_t kept = 0;
  qsort(values, count, sizeof *values, compare_wides);
  for (uint64_t i = 0; i < count; ++i)
    if (!kept || compare_wides(&values[kept - 1], &values[i])) values[kept++] = values[i];
  return kept;
}

/* Counts how often each number occurs, from 0 to the largest one, but `least` numbers at least. */
static bool bind_counts(Expr *expr, Wide least, Buf *why)
{
  Expr *from = expr->operands[0];
  Wide length = least;
  for (uint64_t i = 0; i < from->shape.count; ++i) {
    Wide value = expr_value(from, i);
    if (!(value >= 0) || value != floorl(value))
      return buf_fail(why, "bincount counts whole numbers from 0 on, this is %.15Lg", value);
    if (value >= length) length = value + 1;
  }
  if (!(length >= 0 && length < 0x1p62L)) buf_puts(why, "these are many counts");
  if (why->len || !(expr->values = expr_new_values((uint64_t)length, why))) return false;
  for (uint64_t i = 0; i < from->shape.count; ++i) ++expr->values[(uint64_t)expr_value(from, i)];
  expr->shape = (Shape){.rank = 1, .at = {(uint64_t)length}};
  return shape_set_count(&expr->shape);
}

bool order_bind_sort(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  Wide least = 0;
  if (!expr_bind_numbers(from, bindings, why)) return false;
  if (expr->has_length && !expr_number(expr->operands[1], bindings, &least, why)) return false;
  expr->shape = from->shape;
  if (!expr->shape.rank && expr->which != SORT_unique)
    buf_puts(why, "sort and bincount take an array");
  if (!why->len && expr->which == SORT_counts) return bind_counts(expr, least, why);
  if (why->len || !(expr->values = expr_all_values(from, why))) return false;
  if (expr->which == SORT_unique) {
    expr->shape = (Shape){
        .rank = 1, .at = {make_unique(expr->values, expr->shape.rank ? expr->shape.count : 1)}};
    return shape_set_count(&expr->shape);
  }
  uint64_t length = expr->shape.at[expr->shape.rank - 1];
  for (uint64_t at = 0; at < expr->shape.count; at += length)
    if (expr->which == SORT_indices) sort_indices(expr->values + at, length, why->arena);
    else qsort(expr->values + at, length, sizeof *expr->values, compare_wides);
  return true;
}

bool order_bind_take(Expr *expr, Expr *indices, Buf *why)
{
  Expr *from = expr->operands[0];
  uint32_t rest = from->shape.rank - 1; /* axes of one row */
  if (from->layout) buf_puts(why, "indices in an array take numbers, not structs");
  else if (!from->shape.rank) buf_puts(why, "a number has no elements");
  else if (indices->shape.rank + rest > EXTENTS_MAX)
    buf_printf(why, "it has more than %d extents", EXTENTS_MAX);
  if (why->len) return false;
  expr->shape = indices->shape;
  for (uint32_t i = 0; i < rest; ++i) expr->shape.at[expr->shape.rank++] = from->shape.at[i + 1];
  int64_t extent = (int64_t)from->shape.at[0];
  uint64_t inner = extent ? from->shape.count / (uint64_t)extent : 0;
  if (!shape_set_count(&expr->shape) || !(expr->values = expr_new_values(expr->shape.count, why)))
    return false;
  for (uint64_t i = 0; i < indices->shape.count; ++i) {
    Wide index = expr_value(indices, i);
    if (!(index >= -extent && index < extent) || index != floorl(index))
      return buf_fail(why, "the index %.15Lg is outside of %lld elements", index,
                      (long long)extent);
    uint64_t row = (uint64_t)(index < 0 ? (int64_t)index + extent : (int64_t)index);
    for (uint64_t j = 0; j < inner; ++j)
      expr->values[i * inner + j] = expr_value(from, row * inner + j);
  }
  return true;
}

bool order_bind_mask(Expr *expr, Expr *mask, Buf *why)
{
  Expr *from = expr->operands[0];
  const uint32_t rank = mask->shape.rank;
  uint64_t inner = 1, kept = 0;
  bool fits = from->shape.rank >= rank;
  for (uint32_t i = 0; fits && i < rank; ++i) fits = from->shape.at[i] == mask->shape.at[i];
  if (from->layout) buf_puts(why, "a mask takes elements of an array of numbers, not of structs");
  else if (!fits)
    buf_printf(why, "a mask of %s elements does not go with an array of %s",
               shape_text(why->arena, &mask->shape), shape_text(why->arena, &from->shape));
  if (why->len) return false;
  for (uint64_t i = 0; i < mask->shape.count; ++i) kept += expr_value(mask, i) != 0;
  expr->shape = (Shape){.rank = 1, .at = {kept}};
  for (uint32_t i = rank; i < from->shape.rank; ++i) {
    inner *= from->shape.at[i];
    expr->shape.at[expr->shape.rank++] = from->shape.at[i];
  }
  if (!shape_set_count(&expr->shape) || !(expr->values = expr_new_values(expr->shape.count, why)))
    return false;
  Wide *to = expr->values;
  for (uint64_t i = 0; i < mask->shape.count; ++i)
    for (uint64_t j = 0; j < inner && expr_value(mask, i) != 0; ++j)
      *to++ = expr_value(from, i * inner + j);
  return true;
}
