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
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/memory.h"

#include <math.h>

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

static void become_int(Node *node, uint64_t bits, bool is_negative)
{
  Type *type = node->type;
  node->kind = NODE_int;
  node->op = OP_none;
  node->flags = (uint32_t)(is_negative && bits && type_is_literal(type) ? FLAG_negative : 0);
  node->name = NULL;
  node->bits = type_is_literal(type) ? bits : scalar_wrap(type, bits);
}

static void become_float(Node *node, double value)
{
  node->kind = NODE_float;
  node->op = OP_none;
  node->flags = 0;
  node->name = NULL;
  node->real = scalar_nearest(node->type, value);
}

static void become_bool(Node *node, bool value)
{
  node->kind = NODE_bool;
  node->op = OP_none;
  node->flags = 0;
  node->name = NULL;
  node->bits = value;
}

static void out_of_range(Session *c, Node *node)
{
  diag_at(&c->diag, DIAG_number_range, node->span);
  node->kind = NODE_poison;
  node->op = OP_none;
  node->type = c->types->poison;
}

/* A literal without a type has to fit; a typed integer wraps. */
static void become_integer(Session *c, Node *node, Integer value)
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

void fold_unary(Session *c, Node *node)
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

void fold_binary(Session *c, Node *node)
{
  const Node *a = node->a, *b = node->b;
  Op op = node->op;
  if (op_divides(op) && b->kind == NODE_int && b->bits == 0) {
    diag_at(&c->diag, DIAG_divide_by_zero, b->span);
    node->kind = NODE_poison;
    node->op = OP_none;
    node->type = c->types->poison;
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
    if (op_gives_operand(op)) become_float(node, value);
    else if (op_is_comparison(op)) become_bool(node, value != 0);
    else become_int(node, (uint64_t)(int64_t)value, false);
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
static double literal_as(Session *c, const Node *literal, const Type *type, uint64_t word)
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
  if (is_negative) return -scalar_read_rounded(buf_text(digits), type, opposite(word));
  return word == WORD_round_nearest ? scalar_read(buf_text(digits), type, &end)
                                    : scalar_read_rounded(buf_text(digits), type, word);
}

void fold_bit_cast(Node *node, const Node *from)
{
  uint64_t bits = from->kind == NODE_float ? scalar_bits(from->type, from->real) : from->bits;
  if (type_is_float(node->type))
    become_float(node, scalar_of_bits(node->type,
                                      bits << (64 - node->type->bits) >> (64 - node->type->bits)));
  else become_int(node, bits, false);
}

static void convert_constant(Session *c, Node *node, const Node *from, uint64_t round)
{
  const Type *to = node->type;
  uint64_t word = round ? round - 1 : WORD_round_nearest;
  if (to->kind == TYPE_bool) {
    become_bool(node, from->kind == NODE_float ? from->real != 0 : from->bits != 0);
  } else if (type_is_float(to)) {
    if (from->kind == NODE_float)
      become_float(node, scalar_round(to, literal_as(c, from, to, word), word));
    else {
      bool is_negative = type_is_literal(from->type)
                             ? from->flags & FLAG_negative
                             : type_is_signed(from->type) && (int64_t)from->bits < 0;
      uint64_t bits = is_negative && type_is_signed(from->type) ? 0 - from->bits : from->bits;
      become_float(node, scalar_of_int(bits, is_negative, to, word));
    }
  } else if (from->kind == NODE_float) {
    double value = round ? scalar_whole(from->real, word) : trunc(from->real);
    become_int(node, scalar_to_int(value, to), false);
  } else {
    become_int(node, from->flags & FLAG_negative ? 0 - from->bits : from->bits, false);
  }
}

bool fold_convert(Session *c, Node *node, Type *to, uint64_t round)
{
  if (!fold_is_constant(node) || !type_is_scalar(to)) return false;
  Node from = {.kind = node->kind, .flags = node->flags, .span = node->span, .type = node->type};
  from.bits = node->bits; /* or real */
  node->type = to;
  convert_constant(c, node, &from, round);
  return true;
}
