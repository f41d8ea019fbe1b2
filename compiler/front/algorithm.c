/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm.c - an algorithm becomes a kernel, before its names are resolved.
 *
 *   algorithm sum(x: in f32[n]) -> f32 { ... }
 *   kernel sum(x: in f32[n], result: out f32[1]) launch(block = 256, grid = resident) { ... }
 *
 * Every thread of the grid runs the body, so that values between its steps are plain variables.
 * The steps are grid's methods, in lib/device. `return v;` waits for types (check/algorithm.c).
 */
#include "front/front_private.h"

#include <string.h>

enum { BLOCK = 256 };

static Node *named(Session *c, NodeKind kind, Span span, const char *name, Node *a)
{
  Node *node = node_make(c->unit, kind, span, a, NULL, NULL, NULL);
  node->name = name_of(&c->names, name, strlen(name));
  return node;
}

/* result: out R[1] */
static Node *result_param(Session *c, Node *type)
{
  Node *one = node_int(c->unit, type->span, c->types->type_u64, 1);
  Node *span = node_make(c->unit, NODE_index, type->span, type, one, NULL, NULL);
  Node *param = named(c, NODE_param, type->span, "result", span);
  param->op = OP_out;
  return param;
}

void algorithm_words(Session *c)
{
  static const char *const words[] = {"grid", GRID_GIVE};
  bool is_needed = false;
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (const Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      is_needed |= item->kind == NODE_algorithm;
  for (size_t i = 0; i < COUNT_OF(words) && is_needed; ++i)
    name_of(&c->names, words[i], strlen(words[i]));
}

void algorithm_lower(Session *c, Node *item)
{
  Node *type = item->c, **end = &item->b,
       *block = node_int(c->unit, item->span, c->types->type_u32, BLOCK),
       *grid = named(c, NODE_name, item->span, "resident", NULL);
  grid->flags |= FLAG_library; /* whatever the program calls by this name */
  item->kind = NODE_kernel;
  item->flags |= FLAG_algorithm;
  item->d->flags &= ~(uint32_t)FLAG_expression;
  item->c = named(c, NODE_argument, item->span, "block", block);
  item->c->next = named(c, NODE_argument, item->span, "grid", grid);
  while (*end) end = &(*end)->next;
  if (type) *end = result_param(c, type);
}
