/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* uniform_check.c - what collectives demand of the control around calls and of arguments.
 *
 * needs   at a call: its control and arguments, as nodes; the callee's summary. At the end of a
 *         function: the levels of all nodes
 * gives   the checks of a function (Demand), and in its summary those that its callers have to take
 * keeps   the tree
 * fails   as uniform.c says
 *
 * A check is a node and the highest level that a collective allows it. A summary keeps the
 * strictest check of control, and for each parameter the strictest of those that depend on it:
 *
 *     fn f(n: u32) { if (n > 3) warp.sync(); block.sync(); }    control BLOCK, n WARP
 *     if (warp.rank == 0) f(1);                                 error: control has WARP
 *     f(thread.rank);                                           error: the argument has LANE
 *
 * The library's own collectives are right: of their checks (is_library) no error is made in the
 * library. They are kept apart, so that those of a lambda that the library calls are not hidden.
 */
#include "check/uniform.h"

#include <string.h>

/* ---- at a call ---- */

Level uniform_tile(uint64_t lanes)
{
  return lanes >= 32 ? WARP : lanes == 16 ? TILE : TILE + (lanes == 8 ? 1 : lanes == 4 ? 2 : 3);
}

bool uniform_is_collective(const Node *function)
{
  return function->flags & (FLAG_waits | FLAG_together);
}

/* The group whose threads call a method together. */
static bool collective_limit(const Node *function, Level *out)
{
  const Node *receiver = receiver_of(function);
  if (!receiver || !uniform_is_collective(function)) return false;
  const char *group = receiver->name->text;
  if (!strcmp(group, "warp.tile")) *out = uniform_tile(generic_params(function)->b->bits);
  else
    *out = !strcmp(group, "grid")         ? EVERYWHERE
           : !strcmp(group, "cluster")    ? CLUSTER
           : !strcmp(group, "block")      ? BLOCK
           : !strcmp(group, "warp")       ? WARP
           : !strcmp(group, "block.part") ? PART
                                          : LANE;
  return *out != LANE;
}

Role uniform_role(const Node *method)
{
  const Node *first = generic_params(method), *warps = first->next;
  return (Role){.first = (uint8_t)first->b->bits,
                .warps = (uint8_t)warps->b->bits,
                .number = (uint8_t)warps->next->b->bits};
}

static void add_check(Uniform *u, Demand check)
{
  if (check.value) vec_push(&u->arena, &u->checks, check);
}

/* "worker.sync" of a call worker.sync(): a role's type has no name that a program knows. */
static const char *collective_text(Session *c, const Node *call, Level limit)
{
  if (limit != PART) return generic_text(c, call->decl);
  const char *text = source_text(&c->sources, call->span);
  size_t bytes = call->span.hi - call->span.lo, name = 0;
  while (name < bytes && text[name] != '(') ++name;
  return arena_strndup(c->unit, text, name);
}

/* Control at a call has at most the level of a collective. */
static void add_control_check(Uniform *u, Demand check)
{
  Val *control = val_from(u, VAL_plain, NULL, val_join(u, u->control, u->returns));
  check.value = control ? control : val_new(u, VAL_plain, NULL, EVERYWHERE);
  add_check(u, check);
}

/* A check in a function, as one of a call of that or of an argument. */
static Demand check_within(const Demand *check, const Node *call)
{
  return (Demand){.limit = check->limit,
                  .role = check->role,
                  .call = call,
                  .what = check->what,
                  .inner = check->inner ? check->inner : check->call,
                  .is_library = check->is_library};
}

void uniform_check_call(Uniform *u, Node *call, const Summary *callee, Val *const *args)
{
  bool in_library = u->function->flags & FLAG_library;
  Demand check = {.call = call, .limit = LANE, .is_library = in_library};
  bool is_method = collective_limit(call->decl, &check.limit);
  if (is_method) {
    if (check.limit == PART) check.role = uniform_role(call->decl);
    add_control_check(u, check);
  }
  if (callee && callee->check) add_control_check(u, check_within(callee->check, call));
  if (callee && callee->library_check && in_library && !is_method)
    add_control_check(u, check_within(callee->library_check, call));
  unsigned i = 0;
  bool has_args = callee && callee->param_checks;
  for (Node *arg = call->b; has_args && arg && i < PARAMS_MAX; arg = arg->next, ++i) {
    const Demand *inner = callee->param_checks[i];
    if (!inner) continue;
    bool is_number = type_is_int(arg->type) || arg->type->kind == TYPE_bool;
    if (inner->is_library && !in_library && (!is_method || !is_number)) continue;
    Demand of_arg = check_within(inner, arg);
    of_arg.value = args[i];
    of_arg.is_library &= in_library;
    of_arg.is_argument = true;
    add_check(u, of_arg);
  }
}

/* ---- at the end of a function ---- */

/* A role that has decided about a value on which a collective of `role` depends. NULL: none, or all
 * warps of `role` belong to it, or none does. Without warps `role` stands for several roles. */
static const Role *role_between(const Uniform *u, const Demand *check)
{
  Role role = check->role;
  for (unsigned i = 1; i <= ROLES_MAX && check->limit == PART; ++i) {
    const Role *other = &u->roles[i];
    if (!(check->value->roles >> i & 1)) continue;
    int ahead = role.first - other->first, behind = other->first + other->warps - role.first;
    bool has_all = ahead >= 0 && behind >= role.warps;
    bool has_none = behind <= 0 || ahead + role.warps <= 0;
    if (!role.warps || (!has_all && !has_none)) return other;
  }
  return NULL;
}

static Demand *keep_check(Uniform *u, Demand *check)
{
  Demand *kept = NEW(u->c->unit, Demand);
  if (!check->what) check->what = collective_text(u->c, check->call, check->limit);
  *kept = *check;
  return kept;
}

/* Keeps what a function demands of its parameters. What the library's own collectives demand gives
 * way to what the program's do. */
static void keep_param_check(Uniform *u, Summary *summary, unsigned k, Demand *check)
{
  if (!summary->param_checks)
    summary->param_checks = NEW_ARRAY(u->c->unit, const Demand *, PARAMS_MAX);
  const Demand *old = summary->param_checks[k];
  bool is_stricter = !old || check->limit < old->limit;
  if (old && old->is_library != check->is_library) is_stricter = old->is_library;
  bool has_more = old && check->limit == PART && old->limit == PART &&
                  (old->role.first != check->role.first || old->role.warps != check->role.warps);
  if (!is_stricter && !has_more) return;
  Demand *kept = keep_check(u, check);
  if (has_more) kept->role.warps = 0;
  summary->param_checks[k] = kept;
}

void uniform_check_function(Uniform *u, Summary *summary)
{
  const Node *last = NULL; /* a condition is reported once */
  for (size_t i = 0; i < u->checks.count; ++i) {
    Demand *check = &u->checks.at[i];
    const Demand **most = check->is_library ? &summary->library_check : &summary->check;
    if (!check->is_argument && (!*most || check->limit < (*most)->limit))
      *most = keep_check(u, check);
    for (unsigned k = 0; check->value->params && k < PARAMS_MAX; ++k)
      if (check->value->params >> k & 1) keep_param_check(u, summary, k, check);
    if (check->is_library) continue;
    const Role *other = check->value->level <= check->limit ? role_between(u, check) : NULL;
    if (other) val_trace_role(u, other);
    if (other || check->value->level > check->limit) {
      const Val *val = check->value;
      if (!check->what) check->what = collective_text(u->c, check->call, check->limit);
      while (val->from && val->kind != VAL_condition) val = val->from;
      if (!last || val->node != last) uniform_report(u, check);
      last = val->node;
    }
  }
}
