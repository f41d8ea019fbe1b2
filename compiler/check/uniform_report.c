/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* uniform_report.c - explains why a collective may be reached by a part of its group.
 *
 * needs   the levels of all nodes; from, the node that raised each last
 * gives   an error, notes and a hint
 * keeps   everything
 *
 * The error is at the condition, the notes follow the links `from` back to the source:
 *
 *     let t = x[thread.x];   4. 't' gets its value here  5. 'thread.x' differs between threads
 *     let u = t + 1;         3. 'u' gets its value here
 *     if (u > 0)             1. error: not all threads of the block come to 'block.sync'
 *       block.sync();        2. 'block.sync' is called here
 */
#include "check/uniform.h"

#include <string.h>

/* ---- messages ---- */

static const char *group_text(Level limit)
{
  static const char *const texts[] = {"grid", "cluster", "block", "role", "warp"};
  return limit < COUNT_OF(texts) ? texts[limit] : "tile";
}

static const char *parts_text(Level level)
{
  static const char *const texts[] = {"", "clusters", "blocks", "roles", "warps"};
  return level < COUNT_OF(texts) ? texts[level] : level == LANE ? "threads" : "tiles of a warp";
}

/* What a value differs between: for a role, that is the warps of another one. */
static const char *difference(const Demand *check, const Val *val)
{
  return parts_text(val->level > check->limit ? (Level)val->level : WARP);
}

static const char *node_text(Session *c, const Node *node)
{
  enum { TEXT_MAX = 40 };
  uint32_t len = node->span.hi - node->span.lo;
  return arena_strndup(c->unit, source_text(&c->sources, node->span),
                       len < TEXT_MAX ? len : TEXT_MAX);
}

/* Adds the notes that explain a level: the variables on the way back from `val`, and the source. */
static void tell_why(Uniform *u, const Val *val)
{
  enum { NOTES_MAX = 6, STEPS_MAX = 10000 };
  unsigned notes = 0;
  const Node *last = NULL;
  for (unsigned steps = 0; val && notes < NOTES_MAX && steps < STEPS_MAX;
       val = val->from, ++steps) {
    bool is_source = (val->kind == VAL_source && !val->from) || val->kind == VAL_memory;
    if (val->node == last) continue;
    if (val->kind != VAL_variable && val->kind != VAL_condition && !is_source) continue;
    /* a variable that the compiler made */
    if (val->kind == VAL_variable && *val->name == '.') continue;
    last = val->node;
    ++notes;
    if (val->kind == VAL_memory)
      diag_note(&u->c->diag, DIAG_written_between, val->node->span, node_text(u->c, val->node));
    else if (is_source)
      diag_note(&u->c->diag, DIAG_differs, val->node->span, node_text(u->c, val->node),
                parts_text((Level)val->level));
    else if (val->kind == VAL_variable)
      diag_note(&u->c->diag, DIAG_gets_value, val->node->span, val->name);
    else diag_note(&u->c->diag, DIAG_under_condition, val->node->span);
  }
}

/* What a condition is made of, which decides the hint. A loaded value or a function's result may be
 * uniform without the compiler's knowledge, so the hint may offer an assertion. An index of a
 * thread can't be. */
typedef struct Made {
  /* In a function, parameters differ between threads; in a kernel they are uniform. */
  bool is_function;
  bool has_value;       /* it has a load or a call */
  bool has_warp_number; /* thread.x / 32, thread.rank >> 5 */
} Made;

static bool is_thread_number(Session *c, const Node *node)
{
  while (node->kind == NODE_convert) node = node->a;
  if (node->kind == NODE_name && node->decl && node->decl->kind == NODE_let && node->decl->b)
    return is_thread_number(c, node->decl->b);
  const char *text = node_text(c, node);
  return !strcmp(text, "thread.x") || !strcmp(text, "thread.rank");
}

/* Is the text an index of a thread or warp, or a shuffle or scan, whose result differs in each
 * lane? */
static bool is_own(const Node *node, const char *text)
{
  static const char *const places[] = {"thread.x",         "thread.y",         "thread.z",
                                       "thread.rank",      "warp.lane",        "warp.rank",
                                       "grid.thread_rank", "block.thread_rank"};
  static const char *const calls[] = {"warp.shuffle", "warp.inclusive_", "warp.exclusive_"};
  for (size_t i = 0; i < COUNT_OF(places); ++i)
    if (!strcmp(text, places[i])) return true;
  for (size_t i = 0; i < COUNT_OF(calls); ++i)
    if (node->kind == NODE_call && !strncmp(text, calls[i], strlen(calls[i]))) return true;
  return false;
}

static void find_made(Session *c, const Node *node, unsigned depth, Made *out)
{
  enum { DEPTH_MAX = 64, WARP_LANES = 32, WARP_BITS = 5 };
  if (!node || depth == DEPTH_MAX) return;
  if (node->span.hi > node->span.lo && is_own(node, node_text(c, node))) return;
  out->has_value |= node->kind == NODE_index || node->kind == NODE_call;
  if (node->kind == NODE_binary && node->b->kind == NODE_int && is_thread_number(c, node->a))
    out->has_warp_number |= (node->op == OP_div && node->b->bits == WARP_LANES) ||
                            (node->op == OP_shr && node->b->bits == WARP_BITS);
  if (node->kind == NODE_name && node->decl) {
    bool is_let = node->decl->kind == NODE_let && node->decl->b;
    out->has_value |=
        node->decl->kind == NODE_var || (out->is_function && node->decl->kind == NODE_param);
    if (is_let) find_made(c, node->decl->b, depth + 1, out);
  }
  for (unsigned i = 0; i < node_width(node); ++i)
    for (const Node *part = node->children[i]; part; part = part->next)
      find_made(c, part, depth + 1, out);
}

/* Does the condition follow the word `if`? */
static bool is_behind_if(Session *c, const Node *condition)
{
  const Source *source = source_of(&c->sources, condition->span.lo);
  const char *at = source ? source->text + (condition->span.lo - source->base) : "";
  while (source && at > source->text && strchr(" \t\n(", at[-1])) --at;
  return source && at - source->text >= 2 && !memcmp(at - 2, "if", 2);
}

static void hint_way(Uniform *u, const Demand *check, const Node *condition, bool is_left)
{
  Session *c = u->c;
  Made made = {.is_function = u->function->kind != NODE_kernel};
  const char *group = group_text(check->limit);
  find_made(c, condition, 0, &made);
  if (uniform_is_role(condition)) {
    const char *name = node_text(c, condition);
    diag_hint(&c->diag, "In a role, %.*s.sync() waits for its own warps.", (int)strcspn(name, "("),
              name);
    return;
  }
  if (made.has_warp_number && check->limit == WARP) {
    diag_hint(&c->diag, "Write warp.rank for the warp's number: it is the same in a warp.");
  } else if (made.has_value && (check->limit == BLOCK || check->limit == WARP)) {
    diag_hint(&c->diag,
              "Let all threads come to it; or, if the condition is the same in the %s, say "
              "so: %s.uniform(...).",
              group, group);
  } else if (is_left) {
    diag_hint(&c->diag, "Let all threads come to it: none may leave before it.");
  } else if (is_behind_if(c, condition)) {
    diag_hint(&c->diag, "Let all threads come to it: move it out of the 'if'.");
  } else {
    diag_hint(&c->diag, "Let all threads come to it, equally often.");
  }
}

/* The library decides by what differs whether it calls a function of the program: the error is at
 * the collective in that. */
static void report_in_library(Uniform *u, const Demand *check)
{
  Session *c = u->c;
  const Val *val = check->value;
  vec_push(&c->scratch, &u->refused, check->inner->span);
  diag_at(&c->diag, DIAG_divergent, check->inner->span, group_text(check->limit), check->what,
          difference(check, val));
  while (val->from && val->kind != VAL_condition) val = val->from;
  if (val->kind == VAL_condition) diag_note(&c->diag, DIAG_under_condition, val->node->span);
  tell_why(u, val->kind == VAL_condition ? val->from : val);
  diag_hint(&c->diag,
            "The library calls this function in some threads only: call '%s' outside of it.",
            check->what);
}

void uniform_report(Uniform *u, const Demand *check)
{
  Session *c = u->c;
  const Val *val = check->value, *leaves = NULL;
  const char *group = group_text(check->limit);
  if (u->function->flags & FLAG_library) {
    report_in_library(u, check);
    return;
  }
  if (check->is_argument) {
    /* An argument of a call in the library decides about it: that has been said. */
    for (size_t i = 0; i < u->refused.count; ++i)
      if (!memcmp(&u->refused.at[i], &check->inner->span, sizeof(Span))) return;
    diag_at(&c->diag, DIAG_divergent_argument, check->call->span, difference(check, val),
            check->what, group);
    diag_note(&c->diag, DIAG_waits_here, check->inner->span, check->what);
    tell_why(u, val);
    Made made = {.is_function = u->function->kind != NODE_kernel};
    find_made(c, check->call, 0, &made);
    if (made.has_value && (check->limit == BLOCK || check->limit == WARP))
      diag_hint(&c->diag, "If it is the same in the %s, say so: %s.uniform(...).", group, group);
    return;
  }
  while (val->from && val->kind != VAL_condition) {
    if (val->kind == VAL_jump) leaves = val;
    val = val->from;
  }
  const Node *place = val->kind == VAL_condition ? val->node : check->call;
  diag_at(&c->diag, DIAG_divergent, place->span, group, check->what, difference(check, val));
  if (leaves) diag_note(&c->diag, DIAG_leaves_here, leaves->node->span);
  diag_note(&c->diag, DIAG_waits_here, check->call->span, check->what);
  if (check->inner) diag_note(&c->diag, DIAG_waits_here, check->inner->span, check->what);
  tell_why(u, val->kind == VAL_condition ? val->from : val);
  hint_way(u, check, place, leaves != NULL);
}
