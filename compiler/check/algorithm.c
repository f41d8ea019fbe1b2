/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm.c - stores the result of an algorithm: an algorithm has become a kernel, which can't
 * return a value.
 *
 *     return v;     ->     { grid.__give(result, v); return; }
 *
 * needs   the kernel's parameters checked: the last one is `result: out R[1]` (front/algorithm.c)
 * gives   each `return v;` of the body as above; the type of the result, for the manifest
 * keeps   kernels that are no algorithms
 * fails   with DIAG_return_missing for `return;`, or with a type error for v
 */
#include "check/check_private.h"

#include <string.h>

static const char give[] = GRID_GIVE;

static Node *result_of(const Node *kernel)
{
  Node *last = kernel->flags & FLAG_algorithm ? kernel->b : NULL;
  while (last && last->next) last = last->next;
  bool is_result = last && last->op == OP_out && !strcmp(last->name->text, "result");
  return is_result ? last : NULL;
}

const Type *algorithm_result(const Node *kernel)
{
  const Node *param = result_of(kernel);
  if (!param) return NULL;
  return param->type->kind == TYPE_span ? param->type->element : param->type; /* or poison */
}

/* return v: { grid.__give(result, v); return; } */
void algorithm_return(Session *c, Node *statement)
{
  Node *param = result_of(c->check->function), *value = statement->a;
  Type *type = param->type->kind == TYPE_span ? param->type->element : param->type;
  if (!value) {
    diag_at(&c->diag, DIAG_return_missing, statement->span, c->check->function->name->text,
            type_text(type));
    return;
  }
  check_expr(c, value, type);
  if (!convert_to(c, &statement->a, type)) return;
  Type *grid = type_group_named(c->types, "grid");
  Node *function = resolve_method(c, grid, name_of(&c->names, give, sizeof give - 1), value->span);
  Node *call = node_new(c->unit, NODE_call, statement->span),
       *to = node_named(c, NODE_name, statement->span, "result", NULL);
  call->a = node_named(c, NODE_name, statement->span, give, NULL);
  call->a->type = c->types->function;
  to->decl = param;
  to->type = param->type;
  to->next = statement->a;
  call->b = to;
  check_chosen(c, call, &function, 1, NULL, NULL, true);
  Node *store = node_make(c->unit, NODE_evaluate, statement->span, call, NULL, NULL, NULL);
  store->next = node_new(c->unit, NODE_return, statement->span);
  store->next->flags |= FLAG_returns;
  Node *block = node_make(c->unit, NODE_block, statement->span, store, NULL, NULL, NULL);
  block->flags |= FLAG_returns;
  node_become(statement, block);
}
