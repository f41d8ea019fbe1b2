/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* range.c - ranges of integers: a..b, and their methods step and reverse.
 *
 * gives   node->type, a range whose `rank` says in which order it counts
 * keeps   a step that is constant and below zero as its magnitude: the order says that it is taken
 *         downwards
 * fails   with DIAG_bad_operand, DIAG_no_common_type, DIAG_constant_range, DIAG_range_order
 *
 * A range is three values, a, b and the step s >= 1. The order is a part of the type, so that a
 * loop knows it when it is compiled:
 *
 *     up         a, a + s, ... below b
 *     reversed   the same numbers from the last one on, whose distance from a is a multiple of s
 *     down       a, a - s, ... above b
 */
#include "check/check_private.h"

#include <string.h>

static Type *poison(Session *c, Node *node)
{
  return node->type = c->types->poison;
}

Type *check_range(Session *c, Node *node, Type *hint)
{
  Type *element = hint && hint->kind == TYPE_range ? hint->element : NULL;
  Type *a = check_value(c, node->a, element), *b = check_value(c, node->b, element);
  if (a == c->types->poison || b == c->types->poison) return poison(c, node);
  Node *ends[] = {node->a, node->b};
  for (unsigned i = 0; i < 2; ++i) {
    if (type_is_int(ends[i]->type) || ends[i]->type->kind == TYPE_int_literal) continue;
    diag_at(&c->diag, DIAG_bad_operand, ends[i]->span, "..", type_text(ends[i]->type));
    return poison(c, node);
  }
  Type *common = convert_common(c, &node->a, &node->b);
  if (!common) {
    diag_at(&c->diag, DIAG_no_common_type, node->span, "..", type_text(a), type_text(b));
    hint_one_side(c, node->a, node->b);
    return poison(c, node);
  }
  if (element && type_is_literal(common) && convert_to(c, &node->a, element) &&
      convert_to(c, &node->b, element))
    common = element;
  return node->type = common == c->types->poison ? common : type_range(c->types, common, RANGE_up);
}

bool range_method(const Node *member)
{
  return !strcmp(member->name->text, "step") || !strcmp(member->name->text, "reverse");
}

/* The call of a method becomes the range itself where that is written in front of it, with `step`
 * if there is one. Of a range that was bound to a name the call stays, and gen sets the step. */
static Type *become_range(Node *call, Node *range, Type *type, Node *step)
{
  if (range->kind == NODE_range && !(step && range->c)) {
    Span span = call->span;
    node_become(call, range);
    call->span = span;
    if (step) call->c = step;
  } else {
    call->decl = NULL;
    call->builtin = NULL;
  }
  return call->type = type;
}

static bool is_below_zero(const Node *step)
{
  return step->kind == NODE_int &&
         (step->flags & FLAG_negative || (type_is_signed(step->type) && (int64_t)step->bits < 0));
}

static Type *check_step(Session *c, Node *call, Node *range)
{
  Type *type = range->type;
  if (node_count(call->b) != 1) {
    diag_at(&c->diag, DIAG_argument_count, call->span, "step", "1 argument", node_count(call->b));
    return poison(c, call);
  }
  if (type->rank != RANGE_up) {
    diag_at(&c->diag, DIAG_range_order, call->span, type_text(type), "step");
    diag_hint(&c->diag, type->rank == RANGE_reversed
                            ? "The step comes first: (0..n).step(2).reverse()."
                            : "One step is enough: (n..0).step(-2).");
    return poison(c, call);
  }
  bool is_down = is_below_zero(call->b);
  if (is_down) { /* as a positive number of the same type; the lowest i64 has none */
    Node *step = call->b;
    if (!(step->flags & FLAG_negative)) step->bits = (uint64_t)0 - step->bits;
    step->flags &= ~(uint32_t)FLAG_negative;
    type = type_range(c->types, type->element, RANGE_down);
  }
  /* The step of literals is one too; it joins their type. */
  if (type_is_literal(type->element) && !type_is_literal(call->b->type) &&
      range->kind == NODE_range && type_is_int(call->b->type)) {
    convert_to(c, &range->a, call->b->type);
    convert_to(c, &range->b, call->b->type);
    type = type_range(c->types, call->b->type, type->rank);
  }
  if (!type_is_literal(type->element)) convert_to(c, &call->b, type->element);
  if (call->b->type == c->types->poison) return poison(c, call);
  if (call->b->kind == NODE_int && call->b->bits == 0) {
    diag_at(&c->diag, DIAG_constant_range, call->b->span, "0", "a step");
    diag_hint(&c->diag, "A step is 1 or more, or -1 or less to count down.");
    return poison(c, call);
  }
  return become_range(call, range, type, call->b);
}

static Type *check_reverse(Session *c, Node *call, Node *range)
{
  static const RangeOrder reversed[] = {
      [RANGE_up] = RANGE_reversed, [RANGE_reversed] = RANGE_up, [RANGE_down] = RANGE_down};
  Type *type = range->type;
  if (call->b) {
    diag_at(&c->diag, DIAG_argument_count, call->span, "reverse", "no arguments",
            node_count(call->b));
    return poison(c, call);
  }
  if (type->rank == RANGE_down) {
    diag_at(&c->diag, DIAG_range_order, call->span, type_text(type), "reverse");
    diag_hint(&c->diag, "Counting up is (a..b).step(k).");
    return poison(c, call);
  }
  return become_range(call, range, type_range(c->types, type->element, reversed[type->rank]), NULL);
}

Type *check_range_call(Session *c, Node *call)
{
  Node *range = call->a->a;
  return !strcmp(call->a->name->text, "step") ? check_step(c, call, range)
                                              : check_reverse(c, call, range);
}
