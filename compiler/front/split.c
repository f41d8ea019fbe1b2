/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* split.c - rewrites `split`, by which the warps of a block get roles, as statements that exist.
 *
 * needs   a NODE_split in a kernel or function, as parsed
 * gives   NODE_block, as below; a kernel whose roles have registers gets @blocks_per_sm(1), since
 *         setmaxnreg needs a known number of registers at the start
 * keeps   the bodies of the roles
 * fails   with DIAG_role_words, DIAG_role_count, DIAG_role_limits, DIAG_role_kernel
 *
 * A role is a group of warps, `block.part<FIRST, WARPS, NUMBER>` of lib/role.ck: its first warp,
 * how many it has, and the number of its hardware barrier. A block has 16 of those, and
 * block.sync() has number 0, so that a kernel has at most 15 roles. The number is the role's in the
 * kernel and not in the split: warps that have left one split may wait in the next one while others
 * are in the first. In a function a block.sync() stands in front of the split and behind it, since
 * the roles of other functions have the same numbers.
 *
 *     split {                         {
 *                                         static_assert(block.size == 32 * (1 + 8), "...");
 *         load(warps = 1) { a; }          { let load = block.part<0, 1, 1>; if (load.has) { a; } }
 *         work(warps = 8) { b; }          { let work = block.part<1, 8, 2>; if (work.has) { b; } }
 *     }                               }
 *
 * The name of a role is known in its own statements alone: another role can't wait for its warps.
 */
#include "front/front_private.h"

#include <string.h>

enum { ROLES_MAX = 15 };

void split_words(Session *c)
{
  static const char *const words[] = {"block", "part", "has", "size", "sync", "registers"};
  for (size_t i = 0; i < COUNT_OF(words); ++i) name_of(&c->names, words[i], strlen(words[i]));
}

static Node *name_node(Session *c, Span span, const char *text)
{
  Node *node = node_new(c->unit, NODE_name, span);
  node->name = name_of(&c->names, text, strlen(text));
  return node;
}

static Node *member_of(Session *c, Span span, Node *base, const char *text)
{
  Node *node = node_make(c->unit, NODE_member, span, base, NULL, NULL, NULL);
  node->name = name_of(&c->names, text, strlen(text));
  return node;
}

static Node *number_node(Session *c, Span span, uint64_t value)
{
  return node_int(c->unit, span, c->types->type_u32, value);
}

static Node *binary(Session *c, Span span, Op op, Node *a, Node *b)
{
  Node *node = node_make(c->unit, NODE_binary, span, a, b, NULL, NULL);
  node->op = (uint8_t)op;
  return node;
}

/* The value of `word = value` in a role; NULL: it isn't there. */
static Node *value_of(const Node *role, const char *word)
{
  for (const Node *arg = role->a; arg; arg = arg->next)
    if (arg->kind == NODE_argument && !strcmp(arg->name->text, word)) return arg->a;
  return NULL;
}

static bool has_right_words(Session *c, const Node *role)
{
  unsigned known = 0;
  for (const Node *arg = role->a; arg; arg = arg->next) {
    bool is_word = arg->kind == NODE_argument &&
                   (!strcmp(arg->name->text, "warps") || !strcmp(arg->name->text, "registers"));
    if (!is_word) return diag_at(&c->diag, DIAG_role_words, arg->span, role->name->text);
    ++known;
  }
  unsigned wanted = 1 + (value_of(role, "registers") != NULL);
  if (value_of(role, "warps") && known == wanted) return true;
  return diag_at(&c->diag, DIAG_role_words, role->span, role->name->text);
}

/* let NAME = block.part<FIRST, WARPS, NUMBER>; */
static Node *group_of(Session *c, const Node *role, Node *first, uint32_t number)
{
  Node *part = member_of(c, role->span, name_node(c, role->span, "block"), "part");
  Node *warps = node_copy(c->unit, value_of(role, "warps"));
  first->next = warps;
  warps->next = number_node(c, role->span, number);
  Node *group = node_make(c->unit, NODE_instance, role->span, part, first, NULL, NULL);
  Node *let = node_make(c->unit, NODE_let, role->span, NULL, group, NULL, NULL);
  let->name = role->name;
  let->flags |= FLAG_used;
  return let;
}

/* NAME.registers<COUNT>(); in front of the role's statements */
static void set_registers(Session *c, Node *role, Node *count)
{
  Node *callee = member_of(c, role->span, name_node(c, role->span, role->name->text), "registers");
  Node *instance =
      node_make(c->unit, NODE_instance, role->span, callee, node_copy(c->unit, count), NULL, NULL);
  Node *call = node_make(c->unit, NODE_call, role->span, instance, NULL, NULL, NULL);
  Node *statement = node_make(c->unit, NODE_evaluate, role->span, call, NULL, NULL, NULL);
  statement->next = role->b->a;
  role->b->a = statement;
}

/* Gives the kernel @blocks_per_sm(1), unless another split did. */
static void limit_kernel(Session *c, const Node *role, Node *kernel)
{
  Node **slot = &kernel->a;
  for (; *slot; slot = &(*slot)->next) {
    if ((*slot)->kind != NODE_attribute || !strcmp((*slot)->name->text, "require")) continue;
    if ((*slot)->flags & FLAG_used) return;
    diag_at(&c->diag, DIAG_role_limits, role->span, (*slot)->name->text);
    return;
  }
  Node *one = number_node(c, role->span, 1);
  *slot = node_make(c->unit, NODE_attribute, role->span, one, NULL, NULL, NULL);
  (*slot)->flags |= FLAG_used;
  (*slot)->name = name_of(&c->names, "blocks_per_sm", strlen("blocks_per_sm"));
}

/* block.sync(); */
static Node *barrier(Session *c, Span span)
{
  Node *callee = member_of(c, span, name_node(c, span, "block"), "sync");
  Node *call = node_make(c->unit, NODE_call, span, callee, NULL, NULL, NULL);
  return node_make(c->unit, NODE_evaluate, span, call, NULL, NULL, NULL);
}

static Node *size_test(Session *c, Span span, Node *warps)
{
  Node *size = member_of(c, span, name_node(c, span, "block"), "size");
  Node *threads = binary(c, span, OP_mul, number_node(c, span, 32), warps);
  Node *text = node_new(c->unit, NODE_string, span);
  text->text = "the roles of a split have all warps of the block, 32 threads each";
  text->text_bytes = (uint32_t)strlen(text->text);
  return node_make(c->unit, NODE_static_assert, span, binary(c, span, OP_eq, size, threads), text,
                   NULL, NULL);
}

void split_lower(Session *c, Node *split, Node *item, uint32_t number)
{
  Node *roles = split->a, *sum = NULL, *parts = NULL, **slot = &parts;
  bool is_good = true, is_limited = false, is_kernel = item->kind == NODE_kernel;
  for (Node *role = roles, *next; role; role = next) {
    next = role->next;
    is_good &= has_right_words(c, role);
    if (!is_good) continue;
    Node *first = sum ? node_copy(c->unit, sum) : number_node(c, role->span, 0);
    Node *count = value_of(role, "registers"), *warps = node_copy(c->unit, value_of(role, "warps"));
    Node *let = group_of(c, role, first, ++number);
    sum = sum ? binary(c, role->span, OP_add, sum, warps) : warps;
    if (count && !is_kernel) diag_at(&c->diag, DIAG_role_kernel, role->span, item->name->text);
    if (count && is_kernel) set_registers(c, role, count);
    if (count && is_kernel && !is_limited) limit_kernel(c, role, item);
    is_limited |= count != NULL;
    Node *has = member_of(c, role->span, name_node(c, role->span, role->name->text), "has");
    let->next = node_make(c->unit, NODE_if, role->span, has, role->b, NULL, NULL);
    *slot = node_make(c->unit, NODE_block, role->span, let, NULL, NULL, NULL);
    slot = &(*slot)->next;
  }
  if (is_good && number > ROLES_MAX) diag_at(&c->diag, DIAG_role_count, split->span, number);
  Span span = split->span;
  node_clear(split, NODE_block);
  split->span = span;
  if (!is_good) return;
  if (!is_kernel) *slot = barrier(c, span);
  split->a = size_test(c, span, sum);
  split->a->next = is_kernel ? parts : barrier(c, span);
  if (!is_kernel) split->a->next->next = parts;
}
