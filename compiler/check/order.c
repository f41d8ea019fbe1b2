/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* order.c - finds that a function of two values compares what one function, the key, gives for
 * each of them. A sort can then use the key, which has digits, instead of comparing elements.
 *
 *     |a, b| a.age < b.age                        the key |a| a.age
 *     |a, b| table[a] > table[b]                  the key |a| table[a], descending
 *     |a, b| a.x < b.x || (a.x == b.x && a.y < b.y)              the key |a| (a.x, a.y)
 *     fn less(a: P, b: P) -> bool = a.x != b.x ? a.x < b.x : a.y < b.y;        the same
 *
 * needs   names resolved; the functions' bodies as parsed, of which order_keep saves a copy before
 *         they are checked
 * gives   order_of: ascending, descending, or none if this file finds no key. order_key_call:
 *         a call of the key
 * keeps   the function
 *
 * Both sides of a comparison have to be one expression, with `a` in the one where the other has
 * `b`. The trees of the two sides are compared, and nothing is computed. A side that declares
 * names, as a lambda does, is no key. All comparisons have to have one direction.
 */
#include "check/check_private.h"
#include "front/builtin.h"

enum { KEYS_MAX = 8 }; /* as many as a tuple that radix_sort takes */

/* The keys that have been found: of each comparison the side that has `a` alone. */
typedef struct Keys {
  const Node *a, *b; /* the function's parameters */
  Order order;
  uint32_t count;
  const Node *at[KEYS_MAX];
} Keys;

/* ---- one expression, of a and of b ---- */

static bool is_same_name(const Node *one, const Node *other, const Node *a, const Node *b,
                         uint32_t *count)
{
  if (one->decl == a || other->decl == b) {
    ++*count;
    return one->decl == a && other->decl == b;
  }
  bool is_mixed = one->decl == b || other->decl == a;
  return !is_mixed && one->name == other->name && one->decl == other->decl &&
         one->builtin == other->builtin;
}

static bool is_same_leaf(const Node *one, const Node *other, const Node *a, const Node *b,
                         uint32_t *count)
{
  switch ((NodeKind)one->kind) {
  case NODE_int:
  case NODE_bool:
  case NODE_float: return constant_is_same(one, other) && one->type == other->type;
  case NODE_capture: return one->bits == other->bits;
  case NODE_name: return is_same_name(one, other, a, b, count);
  case NODE_unary:
  case NODE_binary:
  case NODE_choose:
  case NODE_call:
  case NODE_argument:
  case NODE_index:
  case NODE_member:
  case NODE_instance:
  case NODE_tuple:
  case NODE_fast: return one->op == other->op && one->name == other->name;
  default: return false; /* it declares names, or is no expression */
  }
}

/* Is `other` what `one` is, with b for a? Counts how often. */
static bool is_same(const Node *one, const Node *other, const Node *a, const Node *b,
                    uint32_t *count)
{
  if (one->kind != other->kind || !is_same_leaf(one, other, a, b, count)) return false;
  for (unsigned i = 0; i < node_width(one); ++i) {
    const Node *x = one->children[i], *y = other->children[i];
    for (; x && y; x = x->next, y = y->next)
      if (!is_same(x, y, a, b, count)) return false;
    if (x || y) return false;
  }
  return true;
}

/* Are these a key of a and the same one of b? */
static bool is_key(const Keys *keys, const Node *of_a, const Node *of_b)
{
  uint32_t count = 0;
  return is_same(of_a, of_b, keys->a, keys->b, &count) && count;
}

/* ---- comparisons ---- */

/* x < y or x > y, of a key; the key is one more of `keys`. */
static bool add_comparison(Keys *keys, const Node *node)
{
  if (node->kind != NODE_binary || (node->op != OP_lt && node->op != OP_gt)) return false;
  bool is_less = node->op == OP_lt, is_forward = is_key(keys, node->a, node->b);
  if (!is_forward && !is_key(keys, node->b, node->a)) return false;
  Order order = is_less == is_forward ? ORDER_ASCENDING : ORDER_DESCENDING;
  if (keys->count == KEYS_MAX || (keys->count && keys->order != order)) return false;
  keys->order = order;
  keys->at[keys->count++] = is_forward ? node->a : node->b;
  return true;
}

/* x == y or x != y, as `op` says, of the newest key? */
static bool tests_key(const Keys *keys, const Node *node, Op op)
{
  if (node->kind != NODE_binary || node->op != op) return false;
  const Node *one = node->a, *other = node->b;
  if (!is_key(keys, one, other)) one = node->b, other = node->a;
  uint32_t count = 0;
  return is_key(keys, one, other) &&
         is_same(one, keys->at[keys->count - 1], keys->a, keys->a, &count);
}

static bool add_order(Keys *keys, const Node *node)
{
  if (node->kind == NODE_choose && node->a->kind == NODE_binary) {
    bool is_equal = node->a->op == OP_eq;
    const Node *first = is_equal ? node->c : node->b, *rest = is_equal ? node->b : node->c;
    return add_comparison(keys, first) && tests_key(keys, node->a, is_equal ? OP_eq : OP_ne) &&
           add_order(keys, rest);
  }
  if (node->kind == NODE_binary && node->op == OP_or_else && node->b->kind == NODE_binary &&
      node->b->op == OP_and_then)
    return add_comparison(keys, node->a) && tests_key(keys, node->b->a, OP_eq) &&
           add_order(keys, node->b->b);
  return add_comparison(keys, node);
}

/* The value of a body that is a value, or a block that returns one at once; else NULL. */
static const Node *value_of(const Node *body)
{
  if (body && body->kind == NODE_block && body->a && !body->a->next) body = body->a;
  else if (body && body->kind == NODE_block) return NULL;
  return body && body->kind == NODE_return ? body->a : body;
}

/* Two parameters, of which a function has the types as well. */
static const Node *params_of(const Node *function)
{
  const Node *params = function->kind == NODE_lambda ? function->a : function->b;
  return params && params->kind == NODE_param && params->next && !params->next->next ? params
                                                                                     : NULL;
}

void order_keep(Session *c, Node *function)
{
  const Node *value = params_of(function) && !function->a ? value_of(function->d) : NULL;
  bool may_be = value && (value->kind == NODE_choose ||
                          (value->kind == NODE_binary &&
                           (value->op == OP_lt || value->op == OP_gt || value->op == OP_or_else)));
  if (may_be) facts_of(c, function)->parsed = node_copy(c->unit, function->d);
}

/* Finds the keys of a function of a closure's type. */
static bool find_keys(Session *c, Keys *keys, const Type *closure)
{
  Node *function = closure->kind == TYPE_closure ? closure->decl : NULL;
  const Node *params = function ? params_of(function) : NULL, *body = NULL;
  if (!params) return false;
  if (function->kind == NODE_lambda) body = function->b;
  else if (function->kind == NODE_function && !function->a && !function->overload)
    body = function->flags & FLAG_checked ? facts_of(c, function)->parsed : function->d;
  *keys = (Keys){.a = params, .b = params->next};
  return value_of(body) && add_order(keys, value_of(body));
}

Order order_of(Session *c, const Type *closure)
{
  Keys keys;
  return find_keys(c, &keys, closure) ? keys.order : ORDER_NONE;
}

/* ---- the key ---- */

static void rename(Node *node, const Node *from, Node *to)
{
  if (node->kind == NODE_name && node->decl == from) node->decl = to;
  for (unsigned i = 0; i < node_width(node); ++i)
    for (Node *child = node->children[i]; child; child = child->next) rename(child, from, to);
}

/* The key as a lambda of its own, whose captures are the function's. */
static Node *key_lambda(Session *c, const Keys *keys, const Type *closure)
{
  Node *param = node_copy(c->unit, keys->a), *values = NULL, **end = &values;
  for (uint32_t i = 0; i < keys->count; ++i, end = &(*end)->next) {
    *end = node_copy(c->unit, keys->at[i]);
    rename(*end, keys->a, param);
  }
  Span span = closure->decl->span;
  Node *body =
      keys->count == 1 ? values : node_make(c->unit, NODE_tuple, span, values, NULL, NULL, NULL);
  Node *captures = closure->decl->kind == NODE_lambda ? closure->decl->c : NULL;
  return node_make(c->unit, NODE_lambda, span, param, body, captures, NULL);
}

/* The key's type; a function has one, so that equal calls share an instance. */
static Type *key_type(Session *c, const Keys *keys, const Type *closure)
{
  for (uint32_t i = 0; i < c->check->keys.count; ++i)
    if (c->check->keys.at[i].of == closure) return c->check->keys.at[i].key;
  Node *lambda = key_lambda(c, keys, closure);
  OrderKey made = {closure,
                   type_closure(c->types, lambda, closure->elements, closure->count,
                                arena_printf(c->unit, "the key of %s", type_text(closure)))};
  lambda->type = made.key;
  vec_push(c->unit, &c->check->keys, made);
  return made.key;
}

Type *order_key_call(Session *c, Node *call)
{
  Keys keys;
  Node *function = call->b;
  if (!find_keys(c, &keys, function->type))
    return poison_at(c, call, DIAG_bad_operand, function->span, call->builtin->name,
                     type_text(function->type));
  Node *value = function->next;
  function->next = NULL;
  call->a = node_make(c->unit, NODE_convert, function->span, function, NULL, NULL, NULL);
  call->a->type = key_type(c, &keys, function->type);
  call->b = value;
  return closure_call(c, call);
}
