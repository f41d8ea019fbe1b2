/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check_target.c - what a program asks of its target: target.sm and its like, @require(sm >= 90).
 *
 * gives   constants for the members of `target`
 * fails   with DIAG_needs_sm where what needs more than the target has is called or compiled
 *
 * The host meets every @require: it runs what the newest GPU does, or the function has a branch for
 * it (`comptime if (target.is_host)`).
 */
#include "compile.h"

#include <string.h>

static Node *bool_constant(Compile *c, Span span, bool value)
{
  Node *node = node_new(c->unit, NODE_bool, span);
  node->type = c->types.type_bool;
  node->bits = value;
  return node;
}

Node *target_constant(Compile *c, Span span, const char *name)
{
  if (!strcmp(name, "is_host")) return bool_constant(c, span, c->target.is_host);
  if (!strcmp(name, "is_gpu")) return bool_constant(c, span, !c->target.is_host);
  if (!strcmp(name, "sm")) return fold_int(c, span, c->types.type_u32, c->target.sm);
  if (strcmp(name, "name") != 0) return NULL;
  Node *node = node_new(c->unit, NODE_string, span);
  node->type = c->types.string;
  node->text = c->target.name;
  node->text_bytes = (uint32_t)strlen(c->target.name);
  return node;
}

bool check_target_sm(Compile *c, const char *name, unsigned sm, Span from)
{
  if (c->target.is_host || c->target.sm >= sm) return true;
  diag_at(&c->diag, DIAG_needs_sm, from, name, sm, c->target.name);
  return false;
}

/* The N of @require(sm >= N), or NULL after a report. */
static const Node *required_sm(Compile *c, const Node *attribute)
{
  const Node *condition = attribute->a;
  bool is_good = condition && !condition->next && condition->kind == NODE_binary &&
                 condition->op == OP_ge && condition->a->kind == NODE_name &&
                 !strcmp(condition->a->name->text, "sm") && condition->b->kind == NODE_int;
  if (is_good) return condition->b;
  diag_at(&c->diag, DIAG_require_condition, attribute->span);
  return NULL;
}

bool check_attributes(Compile *c, Node *item)
{
  for (const Node *part = item->a; part; part = part->next) {
    if (part->kind != NODE_attribute) continue;
    if (!strcmp(part->name->text, "require")) {
      if (!required_sm(c, part)) return false;
      continue;
    }
    diag_at(&c->diag, DIAG_unknown_attribute, part->span, part->name->text);
    diag_hint(&c->diag, "There is @require(sm >= 90).");
    return false;
  }
  return true;
}

void check_required(Compile *c, const Node *item, Span from)
{
  for (const Node *part = item->a; part; part = part->next) {
    if (part->kind != NODE_attribute || strcmp(part->name->text, "require") != 0) continue;
    const Node *sm = required_sm(c, part);
    if (!sm || check_target_sm(c, item->name->text, (unsigned)sm->bits, from)) continue;
    if (item->kind == NODE_function)
      diag_hint(&c->diag, "Call it inside 'comptime if (target.sm >= %u)'.", (unsigned)sm->bits);
  }
}
