/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* extent.c - extents of the manifest (docs/manifest.md), worked out or solved for what is missing.
 *
 * An expression is evaluated over values of the form offset + scale * unknown. As long as one
 * scalar at most is unknown and only + - * and neg touch it, an array's length tells the scalar.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { STACK_MAX = 64 };

typedef struct Token {
  const char *text;
  size_t len;
} Token;

static bool next_token(const char **at, Token *out)
{
  *at += strspn(*at, " ");
  *out = (Token){*at, strcspn(*at, " ")};
  *at += out->len;
  return out->len > 0;
}

static bool token_is(Token token, const char *text)
{
  return strlen(text) == token.len && !memcmp(token.text, text, token.len);
}

static const Extent not_linear = {.unknown = -1};
static const Extent wrong = {.unknown = -1, .is_wrong = true};

static Extent constant(int64_t value)
{
  return (Extent){.is_linear = true, .offset = value, .unknown = -1};
}

/* Of two numbers; false for a token that is no such operation. */
static bool apply(Token op, int64_t a, int64_t b, Extent *out)
{
  int64_t value = 0;
  bool is_wrong = false;
  bool divides = token_is(op, "/") || token_is(op, "%") || token_is(op, "ceil_div");
  if (divides && (b == 0 || (a == INT64_MIN && b == -1))) is_wrong = true;
  else if (token_is(op, "+")) is_wrong = __builtin_add_overflow(a, b, &value);
  else if (token_is(op, "-")) is_wrong = __builtin_sub_overflow(a, b, &value);
  else if (token_is(op, "*")) is_wrong = __builtin_mul_overflow(a, b, &value);
  else if (token_is(op, "/")) value = a / b;
  else if (token_is(op, "%")) value = a % b;
  else if (token_is(op, "ceil_div")) value = a / b + (a % b != 0 && (a < 0) == (b < 0));
  else if (token_is(op, "<<"))
    value = (is_wrong = b < 0 || b > 62) ? 0 : (int64_t)((uint64_t)a << b);
  else if (token_is(op, ">>")) value = (is_wrong = b < 0 || b > 63) ? 0 : a >> b;
  else if (token_is(op, "&")) value = a & b;
  else if (token_is(op, "|")) value = a | b;
  else if (token_is(op, "^")) value = a ^ b;
  else if (token_is(op, "&&")) value = a && b;
  else if (token_is(op, "||")) value = a || b;
  else if (token_is(op, "==")) value = a == b;
  else if (token_is(op, "!=")) value = a != b;
  else if (token_is(op, "<")) value = a < b;
  else if (token_is(op, "<=")) value = a <= b;
  else if (token_is(op, ">")) value = a > b;
  else if (token_is(op, ">=")) value = a >= b;
  else if (token_is(op, "min")) value = a < b ? a : b;
  else if (token_is(op, "max")) value = a > b ? a : b;
  else return false;
  *out = is_wrong ? wrong : constant(value);
  return true;
}

/* + - and * where one side at least is not known. */
static Extent combine(Token op, Extent a, Extent b)
{
  Extent out = {.is_linear = true, .unknown = a.unknown >= 0 ? a.unknown : b.unknown};
  bool is_sum = token_is(op, "+") || token_is(op, "-");
  if (token_is(op, "-"))
    if (__builtin_sub_overflow(0, b.offset, &b.offset) ||
        __builtin_sub_overflow(0, b.scale, &b.scale))
      return wrong;
  if (is_sum && (a.unknown < 0 || b.unknown < 0 || a.unknown == b.unknown))
    out.is_wrong = __builtin_add_overflow(a.offset, b.offset, &out.offset) ||
                   __builtin_add_overflow(a.scale, b.scale, &out.scale);
  else if (token_is(op, "*") && (a.unknown < 0 || b.unknown < 0)) {
    int64_t factor = a.unknown < 0 ? a.offset : b.offset;
    Extent other = a.unknown < 0 ? b : a;
    out.is_wrong = __builtin_mul_overflow(other.offset, factor, &out.offset) ||
                   __builtin_mul_overflow(other.scale, factor, &out.scale);
  } else return not_linear;
  if (out.scale == 0) out.unknown = -1;
  return out;
}

static Extent read_operand(Token token, const ExtentName *names, size_t count)
{
  static const char len_suffix[] = ".len";
  size_t suffix = sizeof len_suffix - 1;
  bool is_len = token.len > suffix && !memcmp(token.text + token.len - suffix, len_suffix, suffix);
  Token name = {token.text, is_len ? token.len - suffix : token.len};
  for (size_t i = 0; i < count; ++i) {
    if (names[i].is_span != is_len || !token_is(name, names[i].name)) continue;
    if (names[i].is_known) return constant(names[i].value);
    return is_len ? not_linear : (Extent){.is_linear = true, .scale = 1, .unknown = (int)i};
  }
  char *end;
  long long value = strtoll(token.text, &end, 10);
  return end == token.text + token.len ? constant(value) : wrong;
}

static Extent apply_unary(Token op, Extent a)
{
  if (token_is(op, "neg")) return combine((Token){"-", 1}, constant(0), a);
  if (!a.is_linear || a.unknown >= 0) return a.is_wrong ? wrong : not_linear;
  return constant(token_is(op, "~") ? ~a.offset : !a.offset);
}

static Extent apply_binary(Token op, Extent a, Extent b)
{
  Extent out;
  if (a.is_wrong || b.is_wrong) return wrong;
  if (!a.is_linear || !b.is_linear) return not_linear;
  if (a.unknown >= 0 || b.unknown >= 0) return combine(op, a, b);
  return apply(op, a.offset, b.offset, &out) ? out : wrong;
}

static Extent choose(Extent condition, Extent a, Extent b)
{
  if (condition.is_wrong || !condition.is_linear) return condition;
  if (condition.unknown >= 0) return not_linear;
  return condition.offset ? a : b;
}

/* How many operands a token takes; 0: it is one. */
static int operand_count(Token token)
{
  static const char *const unary[] = {"neg", "~", "!"};
  Extent ignored;
  if (token_is(token, "?:")) return 3;
  for (size_t i = 0; i < COUNT_OF(unary); ++i)
    if (token_is(token, unary[i])) return 1;
  return apply(token, 0, 1, &ignored) ? 2 : 0;
}

Extent extent_read(const char *expression, const ExtentName *names, size_t count)
{
  Extent stack[STACK_MAX];
  int depth = 0;
  Token token;
  while (next_token(&expression, &token)) {
    int operands = operand_count(token);
    if (depth < operands || depth == STACK_MAX) return wrong;
    Extent *top = &stack[depth - operands];
    if (operands == 0) *top = read_operand(token, names, count);
    else if (operands == 1) *top = apply_unary(token, top[0]);
    else if (operands == 2) *top = apply_binary(token, top[0], top[1]);
    else *top = choose(top[0], top[1], top[2]);
    depth += 1 - operands;
  }
  return depth == 1 ? stack[0] : wrong;
}

bool extent_mentions(const char *expression, const char *name)
{
  Token token;
  while (next_token(&expression, &token))
    if (token_is(token, name)) return true;
  return false;
}

const char *extent_text(Arena *arena, const char *expression)
{
  const char *stack[STACK_MAX], *start = expression;
  int depth = 0;
  Token token;
  while (next_token(&expression, &token)) {
    int operands = operand_count(token), len = (int)token.len;
    if (depth < operands || depth == STACK_MAX) return start;
    const char **top = &stack[depth - operands], *op = token.text;
    bool is_call = operands == 2 && token.text[0] >= 'a';
    if (operands == 0) *top = arena_printf(arena, "%.*s", len, op);
    else if (operands == 1)
      *top = arena_printf(arena, "%s%s", *op == 'n' ? "-" : *op == '~' ? "~" : "!", top[0]);
    else if (is_call) *top = arena_printf(arena, "%.*s(%s, %s)", len, op, top[0], top[1]);
    else if (operands == 2) *top = arena_printf(arena, "(%s %.*s %s)", top[0], len, op, top[1]);
    else *top = arena_printf(arena, "(%s ? %s : %s)", top[0], top[1], top[2]);
    depth += 1 - operands;
  }
  if (depth != 1) return start;
  size_t len = strlen(stack[0]); /* only a whole operation starts with a bracket */
  return stack[0][0] == '(' ? arena_strndup(arena, stack[0] + 1, len - 2) : stack[0];
}
