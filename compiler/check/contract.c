/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* contract.c - checks expressions of the launch contract, and writes them into the manifest.
 *
 * Extents, grids and blocks are computed twice: by the launcher, which interprets the expression in
 * the manifest, and by the kernel, which has it as code. The launcher calculates with the exact
 * integers of base/expr.h, the kernel with typed integers, which wrap. So that both get the same
 * value or the launch is refused, the text (in reverse Polish notation) contains what the type
 * does:
 *
 *     n: u32, m: u32    n * m     "n m * u32"        refused if the product doesn't fit u32
 *                       n / 4     "n 4 /"            never leaves the type
 *                       n << m    "n m 31 & << u32"  a count is taken modulo the width
 *                       ~n        "n 4294967295 ^"   inverts the bits of the unsigned type
 *                       u8(n)     "n u8"             refused if n doesn't fit u8
 *
 * A parameter with the name of an operation gets a '@': "@min". An expression may contain
 * constants, the kernel's integer parameters, x.len of its spans, and what expr.def has.
 */
#include "check/check_private.h"
#include "expr.h"

#include <inttypes.h>
#include <string.h>

/* ---- what an expression may contain ---- */

ExprId contract_function(const Node *function)
{
  if (!function || !(function->flags & FLAG_library)) return EXPR_none;
  for (ExprId id = EXPR_none + 1; id < EXPR_COUNT; ++id)
    if (expr_form(id) == EXPR_CALL && item_is(function, expr_token(id)) &&
        node_count(function->b) == expr_operands(id))
      return id;
  return EXPR_none;
}

/* Is the value an integer for the launcher? Enumerations are, and bools as 0 and 1. */
static bool is_whole(const Type *type)
{
  return type_is_int(type_as_data(type)) || type_is_literal(type) || type->kind == TYPE_bool;
}

static bool is_zero(const Node *node)
{
  return node->kind == NODE_int && !node->bits;
}

static unsigned operand_count(const Node *node)
{
  if (node->kind == NODE_choose) return 3;
  return node->kind == NODE_binary ? 2 : 1;
}

void contract_check(Session *c, const Node *node)
{
  bool is_good = node->type && is_whole(node->type);
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_bool:
  case NODE_poison: return;
  case NODE_name: is_good &= node->builtin || (node->decl && node->decl->kind == NODE_param); break;
  case NODE_member:
    is_good &= node->a->kind == NODE_name && node->a->type->kind == TYPE_span &&
               !strcmp(node->name->text, "len");
    break;
  case NODE_convert:
  case NODE_unary:
  case NODE_binary:
  case NODE_choose:
    if (!is_good) break;
    for (unsigned i = 0; i < operand_count(node); ++i) contract_check(c, node->children[i]);
    return;
  case NODE_call:
    is_good &= contract_function(node->decl) != EXPR_none;
    for (const Node *arg = node->b; arg && is_good; arg = arg->next) contract_check(c, arg);
    if (is_good && contract_function(node->decl) == EXPR_ceil_div && is_zero(node->b->next))
      diag_at(&c->diag, DIAG_divide_by_zero, node->b->next->span);
    break;
  default: is_good = false;
  }
  if (!is_good) diag_at(&c->diag, DIAG_launch_expression, node->span);
}

/* ---- the text ---- */

const char *contract_number(Session *c, const Node *number)
{
  if (number->kind == NODE_bool) return number->bits ? "1" : "0";
  return type_is_signed(number->type) ? arena_printf(&c->scratch, "%" PRId64, (int64_t)number->bits)
                                      : arena_printf(&c->scratch, "%" PRIu64, number->bits);
}

const char *contract_name(Session *c, const Name *name)
{
  bool is_token = expr_find(name->text, name->len) != EXPR_none;
  return is_token ? arena_printf(&c->scratch, "@%s", name->text) : name->text;
}

/* The largest value of an unsigned type. */
static uint64_t mask(const Type *type)
{
  return UINT64_MAX >> (64 - type->bits);
}

/* The test that an operation's result fits its type; "" where it always does. */
static const char *fit(Session *c, ExprId id, const Type *type, const Node *second)
{
  bool is_safe = second && second->kind == NODE_int && (int64_t)second->bits != -1;
  bool leaves = expr_range(id) == EXPR_ANY ||
                (expr_range(id) == EXPR_LOWEST && type_is_signed(type) && !is_safe);
  return leaves && type_is_int(type) ? arena_printf(&c->scratch, " %s", type_text(type)) : "";
}

static const char *convert(Session *c, const Type *from, const Type *to, const char *a)
{
  from = type_as_data(from);
  to = type_as_data(to);
  if (to->kind == TYPE_bool && from->kind != TYPE_bool)
    return arena_printf(&c->scratch, "%s 0 !=", a);
  if (!type_is_int(from) || !type_is_int(to)) return a;
  bool is_signed = type_is_signed(from), to_signed = type_is_signed(to);
  bool is_wider =
      is_signed == to_signed ? to->bits >= from->bits : to_signed && to->bits > from->bits;
  return is_wider ? a : arena_printf(&c->scratch, "%s %s", a, type_text(to));
}

static const char *unary(Session *c, const Node *node, const char *a)
{
  ExprId id = op_expr(node->op);
  if (id == EXPR_none) return a;
  if (id == EXPR_invert && !type_is_signed(node->type))
    return arena_printf(&c->scratch, "%s %" PRIu64 " %s", a, mask(node->type),
                        expr_token(EXPR_xor));
  return arena_printf(&c->scratch, "%s %s%s", a, expr_token(id), fit(c, id, node->type, NULL));
}

static const char *binary(Session *c, const Node *node, const char *a, const char *b)
{
  ExprId id = op_expr(node->op);
  if (op_takes(node->op) == TAKES_SHIFT && node->b->kind != NODE_int)
    b = arena_printf(&c->scratch, "%s %u %s", b, node->type->bits - 1u, expr_token(EXPR_and));
  return arena_printf(&c->scratch, "%s %s %s%s", a, b, expr_token(id),
                      fit(c, id, node->type, node->b));
}

const char *contract_operation(Session *c, const Node *node, const char *const *operands)
{
  const char *a = operands[0], *b = operands[1];
  switch ((NodeKind)node->kind) {
  case NODE_convert: return convert(c, node->a->type, node->type, a);
  case NODE_unary: return unary(c, node, a);
  case NODE_binary: return binary(c, node, a, b);
  case NODE_choose:
    return arena_printf(&c->scratch, "%s %s %s %s", a, b, operands[2], expr_token(EXPR_choose));
  case NODE_call: {
    ExprId id = contract_function(node->decl);
    const char *range = fit(c, id, node->type, node->b->next);
    return arena_printf(&c->scratch, "%s %s %s%s", a, b, expr_token(id), range);
  }
  default: die("a '%s' in a launch expression", node_kind_name(node->kind));
  }
}

const char *contract_text(Session *c, const Node *node)
{
  const char *operands[EXPR_OPERANDS_MAX] = {NULL};
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_bool: return contract_number(c, node);
  case NODE_name:
    if (node->builtin) return arena_printf(&c->scratch, "grid.%s", node->name->text);
    return contract_name(c, node->name);
  case NODE_member:
    return arena_printf(&c->scratch, "%s.%s", node->a->name->text, node->name->text);
  case NODE_call: {
    uint32_t count = 0;
    for (const Node *arg = node->b; arg; arg = arg->next) operands[count++] = contract_text(c, arg);
    break;
  }
  default:
    for (unsigned i = 0; i < operand_count(node); ++i)
      operands[i] = contract_text(c, node->children[i]);
  }
  return contract_operation(c, node, operands);
}
