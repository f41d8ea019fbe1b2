/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_eval.c - computes the values of expressions that test_expr.c has read.
 *
 * Binding computes the shape of every node bottom up, with NumPy's broadcasting; then any element
 * can be asked for by its number. There are three kinds of nodes:
 *
 *   memory       arrays, their fields and slices: an address, and a pitch in bytes along each axis
 *   element      operators and functions, element by element. A View tells which element of an
 *                operand belongs to element i: of 3x4 + 4, element i = 4 * r + c reads i and c
 *   whole        products of matrices, sums along an axis and others that need many elements for
 *                one are computed when they are bound, into `values`
 *
 * There are no types: a value has 64 bits of precision, and is rounded to its parameter's type
 * where it is used (test_value.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_expr.h"

static int64_t whole(Wide value)
{
  return value >= -0x1p63L && value < 0x1p63L ? (int64_t)value : 0;
}

/* An integer from -2^63 to 2^64 - 1 in two's complement with 65 bits: `low` and the sign. */
typedef struct Bits {
  uint64_t low;
  bool is_negative;
} Bits;

static Bits bits_of(Wide value)
{
  if (value >= 0x1p63L && value < 0x1p64L) return (Bits){(uint64_t)value, false};
  return (Bits){(uint64_t)whole(value), whole(value) < 0};
}

static Wide bitwise(char operation, Wide left, Wide right)
{
  Bits a = bits_of(left), b = bits_of(right), out = {0};
  switch (operation) {
  case '&': out = (Bits){a.low & b.low, a.is_negative && b.is_negative}; break;
  case '|': out = (Bits){a.low | b.low, a.is_negative || b.is_negative}; break;
  case '^': out = (Bits){a.low ^ b.low, a.is_negative != b.is_negative}; break;
  default: die("bitwise %d", operation);
  }
  return (Wide)out.low - (out.is_negative ? 0x1p64L : 0);
}

/* a % b with the sign of b. fmodl is exact, a - b * floorl(a / b) isn't: 2^64 - 1 over 2 needs 65
 * bits. */
Wide expr_remainder(Wide a, Wide b)
{
  if (b == 0 || !isfinite(a) || !isfinite(b)) return a - b * floorl(a / b);
  Wide rest = fmodl(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static Wide quotient(Wide a, Wide b)
{
  if (b == 0 || !isfinite(a) || !isfinite(b)) return floorl(a / b);
  return rintl((a - expr_remainder(a, b)) / b);
}

/* a ** b % c of whole numbers, c up to 2^32; a product of two remainders fits 64 bits. */
static Wide power_modulo(Wide a, Wide b, Wide c)
{
  if (!(c >= 1 && c <= 0x1p32L && b >= 0 && b < 0x1p63L)) return NAN;
  uint64_t modulus = (uint64_t)c, base = (uint64_t)expr_remainder(a, c), out = 1 % modulus;
  for (uint64_t rest = (uint64_t)b; rest; rest >>= 1) {
    if (rest & 1) out = out * base % modulus;
    base = base * base % modulus;
  }
  return (Wide)out;
}

/* The count of a shift; counts beyond the bits of a Wide give 0 or infinity. */
static int places(Wide value)
{
  enum { PLACES_MAX = 40000 };
  return value > PLACES_MAX ? PLACES_MAX : value > -PLACES_MAX ? (int)value : -PLACES_MAX;
}

static Wide operate(uint32_t which, Wide a, Wide b)
{
  uint32_t row = 0;
#define OPERATOR(spelling, binds, value)                                                           \
  if (which == row++) return value;
#include "test_ops.def"
  die("operator %u", which);
}

static Wide call_function(uint32_t which, Wide a, Wide b, Wide c)
{
  uint32_t row = 0;
#define FUNCTION(name, count, value)                                                               \
  if (which == row++) return value;
#include "test_ops.def"
  die("function %u", which);
}

static Wide reduce_start(uint32_t which)
{
#define REDUCTION(name, start, value, end)                                                         \
  if (which == REDUCTION_##name) return start;
#include "test_ops.def"
  die("reduction %u", which);
}

static Wide reduce_step(uint32_t which, Wide a, Wide b)
{
#define REDUCTION(name, start, value, end)                                                         \
  if (which == REDUCTION_##name) return value;
#include "test_ops.def"
  die("reduction %u", which);
}

static Wide reduce_end(uint32_t which, Wide a, Wide count)
{
  (void)count;
#define REDUCTION(name, start, value, end)                                                         \
  if (which == REDUCTION_##name) return end;
#include "test_ops.def"
  die("reduction %u", which);
}

/* elements ----------------------------------------------------------------------------------- */

int64_t shape_at(const Shape *shape, uint64_t i, const int64_t *strides)
{
  int64_t out = 0;
  for (uint32_t axis = shape->rank; axis-- > 0; i /= shape->at[axis])
    out += (int64_t)(i % shape->at[axis]) * strides[axis];
  return out;
}

static Wide operand(const Expr *expr, uint32_t index, uint64_t i)
{
  const View *view = &expr->views[index];
  if (index >= expr->operand_count) return 0;
  if (!view->is_same) i = (uint64_t)(view->start + shape_at(&expr->shape, i, view->strides));
  return expr_value(expr->operands[index], i);
}

/* A number as an element of a type: rounded, or its whole part modulo the range of the type. */
static Wide convert(ck_dtype_t dtype, Wide value)
{
  uint64_t element = 0;
  if (dtype == CK_BOOL) return value != 0;
  if (number_is_integer(dtype)) {
    Wide top = ldexpl(1, 8 * (int)ck_dtype_bytes(dtype));
    bool is_signed = dtype >= CK_I8 && dtype <= CK_I64;
    value = isfinite(value) ? expr_remainder(truncl(value), top) : 0;
    return is_signed && value >= top / 2 ? value - top : value;
  }
  number_store(dtype, &element, 0, value);
  return number_wide(dtype, &element, 0);
}

static Wide view_bits(const Expr *expr, Wide value)
{
  uint64_t element = 0;
  number_store(expr->operands[0]->dtype, &element, 0, value);
  return number_wide(expr->dtype, &element, 0);
}

Wide expr_value(Expr *expr, uint64_t i)
{
  if (expr->values) return expr->values[i];
  if (expr->data && expr->is_dense) return number_wide(expr->dtype, expr->data, i);
  if (expr->data)
    return number_wide(expr->dtype, expr->data + shape_at(&expr->shape, i, expr->pitch), 0);
  switch (expr->kind) {
  case EXPR_NUMBER: return expr->number;
  case EXPR_NAME: return expr->binding->number;
  case EXPR_MEMBER:
  case EXPR_INDEX:
  case EXPR_RESHAPE: return operand(expr, 0, i);
  case EXPR_OPERATOR: return operate(expr->which, operand(expr, 0, i), operand(expr, 1, i));
  case EXPR_NEGATE: return -operand(expr, 0, i);
  case EXPR_INVERT:
    return expr->is_truth ? operand(expr, 0, i) == 0 : (Wide)~whole(operand(expr, 0, i));
  case EXPR_FUNCTION:
    return call_function(expr->which, operand(expr, 0, i), operand(expr, 1, i),
                         operand(expr, 2, i));
  case EXPR_ARANGE: return expr->number + (Wide)i * expr->step;
  case EXPR_CHOOSE: return operand(expr, expr->which, i);
  case EXPR_CONVERT: return convert(expr->dtype, operand(expr, 0, i));
  case EXPR_VIEW: return view_bits(expr, operand(expr, 0, i));
  case EXPR_LIST: return expr_value(expr->items.at[i], 0);
  case EXPR_ASSIGN:
  case EXPR_MATMUL:
  case EXPR_REDUCE:
  case EXPR_SCAN:
  case EXPR_SORT:
  case EXPR_STACK:
  case EXPR_EACH:
  case EXPR_JOIN:
  case EXPR_REPEAT: break;
  }
  die("expression %d", (int)expr->kind);
}

/* shapes ------------------------------------------------------------------------------------- */

static void strides_of(const Shape *shape, int64_t *out)
{
  int64_t stride = 1;
  for (uint32_t axis = shape->rank; axis-- > 0; stride *= (int64_t)shape->at[axis])
    out[axis] = stride;
}

/* NumPy's broadcasting: axes are matched from the last one on, and an extent of 1 fits any
 * other. */
bool shape_spread(const Shape *from, const Shape *to, int64_t *out_strides)
{
  int64_t own[EXTENTS_MAX];
  if (from->rank > to->rank) return false;
  strides_of(from, own);
  for (uint32_t axis = 0; axis < to->rank; ++axis) {
    int64_t missing = (int64_t)to->rank - from->rank;
    uint32_t mine = (uint32_t)((int64_t)axis - missing);
    bool is_absent = axis < (uint32_t)missing;
    uint64_t extent = is_absent ? 1 : from->at[mine];
    if (extent != 1 && extent != to->at[axis]) return false;
    out_strides[axis] = extent == 1 ? 0 : own[mine];
  }
  return true;
}

/* Broadcasts two shapes, into `io`. */
static bool join_shapes(Shape *io, const Shape *other, Buf *why)
{
  Shape out = io->rank >= other->rank ? *io : *other;
  const Shape *low = io->rank >= other->rank ? other : io;
  uint32_t missing = out.rank - low->rank;
  for (uint32_t axis = 0; axis < low->rank; ++axis) {
    uint64_t *extent = &out.at[axis + missing];
    if (*extent == 1) *extent = low->at[axis];
    else if (low->at[axis] != 1 && low->at[axis] != *extent)
      return buf_fail(why, "arrays of %s and of %s elements do not go together",
                      shape_text(why->arena, io), shape_text(why->arena, other));
  }
  *io = out;
  if (shape_set_count(io)) return true;
  return buf_fail(why, "there are too many elements");
}

static void set_view(Expr *expr, uint32_t index)
{
  const Shape *own = &expr->operands[index]->shape;
  View *view = &expr->views[index];
  *view = (View){.is_same = shape_is_same(own, &expr->shape)};
  if (!view->is_same) shape_spread(own, &expr->shape, view->strides);
}

/* binding ------------------------------------------------------------------------------------ */

static bool bind(Expr *expr, const Bindings *bindings, Buf *why);

/* Binds an operand that has to consist of numbers. */
bool expr_bind_numbers(Expr *expr, const Bindings *bindings, Buf *why)
{
  if (!bind(expr, bindings, why)) return false;
  if (!expr->layout) return true;
  return buf_fail(
      why, "%s is made of structs, tuples or arrays: name a field, as in %s.x (.f0 of a tuple)",
      expr->name ? expr->name : "this", expr->name ? expr->name : "p");
}

static void set_dense(Expr *expr, size_t width)
{
  int64_t strides[EXTENTS_MAX];
  strides_of(&expr->shape, strides);
  for (uint32_t axis = 0; axis < expr->shape.rank; ++axis)
    expr->pitch[axis] = strides[axis] * (int64_t)width;
}

/* Turns arrays in a record, "[f32@0,f32@4]", into axes, and finds their element type. */
static bool enter_arrays(Expr *expr, const char *layout, Buf *why)
{
  ck_dtype_t dtype;
  size_t first, second;
  while (*layout == '[') {
    const char *next = record_skip(++layout);
    if (expr->shape.rank == EXTENTS_MAX)
      return buf_fail(why, "'%s' has more than %d extents", expr->name, EXTENTS_MAX);
    uint64_t count = 1;
    for (const char *at = next; *at == ','; at = record_skip(at + 1)) ++count;
    expr->pitch[expr->shape.rank] = 0;
    if (*next == ',' && record_first(layout, &dtype, &first) &&
        record_first(next + 1, &dtype, &second))
      expr->pitch[expr->shape.rank] = (int64_t)(second - first);
    expr->shape.at[expr->shape.rank++] = count;
  }
  expr->layout = strchr("{(", *layout) ? layout : NULL;
  if (expr->layout) return shape_set_count(&expr->shape);
  if (!record_first(layout, &expr->dtype, &first)) return false;
  expr->data += first;
  return shape_set_count(&expr->shape);
}

/* The newest binding of a name, or NULL. is_loop: of the variable of a comprehension, which hides
 * the names that `:=` gives values, as these hide the others. */
static const Binding *find_binding(const Bindings *bindings, const char *name, bool is_loop)
{
  for (; bindings && (bindings->outer || !is_loop); bindings = bindings->outer)
    for (uint32_t i = bindings->names.count; i-- > 0;)
      if (!strcmp(bindings->names.at[i].name, name)) return &bindings->names.at[i];
  return NULL;
}

static bool refuse_name(const char *name, const Bindings *bindings, Buf *why)
{
  Words names = {0};
  for (; bindings; bindings = bindings->outer)
    for (uint32_t i = 0; i < bindings->names.count; ++i)
      vec_push(why->arena, &names, bindings->names.at[i].name);
  return buf_fail(why, "'%s' is no argument and no FOR variable%s", name,
                  did_you_mean(why->arena, name, names.at, names.count));
}

static bool bind_cell(Expr *expr, Buf *why)
{
  expr->shape = expr->cell->shape;
  expr->values = expr->cell->values;
  expr->is_truth = expr->cell->is_truth;
  if (expr->values) return true;
  return buf_fail(why, "'%s' has no value yet", expr->name);
}

static bool bind_name(Expr *expr, const Bindings *bindings, Buf *why)
{
  const Binding *binding = find_binding(bindings, expr->name, expr->cell != NULL);
  if (!binding && expr->cell) return bind_cell(expr, why);
  if (!binding) return refuse_name(expr->name, bindings, why);
  expr->binding = binding;
  expr->data = binding->data;
  expr->values = binding->values;
  if (binding->data || binding->values) expr->shape = *binding->shape;
  if (!binding->data) return true;
  expr->dtype = binding->dtype;
  expr->layout = binding->layout;
  expr->is_dense = !binding->layout;
  set_dense(expr, binding->layout ? binding->width : ck_dtype_bytes(binding->dtype));
  if (binding->layout && *binding->layout == '[') return enter_arrays(expr, binding->layout, why);
  return true;
}

/* The operand has to have a type, of as many bytes. */
static bool check_view(const Expr *expr, Buf *why)
{
  const Expr *from = expr->operands[0];
  bool is_typed = from->data || from->kind == EXPR_CONVERT || from->kind == EXPR_VIEW;
  if (is_typed && ck_dtype_bytes(from->dtype) == ck_dtype_bytes(expr->dtype)) return true;
  return buf_fail(why, "view(%s) takes an array of a type of as many bits: write u32(x).view(f32)",
                  ck_dtype_name(expr->dtype));
}

/* v := x */
static bool bind_assign(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  if (!expr_bind_numbers(from, bindings, why)) return false;
  expr->shape = from->shape;
  if (!(expr->values = expr_all_values(from, why))) return false;
  expr->cell->shape = expr->shape;
  expr->cell->values = expr->values;
  expr->cell->is_truth = from->is_truth;
  return true;
}

static bool bind_member(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  if (!bind(from, bindings, why)) return false;
  expr->shape = from->shape;
  uint32_t rank = from->shape.rank;
  if (from->layout) {
    const char *field = record_field(from->layout, expr->name);
    expr->data = from->data;
    memcpy(expr->pitch, from->pitch, sizeof expr->pitch);
    if (field) return enter_arrays(expr, field, why);
    return buf_fail(why, "there is no field '%s'; a tuple's are .f0, .f1 and so on", expr->name);
  }
  if (strcmp(expr->name, "T") != 0)
    return buf_fail(why, "numbers have no '.%s'; .T is an array turned over", expr->name);
  int64_t strides[EXTENTS_MAX];
  strides_of(&from->shape, strides);
  for (uint32_t axis = 0; axis < rank; ++axis) {
    expr->shape.at[axis] = from->shape.at[rank - 1 - axis];
    expr->views[0].strides[axis] = strides[rank - 1 - axis];
  }
  return true;
}

static bool bind_whole(Expr *expr, const Bindings *bindings, int64_t otherwise, int64_t *out,
                       Buf *why)
{
  Wide value = 0;
  *out = otherwise;
  if (!expr) return true;
  if (!expr_number(expr, bindings, &value, why)) return false;
  *out = (int64_t)value;
  if (value == floorl(value) && fabsl(value) < 0x1p62L) return true;
  return buf_fail(why, "%.15Lg is no index", value);
}

/* Binds a slice by Python's rules: negative indices count from the end, and indices beyond an end
 * are that end. */
static bool bind_slice(const IndexItem *item, const Bindings *bindings, int64_t extent,
                       int64_t *out_first, int64_t *out_step, int64_t *out_count, Buf *why)
{
  int64_t step, first, last;
  if (!bind_whole(item->step, bindings, 1, &step, why)) return false;
  if (step == 0) buf_puts(why, "a slice's step is not 0");
  int64_t low = step < 0 ? -1 : 0, high = step < 0 ? extent - 1 : extent;
  if (why->len || !bind_whole(item->first, bindings, step < 0 ? high : low, &first, why))
    return false;
  if (item->first && first < 0) first += extent;
  if (!bind_whole(item->last, bindings, step < 0 ? low : high, &last, why)) return false;
  if (item->last && last < 0) last += extent;
  first = first < low ? low : first > high ? high : first;
  last = last < low ? low : last > high ? high : last;
  int64_t length = step < 0 ? first - last : last - first, size = step < 0 ? -step : step;
  *out_first = first;
  *out_step = step;
  *out_count = length > 0 ? (length - 1) / size + 1 : 0;
  return true;
}

/* One item of an index over the operand's axis `*io_axis`; *out_new is an axis of the result. */
static bool bind_item(Expr *expr, const IndexItem *item, const Bindings *bindings,
                      uint32_t *io_axis, const int64_t *strides, Buf *why)
{
  const Shape *from = &expr->operands[0]->shape;
  int64_t first = 0, step = 0, count = 1;
  bool is_axis = item->is_new || item->is_slice;
  if (is_axis && expr->shape.rank == EXTENTS_MAX)
    buf_printf(why, "it has more than %d extents", EXTENTS_MAX);
  else if (!item->is_new && *io_axis >= from->rank)
    buf_printf(why, "there are more indices than the %u of %s elements", from->rank,
               shape_text(why->arena, from));
  if (why->len) return false;
  int64_t extent = item->is_new ? 1 : (int64_t)from->at[*io_axis];
  int64_t stride = item->is_new ? 0 : strides[(*io_axis)++];
  if (item->is_slice && !bind_slice(item, bindings, extent, &first, &step, &count, why))
    return false;
  if (!is_axis) {
    if (!bind_whole(item->first, bindings, 0, &first, why)) return false;
    if (first < -extent || first >= extent)
      return buf_fail(why, "the index %lld is outside of %lld elements", (long long)first,
                      (long long)extent);
    first += first < 0 ? extent : 0;
  }
  expr->views[0].start += first * stride;
  if (!is_axis) return true;
  expr->views[0].strides[expr->shape.rank] = step * stride;
  expr->shape.at[expr->shape.rank++] = (uint64_t)count;
  return true;
}

static bool bind_index(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  int64_t strides[EXTENTS_MAX];
  uint32_t axis = 0;
  if (!bind(from, bindings, why)) return false;
  const IndexItem *only = expr->index.count == 1 ? &expr->index.at[0] : NULL;
  if (only && !only->is_slice && !only->is_new) {
    if (!expr_bind_numbers(only->first, bindings, why)) return false;
    if (only->first->shape.rank)
      return only->first->is_truth ? order_bind_mask(expr, only->first, why)
                                   : order_bind_take(expr, only->first, why);
  }
  strides_of(&from->shape, strides);
  const int64_t *distances = from->data ? from->pitch : strides; /* bytes, or elements */
  for (uint32_t i = 0; i < expr->index.count; ++i)
    if (!bind_item(expr, &expr->index.at[i], bindings, &axis, distances, why)) return false;
  static const IndexItem everything = {.is_slice = true};
  while (axis < from->shape.rank)
    if (!bind_item(expr, &everything, bindings, &axis, distances, why)) return false;
  if (!shape_set_count(&expr->shape)) return false;
  if (!from->data) return true;
  expr->data = from->data + expr->views[0].start;
  expr->dtype = from->dtype;
  expr->layout = from->layout;
  memcpy(expr->pitch, expr->views[0].strides, sizeof expr->pitch);
  return true;
}

static bool bind_arange(Expr *expr, Buf *why)
{
  Wide first = expr->operand_count > 1 ? operand(expr, 0, 0) : 0;
  Wide last = operand(expr, expr->operand_count > 1, 0);
  Wide step = expr->operand_count == 3 ? operand(expr, 2, 0) : 1;
  Wide length = ceill((last - first) / step);
  if (expr->shape.rank) buf_puts(why, "arange takes numbers");
  else if (step == 0) buf_puts(why, "the step of arange is not 0");
  else if (!(length < 0x1p40L)) buf_puts(why, "arange is too long");
  if (why->len) return false;
  expr->number = first;
  expr->step = step;
  expr->shape.rank = 1;
  expr->shape.at[0] = length > 0 ? (uint64_t)length : 0;
  return shape_set_count(&expr->shape);
}

/* a if condition else b. The other value is not bound: an index in it may be beyond its array. */
static bool bind_choose(Expr *expr, const Bindings *bindings, Buf *why)
{
  Wide condition;
  if (!expr_number(expr->operands[0], bindings, &condition, why)) return false;
  expr->which = condition != 0 ? 1 : 2;
  if (!expr_bind_numbers(expr->operands[expr->which], bindings, why)) return false;
  expr->shape = expr->operands[expr->which]->shape;
  expr->views[expr->which].is_same = true;
  return true;
}

/* Finds the extents of the operands together. */
static bool bind_operands(Expr *expr, const Bindings *bindings, Buf *why)
{
  for (uint32_t i = 0; i < expr->operand_count; ++i)
    if (!expr_bind_numbers(expr->operands[i], bindings, why) ||
        !join_shapes(&expr->shape, &expr->operands[i]->shape, why))
      return false;
  for (uint32_t i = 0; i < expr->operand_count; ++i) set_view(expr, i);
  return true;
}

/* what needs many elements for one --------------------------------------------------------------
 */

Wide *expr_new_values(uint64_t count, Buf *why)
{
  enum { VALUES_MAX = 1 << 28 }; /* 4 GiB of them */
  if (count <= VALUES_MAX) return NEW_ARRAY(why->arena, Wide, count + 1);
  buf_printf(why, "%llu elements are too many here", (unsigned long long)count);
  return NULL;
}

Wide *expr_all_values(Expr *expr, Buf *why)
{
  Wide *out = expr_new_values(expr->shape.count, why);
  for (uint64_t i = 0; out && i < expr->shape.count; ++i) out[i] = expr_value(expr, i);
  return out;
}

/* The requested axis; the rank if none is. */
static bool bind_axis(Expr *expr, const Bindings *bindings, uint32_t *out, Buf *why)
{
  int64_t axis = 0, rank = expr->operands[0]->shape.rank;
  *out = (uint32_t)rank;
  if (!expr->has_axis) return true;
  if (!bind_whole(expr->operands[1], bindings, 0, &axis, why)) return false;
  if (!rank && (axis == 0 || axis == -1)) return true; /* NumPy allows it for a number */
  if (axis < -rank || axis >= rank)
    return buf_fail(why, "there is no axis %lld in %lld extents", (long long)axis, (long long)rank);
  *out = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}

/* An array as `outer` pieces of `count` rows of `inner` elements; the rows are along the axis. */
typedef struct Rows {
  uint64_t outer, count, inner;
} Rows;

static Rows rows_of(const Shape *shape, uint32_t axis)
{
  Rows rows = {1, 1, 1};
  if (axis == shape->rank) return (Rows){1, shape->rank ? shape->count : 1, 1};
  for (uint32_t i = 0; i < shape->rank; ++i)
    *(i < axis ? &rows.outer : i > axis ? &rows.inner : &rows.count) *= shape->at[i];
  return rows;
}

static bool bind_reduce(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  uint32_t axis;
  if (!expr_bind_numbers(from, bindings, why) || !bind_axis(expr, bindings, &axis, why))
    return false;
  const Shape *shape = &from->shape;
  for (uint32_t i = 0; i < shape->rank; ++i) {
    bool is_gone = axis == shape->rank || i == axis;
    if (!is_gone || expr->keeps_axis)
      expr->shape.at[expr->shape.rank++] = is_gone ? 1 : shape->at[i];
  }
  shape_set_count(&expr->shape);
  Rows rows = rows_of(shape, axis);
  expr->values = expr_new_values(rows.outer * rows.inner, why);
  for (uint64_t i = 0; expr->values && i < rows.outer * rows.inner; ++i) {
    uint64_t at = i / rows.inner * rows.count * rows.inner + i % rows.inner;
    Wide value = reduce_start(expr->which);
    for (uint64_t j = 0; j < rows.count; ++j)
      value = reduce_step(expr->which, value, expr_value(from, at + j * rows.inner));
    expr->values[i] = reduce_end(expr->which, value, (Wide)rows.count);
  }
  return expr->values != NULL;
}

static bool bind_scan(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  uint32_t axis;
  if (!expr_bind_numbers(from, bindings, why) || !bind_axis(expr, bindings, &axis, why))
    return false;
  Rows rows = rows_of(&from->shape, axis);
  expr->shape = from->shape;
  if (!expr->has_axis || !expr->shape.rank) expr->shape = (Shape){.rank = 1, .at = {rows.count}};
  if (!shape_set_count(&expr->shape) || !(expr->values = expr_all_values(from, why))) return false;
  for (uint64_t i = 0; i < expr->shape.count; ++i)
    if (i / rows.inner % rows.count)
      expr->values[i] = reduce_step(expr->which, expr->values[i - rows.inner], expr->values[i]);
  return true;
}

/* One of the new extents may be -1: what is left. */
static bool bind_reshape(Expr *expr, const Bindings *bindings, Buf *why)
{
  Expr *from = expr->operands[0];
  uint32_t open = EXTENTS_MAX;
  uint64_t known = 1;
  if (!expr_bind_numbers(from, bindings, why)) return false;
  uint64_t count = from->shape.rank ? from->shape.count : 1;
  for (uint32_t i = 1; i < expr->operand_count; ++i) {
    int64_t extent;
    if (!bind_whole(expr->operands[i], bindings, 0, &extent, why)) return false;
    if (extent == -1 && open == EXTENTS_MAX) open = expr->shape.rank;
    else if (extent < 0 || __builtin_mul_overflow(known, (uint64_t)extent, &known)) known = 0;
    expr->shape.at[expr->shape.rank++] = extent < 0 ? 0 : (uint64_t)extent;
  }
  if (open != EXTENTS_MAX && known && count % known == 0) expr->shape.at[open] = count / known;
  expr->views[0].is_same = true;
  if (shape_set_count(&expr->shape) && expr->shape.count == count) return true;
  return buf_fail(why, "%s elements do not go into %s", shape_text(why->arena, &from->shape),
                  shape_text(why->arena, &expr->shape));
}

/* An operand of '@': a stack of matrices of `rows` x `columns`. */
typedef struct Matrix {
  Wide *values;
  Shape batch;
  uint64_t rows, columns;
} Matrix;

static bool take_matrix(Expr *expr, bool is_left, Matrix *out, Buf *why)
{
  Shape shape = expr->shape;
  if (!shape.rank) return buf_fail(why, "'@' multiplies arrays; '*' multiplies numbers");
  uint64_t last = shape.at[shape.rank - 1];
  *out = (Matrix){.rows = is_left ? 1 : last, .columns = is_left ? last : 1};
  if (shape.rank > 1) {
    out->rows = shape.at[shape.rank - 2];
    out->columns = last;
    out->batch = shape;
    out->batch.rank -= 2;
  }
  shape_set_count(&out->batch);
  out->values = expr_all_values(expr, why);
  return out->values != NULL;
}

static void multiply(Wide *out, const Wide *a, const Wide *b, uint64_t rows, uint64_t inner,
                     uint64_t columns)
{
  for (uint64_t r = 0; r < rows; ++r)
    for (uint64_t k = 0; k < inner; ++k)
      for (uint64_t c = 0; c < columns; ++c)
        out[r * columns + c] += a[r * inner + k] * b[k * columns + c];
}

static bool bind_matmul(Expr *expr, const Bindings *bindings, Buf *why)
{
  Matrix a, b;
  int64_t a_strides[EXTENTS_MAX], b_strides[EXTENTS_MAX];
  Expr *left = expr->operands[0], *right = expr->operands[1];
  if (!expr_bind_numbers(left, bindings, why) || !expr_bind_numbers(right, bindings, why))
    return false;
  if (!take_matrix(left, true, &a, why) || !take_matrix(right, false, &b, why)) return false;
  if (a.columns != b.rows)
    return buf_fail(why, "arrays of %s and of %s elements can't be multiplied by '@'",
                    shape_text(why->arena, &left->shape), shape_text(why->arena, &right->shape));
  Shape batch = a.batch;
  if (!join_shapes(&batch, &b.batch, why)) return false;
  shape_spread(&a.batch, &batch, a_strides);
  shape_spread(&b.batch, &batch, b_strides);
  expr->shape = batch;
  if (left->shape.rank > 1) expr->shape.at[expr->shape.rank++] = a.rows;
  if (right->shape.rank > 1) expr->shape.at[expr->shape.rank++] = b.columns;
  if (!shape_set_count(&expr->shape) || !(expr->values = expr_new_values(expr->shape.count, why)))
    return false;
  for (uint64_t i = 0; i < batch.count; ++i)
    multiply(expr->values + i * a.rows * b.columns,
             a.values + shape_at(&batch, i, a_strides) * (int64_t)(a.rows * a.columns),
             b.values + shape_at(&batch, i, b_strides) * (int64_t)(b.rows * b.columns), a.rows,
             a.columns, b.columns);
  return true;
}

/* -------------------------------------------------------------------------------------------- */

/* What NumPy would make an operator of the operands' truth values: comparisons always, bitwise
 * operators of truth values alone. */
static bool gives_truth(uint32_t which, bool is_of_truth)
{
  uint32_t row = 0;
#define OPERATOR(spelling, binds, value)                                                           \
  if (which == row++)                                                                              \
    return *(spelling) != '<' && *(spelling) != '>' ? (binds) == 1 || ((binds) < 5 && is_of_truth) \
                                                    : (binds) == 1;
#include "test_ops.def"
  die("operator %u", which);
}

static bool is_truth_function(uint32_t which)
{
  uint32_t row = 0;
#define FUNCTION(name, count, value)                                                               \
  if (which == row++) return !strcmp(#name, "isinf") || !strcmp(#name, "isnan");
#include "test_ops.def"
  die("function %u", which);
}

/* Whether NumPy's type of a bound expression would be bool. */
static bool is_truth(const Expr *expr)
{
  const Expr *first = expr->operands[0], *second = expr->operands[1];
  if (expr->data) return !expr->layout && expr->dtype == CK_BOOL;
  switch (expr->kind) {
  case EXPR_NUMBER: return expr->text && strchr("tTfF", expr->text[0]);
  case EXPR_NAME: return expr->is_truth;
  case EXPR_OPERATOR: return gives_truth(expr->which, first->is_truth && second->is_truth);
  case EXPR_FUNCTION: return is_truth_function(expr->which);
  case EXPR_REDUCE: return expr->which == REDUCTION_any || expr->which == REDUCTION_all;
  case EXPR_CHOOSE: return expr->operands[expr->which]->is_truth;
  case EXPR_CONVERT:
  case EXPR_VIEW: return expr->dtype == CK_BOOL;
  case EXPR_MEMBER:
  case EXPR_INDEX:
  case EXPR_RESHAPE:
  case EXPR_INVERT:
  case EXPR_ASSIGN:
  case EXPR_REPEAT:
  case EXPR_EACH: return expr->shape.count > 0 && first->is_truth;
  case EXPR_JOIN: return first->is_truth && second->is_truth;
  case EXPR_LIST:
  case EXPR_STACK:
    for (uint32_t i = 0; i < expr->items.count; ++i)
      if (!expr->items.at[i]->is_truth) return false;
    return expr->items.count > 0;
  case EXPR_NEGATE:
  case EXPR_MATMUL:
  case EXPR_ARANGE:
  case EXPR_SCAN:
  case EXPR_SORT: return false;
  }
  die("expression %d", (int)expr->kind);
}

static bool bind_kind(Expr *expr, const Bindings *bindings, Buf *why);

static bool bind(Expr *expr, const Bindings *bindings, Buf *why)
{
  expr->is_truth = false;
  if (!bind_kind(expr, bindings, why)) return false;
  expr->is_truth = is_truth(expr);
  return true;
}

static bool bind_kind(Expr *expr, const Bindings *bindings, Buf *why)
{
  for (uint32_t i = 0; i < expr->cells.count; ++i) expr->cells.at[i]->values = NULL;
  if (expr->kind == EXPR_LIST) return list_bind(expr, bindings, why);
  /* The tree is bound again for each case of its test. */
  expr->shape = (Shape){.count = 1};
  expr->data = expr->layout = NULL;
  expr->values = NULL;
  expr->is_dense = false;
  memset(expr->views, 0, sizeof expr->views);
  switch (expr->kind) {
  case EXPR_NUMBER: return true;
  case EXPR_NAME: return bind_name(expr, bindings, why);
  case EXPR_MEMBER: return bind_member(expr, bindings, why);
  case EXPR_INDEX: return bind_index(expr, bindings, why);
  case EXPR_OPERATOR:
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_FUNCTION: return bind_operands(expr, bindings, why);
  case EXPR_ARANGE: return bind_operands(expr, bindings, why) && bind_arange(expr, why);
  case EXPR_MATMUL: return bind_matmul(expr, bindings, why);
  case EXPR_REDUCE: return bind_reduce(expr, bindings, why);
  case EXPR_SCAN: return bind_scan(expr, bindings, why);
  case EXPR_SORT: return order_bind_sort(expr, bindings, why);
  case EXPR_RESHAPE: return bind_reshape(expr, bindings, why);
  case EXPR_CHOOSE: return bind_choose(expr, bindings, why);
  case EXPR_CONVERT: return bind_operands(expr, bindings, why);
  case EXPR_VIEW: return bind_operands(expr, bindings, why) && check_view(expr, why);
  case EXPR_ASSIGN: return bind_assign(expr, bindings, why);
  case EXPR_STACK: return list_bind_stack(expr, bindings, why);
  case EXPR_EACH: return list_bind_each(expr, bindings, why);
  case EXPR_JOIN: return list_bind_join(expr, bindings, why);
  case EXPR_REPEAT: return list_bind_repeat(expr, bindings, why);
  case EXPR_LIST: break;
  }
  die("expression %d", (int)expr->kind);
}

bool expr_bind(Expr *expr, const Bindings *bindings, Shape *out_shape, Buf *why)
{
  if (!expr_bind_numbers(expr, bindings, why)) {
    if (!why->len) buf_puts(why, "there are too many elements");
    return false;
  }
  *out_shape = expr->shape;
  return true;
}

bool expr_bind_data(Expr *expr, const Bindings *bindings, ExprData *out, Buf *why)
{
  if (!bind(expr, bindings, why)) return false;
  *out = (ExprData){expr->shape, expr->layout, expr->dtype, expr->data, {0}};
  memcpy(out->pitch, expr->pitch, sizeof out->pitch);
  return true;
}

void *expr_gather(const ExprData *from, size_t width, Arena *arena)
{
  char *out = arena_alloc(arena, from->shape.count * width + 1);
  size_t used = from->layout ? record_end(from->layout, width) : width;
  for (uint64_t i = 0; i < from->shape.count; ++i)
    memcpy(out + i * width, from->data + shape_at(&from->shape, i, from->pitch), used);
  return out;
}

bool expr_number(Expr *expr, const Bindings *bindings, Wide *out, Buf *why)
{
  Shape shape = {.rank = 0};
  if (!expr_bind(expr, bindings, &shape, why)) return false;
  if (shape.rank) return buf_fail(why, "a number is needed, this is an array");
  *out = expr_value(expr, 0);
  return true;
}

const char *test_number_text(Arena *arena, const Expr *written, Wide value)
{
  const char *word = written ? expr_word(written) : NULL;
  if (word && (!strcmp(word, "true") || !strcmp(word, "false"))) return word;
  bool is_whole = value == floorl(value) && fabsl(value) < 0x1p64L;
  return arena_printf(arena, is_whole ? "%.0Lf" : "%.21Lg", value);
}
