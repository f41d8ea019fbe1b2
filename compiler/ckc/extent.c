/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* extent.c - evaluates extents of the manifest (docs/manifest.md), or solves them for a missing
 * scalar.
 *
 * An expression is evaluated over values of the form offset + scale * unknown. As long as at most
 * one scalar is unknown, and only + - * and neg apply to it, the length of an array determines it:
 *
 *     extent "n 2 * 1 +"  =  1 + 2 * n       an array of 101 elements: n = 50
 *
 * Known values are computed by base/expr.h, as in the runtime.
 */
#include <string.h>

#include "run.h"

enum { STACK_MAX = 64 };

/* An Extent before it is reduced to 64 bits. `unknown` is -1 if the scale is 0. */
typedef struct Linear {
  bool is_linear;
  Integer offset, scale;
  int unknown;
} Linear;

static const Linear not_linear = {.unknown = -1};

static Linear constant(Integer value)
{
  return (Linear){.is_linear = true, .offset = value, .unknown = -1};
}

static bool is_known(Linear a)
{
  return a.is_linear && a.unknown < 0;
}

static Linear read_operand(const ExprToken *token, const ExtentName *names, size_t count)
{
  static const char len_suffix[] = ".len";
  size_t suffix = sizeof len_suffix - 1, len = token->len;
  bool is_len = len > suffix && !memcmp(token->text + len - suffix, len_suffix, suffix);
  if (token->is_number) return constant(token->number);
  if (is_len) len -= suffix;
  for (size_t i = 0; i < count; ++i) {
    const ExtentName *name = &names[i];
    if (name->is_span != is_len || strlen(name->name) != len ||
        memcmp(name->name, token->text, len) != 0)
      continue;
    if (name->is_known && name->is_u64) return constant(integer_of_unsigned((uint64_t)name->value));
    if (name->is_known) return constant(integer_of_signed(name->value));
    Linear scalar = {.is_linear = true, .scale = integer_of_unsigned(1), .unknown = (int)i};
    return is_len ? not_linear : scalar;
  }
  return not_linear;
}

/* Computes + - * and neg with at least one unknown operand. */
static Linear combine(ExprId id, Linear a, Linear b)
{
  bool is_scaled = id == EXPR_mul;
  bool is_one = a.unknown < 0 || b.unknown < 0 || (!is_scaled && a.unknown == b.unknown);
  if (!is_one || !a.is_linear || !b.is_linear) return not_linear;
  Linear out = {.is_linear = true, .unknown = a.unknown >= 0 ? a.unknown : b.unknown};
  Integer offsets[] = {a.offset, b.offset}, scales[] = {a.scale, b.scale};
  if (is_scaled) scales[a.unknown < 0 ? 0 : 1] = a.unknown < 0 ? a.offset : b.offset;
  out.offset = expr_apply(id, offsets);
  out.scale = expr_apply(id, scales);
  if (out.scale.error) out.offset.error = out.scale.error;
  if (!out.scale.magnitude || out.offset.error) out.unknown = -1;
  return out;
}

static Linear apply(ExprId id, const Linear *operands)
{
  uint32_t count = expr_operands(id), which;
  Integer values[EXPR_OPERANDS_MAX], decided;
  bool are_known = true;
  for (uint32_t i = 0; i < count; ++i) {
    are_known &= is_known(operands[i]);
    values[i] = operands[i].offset;
  }
  if (is_known(operands[0]) && expr_decided(id, values[0], &which, &decided))
    return which ? operands[which] : constant(decided);
  if (are_known) return constant(expr_apply(id, values));
  for (uint32_t i = 0; i < count; ++i)
    if (is_known(operands[i]) && values[i].error && expr_form(id) != EXPR_CHOICE)
      return operands[i];
  if (expr_form(id) == EXPR_FIT) return operands[0]; /* the scalar is tested when it is found */
  if (id == EXPR_negate) return combine(EXPR_sub, constant(integer_of_unsigned(0)), operands[0]);
  bool is_linear = id == EXPR_add || id == EXPR_sub || id == EXPR_mul;
  return is_linear ? combine(id, operands[0], operands[1]) : not_linear;
}

Extent extent_read(const char *expression, const ExtentName *names, size_t count)
{
  Linear stack[STACK_MAX];
  uint32_t depth = 0;
  ExprToken token;
  while (expr_next(&expression, &token)) {
    uint32_t operands = expr_operands(token.id);
    if (depth < operands || depth == STACK_MAX) return (Extent){.unknown = -1};
    Linear *top = &stack[depth - operands];
    *top = operands ? apply(token.id, top) : read_operand(&token, names, count);
    depth += 1 - operands;
  }
  if (depth != 1 || !stack[0].is_linear) return (Extent){.unknown = -1};
  Extent out = {.is_linear = true, .unknown = stack[0].unknown};
  bool fits = integer_as_signed(stack[0].offset, &out.offset);
  fits &= integer_as_signed(stack[0].scale, &out.scale);
  if (!fits) out.error = stack[0].offset.error ? (ExprError)stack[0].offset.error : EXPR_overflow;
  if (out.error) out.unknown = -1;
  return out;
}

bool extent_mentions(const char *expression, const char *name)
{
  ExprToken token;
  while (expr_next(&expression, &token))
    if (!token.id && token.len == strlen(name) && !memcmp(token.text, name, token.len)) return true;
  return false;
}

const char *extent_text(Arena *arena, const char *expression)
{
  const char *stack[STACK_MAX], *start = expression;
  uint32_t depth = 0;
  ExprToken token;
  while (expr_next(&expression, &token)) {
    uint32_t operands = expr_operands(token.id);
    int len = (int)token.len;
    if (depth < operands || depth == STACK_MAX) return start;
    const char **top = &stack[depth - operands], *op = token.text;
    depth += 1 - operands;
    if (!operands) {
      *top = arena_printf(arena, "%.*s", len, op);
      continue;
    }
    switch (expr_form(token.id)) {
    case EXPR_INFIX: *top = arena_printf(arena, "(%s %.*s %s)", top[0], len, op, top[1]); break;
    case EXPR_PREFIX:
      if (token.id == EXPR_negate) *top = arena_printf(arena, "-%s", top[0]);
      else *top = arena_printf(arena, "%.*s%s", len, op, top[0]);
      break;
    case EXPR_CALL: *top = arena_printf(arena, "%.*s(%s, %s)", len, op, top[0], top[1]); break;
    case EXPR_CHOICE: *top = arena_printf(arena, "(%s ? %s : %s)", top[0], top[1], top[2]); break;
    case EXPR_FIT: break;
    }
  }
  if (depth != 1) return start;
  size_t len = strlen(stack[0]); /* only an operation as a whole starts with a bracket */
  return stack[0][0] == '(' ? arena_strndup(arena, stack[0] + 1, len - 2) : stack[0];
}
