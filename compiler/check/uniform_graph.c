/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* uniform_graph.c - the graph of a function's values, along which levels of divergence flow.
 *
 * needs   nothing
 * gives   nodes (Val) of values; what a variable holds at the current place; the least levels that
 *         all edges allow
 * keeps   the tree, but that decl->gen is used
 * fails   never
 *
 *     var s = 0;                           s = 0 ---> phi <--------+
 *     for i in 0..n { s = s + x[i]; }                  |           |
 *                                                      +---> s + x[i] <--- x
 *
 * A variable holds one node at a time (Var.now), and an assignment makes the next one. A loop is
 * walked once. A read of a variable from outside makes a phi, whose second operand is added when
 * the loop is closed. A variable of which a span or pointer is kept has one node for all times
 * (Var.cell). view_find marks these before the walk over the body, since an assignment may come
 * before the place where the span is made.
 *
 * val_flow raises levels by a work list, as sparse constant propagation does, until nothing rises.
 */
#include "check/uniform.h"
#include "front/builtin.h"

#include <string.h>

/* ---- the graph ---- */

Val *val_new(Uniform *u, ValKind kind, const Node *node, Level level)
{
  Val *val = NEW(&u->arena, Val);
  *val = (Val){.kind = kind, .node = node, .level = (uint8_t)level, .cap = LANE};
  if (level) vec_push(&u->arena, &u->work, val);
  return val;
}

void val_add_edge(Uniform *u, Val *from, Val *to)
{
  if (!from) return;
  Edge *edge = NEW(&u->arena, Edge);
  *edge = (Edge){from->edges, to};
  from->edges = edge;
}

Val *val_join(Uniform *u, Val *a, Val *b)
{
  if (!a || a == b) return b;
  if (!b) return a;
  Val *val = val_new(u, VAL_plain, NULL, EVERYWHERE);
  val_add_edge(u, a, val);
  val_add_edge(u, b, val);
  return val;
}

Val *val_from(Uniform *u, ValKind kind, const Node *node, Val *from)
{
  if (!from) return NULL;
  Val *val = val_new(u, kind, node, EVERYWHERE);
  val_add_edge(u, from, val);
  return val;
}

Val *val_part(Val *val, const Type *type, uint32_t i)
{
  bool is_known = val && val->part_count && val->part_count == type->count && i < type->count;
  return is_known ? val->parts[i] : val;
}

void val_take_parts(Uniform *u, Val *val, Val *const *parts, uint32_t count)
{
  val->part_count = count;
  val->parts = NEW_ARRAY(&u->arena, Val *, count + 1);
  for (uint32_t i = 0; i < count; ++i) val->parts[i] = parts[i];
}

Val *val_whole(Uniform *u, Val *val)
{
  return val && val->part_count ? val_from(u, VAL_plain, NULL, val) : val;
}

static bool raise(Val *to, const Val *from)
{
  uint8_t level = from->level > to->level ? from->level : to->level;
  uint64_t params = from->params | to->params;
  uint16_t roles = from->roles | to->roles;
  if (to->cap < LANE) { /* an assertion, such as block.uniform(x), bounds the level */
    if (params || level > to->cap) level = to->cap;
    params = 0;
    if (to->cap <= PART) roles = 0;
  }
  if (level == to->level && params == to->params && roles == to->roles) return false;
  if (level != to->level || !to->from) to->from = from;
  to->level = level;
  to->params = params;
  to->roles = roles;
  return true;
}

void val_flow(Uniform *u)
{
  while (u->work.count) {
    Val *val = u->work.at[--u->work.count];
    val->is_queued = false;
    for (const Edge *edge = val->edges; edge; edge = edge->next) {
      if (!raise(edge->to, val) || edge->to->is_queued) continue;
      edge->to->is_queued = true;
      vec_push(&u->arena, &u->work, edge->to);
    }
  }
}

void val_trace_role(Uniform *u, const Role *role)
{
  u->work.count = 0;
  vec_push(&u->arena, &u->work, role->condition);
  for (size_t i = 0; i < u->work.count; ++i) { /* breadth first: the shortest way */
    u->work.at[i]->is_queued = true;
    for (const Edge *edge = u->work.at[i]->edges; edge; edge = edge->next) {
      Val *to = edge->to;
      if (!(to->roles >> role->number & 1) || to->level > PART || to->is_queued) continue;
      to->is_queued = true;
      to->from = u->work.at[i];
      vec_push(&u->arena, &u->work, to);
    }
  }
  while (u->work.count) u->work.at[--u->work.count]->is_queued = false;
}

/* ---- variables ---- */

static Var *var_of(Uniform *u, Node *decl)
{
  if (decl->gen) return decl->gen;
  decl->gen = NEW(&u->arena, Var);
  vec_push(&u->arena, &u->declared, decl);
  return decl->gen;
}

void var_declare(Uniform *u, Node *decl, Val *value)
{
  Var *var = var_of(u, decl);
  *var = (Var){.now = value, .cell = var->cell, .whose = var->whose, .loop = u->loop};
  if (var->cell) val_add_edge(u, value, var->cell);
}

/* Reads a variable. In a loop, a variable that was assigned outside gets a phi at the loop's head,
 * and so on outwards: a previous iteration may have changed it. */
Val *var_read(Uniform *u, Node *decl, Loop *loop)
{
  Var *var = decl->gen;
  if (!var) return NULL;
  if (var->cell) return var->cell;
  if (var->loop == loop || !loop || decl->kind == NODE_let) return var->now;
  Val *outer = var_read(u, decl, loop->outer), *phi = val_new(u, VAL_plain, NULL, EVERYWHERE);
  val_add_edge(u, outer, phi);
  Phi entry = {decl, outer, phi};
  vec_push(&u->arena, &loop->phis, entry);
  var->now = phi;
  var->loop = loop;
  return phi;
}

void var_assign(Uniform *u, Node *decl, Val *value)
{
  Var *var = decl->gen;
  if (!var) return;
  if (var->cell) {
    val_add_edge(u, value, var->cell);
    val_add_edge(u, u->control, var->cell);
    return;
  }
  Change old = {decl, var_read(u, decl, u->loop)};
  vec_push(&u->arena, &u->log, old);
  var->now = value;
  Change change = {decl, value};
  if (u->loop) vec_push(&u->arena, &u->loop->changes, change);
}

Val *var_value(Uniform *u, const Node *place, const Node *decl, Val *value)
{
  Val *val = val_from(u, VAL_variable, place, value);
  if (!val) return NULL;
  val->name = decl->name->text;
  val_take_parts(u, val, value->parts, value->part_count);
  for (uint32_t i = 0; i < val->part_count; ++i)
    val->parts[i] = var_value(u, place, decl, val->parts[i]);
  return val;
}

/* ---- views: spans and pointers of variables ---- */

Node *view_base(const Node *node)
{
  while (node->kind == NODE_index || node->kind == NODE_member || node->kind == NODE_convert) {
    node = node->a;
    if (!node->type || node->type->kind == TYPE_pointer) return NULL;
  }
  if (node->kind != NODE_name || node->builtin || !node->decl) return NULL;
  Node *decl = node->decl;
  if (decl->kind == NODE_param) return decl;
  if ((decl->kind != NODE_var && decl->kind != NODE_let) || !decl->type) return NULL;
  const Var *var = decl->gen;
  return decl->type->kind != TYPE_span ? decl : var ? var->whose : NULL;
}

void view_write(Uniform *u, const Node *place, Node *decl, Val *value)
{
  if (decl->kind == NODE_var)
    var_assign(
        u, decl,
        var_value(u, place, decl, val_whole(u, val_join(u, value, var_read(u, decl, u->loop)))));
  if (decl->kind != NODE_param) return;
  unsigned i = 0;
  for (const Node *param = u->function->b; param != decl; param = param->next)
    i += param->kind == NODE_param;
  if (u->function->kind != NODE_function || i >= PARAMS_MAX) return;
  if (!u->written[i]) u->written[i] = val_new(u, VAL_plain, NULL, EVERYWHERE);
  val_add_edge(u, value, u->written[i]);
  val_add_edge(u, u->control, u->written[i]);
  val_add_edge(u, u->returns, u->written[i]); /* threads that have left the function don't write */
}

/* A span or pointer to `place` is kept. Where in the body it is kept is not looked at. `is_lost`:
 * writes through it are not tracked. */
static void view_keep(Uniform *u, const Node *place, bool is_lost)
{
  Node *decl = view_base(place);
  if (!decl) return;
  Val *unknown = is_lost ? val_new(u, VAL_source, place, LANE) : NULL;
  if (decl->kind == NODE_param) {
    if (is_lost && decl->type->kind == TYPE_span) view_write(u, place, decl, unknown);
    return;
  }
  Var *var = var_of(u, decl);
  if (!var->cell) var->cell = val_new(u, VAL_variable, decl, EVERYWHERE);
  var->cell->name = decl->name->text;
  val_add_edge(u, unknown, var->cell);
}

static bool is_span(const Node *node)
{
  return node->type && node->type->kind == TYPE_span;
}

static void find_views_of(Uniform *u, Node *list)
{
  for (; list; list = list->next) view_find(u, list);
}

/* Visits the operands of slices below `node`. The slices themselves are only read here: no view is
 * kept. */
static void find_views_below(Uniform *u, Node *node)
{
  for (; is_span(node) && (node->kind == NODE_index || node->kind == NODE_convert); node = node->a)
    if (node->kind == NODE_index) find_views_of(u, node->b);
  if (node->kind != NODE_name) view_find(u, node);
}

/* A span argument is not a kept view: the callee's summary says what is written to it. It is one if
 * the call's result may hold a span, or if the callee is not known. */
static void find_call_views(Uniform *u, Node *call)
{
  const Type *type = call->type;
  bool gives_none = !type || type->kind == TYPE_none || type->kind == TYPE_range || type->is_data;
  bool is_plain = call->decl && !call->builtin && call->decl->d && gives_none;
  view_find(u, call->a);
  for (Node *arg = call->b; arg; arg = arg->next)
    if (is_plain && is_span(arg)) find_views_below(u, arg);
    else view_find(u, arg);
  if (call->builtin && call->builtin->form == FORM_address) view_keep(u, call->b, true);
}

void view_find(Uniform *u, Node *node)
{
  if (!node) return;
  switch ((NodeKind)node->kind) {
  case NODE_call: find_call_views(u, node); return;
  case NODE_lambda: find_views_of(u, node->c); return;
  case NODE_let:
  case NODE_var:
    if (!is_span(node) || !node->b || !view_base(node->b)) break; /* b: none of a part of a tuple */
    view_keep(u, node->b, false);
    var_of(u, node)->whose = view_base(node->b);
    find_views_below(u, node->b);
    return;
  case NODE_index:
  case NODE_member:
    if (is_span(node)) break;
    find_views_below(u, node->a); /* read for an element or for its length */
    if (node->kind == NODE_index) find_views_of(u, node->b);
    return;
  default: break;
  }
  if (is_span(node)) view_keep(u, node, node->type->access != OP_in);
  for (unsigned i = 0; i < node_width(node); ++i) find_views_of(u, node->children[i]);
}
