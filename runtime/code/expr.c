/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* expr.c - compiles expressions of manifests to operations, and evaluates them.
 *
 * Expressions are written in reverse Polish notation; the operators are those of base/expr.def:
 *
 *   "n 256 ceil_div"   ->   param n, constant 256, ceil_div   ->   on a stack: (n + 255) / 256
 *
 * All operands are evaluated, also those that C would skip. An operation that overflows or divides
 * by zero therefore gives an invalid value instead of an error, and only an invalid result is an
 * error: in `c ? a : b` an invalid value on the side that is not selected has no effect, as in C.
 */
#include <string.h>

#include "manifest.h"

enum { OP_constant = EXPR_COUNT, OP_param, OP_param_u64 };

/* The index of a launch's number: `grid.resident` where grids are computed; `grid.x` and the like
 * once the launch's shape is known; or -1. */
static int find_launch_number(ManifestKernel *kernel, ExprReads reads, const char *token,
                              size_t len)
{
  static const char names[][14] = {"grid.resident", "grid.x",  "grid.y",  "grid.z",
                                   "block.x",       "block.y", "block.z", "loop.0",
                                   "loop.1",        "loop.2",  "loop.3"};
  for (int i = 0; i < (int)COUNT_OF(names); ++i) {
    if (strlen(names[i]) != len || memcmp(token, names[i], len)) continue;
    if (NUMBER_resident + i >= NUMBER_loop)
      return NUMBER_resident + i < NUMBER_loop + (int)kernel->loop_count ? NUMBER_resident + i : -1;
    if (reads != (i == 0 ? READS_resident : READS_shape)) return -1;
    kernel->needs_resident |= i == 0;
    return NUMBER_resident + i;
  }
  return -1;
}

/* The index of the parameter in `n` or `x.len`, or -1. */
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
                       const ExprToken *token, ExprOp *out)
{
  *out = (ExprOp){.op = (int32_t)token->id};
  if (token->id != EXPR_none) return true;
  if (token->is_number) {
    *out = (ExprOp){.op = OP_constant, .number = token->number};
    return true;
  }
  int param = find_launch_number(kernel, reads, token->text, token->len);
  if (param < 0) param = find_param(kernel, known_params, token->text, token->len);
  bool is_u64 = param >= 0 && (uint32_t)param < kernel->param_count &&
                kernel->params[param].kind == CK_PARAM_SCALAR &&
                kernel->params[param].dtype == CK_U64;
  *out = (ExprOp){.op = is_u64 ? OP_param_u64 : OP_param, .param = param};
  return param >= 0;
}

/* Compiles an expression in postfix notation to a list of operations, and checks that it never
 * takes an operand from an empty stack, leaves exactly one result and is not too deep. So expr_run
 * need not check its stack. A constant, or a single parameter, gets a kind of its own, which is
 * evaluated faster. */
bool expr_compile(Arena *arena, ManifestKernel *kernel, uint32_t known_params, ExprReads reads,
                  const char *text, Expr *out, Buf *why)
{
  VEC(ExprOp) row = {0};
  int32_t depth = 0;
  bool is_constant = true;
  ExprToken token;
  for (const char *at = text; expr_next(&at, &token);) {
    ExprOp op;
    if (!read_token(kernel, known_params, reads, &token, &op)) {
      buf_printf(why, "'%.*s' in '%s' is no operator and no known parameter", (int)token.len,
                 token.text, text);
      return false;
    }
    depth -= (int32_t)expr_operands(token.id);
    if (depth < 0) break;
    if (++depth > MAX_EXPR_DEPTH) break;
    is_constant &= op.op != OP_param && op.op != OP_param_u64;
    vec_push(arena, &row, op);
  }
  if (depth != 1) {
    buf_printf(why, "'%s' is no expression", text);
    return false;
  }
  *out = (Expr){.kind = EXPR_ops, .op_count = row.count, .ops = row.at, .text = text};
  int64_t value;
  if (row.count == 1 && row.at[0].op == OP_param) {
    out->kind = EXPR_param;
    out->value = row.at[0].param;
  } else if (is_constant && expr_run(out, NULL, &value) == EXPR_fine) {
    out->kind = EXPR_constant;
    out->value = value;
  }
  return true;
}

ExprError expr_run(const Expr *expr, const int64_t *numbers, int64_t *out)
{
  Integer stack[MAX_EXPR_DEPTH + 1], *top = stack; /* top: the first free entry */
  for (uint32_t i = 0; i < expr->op_count; ++i) {
    const ExprOp *op = &expr->ops[i];
    switch (op->op) {
    case OP_constant: *top++ = op->number; break;
    case OP_param: *top++ = integer_of_signed(numbers[op->param]); break;
    case OP_param_u64: *top++ = integer_of_unsigned((uint64_t)numbers[op->param]); break;
    default:
      top -= expr_operands((ExprId)op->op);
      *top = expr_apply((ExprId)op->op, top);
      ++top;
    }
  }
  if (integer_as_signed(stack[0], out)) return EXPR_fine;
  return stack[0].error ? (ExprError)stack[0].error : EXPR_overflow;
}

bool expr_reads(const Expr *expr, uint32_t param)
{
  if (expr->kind == EXPR_param) return expr->value == (int64_t)param;
  for (uint32_t i = 0; expr->kind == EXPR_ops && i < expr->op_count; ++i)
    if ((expr->ops[i].op == OP_param || expr->ops[i].op == OP_param_u64) &&
        expr->ops[i].param == (int32_t)param)
      return true;
  return false;
}
