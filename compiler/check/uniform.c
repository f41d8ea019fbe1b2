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
 * Within a role, a value of level PART is the same in all of its warps; a later role may have only
 * some of them. So a node has the set of roles that have decided about it (Val.roles), which flows
 * along the edges like a level. A collective of a role refuses a value about which a role with some
 * of its warps, but not with all, has decided. Outside of the function such a value has level WARP.
 *
 *     split { a(warps = 2) { v = 1; } b(warps = 2) { } }           v: PART, roles { a }
 *     split { c(warps = 2) { if (v > 0) c.sync(); } ... }          right: all are a's warps
 *     split { d(warps = 4) { if (v > 0) d.sync(); } }              error: two of four are
 *
 * The bodies of the library's functions are taken as right: of those, a group's collective method
 * stands for all collectives in it. But a number that the program gives such a method must not
 * differ if it decides about collectives in the body, as `end_bit` of a radix sort. What the bodies
 * call of the program, as a lambda, is looked at as everywhere. A method of the program needs its
 * group and those of the collectives in it.
 *
 * Aliasing: a variable of which a slice or an address is kept is flow-insensitive. One node, its
 * cell, stands for all values that are ever assigned to it. Where writes through the view are not
 * tracked, as for a pointer or a struct that holds one, the cell differs between threads.
 *
 * Loads: two threads that load from one address get one value if nothing writes there meanwhile.
 * That holds for `in` spans, and within a block for its shared memory. Kernels' `out` and `inout`
 * spans, scratch memory and what other pointers lead to may be written between the two loads, by
 * another block too, so what is loaded from them may differ between threads.
 */
#include "check/uniform.h"
#include "front/builtin.h"

#include <string.h>

/* ---- expressions ---- */

static Val *value_of(Uniform *u, Node *node);

static Val *value_of_list(Uniform *u, Node *list)
{
  Val *val = NULL;
  for (; list; list = list->next) val = val_join(u, val, value_of(u, list));
  return val;
}

static Val *value_of_record(Uniform *u, Node *list)
{
  uint32_t count = node_count(list), i = 0;
  Val **parts = NEW_ARRAY(&u->arena, Val *, count + 1), *val = NULL;
  for (; list; list = list->next) val = val_join(u, val, parts[i++] = value_of(u, list));
  if (!val) return NULL;
  val = val_from(u, VAL_plain, NULL, val);
  val_take_parts(u, val, parts, count);
  return val;
}

/* The value of an operand that is evaluated only under `condition`. So are the writes of the
 * functions that it calls. */
static Val *value_under(Uniform *u, Node *node, Val *condition)
{
  Val *outer = u->control;
  size_t mark = u->log.count;
  u->control = val_join(u, outer, condition);
  Val *val = value_of(u, node);
  u->control = outer;
  for (size_t end = u->log.count; mark < end; ++mark) {
    Node *decl = u->log.at[mark].decl;
    Val *merged = val_join(u, var_read(u, decl, u->loop), condition);
    var_assign(u, decl, var_value(u, decl, decl, merged));
  }
  return val;
}

/* The value of an array whose elements are read after other operands. Those may have called a
 * function that writes to it, since `mark`. */
static Val *read_again(Uniform *u, Node *array, Val *val, size_t mark)
{
  Node *decl = u->log.count > mark ? view_base(array) : NULL;
  return decl && decl->kind == NODE_var ? val_join(u, val, var_read(u, decl, u->loop)) : val;
}

enum {
  CAP_GRID = 16 + EVERYWHERE,
  CAP_CLUSTER = 16 + CLUSTER,
  CAP_BLOCK = 16 + BLOCK,
  CAP_PART = 16 + PART,
  CAP_WARP = 16 + WARP,
  CAP_TILE = 16 + TILE,
  CAPS = 16
};

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

static Val *intrinsic(Uniform *u, Node *call)
{
  const Builtin *builtin = call->builtin;
  Val *args = value_of_list(u, call->b);
  int level = by_name(builtin->name);
  if (level >= CAPS) {
    Val *val = val_new(u, VAL_plain, NULL, EVERYWHERE);
    val->cap = (uint8_t)(level == CAP_TILE ? uniform_tile(call->b->bits) : (Level)(level - CAPS));
    val_add_edge(u, args, val);
    return val;
  }
  if (!strncmp(builtin->name, "__thread_", 9) && u->is_axis_even[builtin->name[9] - 'x'])
    level = WARP;
  if (level < 0 && (builtin->effect == EFFECT_PURE || builtin->effect == EFFECT_STEP)) return args;
  if (level < 0 && builtin->effect == EFFECT_SHAPE) return NULL;
  if (level < 0 && !strncmp(builtin->name, "__check_", 8)) return args;
  return val_new(u, VAL_source, call, level < 0 ? LANE : (Level)level);
}

static bool is_view(const Node *arg)
{
  return arg->type && (arg->type->kind == TYPE_span || arg->type->kind == TYPE_place);
}

/* What a call writes through its argument i, a span or a place. What an atomic operation leaves in
 * a place differs between threads. */
static Writes writes_through(const Summary *callee, const Node *arg, unsigned i)
{
  Writes all = {arg->type->access != OP_in, LANE, 0}, none = {0};
  if (!callee || arg->type->kind == TYPE_place) return all;
  return callee->writes ? callee->writes[i] : none;
}

/* Applies what the callee writes through spans to the variables and parameters they are views of.
 * The callee may read back what it wrote to a variable, by any parameter that is a view of it. So
 * the value flows into those arguments first, and then into all that is made of them. */
static void call_writes(Uniform *u, Node *call, const Summary *callee, Val **args)
{
  Writes writes[PARAMS_MAX];
  Val *values[PARAMS_MAX] = {0};
  unsigned i = 0;
  for (Node *arg = call->b; arg && i < PARAMS_MAX; arg = arg->next, ++i) {
    writes[i] = is_view(arg) ? writes_through(callee, arg, i) : (Writes){0};
    writes[i].is_written &= is_view(arg) && view_base(arg);
    if (!writes[i].is_written || (!writes[i].level && !writes[i].params)) continue;
    values[i] = val_new(u, VAL_source, call, writes[i].level);
    const Node *decl = view_base(arg);
    unsigned k = 0;
    for (const Node *other = call->b; other && k < PARAMS_MAX; other = other->next, ++k)
      if (decl->kind != NODE_param && is_view(other) && view_base(other) == decl)
        args[k] = val_join(u, args[k], values[i]);
  }
  i = 0;
  for (Node *arg = call->b; arg && i < PARAMS_MAX; arg = arg->next, ++i) {
    if (!writes[i].is_written) continue;
    for (unsigned k = 0; k < PARAMS_MAX; ++k)
      if (writes[i].params >> k & 1) val_add_edge(u, args[k], values[i]);
    view_write(u, arg, view_base(arg), values[i]);
  }
}

static Val *result_of(Uniform *u, const Node *call, Part part, Val *const *args)
{
  if (!part.level && !part.params) return NULL;
  Val *val = val_new(u, VAL_source, call, part.level);
  for (unsigned i = 0; i < PARAMS_MAX; ++i)
    if (part.params >> i & 1) val_add_edge(u, args[i], val);
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
    return val_new(u, VAL_source, call, LANE);
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
    Node *decl = is_store ? view_base(call->a->a) : NULL;
    if (decl) view_write(u, call, decl, args);
    return val_whole(u,
                     val_join(u, call->a->kind == NODE_member ? value_of(u, call->a) : NULL, args));
  }
  if (is_constructor(call->decl)) return value_of_record(u, call->b);
  Val *args[PARAMS_MAX] = {0};
  unsigned count = 0;
  size_t mark = u->log.count;
  for (Node *arg = call->b; arg; arg = arg->next) {
    Val *val = value_of(u, arg);
    if (count < PARAMS_MAX) args[count++] = val;
  }
  count = 0;
  for (Node *arg = call->b; arg && count < PARAMS_MAX; arg = arg->next, ++count)
    if (arg->type && arg->type->kind == TYPE_span)
      args[count] = read_again(u, arg, args[count], mark);
  const Summary *callee = call->decl->gen;
  /* It is recursive, or an imported function without a body. */
  if (callee && (!callee->is_done || !call->decl->d)) callee = NULL;
  call_writes(u, call, callee, args);
  uniform_check_call(u, call, callee, args);
  if (!callee) return val_new(u, VAL_source, call, LANE);
  Val *val = result_of(u, call, (Part){callee->result, callee->params}, args);
  if (!val || !callee->parts) return val;
  Val **parts = NEW_ARRAY(&u->arena, Val *, call->type->count + 1);
  for (uint32_t i = 0; i < call->type->count; ++i)
    parts[i] = result_of(u, call, callee->parts[i], args);
  val_take_parts(u, val, parts, call->type->count);
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
  return is_changing ? val_new(u, VAL_memory, name, LANE) : var_read(u, name->decl, u->loop);
}

/* The extents of a span. Those of a parameter are uniform, whatever is written to its elements. */
static Val *extents_of(Uniform *u, Node *span)
{
  if (span->kind == NODE_name) return var_read(u, span->decl, u->loop);
  if (span->kind != NODE_index) return value_of(u, span);
  return val_join(u, extents_of(u, span->a), value_of_list(u, span->b)); /* a slice */
}

/* A value read from shared memory: at least of level BLOCK, since each block has its own. */
static Val *of_block(Uniform *u, Node *node, Val *val)
{
  return val_join(u, val, val_new(u, VAL_source, node, BLOCK));
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
    if (node->decl->kind == NODE_shared) return of_block(u, node, var_read(u, node->decl, u->loop));
    return var_read(u, node->decl, u->loop);
  case NODE_member:
    if (node->a->type && node->a->type->kind == TYPE_span) return extents_of(u, node->a);
    if (node->a->type && node->a->type->kind == TYPE_struct)
      return val_part(value_of(u, node->a), node->a->type, struct_field(node->a->type, node->name));
    return value_of(u, node->a);
  case NODE_call: return call_of(u, node);
  /* its body is analysed in the instances made of it */
  case NODE_lambda: return value_of_list(u, node->c);
  case NODE_tuple: return value_of_record(u, node->a);
  case NODE_index: {
    if (node->a->type->kind == TYPE_tuple)
      return val_part(value_of(u, node->a), node->a->type, (uint32_t)node->b->bits);
    Val *val = value_of(u, node->a);
    size_t mark = u->log.count;
    val = val_join(u, val, value_of_list(u, node->b));
    if (node->a->type->kind != TYPE_pointer) return read_again(u, node->a, val, mark);
    return node->a->type->space == SPACE_shared ? of_block(u, node, val)
                                                : val_new(u, VAL_memory, node, LANE);
  }
  case NODE_choose: {
    Val *condition = val_from(u, VAL_condition, node->a, value_of(u, node->a));
    Val *b = value_under(u, node->b, condition), *c = value_under(u, node->c, condition);
    return val_join(u, condition, val_join(u, b, c));
  }
  case NODE_binary: {
    if (op_is_lazy(node->op)) {
      Val *condition = val_from(u, VAL_condition, node->a, value_of(u, node->a));
      return val_join(u, condition, value_under(u, node->b, condition));
    }
    Val *left = value_of(u, node->a);
    return val_join(u, left, value_of(u, node->b));
  }
  default: {
    Val *val = NULL;
    for (unsigned i = 0; i < node_width(node); ++i)
      val = val_join(u, val, value_of_list(u, node->children[i]));
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
    if (root->kind == NODE_index) value = val_join(u, value, value_of_list(u, root->b));
    keeps = true;
    root = root->a;
    /* Memory: the levels of later loads from it don't depend on what is stored. */
    if (root->type->kind != TYPE_pointer && root->type->kind != TYPE_span) continue;
    Node *decl = root->type->kind == TYPE_span ? view_base(root) : NULL;
    if (decl) view_write(u, place, decl, val_join(u, value, extents_of(u, root)));
    else value_of(u, root);
    return;
  }
  if (root->kind != NODE_name || !root->decl) {
    value_of(u, root);
    return;
  }
  Node *decl = root->decl;
  if (decl->kind != NODE_var && decl->kind != NODE_let) return;
  if (keeps) value = val_whole(u, val_join(u, value, var_read(u, decl, u->loop)));
  var_assign(u, decl, var_value(u, place, decl, value));
}

static void assignment(Uniform *u, Node *node)
{
  if (node->c) var_declare(u, node->c, value_of(u, node->a)); /* the old value, for `x op= y` */
  Val *value = value_of(u, node->b);
  uint32_t i = 0;
  if (node->a->kind == NODE_tuple)
    for (Node *place = node->a->a; place; place = place->next)
      assign_place(u, place, val_part(value, node->b->type, i++), false);
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

bool uniform_is_role(const Node *condition)
{
  if (condition->kind != NODE_call || !condition->decl || condition->builtin) return false;
  const Node *receiver = receiver_of(condition->decl);
  return receiver && !strcmp(receiver->name->text, "block.part") &&
         !strncmp(condition->decl->name->text, "has<", 4);
}

static bool branch(Uniform *u, Node *node)
{
  Val *value = value_of(u, node->a), *outer = u->control;
  Val *condition = val_from(u, VAL_condition, node->a, value);
  Change *of_then, *of_else = NULL;
  uint32_t then_count, else_count = 0;
  size_t mark = u->log.count;
  if (uniform_is_role(node->a)) {
    Role role = uniform_role(node->a->decl);
    role.condition = condition;
    u->roles[role.number] = role;
    condition->roles = (uint16_t)(1u << role.number);
    vec_push(&u->arena, &u->work, condition);
  }
  u->control = val_join(u, outer, condition);
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
    Val *merged = ends_then ? b : ends_else ? a : val_join(u, a, b);
    if (is_both) merged = val_join(u, merged, condition);
    var_assign(u, change.decl, var_value(u, change.decl, change.decl, merged));
  }
  return ends_then && ends_else;
}

static void open_loop(Uniform *u, Loop *loop)
{
  *loop = (Loop){.outer = u->loop, .control = val_new(u, VAL_plain, NULL, EVERYWHERE)};
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
  /* A `break` or `continue` may leave the loop with any value that was assigned in it, and the
   * condition of a `while` with those that it has assigned. */
  size_t count = loop->has_jumps ? loop->changes.count : loop->exits;
  for (size_t i = 0; i < count; ++i) {
    Var *var = loop->changes.at[i].decl->gen;
    var->is_changed = true;
    if (var->merged) val_add_edge(u, loop->changes.at[i].value, var->merged);
  }
  for (size_t i = 0; i < loop->phis.count; ++i) {
    Phi *phi = &loop->phis.at[i];
    Var *var = phi->decl->gen;
    Val *end = var->now;
    bool is_changed = var->is_changed;
    *var = (Var){.now = phi->outer, .whose = var->whose, .loop = loop->outer, .stamp = var->stamp};
    if (!is_changed) continue;
    val_add_edge(u, end, phi->phi);
    val_add_edge(u, loop->control, phi->phi);
    var_assign(u, phi->decl, var_value(u, phi->decl, phi->decl, phi->phi));
  }
}

static void loop_statement(Uniform *u, Node *node)
{
  Loop loop;
  size_t mark = u->log.count;
  Val *outer = u->control, *range = NULL;
  if (node->kind == NODE_for) range = value_of(u, node->a);
  open_loop(u, &loop);
  u->control = val_join(u, outer, loop.control);
  if (node->kind == NODE_while) range = value_of(u, node->a);
  loop.exits = loop.changes.count;
  val_add_edge(u, val_from(u, VAL_condition, node->a, range), loop.control);
  if (node->kind == NODE_for) var_declare(u, node, var_value(u, node, node, range));
  statement(u, node->b);
  u->control = outer;
  close_loop(u, &loop, mark);
}

/* After a jump the threads that didn't take it go on: its control decides about the rest of each
 * loop that it leaves, and a return's about the rest of the function. */
static void jump(Uniform *u, Node *node)
{
  Val *control = val_join(u, u->control, u->returns);
  Val *leaves = val_from(u, VAL_jump, node, control);
  for (Loop *loop = u->loop; loop; loop = node->kind == NODE_return ? loop->outer : NULL) {
    loop->has_jumps = true;
    val_add_edge(u, leaves, loop->control);
  }
  if (node->kind != NODE_return) return;
  Val *value = value_of(u, node->a);
  u->returns = val_join(u, u->returns, leaves);
  u->result = val_join(u, u->result, val_join(u, value, control));
  const Type *type = u->function->type;
  for (uint32_t i = 0; u->parts && i < type->count; ++i)
    u->parts[i] = val_join(u, u->parts[i], val_join(u, val_part(value, type, i), control));
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
  case NODE_var: var_declare(u, node, var_value(u, node, node, value_of(u, node->b))); return false;
  case NODE_unpack: {
    Val *value = value_of(u, node->b);
    uint32_t i = 0;
    for (Node *part = node->a; part; part = part->next)
      var_declare(u, part, var_value(u, part, part, val_part(value, node->b->type, i++)));
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

/* ---- functions ---- */

static Level level_outside(const Val *val)
{
  return val->roles && val->level < WARP ? WARP : (Level)val->level;
}

static void analyse(Uniform *u, Node *function)
{
  Summary *summary = function->gen;
  u->function = function;
  u->control = u->returns = u->result = NULL;
  u->loop = NULL;
  uint32_t part_count =
      function->type && type_is_record(function->type) ? function->type->count : 0;
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
      val = val_new(u, VAL_variable, param, EVERYWHERE);
      val->name = param->name->text;
      val->params = 1ull << i;
      vec_push(&u->arena, &u->work, val);
    }
    var_declare(u, param, val);
    ++i;
  }
  if (function->d) view_find(u, function->d);
  if (function->d) statement(u, function->d);
  val_flow(u);
  if (u->result) {
    summary->result = level_outside(u->result);
    summary->params = u->result->params;
  }
  if (part_count) summary->parts = NEW_ARRAY(&u->c->scratch, Part, part_count);
  for (uint32_t k = 0; k < part_count; ++k)
    if (u->parts[k]) summary->parts[k] = (Part){level_outside(u->parts[k]), u->parts[k]->params};
  for (i = 0; i < PARAMS_MAX; ++i) {
    const Val *val = u->written[i];
    if (!val) continue;
    if (!summary->writes) summary->writes = NEW_ARRAY(&u->c->scratch, Writes, PARAMS_MAX);
    summary->writes[i] = (Writes){true, level_outside(val), val->params};
  }
  uniform_check_function(u, summary);
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
    has_collectives = uniform_is_collective(c->calls.at[i].caller) ||
                      uniform_is_collective(c->calls.at[i].callee);
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
