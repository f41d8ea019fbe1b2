/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fold.c - computes operations on constants, with exactly the result that the program would have.
 *
 * A constant is NODE_int, NODE_float or NODE_bool. A typed integer keeps its value as 64 bits,
 * extended by its sign; arithmetic wraps in its type. An integer literal without a type has a sign
 * (FLAG_negative) and a magnitude of 64 bits; a value that doesn't fit is an error and never wraps.
 * A float keeps its value as an f64 and is rounded to its type after each operation. Rounding twice
 * (to f64, then to f16, bf16 or f32) gives the same as rounding once for + - * and /, because 53
 * digits are at least 2 * 24 + 2 (S. Figueroa, When is double rounding innocuous?, 1995).
 */
#include "compile.h"
#include "front/builtin.h"
#include "front/memory.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fold_is_constant(const Node *node)
{
  return node->kind == NODE_int || node->kind == NODE_float || node->kind == NODE_bool;
}

static bool are_data(const Node *list)
{
  for (; list; list = list->next)
    if (!fold_is_data(list)) return false;
  return true;
}

bool fold_is_data(const Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_float:
  case NODE_bool: return true;
  case NODE_list:
  case NODE_tuple: return are_data(node->a);
  case NODE_name: return !node->builtin && node->decl && node->decl->kind == NODE_constant;
  case NODE_convert: return node->type->kind == TYPE_vector && fold_is_constant(node->a);
  case NODE_call:
    if (node->builtin && node->builtin->form == FORM_vec) return are_data(node->b);
    return !node->builtin && node->decl && is_constructor(node->decl) && are_data(node->b);
  default: return false;
  }
}

const Node *fold_element(const Node *index)
{
  const Node *value = index->a;
  if (value->kind == NODE_name && value->decl && value->decl->kind == NODE_constant)
    value = value->decl->b;
  for (const Node *i = index->b; i && value; i = i->next) {
    if (value->kind != NODE_list || i->kind != NODE_int) return NULL;
    value = value->a;
    for (uint64_t k = 0; k < i->bits && value; ++k) value = value->next;
  }
  return value && fold_is_constant(value) ? value : NULL;
}

Node *fold_int(Compile *c, Span span, Type *type, uint64_t bits)
{
  Node *node = node_new(c->unit, NODE_int, span);
  node->type = type;
  node->bits = bits;
  return node;
}

/* The low bits of the type, extended by its sign. */
static uint64_t wrap(const Type *type, uint64_t bits)
{
  unsigned spare = 64u - type->bits;
  if (type_is_signed(type)) return (uint64_t)((int64_t)(bits << spare) >> spare);
  return bits << spare >> spare;
}

/* Whether rounding moves a value away from 0. `half` compares the part that is cut off with half a
 * unit; `word` is a WORD_round of memory.def. We don't use fesetround() and rint(), because
 * compilers assume that the mode is to nearest: GCC 12 turns rint(-1.2) into -(1.2 + 2^52 - 2^52),
 * which rounds a negative value up where the mode says down. */
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
static double round_whole(double value, uint64_t word)
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
  double rounded = ldexp(round_whole(ldexp(value, -last), word), last);
  return fabs(rounded) > max ? overflow(value, max, word) : rounded;
}

static double round_to(const Type *type, double value, uint64_t word)
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

double fold_round(const Type *type, double value)
{
  return round_to(type, value, WORD_round_nearest);
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

uint64_t fold_bits(const Type *type, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (type->kind == TYPE_f64) return bits;
  if (type->kind == TYPE_f16) return f16_bits(value);
  if (type->kind == TYPE_bf16) return fold_bf16_bits(value);
  float narrow = (float)value;
  uint32_t narrow_bits;
  memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
  return narrow_bits;
}

static double float_of_bits(const Type *type, uint64_t bits)
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

uint64_t fold_bf16_bits(double value)
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
static double number_as(const char *text, const Type *type, uint64_t word)
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
  return round_to(type, low, word);
}

/* A fast path: where the digits and the power of ten are exact, one division gives the correctly
 * rounded value (W. D. Clinger, How to read floating point numbers accurately, 1990). */
double fold_number(const char *text, const Type *type, const char **out_end)
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
  return type_is_half(type) ? number_as(text, type, WORD_round_nearest) : value;
}

bool fold_fits(const Node *literal, const Type *type)
{
  bool is_negative = literal->flags & FLAG_negative;
  if (type_is_float(type)) {
    unsigned digits = type->kind == TYPE_f16    ? 11
                      : type->kind == TYPE_bf16 ? 8
                      : type->kind == TYPE_f32  ? 24
                                                : 53;
    if (literal->kind == NODE_float)
      return !isfinite(literal->real) || isfinite(fold_round(type, literal->real));
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

uint64_t fold_literal(Compile *c, Node *literal)
{
  /* 128i8 is allowed behind a minus; expr.c reports it elsewhere. */
  bool is_lowest =
      type_is_signed(literal->type) && literal->bits == 1ull << (literal->type->bits - 1);
  if (type_is_int(literal->type) && !is_lowest && !fold_fits(literal, literal->type))
    diag_at(&c->diag, DIAG_constant_range, literal->span, fold_text(c, literal),
            type_text(literal->type));
  return type_is_int(literal->type) ? wrap(literal->type, literal->bits) : literal->bits;
}

const char *fold_text(Compile *c, const Node *constant)
{
  if (constant->kind == NODE_bool) return constant->bits ? "true" : "false";
  if (constant->kind == NODE_float) return arena_printf(&c->scratch, "%g", constant->real);
  if (constant->type && type_is_signed(constant->type))
    return arena_printf(&c->scratch, "%" PRId64, (int64_t)constant->bits);
  return arena_printf(&c->scratch, "%s%" PRIu64, constant->flags & FLAG_negative ? "-" : "",
                      constant->bits);
}

static void become_int(Node *node, uint64_t bits, bool is_negative)
{
  Type *type = node->type;
  node->kind = NODE_int;
  node->op = OP_none;
  node->flags = (uint32_t)(is_negative && bits && type_is_literal(type) ? FLAG_negative : 0);
  node->name = NULL;
  node->bits = type_is_literal(type) ? bits : wrap(type, bits);
}

static void become_float(Node *node, double value)
{
  node->kind = NODE_float;
  node->op = OP_none;
  node->flags = 0;
  node->name = NULL;
  node->real = fold_round(node->type, value);
}

static void become_bool(Node *node, bool value)
{
  node->kind = NODE_bool;
  node->op = OP_none;
  node->flags = 0;
  node->name = NULL;
  node->bits = value;
}

static void out_of_range(Compile *c, Node *node)
{
  diag_at(&c->diag, DIAG_number_range, node->span);
  node->kind = NODE_poison;
  node->op = OP_none;
  node->type = c->types.poison;
}

/* A literal without a type has to fit; a typed integer wraps. */
static void become_integer(Compile *c, Node *node, Integer value)
{
  if (!type_is_literal(node->type)) become_int(node, integer_bits(value), false);
  else if (value.error) out_of_range(c, node);
  else become_int(node, value.magnitude, value.is_negative);
}

/* ---- integers: computed exactly (base/expr.h), then wrapped to their type ---- */

/* A bool is 0 or 1. */
static Integer integer_of(const Node *node)
{
  if (type_is_literal(node->type))
    return (Integer){node->bits, node->flags & FLAG_negative, EXPR_fine};
  return type_is_signed(node->type) ? integer_of_signed((int64_t)node->bits)
                                    : integer_of_unsigned(node->bits);
}

static Integer int_binary(Op op, const Type *type, const Node *a, const Node *b)
{
  Integer operands[] = {integer_of(a), integer_of(b)};
  if (op_takes(op) == TAKES_SHIFT && !type_is_literal(type))
    operands[1] = integer_of_unsigned(b->bits & (type->bits - 1u));
  return expr_apply(op_expr(op), operands);
}

/* Of floats. A comparison gives 1 or 0. */
static double real_value(Op op, double x, double y)
{
#define NO_REAL (die("no '%s' of floats", op_text(op)), 0.0)
#define GIVES(id, real)                                                                            \
  case OP_##id: return (real);
  switch (op) {
#define OP(id, spelling, place, takes, expr, real, ...) GIVES(id, real)
#define OP_WORD(id, spelling)                           GIVES(id, NO_REAL)
#include "front/op.def"
  case OP_COUNT: break;
  }
#undef GIVES
#undef NO_REAL
  die("no operator %d", (int)op);
}

/* Is the minus directly in front of the number, as in -0.3, but not in - 0.3 or -(0.3)? Then the
 * text of both can be converted with one rounding. */
static bool is_behind(const Node *minus, const Node *number)
{
  return minus->span.lo + 1 == number->span.lo && minus->span.hi == number->span.hi;
}

void fold_unary(Compile *c, Node *node)
{
  const Node *a = node->a;
  Op op = node->op;
  if (!fold_is_constant(a)) return;
  if (a->kind == NODE_float) {
    bool is_text = a->flags & FLAG_literal && !(a->flags & FLAG_negative) && is_behind(node, a);
    become_float(node, real_value(op, a->real, 0));
    if (op == OP_negate && is_text) node->flags = FLAG_literal | FLAG_negative;
  } else {
    Integer value = integer_of(a);
    bool is_literal = type_is_literal(a->type);
    if (op == OP_invert && !is_literal && !type_is_signed(a->type))
      value = integer_of_unsigned(~a->bits); /* inverts the bits of the type only */
    else if (op_expr(op) != EXPR_none) value = expr_apply(op_expr(op), &value);
    if (a->kind == NODE_bool) become_bool(node, value.magnitude);
    else become_integer(c, node, value);
  }
}

void fold_binary(Compile *c, Node *node)
{
  const Node *a = node->a, *b = node->b;
  Op op = node->op;
  if (op_divides(op) && b->kind == NODE_int && b->bits == 0) {
    diag_at(&c->diag, DIAG_divide_by_zero, b->span);
    node->kind = NODE_poison;
    node->op = OP_none;
    node->type = c->types.poison;
    return;
  }
  uint32_t which;
  Integer decided;
  /* `&&` and `||` may be decided by the left side alone. */
  if (op_is_lazy(op) && a->kind == NODE_bool &&
      expr_decided(op_expr(op), integer_of(a), &which, &decided)) {
    become_bool(node, decided.magnitude);
    return;
  }
  if (!fold_is_constant(a) || !fold_is_constant(b)) return;
  if (a->kind == NODE_float) {
    double value = real_value(op, a->real, b->real);
    if (op_is_comparison(op)) become_bool(node, value != 0);
    else become_float(node, value);
  } else {
    Integer value = int_binary(op, node->type, a, b);
    if (op_is_comparison(op) || a->kind == NODE_bool) become_bool(node, value.magnitude);
    else become_integer(c, node, value);
  }
}

static uint64_t opposite(uint64_t word)
{
  return word == WORD_round_up ? WORD_round_down : word == WORD_round_down ? WORD_round_up : word;
}

/* Converts a literal that stands in the source, perhaps with a minus, from its text, so that it is
 * rounded once. */
static double literal_as(Compile *c, const Node *literal, const Type *type, uint64_t word)
{
  bool is_text = literal->flags & FLAG_literal && type_is_literal(literal->type);
  if (!is_text || (type->kind == TYPE_f64 && word == WORD_round_nearest)) return literal->real;
  bool is_negative = literal->flags & FLAG_negative;
  Buf *digits = &c->digits;
  buf_clear(digits);
  const char *text = source_text(&c->sources, literal->span);
  for (uint32_t i = is_negative; i < literal->span.hi - literal->span.lo; ++i)
    if (text[i] != '_') buf_putc(digits, text[i]);
  const char *end;
  if (is_negative) return -number_as(buf_text(digits), type, opposite(word));
  return word == WORD_round_nearest ? fold_number(buf_text(digits), type, &end)
                                    : number_as(buf_text(digits), type, word);
}

/* Converts a value without a fraction as the GPU's cvt does: it saturates, and NaN gives 0. */
static uint64_t float_to_int(double value, const Type *type)
{
  if (isnan(value)) return 0;
  bool is_signed = type_is_signed(type);
  double limit = ldexp(1, type->bits - is_signed);
  uint64_t max = UINT64_MAX >> (64 - type->bits) >> is_signed;
  if (value >= limit) return max;
  if (value <= (is_signed ? -limit : 0)) return is_signed ? ~max : 0;
  return is_signed ? (uint64_t)(int64_t)value : (uint64_t)value;
}

void fold_bit_cast(Node *node, const Node *from)
{
  uint64_t bits = from->kind == NODE_float ? fold_bits(from->type, from->real) : from->bits;
  if (type_is_float(node->type))
    become_float(node, float_of_bits(node->type,
                                     bits << (64 - node->type->bits) >> (64 - node->type->bits)));
  else become_int(node, bits, false);
}

/* An integer of more than 53 bits loses the last ones in an f64. If it is then rounded to a
 * narrower type, the last bit that is kept is set if any lost bit was set (rounding to odd). */
static double int_to_float(uint64_t magnitude, bool is_negative, const Type *type, uint64_t word)
{
  enum { F64_DIGITS = 53 };
  int drop = magnitude >> F64_DIGITS ? 64 - F64_DIGITS - __builtin_clzll(magnitude) : 0;
  uint64_t kept = magnitude >> drop, rest = magnitude & ((UINT64_C(1) << drop) - 1);
  uint64_t middle = drop ? UINT64_C(1) << (drop - 1) : 0;
  int half = rest < middle ? -1 : rest > middle;
  if (type->kind != TYPE_f64) kept |= rest != 0;
  else kept += is_away(word, is_negative, rest != 0, half, kept & 1);
  double value = ldexp((double)kept, drop);
  return round_to(type, is_negative ? -value : value, word);
}

static void convert_constant(Compile *c, Node *node, const Node *from, uint64_t round)
{
  const Type *to = node->type;
  uint64_t word = round ? round - 1 : WORD_round_nearest;
  if (to->kind == TYPE_bool) {
    become_bool(node, from->kind == NODE_float ? from->real != 0 : from->bits != 0);
  } else if (type_is_float(to)) {
    if (from->kind == NODE_float)
      become_float(node, round_to(to, literal_as(c, from, to, word), word));
    else {
      bool is_negative = type_is_literal(from->type)
                             ? from->flags & FLAG_negative
                             : type_is_signed(from->type) && (int64_t)from->bits < 0;
      uint64_t bits = is_negative && type_is_signed(from->type) ? 0 - from->bits : from->bits;
      become_float(node, int_to_float(bits, is_negative, to, word));
    }
  } else if (from->kind == NODE_float) {
    double value = round ? round_whole(from->real, word) : trunc(from->real);
    become_int(node, float_to_int(value, to), false);
  } else {
    become_int(node, from->flags & FLAG_negative ? 0 - from->bits : from->bits, false);
  }
}

bool fold_convert(Compile *c, Node *node, Type *to, uint64_t round)
{
  if (!fold_is_constant(node) || !type_is_scalar(to)) return false;
  Node from = {.kind = node->kind, .flags = node->flags, .span = node->span, .type = node->type};
  from.bits = node->bits; /* or real */
  node->type = to;
  convert_constant(c, node, &from, round);
  return true;
}
