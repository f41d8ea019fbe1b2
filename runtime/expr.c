/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* expr.c - expressions of manifests: reverse Polish text to operations, and their values.
 *
 * Numbers have 64 bits and a sign. An overflow or a division by zero makes a value that is no
 * number; it is an error only if the expression's result depends on it. So the sides of ?: && and
 * || that are not taken do no harm, as in C, although all operands are computed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "manifest.h"

/* EXPR_OP(name, text, operands) */
#define EXPR_OPS                                                                                   \
  EXPR_OP(add, "+", 2)                                                                             \
  EXPR_OP(sub, "-", 2)                                                                             \
  EXPR_OP(mul, "*", 2)                                                                             \
  EXPR_OP(div, "/", 2)                                                                             \
  EXPR_OP(rem, "%", 2)                                                                             \
  EXPR_OP(shl, "<<", 2)                                                                            \
  EXPR_OP(shr, ">>", 2)                                                                            \
  EXPR_OP(and, "&", 2)                                                                             \
  EXPR_OP(or, "|", 2)                                                                              \
  EXPR_OP(xor, "^", 2)                                                                             \
  EXPR_OP(both, "&&", 2)                                                                           \
  EXPR_OP(either, "||", 2)                                                                         \
  EXPR_OP(eq, "==", 2)                                                                             \
  EXPR_OP(ne, "!=", 2)                                                                             \
  EXPR_OP(lt, "<", 2)                                                                              \
  EXPR_OP(le, "<=", 2)                                                                             \
  EXPR_OP(gt, ">", 2)                                                                              \
  EXPR_OP(ge, ">=", 2)                                                                             \
  EXPR_OP(neg, "neg", 1)                                                                           \
  EXPR_OP(inv, "~", 1)                                                                             \
  EXPR_OP(not, "!", 1)                                                                             \
  EXPR_OP(min, "min", 2)                                                                           \
  EXPR_OP(max, "max", 2)                                                                           \
  EXPR_OP(ceil_div, "ceil_div", 2)                                                                 \
  EXPR_OP(choose, "?:", 3)

typedef enum ExprOpcode {
  OP_constant,
  OP_param,
#define EXPR_OP(name, text, operands) OP_##name,
  EXPR_OPS
#undef EXPR_OP
} ExprOpcode;

static const struct {
  const char *text;
  uint32_t operands;
} ops[] = {[OP_constant] = {NULL, 0},
           [OP_param] = {NULL, 0},
#define EXPR_OP(name, text, operands) [OP_##name] = {text, operands},
           EXPR_OPS
#undef EXPR_OP
};

/* `grid.resident`, for the grid; `grid.x` and the like, once the launch's shape is known; or -1. */
static int find_launch_number(ManifestKernel *kernel, ExprReads reads, const char *token,
                              size_t len)
{
  static const char *const names[] = {"grid.resident", "grid.x",  "grid.y", "grid.z",
                                      "block.x",       "block.y", "block.z"};
  for (int i = 0; i < (int)COUNT_OF(names); ++i) {
    if (strlen(names[i]) != len || memcmp(token, names[i], len)) continue;
    if (reads != (i == 0 ? READS_resident : READS_shape)) return -1;
    kernel->needs_resident |= i == 0;
    return NUMBER_resident + i;
  }
  return -1;
}

/* `n` or `x.len` to the parameter's index, or -1. */
static int find_param(ManifestKernel *kernel, uint32_t known_params, const char *token, size_t len)
{
  bool is_len = len > 4 && memcmp(token + len - 4, ".len", 4) == 0;
  size_t name_len = is_len ? len - 4 : len;
  for (uint32_t i = 0; i < kernel->param_count; ++i) {
    ManifestParam *param = &kernel->params[i];
    if (strlen(param->name) != name_len || memcmp(param->name, token, name_len)) continue;
    if (is_len) {
      bool has_length =
          param->kind == CK_PARAM_SPAN && (param->extent_count == 0 || i < known_params);
      if (!has_length) return -1;
    } else if (param->kind != CK_PARAM_SCALAR || param->dtype < CK_BOOL || param->dtype > CK_U64) {
      return -1;
    }
    param->is_in_expr = true;
    return (int)i;
  }
  return -1;
}

static bool read_token(ManifestKernel *kernel, uint32_t known_params, ExprReads reads,
                       const char *token, size_t len, ExprOp *out)
{
  for (int32_t i = OP_param + 1; i < (int32_t)COUNT_OF(ops); ++i) {
    if (strlen(ops[i].text) != len || memcmp(ops[i].text, token, len)) continue;
    *out = (ExprOp){.op = i};
    return true;
  }
  char *end;
  errno = 0;
  long long number = strtoll(token, &end, 10);
  if (end == token + len && errno == 0) {
    *out = (ExprOp){.op = OP_constant, .value = number};
    return true;
  }
  int param = find_launch_number(kernel, reads, token, len);
  if (param < 0) param = find_param(kernel, known_params, token, len);
  *out = (ExprOp){.op = OP_param, .value = param};
  return param >= 0;
}

bool expr_compile(Arena *arena, ManifestKernel *kernel, uint32_t known_params, ExprReads reads,
                  const char *text, Expr *out, Buf *why)
{
  VEC(ExprOp) row = {0};
  int32_t depth = 0;
  for (const char *token = text; *token;) {
    size_t len = strcspn(token, " ");
    ExprOp op;
    if (!read_token(kernel, known_params, reads, token, len, &op)) {
      buf_printf(why, "'%.*s' in '%s' is no operator and no known parameter", (int)len, token,
                 text);
      return false;
    }
    depth -= (int32_t)ops[op.op].operands;
    if (depth < 0) break;
    if (++depth > MAX_EXPR_DEPTH) break;
    vec_push(arena, &row, op);
    token += len;
    token += *token == ' ';
  }
  if (depth != 1) {
    buf_printf(why, "'%s' is no expression", text);
    return false;
  }
  *out = (Expr){.kind = EXPR_ops, .op_count = row.count, .ops = row.at, .text = text};
  int64_t value;
  bool is_constant = true;
  for (uint32_t i = 0; i < row.count; ++i) is_constant &= row.at[i].op != OP_param;
  if (row.count == 1 && !is_constant) {
    out->kind = EXPR_param;
    out->value = row.at[0].value;
  } else if (is_constant && expr_run(out, NULL, &value) == EXPR_fine) {
    out->kind = EXPR_constant;
    out->value = value;
  }
  return true;
}

/* A value on the stack: a number, or the reason why there is none. */
typedef struct Value {
  int64_t number;
  ExprError error;
} Value;

static Value divide(ExprOpcode op, int64_t a, int64_t b)
{
  if (b == 0) return (Value){0, EXPR_division_by_zero};
  if (a == INT64_MIN && b == -1)
    return op == OP_rem ? (Value){0, EXPR_fine} : (Value){0, EXPR_overflow};
  int64_t quotient = a / b, rest = a % b;
  if (op == OP_rem) return (Value){rest, EXPR_fine};
  if (op == OP_ceil_div && rest != 0 && (rest > 0) == (b > 0)) ++quotient;
  return (Value){quotient, EXPR_fine};
}

static Value shift(ExprOpcode op, int64_t a, int64_t b)
{
  if (b < 0 || b > 63) return (Value){0, EXPR_overflow};
  if (op == OP_shr) return (Value){a >> b, EXPR_fine};
  int64_t result = (int64_t)((uint64_t)a << b);
  return (Value){result, result >> b == a ? EXPR_fine : EXPR_overflow};
}

static Value apply(ExprOpcode op, Value a, Value b)
{
  /* The lazy ones first: what they don't need may be no number. */
  if (op == OP_both && !a.error && !a.number) return (Value){0, EXPR_fine};
  if (op == OP_either && !a.error && a.number) return (Value){1, EXPR_fine};
  if (a.error) return a;
  if (b.error) return b;
  Value result = {0, EXPR_fine};
  bool overflows = false;
  switch (op) {
  case OP_constant:
  case OP_param:
  case OP_choose: die("operation %d is not applied here", (int)op);
  case OP_add: overflows = __builtin_add_overflow(a.number, b.number, &result.number); break;
  case OP_sub: overflows = __builtin_sub_overflow(a.number, b.number, &result.number); break;
  case OP_mul: overflows = __builtin_mul_overflow(a.number, b.number, &result.number); break;
  case OP_neg: overflows = __builtin_sub_overflow(0, a.number, &result.number); break;
  case OP_div:
  case OP_rem:
  case OP_ceil_div: return divide(op, a.number, b.number);
  case OP_shl:
  case OP_shr: return shift(op, a.number, b.number);
  case OP_and: result.number = a.number & b.number; break;
  case OP_or: result.number = a.number | b.number; break;
  case OP_xor: result.number = a.number ^ b.number; break;
  case OP_both:
  case OP_either: result.number = b.number != 0; break;
  case OP_eq: result.number = a.number == b.number; break;
  case OP_ne: result.number = a.number != b.number; break;
  case OP_lt: result.number = a.number < b.number; break;
  case OP_le: result.number = a.number <= b.number; break;
  case OP_gt: result.number = a.number > b.number; break;
  case OP_ge: result.number = a.number >= b.number; break;
  case OP_inv: result.number = ~a.number; break;
  case OP_not: result.number = !a.number; break;
  case OP_min: result.number = a.number < b.number ? a.number : b.number; break;
  case OP_max: result.number = a.number > b.number ? a.number : b.number; break;
  }
  if (overflows) result.error = EXPR_overflow;
  return result;
}

ExprError expr_run(const Expr *expr, const int64_t *numbers, int64_t *out)
{
  Value stack[MAX_EXPR_DEPTH + 1], *top = stack; /* top: the first free place */
  for (uint32_t i = 0; i < expr->op_count; ++i) {
    const ExprOp *op = &expr->ops[i];
    if (op->op == OP_constant) {
      *top++ = (Value){op->value, EXPR_fine};
    } else if (op->op == OP_param) {
      *top++ = (Value){numbers[op->value], EXPR_fine};
    } else if (op->op == OP_choose) {
      top -= 2;
      if (!top[-1].error) top[-1] = top[-1].number ? top[0] : top[1];
    } else if (ops[op->op].operands == 1) {
      top[-1] = apply((ExprOpcode)op->op, top[-1], (Value){0, EXPR_fine});
    } else {
      --top;
      top[-1] = apply((ExprOpcode)op->op, top[-1], top[0]);
    }
  }
  *out = stack[0].number;
  return stack[0].error;
}
