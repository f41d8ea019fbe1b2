/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_compare.c - compares arrays with what is expected of them, within a tolerance. */
#include <math.h>
#include <string.h>

#include "test.h"

/* The tolerance without a TOLERANCE line: a few units in the last place, absolute below 1. */
static Tolerance tolerance_of(ck_dtype_t dtype)
{
  Tolerance out = {.floor = 1};
  switch (dtype) {
  case CK_F16: out.relative = 2e-3; break;
  case CK_BF16: out.relative = 1.6e-2; break;
  case CK_F32: out.relative = 1e-6; break;
  case CK_F64: out.relative = 1e-13; break;
  default: out.is_exact = true; break;
  }
  return out;
}

static bool is_near(Wide got, Wide want, const Tolerance *tolerance)
{
  if (got == want || (isnan(got) && isnan(want))) return true;
  if (tolerance->is_exact || isinf(got) || isinf(want)) return false;
  Wide size = fabsl(want) > tolerance->floor ? fabsl(want) : tolerance->floor;
  return fabsl(got - want) <= tolerance->absolute + tolerance->relative * size;
}

/* "[2, 3]" */
static void put_index(Buf *out, const Shape *shape, uint64_t index)
{
  uint64_t at[EXTENTS_MAX] = {index};
  if (!shape->rank) return;
  if (shape->rank > 1)
    for (uint32_t i = shape->rank; i-- > 0; index /= shape->at[i]) at[i] = index % shape->at[i];
  for (uint32_t i = 0; i < shape->rank; ++i)
    buf_printf(out, "%s%llu", i ? ", " : "[", (unsigned long long)at[i]);
  buf_puts(out, "]");
}

static void put_number(Buf *out, ck_dtype_t dtype, Wide value)
{
  char text[NUMBER_TEXT_BYTES];
  uint64_t element = 0;
  if (number_store(dtype, &element, 0, value)) number_text(text, dtype, &element);
  else snprintf(text, sizeof text, "%.20Lg", value);
  buf_puts(out, text);
}

bool test_compare(const Result *got, const Shape *shape, const void *data, Expr *expr,
                  const Tolerance *tolerance, Buf *why)
{
  Tolerance limits = tolerance->is_given ? *tolerance : tolerance_of(got->dtype);
  uint64_t differ = 0, first = 0, count = got->shape.count;
  Wide first_want = 0;
  int64_t strides[EXTENTS_MAX];
  bool is_spread = shape->rank && shape->count != count;
  if (is_spread && !shape_spread(shape, &got->shape, strides))
    return buf_fail(why, "%s: expected %s elements, got %s", got->name,
                    shape_text(why->arena, shape), shape_text(why->arena, &got->shape));
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t from = is_spread ? (uint64_t)shape_at(&got->shape, i, strides) : shape->rank ? i : 0;
    Wide want = data ? number_wide(got->dtype, data, from) : expr_value(expr, from);
    uint64_t rounded;
    if (number_store(got->dtype, &rounded, 0, want)) want = number_wide(got->dtype, &rounded, 0);
    if (is_near(number_wide(got->dtype, got->data, i), want, &limits)) continue;
    if (differ++) continue;
    first = i;
    first_want = want;
  }
  if (!differ) return true;
  buf_puts(why, got->name);
  put_index(why, &got->shape, first);
  buf_puts(why, ": expected ");
  put_number(why, got->dtype, first_want);
  buf_puts(why, ", got ");
  put_number(why, got->dtype, number_wide(got->dtype, got->data, first));
  return buf_fail(why, " (%llu of %llu differ)", (unsigned long long)differ,
                  (unsigned long long)count);
}

/* Copies one scalar of each element into an array. */
static void *take_column(Arena *arena, const char *data, size_t width, uint64_t count,
                         size_t offset, size_t bytes)
{
  char *out = arena_alloc(arena, count * bytes + 1);
  for (uint64_t i = 0; i < count; ++i) memcpy(out + i * bytes, data + i * width + offset, bytes);
  return out;
}

bool test_compare_records(const Result *got, const Shape *shape, const void *data,
                          const Tolerance *tolerance, Buf *why)
{
  Result part = {.shape = got->shape};
  uint64_t count = shape->rank ? shape->count : 1;
  RecordParts parts = record_parts(why->arena, got->layout, got->width);
  for (size_t i = 0; i < parts.count; ++i) {
    size_t offset = parts.at[i].offset, width = got->width;
    part.dtype = parts.at[i].dtype;
    size_t bytes = ck_dtype_bytes(part.dtype);
    part.name = arena_printf(why->arena, "%s%s", got->name, parts.at[i].name);
    part.data = take_column(why->arena, got->data, width, got->shape.count, offset, bytes);
    void *wanted = take_column(why->arena, data, width, count, offset, bytes);
    Expr *all = shape->rank ? NULL : expr_of(why->arena, number_wide(part.dtype, wanted, 0));
    if (!test_compare(&part, shape, all ? NULL : wanted, all, tolerance, why)) return false;
  }
  return true;
}
