/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm.c - turns an `algorithm` item into a function that launches kernels, or into a kernel.
 *
 * An algorithm is a plan if it has `launch` statements, or if it calls other algorithms and has no
 * statement that a thread would have to execute. It becomes a function with FLAG_plan, of which
 * check/plan.c makes a kernel for each launch. All other ones become one cooperative kernel, whose
 * threads run the body together:
 *
 * needs   an item as parsed
 * gives   NODE_kernel with FLAG_algorithm, launched with as many blocks as the device runs at a
 *         time, and its result as a last parameter `result: out R[1]`
 * keeps   the body, whose `return v;` check/algorithm.c turns into a call that stores v
 * fails   never
 *
 * All threads of the grid run the body, so a value between two steps is a plain variable. The steps
 * are methods of the grid in lib/device.
 *
 *     algorithm f(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);
 *     kernel f(n: u64, x: in f32[n], result: out f32[1]) launch(block = 256, grid = resident)
 *         { grid.__give(result, reduce(x, +, 0.0)); }
 */
#include "front/front_private.h"

#include <string.h>

enum { BLOCK = 256 };

Node *node_named(Session *c, NodeKind kind, Span span, const char *name, Node *a)
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
  Node *param = node_named(c, NODE_param, type->span, "result", span);
  param->op = OP_out;
  return param;
}

void algorithm_words(Session *c)
{
  static const char *const words[] = {"grid", "device", GRID_GIVE, GRID_ENTER};
  bool is_needed = false;
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (const Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      is_needed |= item->kind == NODE_algorithm;
  for (size_t i = 0; i < COUNT_OF(words) && is_needed; ++i)
    name_of(&c->names, words[i], strlen(words[i]));
}

/* Is there an algorithm of this name: in the program, or in the library as `device.NAME`? */
static bool is_algorithm(Session *c, const Name *name)
{
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (const Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      if (item->name == name) return item->kind == NODE_algorithm || item->flags & FLAG_plan;
  const char *text = arena_printf(&c->scratch, "device.%s", name->text);
  return name_of(&c->names, text, strlen(text))->bound != NULL;
}

static bool is_step(Session *c, const Node *call)
{
  if (call->kind != NODE_call) return false;
  const Node *callee = call->a->kind == NODE_instance ? call->a->a : call->a;
  return callee->kind == NODE_name && is_algorithm(c, callee->name);
}

/* Is there a `launch`, or a call of another algorithm? Lambdas are executed by kernels. */
static bool has(Session *c, const Node *node, bool (*is_wanted)(Session *c, const Node *node))
{
  if (node->kind == NODE_lambda) return false;
  if (is_wanted(c, node)) return true;
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *child = node->children[i]; child; child = child->next)
      if (has(c, child, is_wanted)) return true;
  return false;
}

static bool is_launch(Session *c, const Node *node)
{
  (void)c;
  return node->kind == NODE_launch;
}

/* Can the host execute the statement? */
static bool is_of_host(Session *c, const Node *statement)
{
  switch ((NodeKind)statement->kind) {
  case NODE_block:
    for (const Node *part = statement->a; part; part = part->next)
      if (!is_of_host(c, part)) return false;
    return true;
  case NODE_if:
    return is_of_host(c, statement->b) && (!statement->c || is_of_host(c, statement->c));
  case NODE_for: return is_of_host(c, statement->b);
  case NODE_evaluate: return is_step(c, statement->a);
  case NODE_unpack: return statement->a->kind == NODE_let;
  case NODE_let:
  case NODE_constant:
  case NODE_alias:
  case NODE_static_assert:
  case NODE_scratch:
  case NODE_return: return true;
  default: return false;
  }
}

bool algorithm_is_plan(Session *c, const Node *item)
{
  if (item->flags & FLAG_library || has(c, item->d, is_launch)) return true;
  return is_of_host(c, item->d) && has(c, item->d, is_step);
}

void algorithm_plan(Node *item)
{
  item->kind = NODE_function;
  item->flags |= FLAG_plan;
}

void algorithm_lower(Session *c, Node *item)
{
  Node *type = item->c, **end = &item->b,
       *block = node_int(c->unit, item->span, c->types->type_u32, BLOCK),
       *grid = node_named(c, NODE_name, item->span, "resident", NULL);
  grid->flags |= FLAG_library; /* the library's `resident`, even if the program has one */
  item->kind = NODE_kernel;
  item->flags |= FLAG_algorithm;
  item->d->flags &= ~(uint32_t)FLAG_expression;
  item->c = node_named(c, NODE_argument, item->span, "block", block);
  item->c->next = node_named(c, NODE_argument, item->span, "grid", grid);
  while (*end) end = &(*end)->next;
  if (type) *end = result_param(c, type);
}
