/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* uniform.c - refuses a collective that only some threads of its group may reach.
 *
 * A barrier, or any operation for which the threads of a group meet, hangs or gives garbage if a
 * condition that differs within the group decides who comes to it. This pass is a divergence
 * analysis: it computes for each value between which groups of threads it may differ, and compares
 * the conditions around each collective with the collective's group.
 *
 * needs   all bodies checked; c->calls; which methods of groups are collectives: FLAG_waits (it
 *         reaches a barrier, effect.c), FLAG_together (all of the group call it, nobody waits)
 * gives   nothing: the tree is as it was
 * keeps   the tree, but that decl->gen is used and cleared
 * fails   with DIAG_divergent, for control, and DIAG_divergent_argument, for an argument that
 *         decides about a collective in the callee
 *
 * The lattice is a chain of levels, from uniform to divergent:
 *
 *     EVERYWHERE < CLUSTER < BLOCK < PART < WARP < TILE of 16 lanes < of 8 < of 4 < of 2 < LANE
 *
 *     let i = block.id.x;            BLOCK: may differ between blocks, the same within one
 *     split { a(warps = 1) { ... }   PART: the same within a role of a split
 *     let w = warp.rank;             WARP
 *     if (thread.x < 8) block.sync();    error: the condition has LANE, the limit is BLOCK
 *     if (block.uniform(x[w] > 0)) block.sync();    right: an assertion caps its argument's level
 *
 * A collective of a group with level L needs control of at most L. Each function becomes a graph
 * whose nodes (Val) are values, callees before callers. As in SSA form, each assignment to a
 * variable makes a node, and nodes are joined behind branches and at the heads of loops. Edges are
 * dependences: from an operand to the result (data), from a condition to the variables that are
 * assigned under it (a join, as a phi), and from a condition to the control of each statement that
 * it decides about. That is more than the branches of the condition: a `break` or `continue`
 * decides about its loop, a `return` about all loops around it and the rest of the function. Behind
 * a loop that threads leave in different iterations they are together again. Levels then flow along
 * the edges by a work list until nothing rises. A node rises at most once for each level and each
 * parameter, so the time is linear in the graph's size. Each node remembers the edge that raised it
 * last; the notes of a message walk these links back.
 *
 *     let t = x[thread.x];    thread.x: LANE ---> t: LANE ---> t > 0 ---> control of the barrier
 *     if (t > 0) block.sync();
 *
 * A call uses the callee's summary (Summary): the level of the result and of each of its elements,
 * if it is a struct or tuple, plus the parameters that it depends on; the same for what it writes
 * through its span parameters; the group that has to reach it together; and the parameters that
 * decide about collectives in it. At the call, the arguments' levels take the place of the
 * parameters. Without a summary, in a recursion or for a function without a body, all that a call
 * gives and writes has level LANE.
 *
 * Aliasing: a variable of which a slice or an address is kept is flow-insensitive. One node, its
 * cell, stands for all values that are ever assigned to it. Where writes through the view are not
 * tracked, as for a pointer or a struct that holds one, the cell differs between threads.
 *
 * Loads: two threads that load from one address get one value if nothing writes there meanwhile.
 * That holds for `in` spans, and within a block for its shared memory. An `inout` span may be
 * written between the two loads, by another block too, so what is loaded from it may differ between
 * threads.
 */
#include "check/check_private.h"
#include "front/builtin.h"

#include <string.h>

/* The level of a value: the groups between which it may differ. WARP: between warps, not within
 * one. TILE + k stands for tiles of 16 >> k lanes. */
typedef enum Level { EVERYWHERE, CLUSTER, BLOCK, PART, WARP, TILE, LANE = TILE + 4 } Level;
enum {
  CAP_GRID = 16 + EVERYWHERE,
  CAP_CLUSTER = 16 + CLUSTER,
  CAP_BLOCK = 16 + BLOCK,
  CAP_PART = 16 + PART,
  CAP_WARP = 16 + WARP,
  CAP_TILE = 16 + TILE,
  CAPS = 16
};

typedef enum ValKind {
  VAL_plain,
  VAL_source,
  VAL_memory,
  VAL_variable,
  VAL_condition,
  VAL_jump
} ValKind;

typedef struct Val Val;
typedef struct Edge {
  struct Edge *next;
  Val *to;
} Edge;

/* A node of the graph. NULL stands for a value that is the same everywhere. */
struct Val {
  ValKind kind;
  uint8_t level, cap;
  bool is_queued;
  uint64_t params; /* parameters that it depends on, a bit for each */
  Edge *edges;
  /* Nodes of the elements of a tuple or struct, where they are tracked one by one. */
  Val **parts;
  uint32_t part_count;
  const Val *from; /* the predecessor that raised it last */
  const Node *node;
  const char *name; /* of a variable */
};

/* A loop-carried variable: its value before the loop, and the node that joins this with its value
 * at the end of each iteration. */
typedef struct Phi {
  Node *decl;
  Val *outer, *phi;
} Phi;

typedef struct Change {
  Node *decl;
  Val *value; /* in the log: the value before the change; in a loop's list: after */
} Change;

typedef struct Loop {
  struct Loop *outer;
  Val *control;
  bool has_jumps;
  VEC(Phi) phis;
  VEC(Change) changes;
} Loop;

typedef struct Var {
  Val *now;
  /* Of a variable with a kept span or pointer: the join of all that is ever assigned to it. */
  Val *cell;
  Node *whose; /* of a span: the variable or parameter it is a view of */
  Loop *loop;  /* the loop in which `now` was read or assigned */
  Val *merged; /* while branches or a loop are joined: the other value */
  /* The number of the last walk over changes that has met the variable. */
  uint32_t stamp;
  bool is_changed; /* while branches or a loop are joined: `merged` holds */
} Var;

typedef struct Demand {
  const Val *value; /* control */
  Level limit;
  const Node *call;
  const char *what;  /* "block.sync" */
  const Node *inner; /* the collective, if it is in a function that `call` calls */
  /* `value` is not control but an argument that decides about a collective in the callee. */
  bool is_argument;
} Demand;

/* The level of an element of a result, and the parameters that it depends on. */
typedef struct Part {
  Level level;
  uint64_t params;
} Part;

/* What a function writes to the elements of a span parameter. */
typedef struct Writes {
  bool is_written;
  Level level;
  uint64_t params;
} Writes;

typedef struct Summary {
  Level result;
  uint64_t params;
  Part *parts;                      /* of the result, if it is a tuple or struct */
  Level limit;                      /* the highest level of control that may call it */
  const Demand *check;              /* the collective that sets the limit */
  uint8_t param_limits[PARAMS_MAX]; /* Levels */
  const Demand **param_checks;      /* NULL or PARAMS_MAX entries */
  Writes *writes;                   /* NULL or PARAMS_MAX entries */
  bool is_done;
} Summary;

typedef struct Uniform {
  Session *c;
  Node *function;
  Loop *loop;
  Val *control, *returns, *result;
  Val **parts;              /* elements of the result */
  Val *written[PARAMS_MAX]; /* what is written to the elements of each span parameter */
  uint32_t stamp;
  /* Is thread.x, .y, .z uniform in a warp, in every kernel? */
  bool is_axis_even[3];
  VEC(Change) log;
  VEC(Demand) checks;
  VEC(Val *) work;
  VEC(Node *) declared;
  Arena arena; /* of one function's graph */
} Uniform;

/* ---- the graph ---- */

static Val *new_val(Uniform *u, ValKind kind, const Node *node, Level level)
{
  Val *val = NEW(&u->arena, Val);
  *val = (Val){.kind = kind, .node = node, .level = (uint8_t)level, .cap = LANE};
  if (level) vec_push(&u->arena, &u->work, val);
  return val;
}

static void add_edge(Uniform *u, Val *from, Val *to)
{
  if (!from) return;
  Edge *edge = NEW(&u->arena, Edge);
  *edge = (Edge){from->edges, to};
  from->edges = edge;
}

static Val *join(Uniform *u, Val *a, Val *b)
{
  if (!a || a == b) return b;
  if (!b) return a;
  Val *val = new_val(u, VAL_plain, NULL, EVERYWHERE);
  add_edge(u, a, val);
  add_edge(u, b, val);
  return val;
}

static Val *made_of(Uniform *u, ValKind kind, const Node *node, Val *from)
{
  if (!from) return NULL;
  Val *val = new_val(u, kind, node, EVERYWHERE);
  add_edge(u, from, val);
  return val;
}

/* The node of element i; where elements are not tracked, the node of the whole. */
static Val *part_of(Val *val, const Type *type, uint32_t i)
{
  bool is_known = val && val->part_count && val->part_count == type->count && i < type->count;
  return is_known ? val->parts[i] : val;
}

static void take_parts(Uniform *u, Val *val, Val *const *parts, uint32_t count)
{
  val->part_count = count;
  val->parts = NEW_ARRAY(&u->arena, Val *, count + 1);
  for (uint32_t i = 0; i < count; ++i) val->parts[i] = parts[i];
}

/* A node for the value without its elements: for operations that mix them. */
static Val *whole(Uniform *u, Val *val)
{
  return val && val->part_count ? made_of(u, VAL_plain, NULL, val) : val;
}

static bool has_parts(const Type *type)
{
  return type && (type_is_record(type));
}

static bool raise(Val *to, const Val *from)
{
  uint8_t level = from->level > to->level ? from->level : to->level;
  uint64_t params = from->params | to->params;
  if (to->cap < LANE) { /* an assertion, such as block.uniform(x), bounds the level */
    if (params || level > to->cap) level = to->cap;
    params = 0;
  }
  if (level == to->level && params == to->params) return false;
  if (level != to->level || !to->from) to->from = from;
  to->level = level;
  to->params = params;
  return true;
}

static void flow(Uniform *u)
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

/* ---- variables ---- */

static Var *var_of(Uniform *u, Node *decl)
{
  if (decl->gen) return decl->gen;
  decl->gen = NEW(&u->arena, Var);
  vec_push(&u->arena, &u->declared, decl);
  return decl->gen;
}

static void declare(Uniform *u, Node *decl, Val *value)
{
  Var *var = var_of(u, decl);
  *var = (Var){.now = value, .cell = var->cell, .whose = var->whose, .loop = u->loop};
  if (var->cell) add_edge(u, value, var->cell);
}

/* Reads a variable. In a loop, a variable that was assigned outside gets a phi at the loop's head,
 * and so on outwards: a previous iteration may have changed it. */
static Val *read_in(Uniform *u, Node *decl, Loop *loop)
{
  Var *var = decl->gen;
  if (!var) return NULL;
  if (var->cell) return var->cell;
  if (var->loop == loop || !loop || decl->kind == NODE_let) return var->now;
  Val *outer = read_in(u, decl, loop->outer), *phi = new_val(u, VAL_plain, NULL, EVERYWHERE);
  add_edge(u, outer, phi);
  Phi entry = {decl, outer, phi};
  vec_push(&u->arena, &loop->phis, entry);
  var->now = phi;
  var->loop = loop;
  return phi;
}

static void assign(Uniform *u, Node *decl, Val *value)
{
  Var *var = decl->gen;
  if (!var) return;
  if (var->cell) {
    add_edge(u, value, var->cell);
    add_edge(u, u->control, var->cell);
    return;
  }
  Change old = {decl, read_in(u, decl, u->loop)};
  vec_push(&u->arena, &u->log, old);
  var->now = value;
  Change change = {decl, value};
  if (u->loop) vec_push(&u->arena, &u->loop->changes, change);
}

static Val *variable(Uniform *u, const Node *place, const Node *decl, Val *value)
{
  Val *val = made_of(u, VAL_variable, place, value);
  if (!val) return NULL;
  val->name = decl->name->text;
  take_parts(u, val, value->parts, value->part_count);
  for (uint32_t i = 0; i < val->part_count; ++i)
    val->parts[i] = variable(u, place, decl, val->parts[i]);
  return val;
}

/* ---- views: spans and pointers of variables ---- */

/* The variable or parameter that contains the elements of a span or place. NULL if it isn't known,
 * or if the path goes through a pointer. */
static Node *viewed(const Node *node)
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

/* `value` is stored in some elements of `decl`. */
static void write_to(Uniform *u, const Node *place, Node *decl, Val *value)
{
  if (decl->kind == NODE_var)
    assign(u, decl, variable(u, place, decl, whole(u, join(u, value, read_in(u, decl, u->loop)))));
  if (decl->kind != NODE_param) return;
  unsigned i = 0;
  for (const Node *param = u->function->b; param != decl; param = param->next)
    i += param->kind == NODE_param;
  if (u->function->kind != NODE_function || i >= PARAMS_MAX) return;
  if (!u->written[i]) u->written[i] = new_val(u, VAL_plain, NULL, EVERYWHERE);
  add_edge(u, value, u->written[i]);
  add_edge(u, u->control, u->written[i]);
}

/* A span or pointer to `place` is kept. Where in the body it is kept is not looked at. `is_lost`:
 * writes through it are not tracked. */
static void keep_view(Uniform *u, const Node *place, bool is_lost)
{
  Node *decl = viewed(place);
  if (!decl) return;
  Val *unknown = is_lost ? new_val(u, VAL_source, place, LANE) : NULL;
  if (decl->kind == NODE_param) {
    if (is_lost && decl->type->kind == TYPE_span) write_to(u, place, decl, unknown);
    return;
  }
  Var *var = var_of(u, decl);
  if (!var->cell) var->cell = new_val(u, VAL_variable, decl, EVERYWHERE);
  var->cell->name = decl->name->text;
  add_edge(u, unknown, var->cell);
}

static bool is_span(const Node *node)
{
  return node->type && node->type->kind == TYPE_span;
}

static void find_views(Uniform *u, Node *node);

static void find_views_of(Uniform *u, Node *list)
{
  for (; list; list = list->next) find_views(u, list);
}

/* Visits the operands of slices below `node`. The slices themselves are only read here: no view is
 * kept. */
static void find_views_below(Uniform *u, Node *node)
{
  for (; is_span(node) && (node->kind == NODE_index || node->kind == NODE_convert); node = node->a)
    if (node->kind == NODE_index) find_views_of(u, node->b);
  if (node->kind != NODE_name) find_views(u, node);
}

/* A span argument is not a kept view: the callee's summary says what is written to it. It is one if
 * the call's result may hold a span, or if the callee is not known. */
static void find_call_views(Uniform *u, Node *call)
{
  const Type *type = call->type;
  bool gives_none = !type || type->kind == TYPE_none || type->kind == TYPE_range || type->is_data;
  bool is_plain = call->decl && !call->builtin && call->decl->d && gives_none;
  find_views(u, call->a);
  for (Node *arg = call->b; arg; arg = arg->next)
    if (is_plain && is_span(arg)) find_views_below(u, arg);
    else find_views(u, arg);
  if (call->builtin && call->builtin->form == FORM_address) keep_view(u, call->b, true);
}

/* Runs before the walk over a body and finds the variables of which a span or pointer is kept. */
static void find_views(Uniform *u, Node *node)
{
  if (!node) return;
  switch ((NodeKind)node->kind) {
  case NODE_call: find_call_views(u, node); return;
  case NODE_lambda: find_views_of(u, node->c); return;
  case NODE_let:
  case NODE_var:
    if (!is_span(node) || !node->b || !viewed(node->b)) break; /* b: none of a part of a tuple */
    keep_view(u, node->b, false);
    var_of(u, node)->whose = viewed(node->b);
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
  if (is_span(node)) keep_view(u, node, node->type->access != OP_in);
  for (unsigned i = 0; i < node_width(node); ++i) find_views_of(u, node->children[i]);
}

/* ---- expressions ---- */

static Val *value_of(Uniform *u, Node *node);

static Val *value_of_list(Uniform *u, Node *list)
{
  Val *val = NULL;
  for (; list; list = list->next) val = join(u, val, value_of(u, list));
  return val;
}

static Val *value_of_record(Uniform *u, Node *list)
{
  uint32_t count = node_count(list), i = 0;
  Val **parts = NEW_ARRAY(&u->arena, Val *, count + 1), *val = NULL;
  for (; list; list = list->next) val = join(u, val, parts[i++] = value_of(u, list));
  if (!val) return NULL;
  val = made_of(u, VAL_plain, NULL, val);
  take_parts(u, val, parts, count);
  return val;
}

/* The value of an operand that is evaluated only under `condition`. */
static Val *value_under(Uniform *u, Node *node, Val *condition)
{
  Val *outer = u->control;
  u->control = join(u, outer, condition);
  Val *val = value_of(u, node);
  u->control = outer;
  return val;
}

static int by_name(const char *name)
{
  static const struct {
    const char *name;
    int level;
  } rows[] = {
#define UNIFORM(name, level) {name, level},
#include "check/uniform.def"
  };
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (!strcmp(rows[i].name, name)) return rows[i].level;
  return -1;
}

static Level tile_level(uint64_t lanes)
{
  return lanes >= 32 ? WARP : lanes == 16 ? TILE : TILE + (lanes == 8 ? 1 : lanes == 4 ? 2 : 3);
}

static Val *intrinsic(Uniform *u, Node *call)
{
  const Builtin *builtin = call->builtin;
  Val *args = value_of_list(u, call->b);
  int level = by_name(builtin->name);
  if (level >= CAPS) {
    Val *val = new_val(u, VAL_plain, NULL, EVERYWHERE);
    val->cap = (uint8_t)(level == CAP_TILE ? tile_level(call->b->bits) : (Level)(level - CAPS));
    add_edge(u, args, val);
    return val;
  }
  if (!strncmp(builtin->name, "__thread_", 9) && u->is_axis_even[builtin->name[9] - 'x'])
    level = WARP;
  if (level < 0 && (builtin->effect == EFFECT_PURE || builtin->effect == EFFECT_STEP)) return args;
  if (level < 0 && builtin->effect == EFFECT_SHAPE) return NULL;
  if (level < 0 && !strncmp(builtin->name, "__check_", 8)) return args;
  return new_val(u, VAL_source, call, level < 0 ? LANE : (Level)level);
}

static bool is_collective(const Node *function)
{
  return function->flags & (FLAG_waits | FLAG_together);
}

/* The group whose threads call a method together. */
static bool collective_limit(const Node *function, Level *out)
{
  const Node *receiver = function->b;
  if (!receiver || receiver->kind != NODE_receiver || !is_collective(function)) return false;
  const char *group = receiver->name->text;
  if (!strcmp(group, "warp.tile")) *out = tile_level(generic_params(function)->b->bits);
  else
    *out = !strcmp(group, "grid")         ? EVERYWHERE
           : !strcmp(group, "cluster")    ? CLUSTER
           : !strcmp(group, "block")      ? BLOCK
           : !strcmp(group, "warp")       ? WARP
           : !strcmp(group, "block.part") ? PART
                                          : LANE;
  return *out != LANE;
}

static void add_check(Uniform *u, Demand check)
{
  if (check.value) vec_push(&u->arena, &u->checks, check);
}

/* "worker.sync" of a call worker.sync(): a role's type has no name that a program knows. */
static const char *role_text(Session *c, const Node *call)
{
  const char *text = source_text(&c->sources, call->span);
  size_t bytes = call->span.hi - call->span.lo, name = 0;
  while (name < bytes && text[name] != '(') ++name;
  return arena_strndup(c->unit, text, name);
}

static void check_call_of(Uniform *u, Node *call, const Summary *callee, Val *const *args)
{
  Level limit;
  Demand check = {.call = call, .limit = LANE};
  if (collective_limit(call->decl, &limit)) check.limit = limit;
  else if (callee && callee->limit < LANE) {
    check.limit = callee->limit;
    check.inner = callee->check->inner ? callee->check->inner : callee->check->call;
  }
  if (check.limit < LANE) {
    check.what = check.inner           ? callee->check->what
                 : check.limit == PART ? role_text(u->c, call)
                                       : generic_text(u->c, call->decl);
    check.value = join(u, u->control, u->returns);
    Val *control = made_of(u, VAL_plain, NULL, (Val *)(uintptr_t)check.value);
    check.value = control ? control : new_val(u, VAL_plain, NULL, EVERYWHERE);
    add_check(u, check);
  }
  unsigned i = 0;
  for (Node *arg = call->b; callee && arg && i < PARAMS_MAX; arg = arg->next, ++i) {
    if (callee->param_limits[i] == LANE) continue;
    const Demand *inner = callee->param_checks[i];
    add_check(u, (Demand){.value = args[i],
                          .limit = (Level)callee->param_limits[i],
                          .call = arg,
                          .what = inner->what,
                          .inner = inner->inner ? inner->inner : inner->call,
                          .is_argument = true});
  }
}

/* Applies what the callee writes through spans to the variables and parameters they are views of.
 * The callee may read back what it wrote to a variable, so it flows into the argument too. */
static void call_writes(Uniform *u, Node *call, const Summary *callee, Val **args)
{
  unsigned i = 0;
  Val *values[PARAMS_MAX] = {0};
  for (Node *arg = call->b; arg && i < PARAMS_MAX; arg = arg->next, ++i) {
    Node *decl = is_span(arg) ? viewed(arg) : NULL;
    if (!decl) continue;
    Writes all = {arg->type->access != OP_in, LANE, 0}, none = {0};
    Writes writes = !callee ? all : callee->writes ? callee->writes[i] : none;
    if (!writes.is_written) continue;
    if (writes.level || writes.params) values[i] = new_val(u, VAL_source, call, writes.level);
    for (unsigned k = 0; k < PARAMS_MAX; ++k)
      if (writes.params >> k & 1) add_edge(u, args[k], values[i]);
    write_to(u, arg, decl, values[i]);
    if (decl->kind == NODE_param) values[i] = NULL;
  }
  while (i-- > 0) args[i] = join(u, args[i], values[i]);
}

static Val *result_of(Uniform *u, const Node *call, Part part, Val *const *args)
{
  if (!part.level && !part.params) return NULL;
  Val *val = new_val(u, VAL_source, call, part.level);
  for (unsigned i = 0; i < PARAMS_MAX; ++i)
    if (part.params >> i & 1) add_edge(u, args[i], val);
  return val;
}

static Val *call_of(Uniform *u, Node *call)
{
  if (call->builtin && call->builtin->form == FORM_intrinsic) return intrinsic(u, call);
  bool is_atomic =
      call->builtin && (call->builtin->form == FORM__memory || call->builtin->form == FORM_asm);
  /* the result of an atomic, of a load with a cache hint, or of inline PTX differs between threads
   */
  if (is_atomic) {
    value_of_list(u, call->b);
    return new_val(u, VAL_source, call, LANE);
  }
  /* only the length of the span is read */
  if (call->builtin && call->builtin->form == FORM__below) {
    value_of(u, call->b->next);
    return value_of(u, call->b);
  }
  /* A builtin form, or a method of a range. */
  if (!call->decl || call->builtin) {
    Val *args = value_of_list(u, call->b);
    bool is_store = call->builtin && call->builtin->form == FORM_vec_store;
    Node *decl = is_store ? viewed(call->a->a) : NULL;
    if (decl) write_to(u, call, decl, args);
    return whole(u, join(u, call->a->kind == NODE_member ? value_of(u, call->a) : NULL, args));
  }
  if (is_constructor(call->decl)) return value_of_record(u, call->b);
  Val *args[PARAMS_MAX] = {0};
  unsigned count = 0;
  for (Node *arg = call->b; arg; arg = arg->next) {
    Val *val = value_of(u, arg);
    if (count < PARAMS_MAX) args[count++] = val;
  }
  const Summary *callee = call->decl->gen;
  /* It is recursive, or an imported function without a body. */
  if (callee && (!callee->is_done || !call->decl->d)) callee = NULL;
  call_writes(u, call, callee, args);
  if (!(u->function->flags & FLAG_library)) check_call_of(u, call, callee, args);
  if (!callee) return new_val(u, VAL_source, call, LANE);
  Val *val = result_of(u, call, (Part){callee->result, callee->params}, args);
  if (!val || !callee->parts) return val;
  Val **parts = NEW_ARRAY(&u->arena, Val *, call->type->count + 1);
  for (uint32_t i = 0; i < call->type->count; ++i)
    parts[i] = result_of(u, call, callee->parts[i], args);
  take_parts(u, val, parts, call->type->count);
  return val;
}

/* A span. Other threads may write to an `out` or `inout` parameter of a kernel and to scratch
 * memory: what is read from those may differ between threads. */
static Val *span_of(Uniform *u, Node *name)
{
  const Node *decl = name->decl;
  bool is_param = u->function->kind == NODE_kernel && decl->kind == NODE_param &&
                  decl->type->kind == TYPE_span && decl->type->access != OP_in;
  bool is_changing = is_param || decl->kind == NODE_scratch;
  return is_changing ? new_val(u, VAL_memory, name, LANE) : read_in(u, name->decl, u->loop);
}

/* The extents of a span. Those of a parameter are uniform, whatever is written to its elements. */
static Val *extents_of(Uniform *u, Node *span)
{
  if (span->kind == NODE_name) return read_in(u, span->decl, u->loop);
  if (span->kind != NODE_index) return value_of(u, span);
  return join(u, extents_of(u, span->a), value_of_list(u, span->b)); /* a slice */
}

/* A value read from shared memory: at least of level BLOCK, since each block has its own. */
static Val *of_block(Uniform *u, Node *node, Val *val)
{
  return join(u, val, new_val(u, VAL_source, node, BLOCK));
}

static Val *value_of(Uniform *u, Node *node)
{
  if (!node) return NULL;
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_float:
  case NODE_bool:
  case NODE_string: return NULL;
  case NODE_name:
    if (!node->decl || node->builtin || !node->type) return NULL;
    if (node->type->kind == TYPE_function || node->type->kind == TYPE_group) return NULL;
    if (node->decl->kind == NODE_function) return NULL; /* a function's name as an argument */
    if (node->type->kind == TYPE_span) return span_of(u, node);
    if (node->decl->kind == NODE_shared) return of_block(u, node, read_in(u, node->decl, u->loop));
    return read_in(u, node->decl, u->loop);
  case NODE_member:
    if (node->a->type && node->a->type->kind == TYPE_span) return extents_of(u, node->a);
    if (node->a->type && node->a->type->kind == TYPE_struct)
      return part_of(value_of(u, node->a), node->a->type, struct_field(node->a->type, node->name));
    return value_of(u, node->a);
  case NODE_call: return call_of(u, node);
  /* its body is analysed in the instances made of it */
  case NODE_lambda: return value_of_list(u, node->c);
  case NODE_tuple: return value_of_record(u, node->a);
  case NODE_index: {
    if (node->a->type->kind == TYPE_tuple)
      return part_of(value_of(u, node->a), node->a->type, (uint32_t)node->b->bits);
    Val *val = join(u, value_of(u, node->a), value_of_list(u, node->b));
    if (node->a->type->kind != TYPE_pointer) return val;
    return node->a->type->space == SPACE_shared ? of_block(u, node, val)
                                                : new_val(u, VAL_memory, node, LANE);
  }
  case NODE_choose: {
    Val *condition = made_of(u, VAL_condition, node->a, value_of(u, node->a));
    Val *b = value_under(u, node->b, condition), *c = value_under(u, node->c, condition);
    return join(u, condition, join(u, b, c));
  }
  case NODE_binary:
    if (op_is_lazy(node->op)) {
      Val *condition = made_of(u, VAL_condition, node->a, value_of(u, node->a));
      return join(u, condition, value_under(u, node->b, condition));
    }
    return join(u, value_of(u, node->a), value_of(u, node->b));
  default: {
    Val *val = NULL;
    for (unsigned i = 0; i < node_width(node); ++i)
      val = join(u, val, value_of_list(u, node->children[i]));
    return val;
  }
  }
}

/* ---- statements: true if control never reaches their end ---- */

static bool statement(Uniform *u, Node *node);

/* Assigns to the variable that contains a place. An assignment to one element keeps the others, so
 * the new value joins the old one. */
static void assign_place(Uniform *u, Node *place, Val *value, bool keeps)
{
  Node *root = place;
  while (root->kind == NODE_index || root->kind == NODE_member) {
    if (root->kind == NODE_index) value = join(u, value, value_of_list(u, root->b));
    keeps = true;
    root = root->a;
    /* Memory: the levels of later loads from it don't depend on what is stored. */
    if (root->type->kind != TYPE_pointer && root->type->kind != TYPE_span) continue;
    Node *decl = root->type->kind == TYPE_span ? viewed(root) : NULL;
    if (decl) write_to(u, place, decl, join(u, value, extents_of(u, root)));
    else value_of(u, root);
    return;
  }
  if (root->kind != NODE_name || !root->decl) {
    value_of(u, root);
    return;
  }
  Node *decl = root->decl;
  bool is_own = decl->kind == NODE_var || decl->kind == NODE_let;
  if (!is_own || (decl->type && decl->type->kind == TYPE_span)) return;
  if (keeps) value = whole(u, join(u, value, read_in(u, decl, u->loop)));
  assign(u, decl, variable(u, place, decl, value));
}

static void assignment(Uniform *u, Node *node)
{
  if (node->c) declare(u, node->c, value_of(u, node->a)); /* the old value, for `x op= y` */
  Val *value = value_of(u, node->b);
  uint32_t i = 0;
  if (node->a->kind == NODE_tuple)
    for (Node *place = node->a->a; place; place = place->next)
      assign_place(u, place, part_of(value, node->b->type, i++), false);
  else assign_place(u, node->a, value, node->op != OP_none);
}

/* Undoes the assignments since the mark. Gives the variables that were changed, with their values
 * at the end of the walked code. */
static uint32_t take_back(Uniform *u, size_t mark, Change **out)
{
  uint32_t count = 0, stamp = ++u->stamp;
  Change *changes = NEW_ARRAY(&u->arena, Change, u->log.count - mark + 1);
  for (size_t i = mark; i < u->log.count; ++i) {
    Change old = u->log.at[i];
    Var *var = old.decl->gen;
    if (var->stamp == stamp) continue;
    var->stamp = stamp;
    changes[count++] = (Change){old.decl, var->now};
    var->now = old.value;
  }
  u->log.count = mark;
  *out = changes;
  return count;
}

/* Does the condition say which role of a split a warp has? */
static bool is_role(const Node *condition)
{
  if (condition->kind != NODE_call || !condition->decl || condition->builtin) return false;
  const Node *receiver = condition->decl->b;
  return receiver && receiver->kind == NODE_receiver &&
         !strcmp(receiver->name->text, "block.part") &&
         !strncmp(condition->decl->name->text, "has<", 4);
}

/* Behind a split, what a role has set differs between warps: the next split may have other roles,
 * within which it differs. */
static Val *behind_role(Uniform *u, const Node *node, Val *merged)
{
  return is_role(node->a) ? join(u, merged, new_val(u, VAL_source, node->a, WARP)) : merged;
}

static bool branch(Uniform *u, Node *node)
{
  Val *value = value_of(u, node->a), *outer = u->control;
  Val *condition = made_of(u, VAL_condition, node->a, value);
  Change *of_then, *of_else = NULL;
  uint32_t then_count, else_count = 0;
  size_t mark = u->log.count;
  u->control = join(u, outer, condition);
  bool ends_then = statement(u, node->b), ends_else = false;
  then_count = take_back(u, mark, &of_then);
  if (node->c) {
    ends_else = statement(u, node->c);
    else_count = take_back(u, mark, &of_else);
  }
  u->control = outer;
  bool is_both = !ends_then && !ends_else;
  for (uint32_t i = 0; i < else_count; ++i) {
    Var *var = of_else[i].decl->gen;
    var->merged = of_else[i].value;
    var->is_changed = true;
  }
  for (uint32_t i = 0; i < then_count + else_count; ++i) {
    bool is_then = i < then_count;
    Change change = is_then ? of_then[i] : of_else[i - then_count];
    Var *var = change.decl->gen;
    if (!is_then && !var->is_changed) continue; /* joined when the other branch's change was */
    Val *a = is_then ? change.value : var->now, *b = var->is_changed ? var->merged : var->now;
    var->is_changed = false;
    Val *merged = ends_then ? b : ends_else ? a : join(u, a, b);
    if (is_both) merged = behind_role(u, node, join(u, merged, condition));
    assign(u, change.decl, variable(u, change.decl, change.decl, merged));
  }
  return ends_then && ends_else;
}

static void open_loop(Uniform *u, Loop *loop)
{
  *loop = (Loop){.outer = u->loop, .control = new_val(u, VAL_plain, NULL, EVERYWHERE)};
  u->loop = loop;
}

static void close_loop(Uniform *u, Loop *loop, size_t mark)
{
  u->loop = loop->outer;
  u->log.count = mark;
  for (size_t i = 0; i < loop->phis.count; ++i) {
    Var *var = loop->phis.at[i].decl->gen;
    var->merged = loop->phis.at[i].phi;
    var->is_changed = var->now != var->merged;
  }
  /* A `break` or `continue` may leave the loop with any value that was assigned in it. */
  for (size_t i = 0; loop->has_jumps && i < loop->changes.count; ++i) {
    Var *var = loop->changes.at[i].decl->gen;
    var->is_changed = true;
    if (var->merged) add_edge(u, loop->changes.at[i].value, var->merged);
  }
  for (size_t i = 0; i < loop->phis.count; ++i) {
    Phi *phi = &loop->phis.at[i];
    Var *var = phi->decl->gen;
    Val *end = var->now;
    bool is_changed = var->is_changed;
    *var = (Var){.now = phi->outer, .loop = loop->outer, .stamp = var->stamp};
    if (!is_changed) continue;
    add_edge(u, end, phi->phi);
    add_edge(u, loop->control, phi->phi);
    assign(u, phi->decl, variable(u, phi->decl, phi->decl, phi->phi));
  }
}

static void loop_statement(Uniform *u, Node *node)
{
  Loop loop;
  size_t mark = u->log.count;
  Val *outer = u->control, *range = NULL;
  if (node->kind == NODE_for) range = value_of(u, node->a);
  open_loop(u, &loop);
  u->control = join(u, outer, loop.control);
  if (node->kind == NODE_while) range = value_of(u, node->a);
  add_edge(u, made_of(u, VAL_condition, node->a, range), loop.control);
  if (node->kind == NODE_for) declare(u, node, variable(u, node, node, range));
  statement(u, node->b);
  u->control = outer;
  close_loop(u, &loop, mark);
}

/* After a jump the threads that didn't take it go on: its control decides about the rest of each
 * loop that it leaves, and a return's about the rest of the function. */
static void jump(Uniform *u, Node *node)
{
  Val *control = join(u, u->control, u->returns);
  Val *leaves = made_of(u, VAL_jump, node, control);
  for (Loop *loop = u->loop; loop; loop = node->kind == NODE_return ? loop->outer : NULL) {
    loop->has_jumps = true;
    add_edge(u, leaves, loop->control);
  }
  if (node->kind != NODE_return) return;
  Val *value = value_of(u, node->a);
  u->returns = join(u, u->returns, leaves);
  u->result = join(u, u->result, join(u, value, control));
  const Type *type = u->function->type;
  for (uint32_t i = 0; u->parts && i < type->count; ++i)
    u->parts[i] = join(u, u->parts[i], join(u, part_of(value, type, i), control));
}

static bool statement(Uniform *u, Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_block: {
    bool ends = false;
    for (Node *part = node->a; part; part = part->next) ends |= statement(u, part);
    return ends;
  }
  case NODE_let:
  case NODE_var: declare(u, node, variable(u, node, node, value_of(u, node->b))); return false;
  case NODE_unpack: {
    Val *value = value_of(u, node->b);
    uint32_t i = 0;
    for (Node *part = node->a; part; part = part->next)
      declare(u, part, variable(u, part, part, part_of(value, node->b->type, i++)));
    return false;
  }
  case NODE_assign: assignment(u, node); return false;
  case NODE_if: return branch(u, node);
  case NODE_while:
  case NODE_for: loop_statement(u, node); return false;
  case NODE_break:
  case NODE_continue:
  case NODE_return: jump(u, node); return true;
  case NODE_launch:
  case NODE_evaluate: value_of(u, node->a); return false;
  default: return false; /* declarations without a value: shared memory, constants */
  }
}

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
  if (is_role(condition)) {
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

static void report(Uniform *u, const Demand *check)
{
  Session *c = u->c;
  const Val *val = check->value, *leaves = NULL;
  const char *group = group_text(check->limit);
  if (check->is_argument) {
    diag_at(&c->diag, DIAG_divergent_argument, check->call->span, parts_text((Level)val->level),
            check->what, group);
    diag_note(&c->diag, DIAG_waits_here, check->inner->span, check->what);
    tell_why(u, val);
    return;
  }
  while (val->from && val->kind != VAL_condition) {
    if (val->kind == VAL_jump) leaves = val;
    val = val->from;
  }
  const Node *place = val->kind == VAL_condition ? val->node : check->call;
  diag_at(&c->diag, DIAG_divergent, place->span, group, check->what, parts_text((Level)val->level));
  if (leaves) diag_note(&c->diag, DIAG_leaves_here, leaves->node->span);
  diag_note(&c->diag, DIAG_waits_here, check->call->span, check->what);
  if (check->inner) diag_note(&c->diag, DIAG_waits_here, check->inner->span, check->what);
  tell_why(u, val->kind == VAL_condition ? val->from : val);
  hint_way(u, check, place, leaves != NULL);
}

/* ---- functions ---- */

static void check_function_calls(Uniform *u, Summary *summary)
{
  const Node *last = NULL; /* a condition is reported once */
  for (size_t i = 0; i < u->checks.count; ++i) {
    const Demand *check = &u->checks.at[i];
    if (!check->is_argument && check->limit < summary->limit) {
      summary->limit = check->limit;
      Demand *kept = NEW(u->c->unit, Demand);
      *kept = *check;
      summary->check = kept;
    }
    if (check->value->level > check->limit) {
      const Val *val = check->value;
      while (val->from && val->kind != VAL_condition) val = val->from;
      if (!last || val->node != last) report(u, check);
      last = val->node;
    }
    for (unsigned k = 0; k < PARAMS_MAX; ++k) {
      if (!(check->value->params >> k & 1) || check->limit >= summary->param_limits[k]) continue;
      summary->param_limits[k] = (uint8_t)check->limit;
      if (!summary->param_checks)
        summary->param_checks = NEW_ARRAY(u->c->unit, const Demand *, PARAMS_MAX);
      Demand *kept = NEW(u->c->unit, Demand);
      *kept = *check;
      summary->param_checks[k] = kept;
    }
  }
}

static void analyse(Uniform *u, Node *function)
{
  Summary *summary = function->gen;
  u->function = function;
  u->control = u->returns = u->result = NULL;
  u->loop = NULL;
  uint32_t part_count = has_parts(function->type) ? function->type->count : 0;
  u->parts = part_count ? NEW_ARRAY(&u->arena, Val *, part_count) : NULL;
  memset(u->written, 0, sizeof u->written);
  memset(&u->log, 0, sizeof u->log);
  memset(&u->checks, 0, sizeof u->checks);
  memset(&u->work, 0, sizeof u->work);
  memset(&u->declared, 0, sizeof u->declared);
  unsigned i = 0;
  for (Node *param = function->b; param; param = param->next) {
    if (param->kind != NODE_param) continue;
    Val *val = NULL;
    if (function->kind == NODE_function && i < PARAMS_MAX) {
      val = new_val(u, VAL_variable, param, EVERYWHERE);
      val->name = param->name->text;
      val->params = 1ull << i;
      vec_push(&u->arena, &u->work, val);
    }
    declare(u, param, val);
    ++i;
  }
  if (function->d) find_views(u, function->d);
  if (function->d) statement(u, function->d);
  flow(u);
  if (u->result) {
    summary->result = (Level)u->result->level;
    summary->params = u->result->params;
  }
  if (part_count) summary->parts = NEW_ARRAY(&u->c->scratch, Part, part_count);
  for (uint32_t k = 0; k < part_count; ++k)
    if (u->parts[k]) summary->parts[k] = (Part){(Level)u->parts[k]->level, u->parts[k]->params};
  for (i = 0; i < PARAMS_MAX; ++i) {
    const Val *val = u->written[i];
    if (!val) continue;
    if (!summary->writes) summary->writes = NEW_ARRAY(&u->c->scratch, Writes, PARAMS_MAX);
    summary->writes[i] = (Writes){true, (Level)val->level, val->params};
  }
  check_function_calls(u, summary);
  summary->is_done = true;
  for (size_t k = 0; k < u->declared.count; ++k) u->declared.at[k]->gen = NULL;
  arena_reset(&u->arena);
}

typedef struct Callee {
  struct Callee *next;
  Node *function;
} Callee;

/* What function->gen points to during this pass. */
typedef struct Item {
  Summary summary; /* first, so that function->gen is also a Summary */
  Callee *callees;
  bool is_open;
} Item;

static Item *item_of(Uniform *u, Node *function)
{
  if (function->gen) return function->gen;
  Item *item = NEW(&u->c->scratch, Item);
  item->summary.limit = LANE;
  for (unsigned i = 0; i < PARAMS_MAX; ++i) item->summary.param_limits[i] = LANE;
  function->gen = item;
  return item;
}

/* Analyses what `first` reaches, callees before callers, with a stack of its own since chains of
 * calls may be long. */
static void visit(Uniform *u, Node *first)
{
  VEC(Node *) stack = {0};
  vec_push(&u->c->scratch, &stack, first);
  while (stack.count) {
    Node *function = stack.at[stack.count - 1];
    Item *item = item_of(u, function);
    Callee *next = item->callees;
    item->is_open = true;
    if (next) {
      item->callees = next->next;
      if (!item_of(u, next->function)->is_open) vec_push(&u->c->scratch, &stack, next->function);
      continue;
    }
    --stack.count;
    if (!item->summary.is_done) analyse(u, function);
  }
}

/* A block whose first extent is a multiple of a warp's size has the same thread.y and thread.z in
 * all lanes of a warp; an axis of extent 1 is always 0. */
static void find_even_axes(Uniform *u)
{
  enum { AXES = 3, LANES = 32 };
  for (unsigned i = 0; i < AXES; ++i) u->is_axis_even[i] = true;
  for (uint32_t k = 0; k < u->c->kernels.count; ++k) {
    uint64_t dims[AXES] = {0}, below = 1;
    for (const Node *part = u->c->kernels.at[k]->c; part; part = part->next) {
      if (strcmp(part->name->text, "block") != 0) continue;
      unsigned count = 0;
      const Node *extent = part->a->kind == NODE_tuple ? part->a->a : part->a;
      for (; extent && count < AXES; extent = extent->next)
        dims[count++] = extent->kind == NODE_int ? extent->bits : 0;
      for (; count < AXES; ++count) dims[count] = 1;
    }
    for (unsigned i = 0; i < AXES; below *= dims[i++])
      u->is_axis_even[i] &= dims[i] == 1 || (i > 0 && below && below % LANES == 0);
  }
}

bool pass_uniform(Session *c)
{
  bool has_collectives = false;
  for (uint32_t i = 0; i < c->calls.count && !has_collectives; ++i)
    has_collectives = is_collective(c->calls.at[i].caller) || is_collective(c->calls.at[i].callee);
  if (!has_collectives) return true;
  Uniform *u = NEW(&c->scratch, Uniform);
  u->c = c;
  find_even_axes(u);
  for (uint32_t i = 0; i < c->calls.count; ++i) {
    Item *item = item_of(u, c->calls.at[i].caller);
    Callee *callee = NEW(&c->scratch, Callee);
    *callee = (Callee){item->callees, c->calls.at[i].callee};
    item->callees = callee;
    item_of(u, callee->function);
  }
  for (uint32_t i = 0; i < c->calls.count; ++i) visit(u, c->calls.at[i].caller);
  arena_free(&u->arena);
  for (uint32_t i = 0; i < c->calls.count; ++i)
    c->calls.at[i].caller->gen = c->calls.at[i].callee->gen = NULL;
  return c->diag.error_count == 0;
}
