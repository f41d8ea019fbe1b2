/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* expr.c - computes the operations of expr.def on exact integers, and reads the tokens of the
 * manifest's expressions.
 *
 * An Integer is a sign and a magnitude of 64 bits, so that the values of i64 and u64 both fit. The
 * result of an operation is the mathematical one (expr.def says how division rounds), or the error
 * that it overflows or divides by zero. Whether it fits a narrower type is
 * a row of its own (form FIT), which the compiler writes behind the operation:
 *
 *     "n m * u32"    in reverse Polish notation: multiply, then fail unless the product fits u32
 */
#include "expr.h"

#include <string.h>

typedef enum Needs { ALL, AND, OR, CHOICE } Needs;

static const struct {
  char token[9];
  uint8_t len, operands, form, needs, range;
} rows[] = {
    [EXPR_none] = {"", 0, 0, 0, ALL, 0},
#define EXPR_OP(id, token, operands, form, needs, range)                                           \
  [EXPR_##id] = {token, sizeof token - 1, operands, EXPR_##form, needs, EXPR_##range},
#include "expr.def"
};

/* ---- numbers ---- */

Integer integer_of_signed(int64_t value)
{
  return (Integer){value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, EXPR_fine};
}

Integer integer_of_unsigned(uint64_t value)
{
  return (Integer){value, false, EXPR_fine};
}

uint64_t integer_bits(Integer value)
{
  return value.is_negative ? 0 - value.magnitude : value.magnitude;
}

/* Does a number fit a signed or unsigned type of so many bits? */
static bool fits(Integer a, unsigned bits, bool is_signed)
{
  uint64_t max = UINT64_MAX >> (64 - bits) >> is_signed;
  if (!a.is_negative || !a.magnitude) return a.magnitude <= max;
  return is_signed && a.magnitude <= max + 1;
}

bool integer_as_signed(Integer a, int64_t *out)
{
  *out = (int64_t)integer_bits(a);
  return a.error == EXPR_fine && fits(a, 64, true);
}

int integer_compare(Integer a, Integer b)
{
  bool a_negative = a.is_negative && a.magnitude, b_negative = b.is_negative && b.magnitude;
  if (a_negative != b_negative) return a_negative ? -1 : 1;
  int order = a.magnitude < b.magnitude ? -1 : a.magnitude > b.magnitude;
  return a_negative ? -order : order;
}

static Integer truth(bool value)
{
  return (Integer){value, false, EXPR_fine};
}

static Integer overflow_if(bool is_overflow, Integer a)
{
  if (is_overflow) a.error = EXPR_overflow;
  return a;
}

static Integer add(Integer a, Integer b)
{
  Integer sum = {.is_negative = a.is_negative};
  if (a.is_negative == b.is_negative)
    return overflow_if(__builtin_add_overflow(a.magnitude, b.magnitude, &sum.magnitude), sum);
  sum.magnitude = a.magnitude - b.magnitude;
  if (a.magnitude >= b.magnitude) return sum;
  return (Integer){b.magnitude - a.magnitude, b.is_negative, EXPR_fine};
}

static Integer opposite(Integer a)
{
  a.is_negative = !a.is_negative;
  return a;
}

static Integer multiply(Integer a, Integer b)
{
  Integer product = {.is_negative = a.is_negative != b.is_negative};
  return overflow_if(__builtin_mul_overflow(a.magnitude, b.magnitude, &product.magnitude), product);
}

static Integer divide(ExprId id, Integer a, Integer b)
{
  if (!b.magnitude) return (Integer){0, false, EXPR_division_by_zero};
  if (id == EXPR_rem) return (Integer){a.magnitude % b.magnitude, a.is_negative, EXPR_fine};
  Integer quotient = {a.magnitude / b.magnitude, a.is_negative != b.is_negative, EXPR_fine};
  /* Only a quotient below the largest magnitude can have a remainder, so adding 1 can't
   * overflow. */
  if (id == EXPR_ceil_div && !quotient.is_negative)
    quotient.magnitude += a.magnitude % b.magnitude != 0;
  return quotient;
}

static Integer shift(ExprId id, Integer a, Integer b)
{
  if (!fits(b, 6, false)) return (Integer){0, false, EXPR_overflow};
  unsigned count = (unsigned)b.magnitude;
  if (id == EXPR_shl) {
    Integer result = {a.magnitude << count, a.is_negative, EXPR_fine};
    return overflow_if(result.magnitude >> count != a.magnitude, result);
  }
  if (!a.is_negative || !a.magnitude) return integer_of_unsigned(a.magnitude >> count);
  return (Integer){((a.magnitude - 1) >> count) + 1, true, EXPR_fine};
}

/* A negative number in two's complement has infinitely many leading ones. Bit 63 of the result
 * tells whether it has them too, so both operands have to fit 64 signed bits. */
static Integer bitwise(ExprId id, Integer a, Integer b)
{
  uint64_t x = integer_bits(a), y = integer_bits(b);
  uint64_t bits = id == EXPR_and ? x & y : id == EXPR_or ? x | y : x ^ y;
  bool is_signed = (a.is_negative && a.magnitude) || (b.is_negative && b.magnitude);
  if (!is_signed) return integer_of_unsigned(bits);
  return overflow_if(!fits(a, 64, true) || !fits(b, 64, true), integer_of_signed((int64_t)bits));
}

static Integer fit(Integer a, unsigned bits, bool is_signed)
{
  return overflow_if(!fits(a, bits, is_signed), a);
}

/* ---- operations ---- */

bool expr_decided(ExprId id, Integer first, uint32_t *out_which, Integer *out)
{
  bool is_zero = !first.magnitude;
  *out_which = 0;
  if (first.error) {
    *out = first;
    return rows[id].needs != ALL;
  }
  switch ((Needs)rows[id].needs) {
  case ALL: return false;
  case AND: *out = truth(false); return is_zero;
  case OR: *out = truth(true); return !is_zero;
  case CHOICE: *out_which = is_zero ? 2 : 1; return true;
  }
  die("no such need: %d", rows[id].needs);
}

Integer expr_apply(ExprId id, const Integer *operands)
{
  Integer a = operands[0], b = a, result;
  uint32_t which;
  if (UNLIKELY(expr_decided(id, a, &which, &result))) return which ? operands[which] : result;
  if (rows[id].operands > 1) b = operands[1];
  if (UNLIKELY(a.error)) return a;
  if (UNLIKELY(b.error)) return b;
  switch (id) {
  case EXPR_add: return add(a, b);
  case EXPR_sub: return add(a, opposite(b));
  case EXPR_mul: return multiply(a, b);
  case EXPR_div:
  case EXPR_rem:
  case EXPR_ceil_div: return divide(id, a, b);
  case EXPR_shl:
  case EXPR_shr: return shift(id, a, b);
  case EXPR_and:
  case EXPR_or:
  case EXPR_xor: return bitwise(id, a, b);
  case EXPR_and_then:
  case EXPR_or_else: return truth(b.magnitude != 0);
  case EXPR_eq: return truth(integer_compare(a, b) == 0);
  case EXPR_ne: return truth(integer_compare(a, b) != 0);
  case EXPR_lt: return truth(integer_compare(a, b) < 0);
  case EXPR_le: return truth(integer_compare(a, b) <= 0);
  case EXPR_gt: return truth(integer_compare(a, b) > 0);
  case EXPR_ge: return truth(integer_compare(a, b) >= 0);
  case EXPR_negate: return opposite(a);
  case EXPR_invert: return add(opposite(a), (Integer){1, true, EXPR_fine}); /* -a - 1 */
  case EXPR_not: return truth(!a.magnitude);
  case EXPR_min: return integer_compare(b, a) < 0 ? b : a;
  case EXPR_max: return integer_compare(a, b) < 0 ? b : a;
  case EXPR_i8: return fit(a, 8, true);
  case EXPR_i16: return fit(a, 16, true);
  case EXPR_i32: return fit(a, 32, true);
  case EXPR_i64: return fit(a, 64, true);
  case EXPR_u8: return fit(a, 8, false);
  case EXPR_u16: return fit(a, 16, false);
  case EXPR_u32: return fit(a, 32, false);
  case EXPR_u64: return fit(a, 64, false);
  case EXPR_none:
  case EXPR_choose:
  case EXPR_COUNT: break;
  }
  die("operation %d is not applied here", (int)id);
}

uint32_t expr_operands(ExprId id)
{
  return rows[id].operands;
}

ExprForm expr_form(ExprId id)
{
  return (ExprForm)rows[id].form;
}

ExprRange expr_range(ExprId id)
{
  return (ExprRange)rows[id].range;
}

const char *expr_token(ExprId id)
{
  return rows[id].token;
}

const char *expr_error_text(ExprError error)
{
  return error == EXPR_division_by_zero ? "divides by zero" : "overflows";
}

/* ---- tokens ---- */

ExprId expr_find(const char *text, size_t len)
{
  for (ExprId id = EXPR_none + 1; id < EXPR_COUNT; ++id)
    if (rows[id].len == len && !memcmp(rows[id].token, text, len)) return id;
  return EXPR_none;
}

static bool read_number(const char *text, size_t len, Integer *out)
{
  bool is_negative = *text == '-';
  *out = (Integer){.is_negative = is_negative};
  for (size_t i = is_negative; i < len; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    uint64_t digit = (uint64_t)(text[i] - '0');
    if (__builtin_mul_overflow(out->magnitude, UINT64_C(10), &out->magnitude) ||
        __builtin_add_overflow(out->magnitude, digit, &out->magnitude))
      return false;
  }
  return len > is_negative;
}

bool expr_next(const char **at, ExprToken *out)
{
  const char *text = *at;
  size_t len = strcspn(text, " ");
  *out = (ExprToken){.text = text, .len = len};
  if (!*text) return false;
  *at = text + len + (text[len] == ' ');
  bool is_name = *text == '@';
  out->text += is_name;
  out->len -= is_name;
  if (is_name) return true;
  out->id = expr_find(text, len);
  out->is_number = !out->id && read_number(text, len, &out->number);
  return true;
}
