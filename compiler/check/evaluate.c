/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* evaluate.c - interprets an expression at compile time, where only a constant may stand.
 *
 * needs   an expression that has been checked; it checks the functions that are called
 * gives   the constant in the expression's place
 * keeps   the tree where the expression is no constant, and the bodies of the functions
 * fails   never; evaluate_report() says why the expression is no constant
 *
 * This is a tree-walking interpreter for scalars: operators, conversions, choices, bit casts,
 * intrinsics that are exact (so that all targets agree), and calls of functions with variables,
 * branches and loops of their own. Variables live in a stack, and a call sees only those of its own
 * frame. An expression or statement that it can't interpret stops it, and the first such node is
 * the one that the report blames.
 *
 *     fn fact(n: u32) -> u32 { var r = 1u32; for (i in 1..n + 1) r *= i; return r; }
 *     shared t: f32[fact(4)];        f32[24]
 *
 * It runs only where a constant is required. Elsewhere a call stays a call, for debuggers and LLVM.
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

enum {
  /* Expressions and statements of one constant. So many take about 0.1 s, after which a loop
   * without an end is reported. */
  STEPS_MAX = 1000000,
  DEPTH_MAX = 1500, /* of them nested: bounds the interpreter's stack */
};

/* A variable or parameter. Its value is a NODE_int, NODE_float or NODE_bool. */
typedef struct Variable {
  const Node *decl;
  Node value;
} Variable;

typedef struct Evaluation {
  Session *c;
  VEC(Variable) variables;
  uint32_t frame; /* where the variables of the current function begin */
  uint32_t steps, depth;
  const Node *blame;    /* the first node that can't be interpreted */
  bool divides_by_zero; /* `blame` divides by zero */
  Node result;          /* of the last return */
} Evaluation;

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_STUCK } Flow;

static bool evaluate_expr(Evaluation *e, const Node *node, Node *out);
static Flow evaluate_statement(Evaluation *e, Node *node);

static bool stuck(Evaluation *e, const Node *at)
{
  if (!e->blame) e->blame = at;
  return false;
}

static Flow no_flow(Evaluation *e, const Node *at)
{
  stuck(e, at);
  return FLOW_STUCK;
}

static Variable *find(Evaluation *e, const Node *decl)
{
  for (uint32_t i = e->variables.count; i > e->frame; --i)
    if (e->variables.at[i - 1].decl == decl) return &e->variables.at[i - 1];
  return NULL;
}

static void bind(Evaluation *e, const Node *decl, const Node *value)
{
  Variable variable = {decl, *value};
  vec_push(&e->c->scratch, &e->variables, variable);
}

/* ---- expressions ---- */

static bool intrinsic(Evaluation *e, const Node *call, Node *out)
{
  const Builtin *builtin = call->builtin;
  Node args[FOLD_ARGS_MAX] = {0};
  uint32_t count = 0;
  if (builtin->effect != EFFECT_PURE || node_count(call->b) > COUNT_OF(args) || !call->b)
    return stuck(e, call);
  for (const Node *arg = call->b; arg; arg = arg->next)
    if (!evaluate_expr(e, arg, &args[count++])) return false;
  if (!strncmp(builtin->name, "__assume_", 9)) { /* an assertion of uniformity is its operand */
    *out = args[count - 1];
    return true;
  }
  return fold_intrinsic(builtin, args, count, out) || stuck(e, call);
}

static bool call_function(Evaluation *e, const Node *call, Node *out)
{
  Session *c = e->c;
  Node *function = call->decl;
  if (!function || function->kind != NODE_function || is_constructor(function))
    return stuck(e, call);
  check_function(c, function);
  if (!function->d || !function->type || !type_is_scalar(function->type)) return stuck(e, call);
  uint32_t first = e->variables.count, frame = e->frame;
  const Node *arg = call->b;
  for (const Node *param = first_param(function); param; param = param->next, arg = arg->next) {
    Node value;
    if (!arg || param->kind != NODE_param) return stuck(e, call);
    if (!evaluate_expr(e, arg, &value)) return false;
    bind(e, param, &value);
  }
  e->frame = first;
  Flow flow = evaluate_statement(e, function->d);
  e->frame = frame;
  e->variables.count = first;
  if (flow == FLOW_STUCK && function->flags & FLAG_library) e->blame = call;
  if (flow != FLOW_RETURN || e->result.type != function->type) return stuck(e, call);
  *out = e->result;
  return true;
}

static bool binary(Evaluation *e, const Node *node, Node *out)
{
  Node a, b, both = {.kind = NODE_binary, .op = node->op, .type = node->type, .a = &a, .b = &b};
  both.span = node->span;
  if (!evaluate_expr(e, node->a, &a)) return false;
  uint32_t which;
  Integer first = integer_of_unsigned(a.bits), decided;
  if (op_is_lazy(node->op) && expr_decided(op_expr(node->op), first, &which, &decided)) {
    *out = a;
    out->bits = decided.magnitude;
    return true;
  }
  if (!evaluate_expr(e, node->b, &b)) return false;
  if (op_divides(node->op) && b.kind == NODE_int && !b.bits) {
    e->divides_by_zero |= !e->blame;
    return stuck(e, node);
  }
  if (type_is_literal(a.type)) return stuck(e, node);
  fold_binary(e->c, &both);
  *out = both;
  return fold_is_constant(out) || stuck(e, node);
}

/* table[1, 2] of a constant array */
static bool element(Evaluation *e, const Node *node, Node *out)
{
  enum { RANK_MAX = 8 };
  Node at[RANK_MAX] = {0}, index = {.kind = NODE_index, .a = node->a, .b = at};
  uint32_t count = 0;
  for (const Node *i = node->b; i; i = i->next) {
    if (count == RANK_MAX || !evaluate_expr(e, i, &at[count])) return stuck(e, node);
    at[count].next = NULL;
    if (count > 0) at[count - 1].next = &at[count];
    ++count;
  }
  const Node *known = fold_element(&index);
  if (!known || known->type != node->type) return stuck(e, node);
  out->kind = known->kind;
  out->bits = known->bits; /* or real */
  return true;
}

static bool work_out(Evaluation *e, const Node *node, Node *out)
{
  memset(out, 0, sizeof *out);
  out->kind = node->kind;
  out->op = node->op;
  out->flags = node->flags;
  out->span = node->span;
  out->type = node->type;
  Node a;
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_float:
  case NODE_bool: out->bits = node->bits; return true; /* or real */
  case NODE_name: {
    const Variable *variable = node->builtin ? NULL : find(e, node->decl);
    if (!variable) return stuck(e, node);
    *out = variable->value;
    return true;
  }
  case NODE_convert:
    if (!evaluate_expr(e, node->a, out)) return false;
    return fold_convert(e->c, out, node->type, node->bits) || stuck(e, node);
  case NODE_fast: return evaluate_expr(e, node->a, out);
  case NODE_unary:
    if (!evaluate_expr(e, node->a, &a)) return false;
    out->a = &a;
    fold_unary(e->c, out);
    return fold_is_constant(out) || stuck(e, node);
  case NODE_binary: return binary(e, node, out);
  case NODE_choose:
    if (!evaluate_expr(e, node->a, &a)) return false;
    return evaluate_expr(e, a.bits ? node->b : node->c, out);
  case NODE_index: return element(e, node, out);
  case NODE_call:
    if (!node->builtin) return call_function(e, node, out);
    if (node->builtin->form == FORM_intrinsic) return intrinsic(e, node, out);
    if (node->builtin->form != FORM_bit_cast) return stuck(e, node);
    if (!evaluate_expr(e, node->b, &a)) return false;
    fold_bit_cast(out, &a);
    return true;
  default: return stuck(e, node);
  }
}

static bool evaluate_expr(Evaluation *e, const Node *node, Node *out)
{
  bool is_scalar = node->type && type_is_scalar(node->type);
  if (!is_scalar || e->depth == DEPTH_MAX || ++e->steps > STEPS_MAX) return stuck(e, node);
  ++e->depth;
  bool is_known = work_out(e, node, out);
  --e->depth;
  return is_known;
}

/* ---- statements ---- */

static Flow let(Evaluation *e, Node *node)
{
  Node value = {.kind = NODE_int, .type = node->type};
  if (!node->type || !type_is_scalar(node->type)) return no_flow(e, node);
  if (node->b && !evaluate_expr(e, node->b, &value)) return FLOW_STUCK;
  if (!node->b && !fold_convert(e->c, &value, node->type, 0)) return no_flow(e, node);
  bind(e, node, &value);
  return FLOW_NEXT;
}

/* (a, b) = (b, a): all values are computed before the first one is bound or assigned. */
static Flow unpack(Evaluation *e, const Node *places, const Node *values, bool is_bound)
{
  uint32_t first = e->variables.count, count = 0;
  for (const Node *value = values; value; value = value->next, ++count) {
    Node known;
    if (!evaluate_expr(e, value, &known)) return FLOW_STUCK;
    bind(e, NULL, &known);
  }
  for (uint32_t i = first; places && i < first + count; places = places->next, ++i) {
    Variable *variable = is_bound                    ? &e->variables.at[i]
                         : places->kind == NODE_name ? find(e, places->decl)
                                                     : NULL;
    if (!variable || places->type != e->variables.at[i].value.type) return no_flow(e, places);
    variable->value = e->variables.at[i].value;
    if (is_bound) variable->decl = places;
  }
  if (!is_bound) e->variables.count = first;
  return FLOW_NEXT;
}

/* The tuple that an expression of choices selects, or NULL. */
static const Node *chosen(Evaluation *e, const Node *node)
{
  while (node->kind == NODE_choose) {
    Node value;
    if (!evaluate_expr(e, node->a, &value)) return NULL;
    node = value.bits ? node->b : node->c;
  }
  if (node->kind == NODE_tuple) return node;
  stuck(e, node);
  return NULL;
}

static Flow assign(Evaluation *e, const Node *node)
{
  if (node->a->kind == NODE_tuple && !node->op && !node->c) {
    const Node *tuple = chosen(e, node->b);
    return tuple ? unpack(e, node->a->a, tuple->a, false) : FLOW_STUCK;
  }
  Variable *variable = node->a->kind == NODE_name ? find(e, node->a->decl) : NULL;
  if (!variable || node->c) return no_flow(e, node);
  Node change = {.kind = NODE_binary, .op = node->op, .type = node->a->type}, value;
  change.span = node->span;
  change.a = node->a;
  change.b = node->b;
  if (node->op ? !binary(e, &change, &value) : !evaluate_expr(e, node->b, &value))
    return FLOW_STUCK;
  if (value.type != variable->value.type) return no_flow(e, node);
  variable->value = value;
  return FLOW_NEXT;
}

static bool is_below(const Node *a, const Node *b)
{
  return type_is_signed(a->type) ? (int64_t)a->bits < (int64_t)b->bits : a->bits < b->bits;
}

static Flow loop(Evaluation *e, Node *node)
{
  const Node *range = node->a;
  Node lo, hi, step = {.kind = NODE_int, .type = node->type, .bits = 1};
  if (range->kind != NODE_range || !node->type || !type_is_int(node->type)) return no_flow(e, node);
  if (!evaluate_expr(e, range->a, &lo) || !evaluate_expr(e, range->b, &hi) ||
      (range->c && !evaluate_expr(e, range->c, &step)))
    return FLOW_STUCK;
  Node zero = {.kind = NODE_int, .type = node->type};
  if (!is_below(&zero, &step)) step.bits = 1;
  uint32_t outer = e->variables.count;
  RangeOrder order = range->type->rank;
  bool more = order == RANGE_down ? is_below(&hi, &lo) : is_below(&lo, &hi);
  Node i = lo;
  if (order == RANGE_reversed) i.bits = hi.bits - 1 - (hi.bits - 1 - lo.bits) % step.bits;
  for (; more; i.bits = order == RANGE_up ? i.bits + step.bits : i.bits - step.bits) {
    bind(e, node, &i);
    Flow flow = evaluate_statement(e, node->b);
    e->variables.count = outer;
    if (flow == FLOW_BREAK) break;
    if (flow == FLOW_RETURN || flow == FLOW_STUCK) return flow;
    /* The distance to the end as an unsigned number: it always fits the width. */
    uint64_t left = order == RANGE_up         ? hi.bits - i.bits
                    : order == RANGE_reversed ? i.bits - lo.bits + 1
                                              : i.bits - hi.bits;
    more = left > step.bits;
  }
  return FLOW_NEXT;
}

static Flow repeat(Evaluation *e, Node *node)
{
  for (Node value; evaluate_expr(e, node->a, &value);) {
    if (!value.bits) return FLOW_NEXT;
    Flow flow = evaluate_statement(e, node->b);
    if (flow == FLOW_BREAK) return FLOW_NEXT;
    if (flow == FLOW_RETURN || flow == FLOW_STUCK) return flow;
  }
  return FLOW_STUCK;
}

static Flow execute(Evaluation *e, Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_block: {
    uint32_t outer = e->variables.count;
    Flow flow = FLOW_NEXT;
    for (Node *statement = node->a; statement && flow == FLOW_NEXT; statement = statement->next)
      flow = evaluate_statement(e, statement);
    e->variables.count = outer;
    return flow;
  }
  case NODE_constant:
    if (node->flags & FLAG_checked) return FLOW_NEXT;
    return no_flow(e, node);
  case NODE_alias:
  case NODE_static_assert: return FLOW_NEXT;
  case NODE_let:
  case NODE_var: return let(e, node);
  case NODE_unpack: {
    const Node *tuple = chosen(e, node->b);
    if (!tuple) return FLOW_STUCK;
    return unpack(e, node->a, tuple->a, true);
  }
  case NODE_assign: return assign(e, node);
  case NODE_if: {
    Node value;
    if (node->op || !evaluate_expr(e, node->a, &value)) return no_flow(e, node);
    if (value.bits) return evaluate_statement(e, node->b);
    return node->c ? evaluate_statement(e, node->c) : FLOW_NEXT;
  }
  case NODE_while: return repeat(e, node);
  case NODE_for: return loop(e, node);
  case NODE_break: return FLOW_BREAK;
  case NODE_continue: return FLOW_CONTINUE;
  case NODE_return: {
    Node value; /* not e->result, which the calls in the expression overwrite */
    if (!node->a) return no_flow(e, node);
    if (!evaluate_expr(e, node->a, &value)) return FLOW_STUCK;
    e->result = value;
    return FLOW_RETURN;
  }
  case NODE_evaluate: { /* assert(...) */
    const Node *call = node->a;
    bool is_assert = call->kind == NODE_call && call->builtin && call->builtin->form == FORM_assert;
    Node value;
    if (!is_assert || !evaluate_expr(e, call->b, &value)) return no_flow(e, node);
    return value.bits ? FLOW_NEXT : no_flow(e, node);
  }
  default: return no_flow(e, node);
  }
}

static Flow evaluate_statement(Evaluation *e, Node *node)
{
  if (e->depth == DEPTH_MAX || ++e->steps > STEPS_MAX) return no_flow(e, node);
  ++e->depth;
  Flow flow = execute(e, node);
  --e->depth;
  return flow;
}

/* ---- the interface ---- */

bool evaluate(Session *c, Node *node)
{
  if (fold_is_constant(node)) return true;
  Evaluation e = {.c = c};
  Node value;
  if (!evaluate_expr(&e, node, &value)) return false;
  value.flags &= FLAG_negative; /* the result isn't a literal in the source */
  Node *next = node->next;
  Span span = node->span;
  node_become(node, &value);
  node->span = span;
  node->next = next;
  return true;
}

void evaluate_data(Session *c, Node *node)
{
  if (fold_is_data(node) || evaluate(c, node)) return;
  Node *parts = node->kind == NODE_list || node->kind == NODE_tuple ? node->a
                : node->kind == NODE_call                           ? node->b
                                                                    : NULL;
  if (node->kind == NODE_convert) evaluate(c, node->a); /* a vector of a scalar */
  for (; parts; parts = parts->next) evaluate_data(c, parts);
}

bool evaluate_report(Session *c, const Node *node)
{
  Evaluation e = {.c = c};
  Node value;
  evaluate_expr(&e, node, &value);
  const Node *blame = e.blame ? e.blame : node;
  if (blame->type == c->types->poison) return false;
  diag_at(&c->diag, e.divides_by_zero ? DIAG_divide_by_zero : DIAG_not_constant, node->span);
  if (e.steps > STEPS_MAX)
    diag_note(&c->diag, DIAG_too_many_steps, node->span, (unsigned)STEPS_MAX);
  else if (blame->span.lo < node->span.lo || blame->span.hi > node->span.hi)
    diag_note(&c->diag, DIAG_not_before, blame->span);
  return !e.divides_by_zero;
}
