/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* switch.c - lowers `switch` to a chain of `if`, which later stages can't tell from a written one.
 *
 *     switch (x) {                        let .value = x;
 *     case 1, 2: a();                     if (.value == 1 || .value == 2) { a(); }
 *     case 5..9: b();            ==>      else if (.value >= 5 && .value < 9) { b(); }
 *     default: c();                       else { c(); }
 *     }
 *
 * Cases don't fall through. A `break` of the switch leaves it, as in C. At the end of a case it
 * does nothing and is dropped. Elsewhere it sets a variable, `.left`, and the statements behind it
 * in the case are put under `if (!.left)`; the optimiser turns that into jumps. LLVM also makes a
 * switch instruction of the comparisons, with a jump table where that pays.
 *
 * needs   names resolved; FLAG_switch on each `break` that belongs to a switch (front/resolve.c)
 * gives   NODE_block, checked
 * keeps   the bodies of the cases, but for their breaks
 * fails   with DIAG_switch_type, DIAG_switch_twice, DIAG_switch_missing, DIAG_not_constant
 */
#include "check/check_private.h"

#include <string.h>

/* The values lo to hi of a case, both included, in the order of the switch's type. */
typedef struct Values {
  uint64_t lo, hi;
  const Node *node;
} Values;

typedef struct Switch {
  Session *c;
  Type *type;
  Node *value;    /* let .value */
  Node *left;     /* var .left; NULL: no `break` needs it */
  Node *fallback; /* the case with `default` */
  VEC(Values) taken;
} Switch;

static Node *name_for(Session *c, Node *decl, Span span)
{
  Node *name = node_new(c->unit, NODE_name, span);
  name->name = decl->name;
  name->decl = decl;
  return name;
}

static Node *binary(Session *c, Op op, Node *a, Node *b)
{
  Node *node = node_make(c->unit, NODE_binary, b->span, a, b, NULL, NULL);
  node->op = (uint8_t)op;
  return node;
}

/* ---- breaks ---- */

static bool is_break(const Node *node)
{
  return node->kind == NODE_break && node->flags & FLAG_switch;
}

/* Does the statement contain a `break` of this switch? Those of a nested switch are lowered
 * already. */
static bool has_break(const Node *node)
{
  if (is_break(node)) return true;
  if (node->kind == NODE_block)
    for (const Node *each = node->a; each; each = each->next)
      if (has_break(each)) return true;
  return node->kind == NODE_if && (has_break(node->b) || (node->c && has_break(node->c)));
}

static Node *leave(Switch *s, Span span)
{
  Node *yes = node_new(s->c->unit, NODE_bool, span);
  yes->bits = 1;
  return node_make(s->c->unit, NODE_assign, span, name_for(s->c, s->left, span), yes, NULL, NULL);
}

static Node *block_of(Session *c, Node *list, Span span)
{
  return node_make(c->unit, NODE_block, span, list, NULL, NULL, NULL);
}

/* The list without its breaks. `is_last`: nothing of the case follows it. */
static Node *without_breaks(Switch *s, Node *list, bool is_last);

static Node *statement_without(Switch *s, Node *node, bool is_last)
{
  if (is_break(node)) return is_last ? block_of(s->c, NULL, node->span) : leave(s, node->span);
  if (node->kind == NODE_block) node->a = without_breaks(s, node->a, is_last);
  if (node->kind == NODE_if) {
    node->b = statement_without(s, node->b, is_last);
    if (node->c) node->c = statement_without(s, node->c, is_last);
  }
  return node;
}

static Node *without_breaks(Switch *s, Node *list, bool is_last)
{
  for (Node **slot = &list; *slot; slot = &(*slot)->next) {
    Node *node = *slot, *rest = node->next;
    if (!has_break(node)) continue;
    bool is_end = is_last && (!rest || is_break(node));
    node->next = NULL;
    *slot = statement_without(s, node, is_end);
    if (!rest || is_break(node)) return list; /* statements behind a `break` are unreachable */
    Node *not_left = node_make(s->c->unit, NODE_unary, node->span,
                               name_for(s->c, s->left, node->span), NULL, NULL, NULL);
    not_left->op = OP_not;
    Node *then = block_of(s->c, without_breaks(s, rest, is_last), rest->span);
    (*slot)->next = node_make(s->c->unit, NODE_if, node->span, not_left, then, NULL, NULL);
    return list;
  }
  return list;
}

/* Is there a `break` with statements of its case behind it? */
static bool has_early_break(const Node *list, bool is_last)
{
  for (const Node *node = list; node; node = node->next) {
    bool is_end = is_last && !node->next;
    if (is_break(node)) return !is_last; /* statements behind it are unreachable */
    if (!has_break(node)) continue;
    if (!is_end) return true;
    if (node->kind == NODE_block && has_early_break(node->a, true)) return true;
    if (node->kind == NODE_if) {
      const Node *branches[] = {node->b, node->c};
      for (unsigned i = 0; i < 2; ++i) {
        const Node *branch = branches[i];
        if (branch && !is_break(branch) &&
            has_early_break(branch->kind == NODE_block ? branch->a : branch, true))
          return true;
      }
    }
  }
  return false;
}

/* ---- values ---- */

static bool is_less(const Switch *s, uint64_t a, uint64_t b)
{
  return type_is_signed(s->type) ? (int64_t)a < (int64_t)b : a < b;
}

static bool take(Switch *s, uint64_t lo, uint64_t hi, const Node *node)
{
  for (uint32_t i = 0; i < s->taken.count; ++i) {
    const Values *other = &s->taken.at[i];
    if (is_less(s, hi, other->lo) || is_less(s, other->hi, lo)) continue;
    diag_at(&s->c->diag, DIAG_switch_twice, node->span, short_text(s->c, node));
    diag_note(&s->c->diag, DIAG_case_here, other->node->span, short_text(s->c, other->node));
    return false;
  }
  Values values = {lo, hi, node};
  vec_push(&s->c->scratch, &s->taken, values);
  return true;
}

/* A constant of the switch's type; false after a report. */
static bool check_constant_value(Switch *s, Node **slot)
{
  if (check_value(s->c, *slot, s->type) == s->c->types->poison) return false;
  if (!evaluate(s->c, *slot)) return shape_not_constant(s->c, *slot), false;
  return convert_to(s->c, slot, s->type) && (*slot)->kind == NODE_int;
}

/* The condition for one value or range of a case; NULL after a report. */
static Node *condition_of(Switch *s, Node *value)
{
  Session *c = s->c;
  Span span = value->span;
  value->next = NULL;
  if (value->kind != NODE_range) {
    Node *constant = value;
    bool is_good =
        check_constant_value(s, &constant) && take(s, constant->bits, constant->bits, value);
    return is_good ? binary(c, OP_eq, name_for(c, s->value, span), constant) : NULL;
  }
  bool is_good = check_constant_value(s, &value->a) && check_constant_value(s, &value->b);
  if (!is_good) return NULL;
  if (!is_less(s, value->a->bits, value->b->bits)) {
    diag_at(&c->diag, DIAG_switch_empty, span, short_text(c, value));
    return NULL;
  }
  if (!take(s, value->a->bits, value->b->bits - 1, value)) return NULL;
  return binary(c, OP_and_then, binary(c, OP_ge, name_for(c, s->value, span), value->a),
                binary(c, OP_lt, name_for(c, s->value, span), value->b));
}

/* The condition of a case: its values joined by `||`. NULL: it is only `default`, or has errors. */
static Node *condition(Switch *s, Node *branch, bool *is_good)
{
  Node *all = NULL;
  for (Node *value = branch->a, *next; value; value = next) {
    next = value->next;
    if (value->kind == NODE_open) { /* default */
      if (s->fallback) {
        diag_at(&s->c->diag, DIAG_switch_twice, value->span, "default");
        *is_good = false;
      }
      s->fallback = branch;
      continue;
    }
    Node *one = condition_of(s, value);
    *is_good &= one != NULL;
    if (one) all = all ? binary(s->c, OP_or_else, all, one) : one;
  }
  return all;
}

/* The first value of an enumeration without a case, or NULL. */
static const Node *missing(const Switch *s)
{
  for (const Node *each = s->type->decl->b; each; each = each->next) {
    bool is_taken = false;
    for (uint32_t i = 0; i < s->taken.count && !is_taken; ++i)
      is_taken =
          !is_less(s, each->bits, s->taken.at[i].lo) && !is_less(s, s->taken.at[i].hi, each->bits);
    if (!is_taken) return each;
  }
  return NULL;
}

/* ---- the statement ---- */

static Type *check_switched(Session *c, Node *value)
{
  Type *type = value->type;
  if (type == c->types->poison || type_is_int(type) || type_is_enum(type)) return type;
  diag_at(&c->diag, DIAG_switch_type, value->span, type_text(type));
  if (type->kind == TYPE_bool) diag_hint(&c->diag, "A choice between two is 'if'.");
  else if (type_is_float(type)) diag_hint(&c->diag, "Ranges of floats are told apart by 'if'.");
  return c->types->poison;
}

static Node *declare(Session *c, NodeKind kind, const char *text, Node *value, Span span)
{
  Node *decl = node_make(c->unit, kind, span, NULL, value, NULL, NULL);
  decl->name = name_of(&c->names, text, strlen(text));
  return decl;
}

/* Builds the chain of `if`: the cases, then `default`. For an enumeration whose values all have a
 * case, the last case needs no condition. */
static Node *chain(Switch *s, Node *cases, bool *is_good)
{
  Node *first = NULL, **slot = &first, *last = NULL;
  Node **before_last = NULL;
  for (Node *branch = cases, *next; branch; branch = next) {
    next = branch->next;
    bool is_default = s->fallback == branch;
    Node *test = condition(s, branch, is_good);
    is_default = s->fallback == branch;
    Node *body = block_of(s->c, without_breaks(s, branch->b, true), branch->span);
    if (is_default) {
      branch->b = body;
      continue; /* its other values reach `default` anyway */
    }
    if (!test) continue;
    last = node_make(s->c->unit, NODE_if, branch->span, test, body, NULL, NULL);
    *slot = last;
    before_last = slot;
    slot = &last->c;
  }
  if (s->fallback) {
    *slot = s->fallback->b;
  } else if (*is_good && type_is_enum(s->type)) {
    const Node *left_out = missing(s);
    if (left_out) {
      diag_at(&s->c->diag, DIAG_switch_missing, s->value->span,
              arena_printf(&s->c->scratch, "%s.%s", type_text(s->type), left_out->name->text));
      diag_hint(&s->c->diag, "Give it a case, or write default: for the rest.");
      *is_good = false;
    } else if (last) {
      *before_last = last->b;
    }
  }
  return first;
}

void check_switch(Session *c, Node *node)
{
  Switch s = {.c = c};
  check_value(c, node->a, NULL);
  convert_default(c, &node->a);
  s.type = check_switched(c, node->a);
  s.value = declare(c, NODE_let, ".value", node->a, node->a->span);
  s.value->type = s.type;
  bool is_good = s.type != c->types->poison, has_early = false;
  for (const Node *branch = node->b; branch; branch = branch->next)
    has_early |= has_early_break(branch->b, true);
  if (has_early) {
    Node *no = node_new(c->unit, NODE_bool, node->span);
    s.left = declare(c, NODE_var, ".left", no, node->span);
    s.left->type = no->type = c->types->type_bool;
  }
  if (!is_good) { /* errors in the cases are reported all the same */
    for (Node *branch = node->b; branch; branch = branch->next)
      check_statement(c, block_of(c, without_breaks(&s, branch->b, true), branch->span));
    node_clear(node, NODE_block);
    return;
  }
  Node *first = chain(&s, node->b, &is_good);
  node_clear(node, NODE_block);
  node->a = s.value;
  s.value->next = s.left ? s.left : first;
  if (s.left) s.left->next = first;
  if (!first) return;
  check_statement(c, first);
  node->flags |= first->flags & FLAG_returns;
}
