/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* effect.c - propagates effects from callees to callers: waiting, asking for the launch's shape.
 *
 * needs   all bodies checked; c->calls
 * gives   FLAG_waits, FLAG_grid, FLAG_dependent, FLAG_shaped and FLAG_scratch on functions and
 *         kernels
 * keeps   everything else
 * fails   with DIAG_waiting_recursion
 *
 * A function has an effect if it does it itself or calls a function that has it. The effects spread
 * backwards along the edges of the call graph by a work list; each function is visited once for
 * each effect, so the time is linear in the number of calls. Spreading is incremental, because
 * generic.c needs FLAG_shaped while bodies are still being checked: each step takes the calls and
 * the marks that are new.
 *
 *     calls         kernel k  -->  reduce  -->  warp_sum  -->  __shuffle
 *     FLAG_waits    kernel k  <--  reduce  <--  warp_sum
 *
 * Recursion through a function that waits is refused: on the host device a kernel is a coroutine
 * whose suspension points have to be in the kernel itself, so all calls that wait are inlined.
 */
#include "check/check_private.h"

enum { EFFECTS = FLAG_waits | FLAG_grid | FLAG_dependent | FLAG_shaped | FLAG_scratch };

struct Caller {
  Caller *next;
  Node *function;
};

Facts *facts_of(Session *c, Node *item)
{
  Facts *facts = item->gen;
  if (facts) return facts;
  facts = item->gen = NEW(&c->scratch, Facts);
  facts->item = item;
  facts->older = c->check->facts;
  c->check->facts = facts;
  return facts;
}

static void mark(Session *c, Node *function, uint32_t effects)
{
  if (!(effects & ~function->flags)) return;
  function->flags |= effects;
  vec_push(&c->scratch, &c->check->marked, function);
}

void effects_add(Session *c, uint32_t effects)
{
  mark(c, c->check->function, effects & EFFECTS);
}

static void link_calls(Session *c)
{
  for (; c->check->linked < c->calls.count; ++c->check->linked) {
    CallEdge edge = c->calls.at[c->check->linked];
    Caller *caller = NEW(&c->scratch, Caller);
    Facts *facts = facts_of(c, edge.callee);
    *caller = (Caller){facts->callers, edge.caller};
    facts->callers = caller;
    mark(c, edge.caller, edge.callee->flags & EFFECTS);
  }
}

void effects_spread(Session *c)
{
  link_calls(c);
  while (c->check->marked.count) {
    Node *function = c->check->marked.at[--c->check->marked.count];
    for (Caller *caller = facts_of(c, function)->callers; caller; caller = caller->next)
      mark(c, caller->function, function->flags & EFFECTS);
  }
}

/* Finds a cycle among the functions that wait, by a topological sort (Kahn): removes the functions
 * that call no other one that waits, then those that call only removed ones, and so on. What is
 * left is on a cycle or leads to one. */
static void find_recursion(Session *c)
{
  VEC(Node *) work = {0};
  for (uint32_t i = 0; i < c->calls.count; ++i)
    if (c->calls.at[i].callee->flags & FLAG_waits) ++facts_of(c, c->calls.at[i].caller)->waiting;
  for (uint32_t i = 0; i < c->calls.count; ++i) {
    Node *callee = c->calls.at[i].callee;
    if (!(callee->flags & FLAG_waits) || facts_of(c, callee)->waiting || callee->flags & FLAG_seen)
      continue;
    callee->flags |= FLAG_seen;
    vec_push(&c->scratch, &work, callee);
  }
  while (work.count) {
    Node *function = work.at[--work.count];
    for (Caller *caller = facts_of(c, function)->callers; caller; caller = caller->next)
      if (--facts_of(c, caller->function)->waiting == 0)
        vec_push(&c->scratch, &work, caller->function);
  }
  Node *found = NULL;
  for (uint32_t i = 0; i < c->calls.count; ++i) {
    CallEdge edge = c->calls.at[i];
    if (!(edge.callee->flags & FLAG_waits) || !facts_of(c, edge.callee)->waiting) continue;
    if (!facts_of(c, edge.caller)->waiting) continue;
    facts_of(c, edge.caller)->way = found = edge.callee;
  }
  /* Follows calls among the functions that are left until one is met a second time: it is on a
   * cycle. */
  for (Facts *facts; found && (facts = facts_of(c, found))->waiting; found = facts->way)
    facts->waiting = 0;
  if (!found) return;
  diag_at(&c->diag, DIAG_waiting_recursion, found->span, found->name->text);
  diag_hint(&c->diag, "Write a loop.");
}

void effects_forget(Session *c)
{
  for (Facts *facts = c->check->facts; facts; facts = facts->older) facts->callers = NULL;
  c->check->linked = 0;
}

void check_effects(Session *c)
{
  effects_spread(c);
  find_recursion(c);
  for (Facts *facts = c->check->facts; facts; facts = facts->older) facts->item->gen = NULL;
  c->check->facts = NULL;
}
