/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* overload.c - chooses the function that a call means, and puts it into the call.
 *
 * needs   the arguments' types
 * gives   call->decl, the function or instance that is called, with its arguments converted and in
 *         the order of the parameters
 * keeps   bodies: a called function's body is checked later (Check.pending)
 * fails   with DIAG_no_overload; with one candidate alone with what match.c reports
 *
 * The arguments get their types once. A candidate is viable if its compile-time parameters can be
 * inferred and each argument converts implicitly to its parameter (match.c). Of the viable ones the
 * best is chosen by, in this order: the lowest sum of conversion costs; the narrower parameter
 * types (T[N] before T, u32 before T: int); the narrower constraints; the earlier declaration.
 *
 *     fn f(x: u64)   fn f<T: int>(x: T)      f(1u32): the second, no conversion (the first costs 5)
 *
 * With one candidate alone its mismatch is reported at the argument; with several, all of them are
 * listed in notes.
 */
#include "check/check_private.h"

#include <string.h>

/* Reports an array that a function would write and that can't be assigned. */
static void check_written(Session *c, const Node *arg)
{
  const Node *root = arg;
  while (root->kind == NODE_index) root = root->a;
  const Node *decl = root->kind == NODE_name ? root->decl : NULL;
  if (decl && (decl->kind == NODE_var || decl->kind == NODE_shared)) return;
  diag_at(&c->diag, DIAG_not_assignable, arg->span);
  diag_hint(&c->diag, "An array that a function writes is a 'var' or 'shared'.");
}

/* The value of a parameter that the call leaves out. A default that leaves out the same parameter
 * never ends: FLAG_seen finds it. */
static Node *default_value(Session *c, Node *param, const Node *function)
{
  Node *value = node_copy(c->unit, param->b);
  if (param->flags & FLAG_seen) {
    if (!c->diag.error_count)
      diag_at(&c->diag, DIAG_default_cycle, param->b->span, function->name->text);
    value->type = c->types->poison;
    return value;
  }
  param->flags |= FLAG_seen;
  check_expr(c, value, param->type);
  param->flags &= ~(uint32_t)FLAG_seen;
  return value;
}

/* Puts the chosen function and its converted arguments into the call. */
static Type *finish(Session *c, Node *call, Match *match)
{
  Node *function = match->function;
  if (function->flags & FLAG_plan)
    function = plan_callee(c, function, match->bindings, match->binding_count, call);
  else if (match->binding_count)
    function = generic_instance(c, function, match->bindings, match->binding_count, call);
  if (!function) return poison(c, call);
  check_signature(c, function);
  check_required(c, function, call->span);
  if (!(function->flags & FLAG_checked)) vec_push(c->unit, &c->check->pending, function);
  uint32_t i = 0;
  Node **end = &call->b;
  call->b = NULL;
  for (Node *param = first_param(function); param; param = param->next, ++i) {
    Node *arg = match->args[i] ? match->args[i] : default_value(c, param, function);
    arg->next = NULL;
    if (arg->type->kind == TYPE_array && param->type->kind == TYPE_span &&
        param->type->access != OP_in)
      check_written(c, arg);
    convert_to(c, &arg, param->type);
    *end = arg;
    end = &arg->next;
  }
  check_shuffle(c, call, function);
  call->decl = function;
  call->builtin = NULL;
  CallEdge edge = {c->check->function, function};
  /* in launch(...) and in extents the host makes the call */
  if (c->check->function) vec_push(c->unit, &c->calls, edge);
  return call->type = function->type;
}

static const char *argument_types(Session *c, const Node *call)
{
  Buf text = BUF(&c->scratch);
  for (const Node *arg = call->b; arg; arg = arg->next) {
    bool is_named = arg->kind == NODE_argument;
    buf_printf(&text, "%s%s%s%s", arg == call->b ? "" : ", ", is_named ? arg->name->text : "",
               is_named ? " = " : "", type_text(is_named ? arg->a->type : arg->type));
  }
  return buf_text(&text);
}

Node *know_signature(Session *c, Node *candidate)
{
  if (!generic_params(candidate)) {
    candidate = generic_in_shape(c, candidate);
    check_signature(c, candidate);
  } else if (candidate->flags & FLAG_library && !(candidate->flags & FLAG_checking)) {
    /* Unification looks at the written types of its parameters: their names have to be resolved. */
    resolve_copy(c, candidate);
    candidate->flags |= FLAG_checking;
  }
  return candidate;
}

static bool is_open(const Node *written)
{
  const Node *decl = written->kind == NODE_name ? written->decl : NULL;
  return decl && (decl->kind == NODE_type_param || decl->kind == NODE_const_param);
}

enum { FIRST_NARROWER = 1, SECOND_NARROWER = 2 };

/* Which of two written parameter types accepts less; both bits, if each does in some part. T[N] is
 * narrower than T, u32 than T: int, and that than T: number. */
static unsigned compare_types(const Node *one, const Node *other)
{
  bool is_open_one = is_open(one), is_open_other = is_open(other);
  if (is_open_one != is_open_other) return is_open_one ? SECOND_NARROWER : FIRST_NARROWER;
  if (is_open_one) {
    int loose = check_looseness(one->decl), loose_other = check_looseness(other->decl);
    return loose == loose_other ? 0 : loose < loose_other ? FIRST_NARROWER : SECOND_NARROWER;
  }
  bool has_parts = one->kind == NODE_index || one->kind == NODE_instance;
  if (one->kind != other->kind || !(has_parts || one->kind == NODE_tuple)) return 0;
  unsigned narrower = has_parts ? compare_types(one->a, other->a) : 0;
  const Node *part = has_parts ? one->b : one->a, *match = has_parts ? other->b : other->a;
  for (; part && match; part = part->next, match = match->next)
    narrower |= compare_types(part, match);
  return narrower;
}

/* Parameters with a default don't count: f(v, init: T) is narrower than f(v, valid: u32 = N). */
static unsigned compare_parameters(const Match *one, const Match *other)
{
  unsigned narrower = 0;
  Node *const *arg = one->args;
  for (const Node *param = first_param(one->function); param; param = param->next, ++arg) {
    Node *const *same = other->args;
    for (const Node *p = first_param(other->function); p && *arg; p = p->next, ++same)
      if (*same == *arg && !param->b && !p->b) narrower |= compare_types(param->a, p->a);
  }
  return narrower;
}

/* Compares two viable candidates: by cost, by narrower parameters, then by narrower constraints if
 * both have as many compile-time parameters or one has none. If all are equal, the first declared
 * wins. */
static bool is_better(const Match *match, const Match *best)
{
  if (match->cost != best->cost) return match->cost < best->cost;
  unsigned narrower = compare_parameters(match, best);
  if (narrower == FIRST_NARROWER || narrower == SECOND_NARROWER) return narrower == FIRST_NARROWER;
  const Node *one = generic_params(match->function), *other = generic_params(best->function);
  if (one && other && node_count(one) != node_count(other)) return false;
  int looseness = 0;
  for (; one; one = one->next) looseness += check_looseness(one);
  for (; other; other = other->next) looseness -= check_looseness(other);
  return looseness < 0;
}

/* Does the function take memory? Then it can't be applied to a vector's components one by one. */
static bool takes_memory(const Node *function)
{
  for (const Node *param = first_param(function); param; param = param->next)
    if (param->a && is_place_type(param->a)) return true;
  return false;
}

/* The literal that is too large for each candidate whose other arguments fit: then the literal is
 * the mistake, not the choice of the function. */
typedef struct Misfit {
  Node *literal;
  Type *type;
  bool is_several;
} Misfit;

static void note_misfit(Misfit *common, const Match *match)
{
  if (!match->misfit) return;
  common->is_several |=
      common->literal && (common->literal != match->misfit || common->type != match->too_small);
  common->literal = match->misfit;
  common->type = match->too_small;
}

Type *check_chosen(Session *c, Node *call, Node *const *chains, unsigned count, Node *explicit_args,
                   Type *hint, bool is_loud)
{
  bool is_one = count == 1 && !resolve_overload(c, chains[0], call->span);
  bool is_each = is_loud && chains[0]->flags & FLAG_library && check_is_each(call) &&
                 !takes_memory(know_signature(c, chains[0]));
  Match matches[2], *best = NULL, *match = matches; /* not cleared, because they are large */
  Misfit common = {.literal = NULL};
  /* The first round takes the expected type for literals, whatever the constraints allow: max(1, 2)
   * for an f32 is max of f32. The second takes it only where a constraint allows it: f32(at(0))
   * calls an `at` of integers. */
  for (bool is_last = is_one || !hint;; is_last = true) {
    for (unsigned i = 0; i < count && !best; ++i) {
      for (Node *candidate = chains[i]; candidate;
           candidate = resolve_overload(c, candidate, call->span)) {
        match->function = know_signature(c, candidate);
        match->is_last_try = is_last;
        if (!match_fits(c, call, explicit_args, match, hint, is_loud && is_one && !is_each)) {
          note_misfit(&common, match);
          continue;
        }
        if (best && !is_better(match, best)) continue;
        best = match;
        match = &matches[best == matches];
      }
    }
    if (best || is_last) break;
  }
  if (best) return finish(c, call, best);
  if (!is_loud) return NULL;
  if (is_each) return check_each(c, call, chains, count, explicit_args, hint);
  for (const Node *arg = explicit_args; arg; arg = arg->next)
    if (arg->kind == NODE_poison) return poison(c, call);
  if (!is_one && common.literal && !common.is_several) {
    convert_to(c, &common.literal, common.type);
  } else if (!is_one) {
    diag_at(&c->diag, DIAG_no_overload, call->span, chains[0]->name->text, argument_types(c, call));
    bool takes_float = false;
    for (unsigned i = 0; i < count; ++i)
      for (Node *candidate = chains[i]; candidate;
           candidate = resolve_overload(c, candidate, call->span)) {
        diag_note(&c->diag, DIAG_candidate, candidate->span, match_signature(c, candidate));
        const Node *param = first_param(candidate);
        takes_float |= param && !param->next && param->type && type_is_float(param->type);
      }
    const Node *first = call->b;
    if (first && first->kind == NODE_argument) first = first->a;
    if (first && !call->b->next && type_is_int(first->type) && takes_float)
      diag_hint(&c->diag, "Convert the argument: %s(f32(%s)).", chains[0]->name->text,
                short_text(c, first));
  }
  return poison(c, call);
}
