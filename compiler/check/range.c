/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* range.c - types ranges of integers, a..b, and their methods step and reverse.
 *
 * needs   names resolved
 * gives   node->type, a range type whose `rank` is the order in which it counts
 * keeps   a constant negative step as its magnitude, with the order `down`
 * fails   with DIAG_bad_operand, DIAG_no_common_type, DIAG_constant_range, DIAG_range_order
 *
 * A range is three values, a, b and the step s >= 1. The order is a part of the type, so that a
 * loop knows it at compile time:
 *
 *     up         a, a + s, ... while below b       (0..10).step(3)             0 3 6 9
 *     reversed   the same numbers, last one first   (0..10).step(3).reverse()   9 6 3 0
 *     down       a, a - s, ... while above b       (10..0).step(-3)            10 7 4 1
 */
#include "check/check_private.h"

#include <string.h>

Type *check_range(Session *c, Node *node, Type *hint)
{
  Type *element = hint && hint->kind == TYPE_range ? hint->element : NULL;
  Type *a = check_value(c, node->a, element), *b = check_value(c, node->b, element);
  if (a == c->types->poison || b == c->types->poison) return poison(c, node);
  Node *ends[] = {node->a, node->b};
  for (unsigned i = 0; i < 2; ++i) {
    if (type_is_int(ends[i]->type) || ends[i]->type->kind == TYPE_int_literal) continue;
    return poison_at(c, node, DIAG_bad_operand, ends[i]->span, "..", type_text(ends[i]->type));
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

/* A method call on a range that is written in place becomes that range, with the step if there is
 * one. On a variable the call is kept, and gen sets the step. */
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
  if (node_count(call->b) != 1)
    return poison_at(c, call, DIAG_argument_count, call->span, "step", "1 argument",
                     node_count(call->b));
  if (type->rank != RANGE_up) {
    diag_at(&c->diag, DIAG_range_order, call->span, type_text(type), "step");
    diag_hint(&c->diag, type->rank == RANGE_reversed
                            ? "The step comes first: (0..n).step(2).reverse()."
                            : "One step is enough: (n..0).step(-2).");
    return poison(c, call);
  }
  bool is_down = is_below_zero(call->b);
  if (is_down) { /* The magnitude as the same type; the lowest i64 has none and stays as it is. */
    Node *step = call->b;
    if (!(step->flags & FLAG_negative)) step->bits = (uint64_t)0 - step->bits;
    step->flags &= ~(uint32_t)FLAG_negative;
    type = type_range(c->types, type->element, RANGE_down);
  }
  /* A range of literals takes the step's type. */
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
  if (call->b)
    return poison_at(c, call, DIAG_argument_count, call->span, "reverse", "no arguments",
                     node_count(call->b));
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
