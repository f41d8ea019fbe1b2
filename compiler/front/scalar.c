/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scalar.c - the values of scalar types: how other values are rounded to them, their bits, and how
 * they are read from text.
 *
 * An integer of a type is kept with its bits extended to 64 by its sign; arithmetic wraps. A float
 * of any type is kept as an f64 that the type has. f16, bf16 and f32 have fewer digits, so that a
 * value is rounded to them here, once:
 *
 *   1.00048828125000000001   the text, for an f16: values there are 1 and 1.0009765625
 *   1.00048828125            the nearest f64 is the middle between them, and would give 1
 *   1.0004882812500002       its neighbour, whose last digit is odd, gives 1.0009765625
 */
#include "front/front_private.h"
#include "front/memory.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The low bits of the type, extended by its sign. */
uint64_t scalar_wrap(const Type *type, uint64_t bits)
{
  unsigned spare = 64u - type->bits;
  if (type_is_signed(type)) return (uint64_t)((int64_t)(bits << spare) >> spare);
  return bits << spare >> spare;
}

/* Does rounding move a value away from 0? `half` compares the part that is cut off with half a
 * unit; `word` is a WORD_round of memory.def. fesetround() and rint() aren't used, because
 * compilers assume round to nearest: GCC 12 turns rint(-1.2) into -(1.2 + 2^52 - 2^52), which
 * rounds a negative value up where the mode says down. */
static bool is_away(uint64_t word, bool is_negative, bool is_rest, int half, bool is_odd)
{
  switch (word) {
  case WORD_round_nearest: return is_rest && (half > 0 || (half == 0 && is_odd));
  case WORD_round_up: return is_rest && !is_negative;
  case WORD_round_down: return is_rest && is_negative;
  default: return false;
  }
}

/* Rounds to an integer. */
double scalar_whole(double value, uint64_t word)
{
  double whole = trunc(value), rest = fabs(value - whole);
  int half = rest < 0.5 ? -1 : rest > 0.5;
  if (is_away(word, value<0, rest> 0, half, fmod(whole, 2) != 0)) whole += copysign(1, value);
  return copysign(whole, value);
}

/* The result for a value beyond the largest finite one: infinity or the largest, by the mode. */
static double overflow(double value, double max, uint64_t word)
{
  bool stays = !is_away(word, value < 0, true, 1, true);
  return copysign(stays ? max : (double)INFINITY, value);
}

/* Rounds to `digits` significant bits, the last of which is at least 2^lowest (subnormals). */
static double round_digits(double value, int digits, int lowest, double max, uint64_t word)
{
  if (!isfinite(value) || value == 0) return value;
  int exponent;
  frexp(value, &exponent);
  int last = exponent - digits < lowest ? lowest : exponent - digits;
  double rounded = ldexp(scalar_whole(ldexp(value, -last), word), last);
  return fabs(rounded) > max ? overflow(value, max, word) : rounded;
}

double scalar_round(const Type *type, double value, uint64_t word)
{
  switch (type->kind) {
  case TYPE_f16: return round_digits(value, 11, -24, 65504, word);
  case TYPE_bf16: return round_digits(value, 8, -133, 0x1.fep127, word);
  case TYPE_f32:
    if (word == WORD_round_nearest) return (double)(float)value;
    return round_digits(value, 24, -149, 0x1.fffffep127, word);
  default: return value;
  }
}

double scalar_nearest(const Type *type, double value)
{
  return scalar_round(type, value, WORD_round_nearest);
}

static uint64_t f16_bits(double value)
{
  unsigned sign = signbit(value) ? 0x8000 : 0;
  int exponent;
  double part = frexp(fabs(value), &exponent);
  if (isnan(value)) return 0x7fff;
  if (isinf(value)) return sign | 0x7c00;
  if (exponent < -13 || value == 0) return sign | (unsigned)ldexp(part, exponent + 24);
  return sign | ((unsigned)(exponent + 14) << 10) | ((unsigned)ldexp(part, 11) & 0x3ff);
}

static double f16_of_bits(uint64_t bits)
{
  int exponent = (int)(bits >> 10 & 31);
  double part = (double)(bits & 0x3ff), value = ldexp(part, -24);
  if (exponent == 31) value = part > 0 ? (double)NAN : (double)INFINITY;
  else if (exponent) value = ldexp(part + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

uint64_t scalar_bits(const Type *type, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (type->kind == TYPE_f64) return bits;
  if (type->kind == TYPE_f16) return f16_bits(value);
  if (type->kind == TYPE_bf16) return scalar_bf16_bits(value);
  float narrow = (float)value;
  uint32_t narrow_bits;
  memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
  return narrow_bits;
}

double scalar_of_bits(const Type *type, uint64_t bits)
{
  double value;
  if (type->kind == TYPE_f16) return f16_of_bits(bits);
  memcpy(&value, &bits, sizeof value);
  if (type->kind == TYPE_f64) return value;
  uint32_t narrow_bits = (uint32_t)bits << (type->kind == TYPE_bf16 ? 16 : 0);
  float narrow;
  memcpy(&narrow, &narrow_bits, sizeof narrow);
  return (double)narrow;
}

uint64_t scalar_bf16_bits(double value)
{
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return isnan(value) ? 0x7fff : bits >> 16;
}

/* 15 digits are below 2^53, and 10^22 is the largest power of ten that an f64 holds exactly */
enum { EXACT_DIGITS = 15, EXACT_PLACES = 22 };

/* Is the text a few digits with at most one point, as most numbers are? */
static bool is_short(const char *text, uint64_t *out_digits, unsigned *out_places)
{
  const char *point = NULL, *p = text;
  uint64_t digits = 0;
  for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); ++p) {
    if (*p == '.') point = p;
    else digits = digits * 10 + (uint64_t)(*p - '0');
    if (p - text > EXACT_DIGITS) return false;
  }
  *out_digits = digits;
  *out_places = point ? (unsigned)(p - point) - 1 : 0;
  return !*p;
}

/* Converts the text of a number that is not negative, with one rounding. For f16, bf16 and f32 the
 * text is first rounded to odd: of the two neighbouring f64s the one with an odd last bit is taken.
 * The second rounding then sees whether anything was cut off, and in which direction. */
double scalar_read_rounded(const char *text, const Type *type, uint64_t word)
{
  if (type->kind == TYPE_f64 && word == WORD_round_nearest) return strtod(text, NULL);
  int mode = fegetround();
  fesetround(FE_DOWNWARD);
  double low = strtod(text, NULL);
  fesetround(FE_UPWARD);
  double high = strtod(text, NULL);
  fesetround(mode);
  if (type->kind == TYPE_f64) return word == WORD_round_up ? high : low;
  uint64_t bits;
  memcpy(&bits, &low, sizeof bits);
  if (low != high && !(bits & 1)) low = high; /* of two neighbours one has an odd last bit */
  return scalar_round(type, low, word);
}

/* A fast path: where the digits and the power of ten are exact, one division gives the correctly
 * rounded value (W. D. Clinger, How to read floating point numbers accurately, 1990). */
double scalar_read(const char *text, const Type *type, const char **out_end)
{
  static const double tens[EXACT_PLACES + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  enum { F32_DIGITS_MAX = 1 << 24, F32_PLACES = 10 };
  uint64_t digits;
  unsigned places;
  char *end;
  if (!type_is_half(type) && is_short(text, &digits, &places)) {
    *out_end = text + strlen(text);
    if (type->kind != TYPE_f32) return (double)digits / tens[places];
    if (digits <= F32_DIGITS_MAX && places <= F32_PLACES)
      return (double)((float)digits / (float)tens[places]);
  }
  double value = type->kind == TYPE_f32 ? (double)strtof(text, &end) : strtod(text, &end);
  *out_end = end;
  return type_is_half(type) ? scalar_read_rounded(text, type, WORD_round_nearest) : value;
}

bool scalar_fits(const Node *literal, const Type *type)
{
  bool is_negative = literal->flags & FLAG_negative;
  if (type_is_float(type)) {
    unsigned digits = type->kind == TYPE_f16    ? 11
                      : type->kind == TYPE_bf16 ? 8
                      : type->kind == TYPE_f32  ? 24
                                                : 53;
    if (literal->kind == NODE_float)
      return !isfinite(literal->real) || isfinite(scalar_nearest(type, literal->real));
    if (type->kind == TYPE_f16 && literal->bits > 65504) return false;
    uint64_t odd = literal->bits;
    while (odd && !(odd & 1)) odd >>= 1;
    return odd >> digits == 0;
  }
  uint64_t magnitude = literal->bits;
  if (literal->kind == NODE_float) { /* 1e6 as an integer */
    if (!(fabs(literal->real) < 0x1p64) || literal->real != trunc(literal->real)) return false;
    magnitude = (uint64_t)fabs(literal->real);
    is_negative = literal->real < 0;
  }
  uint64_t max = UINT64_MAX >> (64 - type->bits) >> type_is_signed(type);
  if (!is_negative) return magnitude <= max;
  return type_is_signed(type) ? magnitude <= max + 1 : magnitude == 0;
}

uint64_t scalar_literal(Session *c, Node *literal)
{
  /* 128i8 is allowed behind a minus; expr.c reports it elsewhere. */
  bool is_lowest =
      type_is_signed(literal->type) && literal->bits == 1ull << (literal->type->bits - 1);
  if (type_is_int(literal->type) && !is_lowest && !scalar_fits(literal, literal->type))
    diag_at(&c->diag, DIAG_constant_range, literal->span, scalar_text(c, literal),
            type_text(literal->type));
  return type_is_int(literal->type) ? scalar_wrap(literal->type, literal->bits) : literal->bits;
}

const char *scalar_text(Session *c, const Node *constant)
{
  if (constant->kind == NODE_bool) return constant->bits ? "true" : "false";
  if (constant->kind == NODE_float) return arena_printf(&c->scratch, "%g", constant->real);
  if (constant->type && type_is_signed(constant->type))
    return arena_printf(&c->scratch, "%" PRId64, (int64_t)constant->bits);
  return arena_printf(&c->scratch, "%s%" PRIu64, constant->flags & FLAG_negative ? "-" : "",
                      constant->bits);
}

/* An integer of more than 53 bits loses the last ones in an f64. If it is then rounded to a
 * narrower type, the last bit that is kept is set if any lost bit was set (rounding to odd). */
double scalar_of_int(uint64_t magnitude, bool is_negative, const Type *type, uint64_t word)
{
  enum { F64_DIGITS = 53 };
  int drop = magnitude >> F64_DIGITS ? 64 - F64_DIGITS - __builtin_clzll(magnitude) : 0;
  uint64_t kept = magnitude >> drop, rest = magnitude & ((UINT64_C(1) << drop) - 1);
  uint64_t middle = drop ? UINT64_C(1) << (drop - 1) : 0;
  int half = rest < middle ? -1 : rest > middle;
  if (type->kind != TYPE_f64) kept |= rest != 0;
  else kept += is_away(word, is_negative, rest != 0, half, kept & 1);
  double value = ldexp((double)kept, drop);
  return scalar_round(type, is_negative ? -value : value, word);
}

/* Converts a value without a fraction as the GPU's cvt does: it saturates, and NaN gives 0. */
uint64_t scalar_to_int(double value, const Type *type)
{
  if (isnan(value)) return 0;
  bool is_signed = type_is_signed(type);
  double limit = ldexp(1, type->bits - is_signed);
  uint64_t max = UINT64_MAX >> (64 - type->bits) >> is_signed;
  if (value >= limit) return max;
  if (value <= (is_signed ? -limit : 0)) return is_signed ? ~max : 0;
  return is_signed ? (uint64_t)(int64_t)value : (uint64_t)value;
}
