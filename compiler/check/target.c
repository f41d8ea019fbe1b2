/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target.c - checks what a program asks of its target: target.sm, @require(sm >= 90),
 * @registers(64), @blocks_per_sm(2).
 *
 * needs   names resolved
 * gives   constants for the members of `target`; the limits of a kernel as integers in its
 *         attributes
 * keeps   everything else
 * fails   with DIAG_needs_sm where something that the target lacks is called or compiled
 *
 * The host device meets every @require: it can do what the newest GPU does, or the function has a
 * branch for it (`comptime if (target.is_host)`).
 */
#include "front/target.h"
#include "check/check_private.h"

#include <string.h>

static Node *bool_constant(Session *c, Span span, bool value)
{
  Node *node = node_new(c->unit, NODE_bool, span);
  node->type = c->types->type_bool;
  node->bits = value;
  return node;
}

Node *target_constant(Session *c, Span span, const char *name)
{
  if (!strcmp(name, "is_host")) return bool_constant(c, span, c->target->is_host);
  if (!strcmp(name, "is_gpu")) return bool_constant(c, span, !c->target->is_host);
  if (!strcmp(name, "sm")) return node_int(c->unit, span, c->types->type_u32, c->target->sm);
  if (strcmp(name, "name") != 0) return NULL;
  Node *node = node_new(c->unit, NODE_string, span);
  node->type = c->types->string;
  node->text = c->target->name;
  node->text_bytes = (uint32_t)strlen(c->target->name);
  return node;
}

bool check_target_sm(Session *c, const char *name, unsigned sm, Span from)
{
  if (c->target->has_every_sm || c->target->sm >= sm) return true;
  return diag_at(&c->diag, DIAG_needs_sm, from, name, sm, c->target->name);
}

/* A limit that a kernel may declare. ptxas accepts any number of registers, but gives each thread
 * at least 16 and at most 255. */
typedef struct Limit {
  const char *name;
  uint32_t least, most;
} Limit;

enum { LIMIT_registers, LIMIT_blocks, SM_THREADS_MAX = 2048 };
static const Limit limits[] = {
    [LIMIT_registers] = {"registers", 16, 255}, [LIMIT_blocks] = {"blocks_per_sm", 1, 32}};

static const Limit *limit_named(const char *name)
{
  for (size_t i = 0; i < COUNT_OF(limits); ++i)
    if (!strcmp(limits[i].name, name)) return &limits[i];
  return NULL;
}

/* The N of @require(sm >= N), or NULL after a report. */
static const Node *required_sm(Session *c, const Node *attribute)
{
  const Node *condition = attribute->a;
  bool is_good = condition && !condition->next && condition->kind == NODE_binary &&
                 condition->op == OP_ge && condition->a->kind == NODE_name &&
                 !strcmp(condition->a->name->text, "sm") && condition->b->kind == NODE_int;
  if (is_good) return condition->b;
  diag_at(&c->diag, DIAG_require_condition, attribute->span);
  return NULL;
}

bool check_attributes(Session *c, Node *item)
{
  for (const Node *part = item->a; part; part = part->next) {
    if (part->kind != NODE_attribute) continue;
    if (!strcmp(part->name->text, "require")) {
      if (!required_sm(c, part)) return false;
      continue;
    }
    bool is_limit = limit_named(part->name->text);
    if (is_limit && item->kind == NODE_kernel) continue;
    if (is_limit) diag_at(&c->diag, DIAG_limit_kernel, part->span, part->name->text);
    else {
      diag_at(&c->diag, DIAG_unknown_attribute, part->span, part->name->text);
      diag_hint(&c->diag, "There are @require(sm >= 90), @registers(64) and @blocks_per_sm(2).");
    }
    return false;
  }
  return true;
}

/* The number in @NAME(number), made an integer; NULL after a report. */
static const Node *limit_number(Session *c, Node *attribute, const Limit *limit)
{
  Node **slot = &attribute->a;
  if (!*slot || (*slot)->next || (*slot)->kind == NODE_argument) {
    diag_at(&c->diag, DIAG_limit_number, attribute->span, limit->name, limit->least, limit->most);
    return NULL;
  }
  check_expr(c, *slot, c->types->type_u32);
  if (type_is_literal((*slot)->type)) convert_to(c, slot, c->types->type_u32);
  if ((*slot)->type == c->types->poison) return NULL;
  bool is_good = type_is_int((*slot)->type) && evaluate(c, *slot) && (*slot)->kind == NODE_int &&
                 (*slot)->bits >= limit->least && (*slot)->bits <= limit->most;
  if (!is_good)
    diag_at(&c->diag, DIAG_limit_number, (*slot)->span, limit->name, limit->least, limit->most);
  return is_good ? *slot : NULL;
}

void check_limits(Session *c, Node *kernel)
{
  Shape shape = kernel_shape(kernel);
  uint64_t threads = (uint64_t)shape.dim[0] * shape.dim[1] * shape.dim[2];
  for (Node *part = kernel->a; part; part = part->next) {
    const Limit *limit = part->kind == NODE_attribute ? limit_named(part->name->text) : NULL;
    const Node *number = limit ? limit_number(c, part, limit) : NULL;
    for (const Node *other = kernel->a; limit && other != part; other = other->next)
      if (other->kind == NODE_attribute && other->name == part->name)
        diag_at(&c->diag, DIAG_twice_argument, part->span, limit->name);
    if (!number || limit != &limits[LIMIT_blocks]) continue;
    if (!threads) diag_at(&c->diag, DIAG_limit_block, part->span);
    else if (threads * number->bits > SM_THREADS_MAX)
      diag_at(&c->diag, DIAG_limit_threads, part->span, (unsigned)number->bits, (unsigned)threads,
              (unsigned)(number->bits * threads), (unsigned)SM_THREADS_MAX);
  }
}

uint32_t kernel_limit(const Node *kernel, const char *name)
{
  for (const Node *part = kernel->a; part; part = part->next)
    if (part->kind == NODE_attribute && !strcmp(part->name->text, name) &&
        part->a->kind == NODE_int)
      return (uint32_t)part->a->bits;
  return 0;
}

void check_required(Session *c, const Node *item, Span from)
{
  for (const Node *part = item->a; part; part = part->next) {
    if (part->kind != NODE_attribute || strcmp(part->name->text, "require") != 0) continue;
    const Node *sm = required_sm(c, part);
    if (!sm || check_target_sm(c, item->name->text, (unsigned)sm->bits, from)) continue;
    if (item->kind == NODE_function)
      diag_hint(&c->diag, "Call it inside 'comptime if (target.sm >= %u)'.", (unsigned)sm->bits);
  }
}
