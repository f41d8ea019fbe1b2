/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm.c - turns an `algorithm` item into a kernel.
 *
 * needs   an item as parsed; later, the kernel's parameters checked
 * gives   NODE_kernel with FLAG_algorithm, launched with as many blocks as the device runs at a
 *         time,
 *         and its result as a last parameter `result: out R[1]`
 * keeps   the body, but that `return v;` becomes a call that stores v
 * fails   never
 *
 * All threads of the grid run the body, so a value between two steps is a plain variable. The steps
 * are methods of the grid in lib/device.
 *
 *     algorithm f(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);
 *     kernel f(n: u64, x: in f32[n], result: out f32[1]) launch(block = 256, grid = resident)
 *         { grid.__give(result, reduce(x, +, 0.0)); }
 */
#include "compile.h"

#include <string.h>

enum { BLOCK = 256 };
static const char give[] = "__give"; /* the method of the grid that stores the result */

static Node *named(Compile *c, NodeKind kind, Span span, const char *name, Node *a)
{
  Node *node = node_make(c->unit, kind, span, a, NULL, NULL, NULL);
  node->name = name_of(&c->names, name, strlen(name));
  return node;
}

/* result: out R[1] */
static Node *result_param(Compile *c, Node *type)
{
  Node *one = fold_int(c, type->span, c->types.type_u64, 1);
  Node *span = node_make(c->unit, NODE_index, type->span, type, one, NULL, NULL);
  Node *param = named(c, NODE_param, type->span, "result", span);
  param->op = OP_out;
  return param;
}

void algorithm_words(Compile *c)
{
  static const char *const words[] = {"grid", give};
  bool is_needed = false;
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (const Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      is_needed |= item->kind == NODE_algorithm;
  for (size_t i = 0; i < COUNT_OF(words) && is_needed; ++i)
    name_of(&c->names, words[i], strlen(words[i]));
}

void algorithm_lower(Compile *c, Node *item)
{
  Node *type = item->c, **end = &item->b,
       *block = fold_int(c, item->span, c->types.type_u32, BLOCK),
       *grid = named(c, NODE_name, item->span, "resident", NULL);
  grid->flags |= FLAG_library; /* the library's `resident`, even if the program has one */
  item->kind = NODE_kernel;
  item->flags |= FLAG_algorithm;
  item->d->flags &= ~(uint32_t)FLAG_expression;
  item->c = named(c, NODE_argument, item->span, "block", block);
  item->c->next = named(c, NODE_argument, item->span, "grid", grid);
  while (*end) end = &(*end)->next;
  if (type) *end = result_param(c, type);
}

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
void algorithm_return(Compile *c, Node *statement)
{
  Node *param = result_of(c->function), *value = statement->a;
  Type *type = param->type->kind == TYPE_span ? param->type->element : param->type;
  if (!value) {
    diag_at(&c->diag, DIAG_return_missing, statement->span, c->function->name->text,
            type_text(type));
    return;
  }
  check_expr(c, value, type);
  if (!convert_to(c, &statement->a, type)) return;
  Type *grid = type_group_named(&c->types, "grid");
  Node *function = resolve_method(c, grid, name_of(&c->names, give, sizeof give - 1), value->span);
  Node *call = node_new(c->unit, NODE_call, statement->span),
       *to = named(c, NODE_name, statement->span, "result", NULL);
  call->a = named(c, NODE_name, statement->span, give, NULL);
  call->a->type = c->types.function;
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
