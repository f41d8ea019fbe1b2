/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shared_life.c - computes which of a kernel's outermost shared variables may not share bytes.
 *
 * This is the interference graph of a register allocator, for shared memory: two variables may
 * overlap if their live ranges don't, and if a barrier separates the last access to the one from
 * the first access to the other.
 *
 * needs   the kernel's body and all that it calls checked; shared.c's facts about the
 *         functions that are called
 * gives   for each variable the set of those that it conflicts with, as bits of a word
 * keeps   the tree
 * fails   never
 *
 * The body becomes a control flow graph. A point is a stretch of code without a barrier of the
 * block and has the set of variables that it accesses; an edge leads to what may run next. A
 * statement without a barrier in it lies in one point, whatever its branches and loops are, since
 * its threads may take different paths. A condition or loop with a barrier in it is the same for
 * all threads of the block (uniform.c), so all of them take one path through the graph:
 *
 *     a[i] = ...;                 1: {a}
 *     block.sync();                    |
 *     for (k in 0..n) {           2: {}  <--------+     a barrier stands before 2, 3 and 4
 *         x += a[k];              |      \        |
 *         block.sync();           |       {a}     |
 *         b[i] = x;               |        3: {b} |
 *         block.sync();           |         4: {} +
 *     }                           5: {c}
 *     c[i] = x;
 *
 * Two variables conflict in two cases. Either one is live at a point where the other is accessed:
 * it is accessed on some path to the point and again on some path from it, and its value would be
 * lost. Or an access of the one reaches an access of the other without a barrier between them, so
 * that different threads may be at both at once (a hazard). Both are data flow problems over sets:
 * before and after (for liveness), recent (accessed since the last barrier). Here `a` conflicts
 * with `b`, which is accessed between the reads of `a` in two iterations. `c` conflicts with
 * neither: a barrier stands on each path from `a` and `b` to it.
 *
 * Aliases: the names in an expression tell which variables it leads to. A `let` of a pointer, span
 * or lambda is an alias of the variables that its value leads to. A reference that escapes (into a
 * `var`, memory, an integer, inline PTX, or an asynchronous copy) makes these variables conflict
 * with all.
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/memory.h"

#include <string.h>

typedef struct Point {
  SharedSet accessed;
  SharedSet before, after; /* accessed on some path to it, or from it */
  SharedSet recent;        /* accessed on a path to it since the last barrier */
  bool is_behind_barrier;
} Point;

typedef struct Edge {
  uint32_t from, to;
} Edge;

/* The variables that a name leads to. */
typedef struct Alias {
  const Node *decl;
  SharedSet set;
} Alias;

typedef struct Life {
  Session *c;
  VEC(Point) points;
  VEC(Edge) edges;
  Alias *aliases; /* hashed by address: a power of two, at most half full */
  uint32_t alias_mask, alias_count;
  SharedSet pinned;
  uint32_t at; /* the current point */
  uint32_t on_break, on_continue;
  uint32_t barrier_count;
  /* The depth of operands around the current expression that may be skipped. */
  uint32_t maybes;
} Life;

/* What an expression accesses: the variables named in it, and those that its value leads to. */
typedef struct Use {
  SharedSet named, led;
} Use;

static Use walk(Life *life, Node *node);

/* ---- names ---- */

static Alias *alias_slot(const Life *life, const Node *decl)
{
  uint32_t i = (uint32_t)((uintptr_t)decl >> 4) * UINT32_C(2654435761) >> 7 & life->alias_mask;
  while (life->aliases[i].decl && life->aliases[i].decl != decl) i = (i + 1) & life->alias_mask;
  return &life->aliases[i];
}

static void add_alias(Life *life, const Node *decl, SharedSet set)
{
  if (!set) return;
  if (2 * (life->alias_count + 1) > life->alias_mask) {
    const Alias *old = life->aliases;
    uint32_t count = life->aliases ? life->alias_mask + 1 : 0;
    life->alias_mask = count ? 2 * count - 1 : 63;
    life->aliases = NEW_ARRAY(&life->c->scratch, Alias, life->alias_mask + 1);
    memset(life->aliases, 0, (life->alias_mask + 1) * sizeof *life->aliases);
    for (uint32_t i = 0; i < count; ++i)
      if (old[i].decl) *alias_slot(life, old[i].decl) = old[i];
  }
  Alias *slot = alias_slot(life, decl);
  life->alias_count += !slot->decl;
  slot->decl = decl;
  slot->set |= set;
}

/* Can a value of the type hold a reference to memory? */
bool shared_is_reference(const Type *type)
{
  if (!type) return false;
  switch ((TypeKind)type->kind) {
  case TYPE_pointer:
  case TYPE_span:
  case TYPE_place:
  case TYPE_closure: return true;
  case TYPE_array: return shared_is_reference(type->element);
  case TYPE_struct:
  case TYPE_tuple:
    for (uint32_t i = 0; i < type->count; ++i)
      if (shared_is_reference(type->elements[i])) return true;
    return false;
  default: return false;
  }
}

/* Can a value of the type lead to shared memory: as a reference, or as an array that is not copied
 * yet? A node without a type is part of an expression. */
static bool is_led(const Type *type)
{
  return !type || type->has_array || shared_is_reference(type);
}

/* ---- the graph ---- */

static uint32_t add_point(Life *life)
{
  vec_push(&life->c->scratch, &life->points, (Point){0});
  return life->points.count - 1;
}

static void add_edge(Life *life, uint32_t from, uint32_t to)
{
  Edge edge = {from, to};
  vec_push(&life->c->scratch, &life->edges, edge);
}

static uint32_t point_behind(Life *life, uint32_t from)
{
  uint32_t point = add_point(life);
  add_edge(life, from, point);
  return point;
}

static void access_set(Life *life, SharedSet set)
{
  life->points.at[life->at].accessed |= set;
}

static void pass_barrier(Life *life)
{
  if (life->maybes) return;
  life->at = point_behind(life, life->at);
  life->points.at[life->at].is_behind_barrier = true;
  ++life->barrier_count;
}

typedef struct Mark {
  uint32_t at, points, edges, barrier_count;
} Mark;

static Mark mark_here(const Life *life)
{
  return (Mark){life->at, life->points.count, life->edges.count, life->barrier_count};
}

/* Merges the points of a statement without a barrier into the point before it. The edges that are
 * kept are those of `break` and `continue`. */
static void join_point(Life *life, Mark mark)
{
  if (life->barrier_count != mark.barrier_count) return;
  Point *point = &life->points.at[mark.at];
  for (uint32_t i = mark.points; i < life->points.count; ++i)
    point->accessed |= life->points.at[i].accessed;
  uint32_t kept = mark.edges;
  for (uint32_t i = mark.edges; i < life->edges.count; ++i) {
    uint32_t to = life->edges.at[i].to;
    bool is_known = to >= mark.points;
    for (uint32_t k = mark.edges; k < kept && !is_known; ++k) is_known = life->edges.at[k].to == to;
    if (!is_known) life->edges.at[kept++] = (Edge){mark.at, to};
  }
  life->edges.count = kept;
  life->points.count = mark.points;
  life->at = mark.at;
}

/* ---- expressions ---- */

static Use either(Use a, Use b)
{
  return (Use){a.named | b.named, a.led | b.led};
}

static Use walk_list(Life *life, Node *list)
{
  Use use = {0};
  for (; list; list = list->next) use = either(use, walk(life, list));
  return use;
}

static Use walk_maybe(Life *life, Node *node)
{
  ++life->maybes;
  Use use = walk(life, node);
  --life->maybes;
  return use;
}

/* Forms that access memory while they run and keep no reference. */
static bool is_harmless(const Builtin *builtin)
{
  switch (builtin->form) {
  case FORM_intrinsic: /* its operands are numbers */
  case FORM__below:
  case FORM__fits:
  case FORM__place:
  case FORM__shares:
  case FORM__shares_none:
  case FORM__some:
  case FORM__sort_key:
  case FORM__stores:
  case FORM__zero:
  case FORM_address:
  case FORM_alignof:
  case FORM_assert:
  case FORM_element_of:
  case FORM_print:
  case FORM_ptr:
  case FORM_range:
  case FORM_sizeof:
  case FORM_vec:
  case FORM_vec_load:
  case FORM_vec_store: return true;
  case FORM__any:
  case FORM__apart:
  case FORM__in_step:
  case FORM__memory:
  case FORM_asm:
  case FORM_bit_cast:
  case FORM_inf:
  case FORM_nan:
  case FORM_resident:
  case FORM_trap:
  case FORM_tune: return false;
  }
  die("no form %d", (int)builtin->form);
}

static bool has_reference(const Node *arg)
{
  for (; arg; arg = arg->next)
    if (shared_is_reference(arg->type)) return true;
  return false;
}

/* Arguments in the order in which they are evaluated. */
static Use walk_arguments(Life *life, Node *call)
{
  Node *first = call->b;
  if (!(call->flags & FLAG_swapped)) return walk_list(life, first);
  Use use = walk(life, first->next);
  use = either(use, walk(life, first));
  return either(use, walk_list(life, first->next->next));
}

static Use walk_call(Life *life, Node *call)
{
  uint32_t start = life->at;
  Use use = walk(life, call->a);
  use = either(use, walk_arguments(life, call));
  if (life->at != start) access_set(life, use.named);
  if (call->builtin) {
    if (!is_harmless(call->builtin) && has_reference(call->b)) life->pinned |= use.led;
    if (call->builtin->form == FORM_address) use.led = use.named;
    if (call->builtin->effect == EFFECT_BLOCK) pass_barrier(life);
  } else if (call->decl && call->decl->d) {
    if (shared_keeps(life->c, call->decl)) life->pinned |= use.led;
    if (shared_always_waits(life->c, call->decl)) {
      pass_barrier(life);
      access_set(life, use.led);
    }
  } else if (call->decl && !is_constructor(call->decl)) {
    life->pinned |= use.led;
  }
  return use;
}

/* The operands of an expression with a barrier in one of them count as accessed before and behind
 * it. */
static Use walk_children(Life *life, Node *node)
{
  Use use = {0};
  uint32_t start = life->at;
  for (unsigned i = 0; i < node_width(node); ++i)
    use = either(use, walk_list(life, node->children[i]));
  if (life->at != start) {
    life->points.at[start].accessed |= use.named;
    access_set(life, use.named);
  }
  return use;
}

static Use walk_choose(Life *life, Node *node)
{
  uint32_t start = life->at;
  Use use = walk(life, node->a);
  use = either(use, walk_maybe(life, node->b));
  if (node->kind == NODE_choose) use = either(use, walk_maybe(life, node->c));
  if (life->at != start) access_set(life, use.named);
  return use;
}

static Use walk_convert(Life *life, Node *node)
{
  Use use = walk(life, node->a);
  if (node->type->kind == TYPE_place) use.led = use.named;
  if (!is_led(node->type) && shared_is_reference(node->a->type)) life->pinned |= use.led;
  return use;
}

/* ---- statements ---- */

static void bind(Life *life, const Node *decl, SharedSet led)
{
  if (decl->kind == NODE_let) add_alias(life, decl, is_led(decl->type) ? led : 0);
  else if (shared_is_reference(decl->type)) life->pinned |= led;
}

static void walk_assign(Life *life, Node *node)
{
  Use target = walk(life, node->a), old = walk(life, node->c), value = walk(life, node->b);
  if (shared_is_reference(node->b->type)) life->pinned |= value.led | old.led;
  access_set(life, target.named | old.named | value.led);
}

static void walk_if(Life *life, Node *node)
{
  walk(life, node->a);
  Mark mark = mark_here(life);
  life->at = point_behind(life, mark.at);
  walk(life, node->b);
  uint32_t end = life->at;
  life->at = point_behind(life, mark.at);
  walk(life, node->c);
  life->at = point_behind(life, life->at);
  add_edge(life, end, life->at);
  join_point(life, mark);
}

static void walk_loop(Life *life, Node *node)
{
  uint32_t on_break = life->on_break, on_continue = life->on_continue;
  Use use = {0};
  if (node->kind == NODE_for) use = walk(life, node->a);
  Mark mark = mark_here(life);
  life->on_continue = life->at = point_behind(life, mark.at);
  life->on_break = add_point(life);
  access_set(life, use.led);
  if (node->kind == NODE_while) walk(life, node->a);
  add_edge(life, life->at, life->on_break);
  life->at = point_behind(life, life->at);
  walk(life, node->b);
  add_edge(life, life->at, life->on_continue);
  life->at = life->on_break;
  join_point(life, mark);
  life->on_break = on_break;
  life->on_continue = on_continue;
}

/* What follows is not reached from here. */
static void jump(Life *life, const Node *node)
{
  if (node->kind != NODE_return)
    add_edge(life, life->at, node->kind == NODE_break ? life->on_break : life->on_continue);
  life->at = add_point(life);
}

static Use walk(Life *life, Node *node)
{
  Use use = {0};
  if (!node) return use;
  switch ((NodeKind)node->kind) {
  case NODE_name:
    if (!node->builtin && node->decl) use.named = use.led = alias_slot(life, node->decl)->set;
    access_set(life, use.named);
    return use;
  case NODE_shared:
  case NODE_constant:
  case NODE_alias:
  case NODE_static_assert: return use;
  case NODE_block: walk_list(life, node->a); return use;
  case NODE_launch:
  case NODE_evaluate: walk(life, node->a); return use;
  case NODE_let:
  case NODE_var: bind(life, node, walk(life, node->b).led); return use;
  case NODE_unpack:
    use = walk(life, node->b);
    for (const Node *decl = node->a; decl; decl = decl->next) bind(life, decl, use.led);
    return (Use){0};
  case NODE_assign: walk_assign(life, node); return use;
  case NODE_if: walk_if(life, node); return use;
  case NODE_while:
  case NODE_for: walk_loop(life, node); return use;
  case NODE_return: walk(life, node->a); /* fall through */
  case NODE_break:
  case NODE_continue: jump(life, node); return use;
  case NODE_each: walk_list(life, node->b); return walk_children(life, node);
  case NODE_call: use = walk_call(life, node); break;
  case NODE_convert: use = walk_convert(life, node); break;
  case NODE_choose: use = walk_choose(life, node); break;
  case NODE_binary:
    use = op_is_lazy(node->op) ? walk_choose(life, node) : walk_children(life, node);
    if (shared_is_escape(node)) life->pinned |= use.led;
    break;
  case NODE_lambda: use = walk_list(life, node->c); break; /* its body is walked in the instances */
  default: use = walk_children(life, node); break;
  }
  if (!is_led(node->type)) use.led = 0;
  return use;
}

/* ---- data flow ---- */

static void flow(Life *life)
{
  Point *points = life->points.at;
  /* One round, and one more for each level of nested loops. */
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t i = 0; i < life->edges.count; ++i) {
      const Point *from = &points[life->edges.at[i].from];
      Point *to = &points[life->edges.at[i].to];
      SharedSet before = to->before | from->before | from->accessed, recent = to->recent;
      if (!to->is_behind_barrier) recent |= from->recent | from->accessed;
      is_changed |= before != to->before || recent != to->recent;
      to->before = before;
      to->recent = recent;
    }
    for (uint32_t i = life->edges.count; i-- > 0;) {
      const Point *to = &points[life->edges.at[i].to];
      Point *from = &points[life->edges.at[i].from];
      SharedSet after = from->after | to->after | to->accessed;
      is_changed |= after != from->after;
      from->after = after;
    }
  }
}

/* A variable that is never accessed by name conflicts with all: nothing is known of it. */
static void find_conflicts(const Life *life, uint32_t count, SharedSet *conflicts)
{
  SharedSet all = 0;
  for (uint32_t i = 0; i < life->points.count; ++i) {
    const Point *point = &life->points.at[i];
    SharedSet live = (point->before | point->accessed) & (point->after | point->accessed);
    for (uint32_t v = 0; v < count; ++v)
      if (point->accessed >> v & 1) conflicts[v] |= live | point->recent;
    all |= point->accessed;
  }
  for (uint32_t v = 0; v < count; ++v) {
    if ((life->pinned | ~all) >> v & 1) conflicts[v] = ~(SharedSet)0;
    for (uint32_t w = 0; w < count; ++w)
      if (conflicts[v] >> w & 1) conflicts[w] |= (SharedSet)1 << v;
  }
}

void shared_find_conflicts(Session *c, const Node *kernel, const Node *const *variables,
                           uint32_t count, SharedSet *conflicts)
{
  Life life = {.c = c};
  for (uint32_t i = 0; i < count; ++i) {
    conflicts[i] = 0;
    add_alias(&life, variables[i], (SharedSet)1 << i);
    for (const Node *part = variables[i]->d; part; part = part->next)
      add_alias(&life, part, (SharedSet)1 << i);
  }
  life.at = add_point(&life);
  walk_list(&life, kernel->d->a);
  flow(&life);
  find_conflicts(&life, count, conflicts);
}

/* ---- whether a function keeps a reference argument ---- */

const Node *shared_own_variable(const Node *place)
{
  while (place->kind == NODE_index || place->kind == NODE_member) {
    place = place->a;
    TypeKind kind = place->type->kind;
    if (kind == TYPE_span || kind == TYPE_pointer || kind == TYPE_place) return NULL;
  }
  bool is_variable =
      place->kind == NODE_name && !place->builtin && place->decl && place->decl->kind == NODE_var;
  return is_variable ? place->decl : NULL;
}

static bool is_kept_target(const Node *target)
{
  if (target->kind != NODE_tuple) return !shared_own_variable(target);
  for (const Node *part = target->a; part; part = part->next)
    if (is_kept_target(part)) return true;
  return false;
}

/* An asynchronous copy, a pointer stored as a value, and inline PTX may keep a reference. */
static bool is_keeping_call(const Node *call)
{
  bool is_given = false, is_value = false;
  for (const Node *arg = call->b; arg; arg = arg->next) {
    is_given |= shared_is_reference(arg->type);
    is_value |= arg->type && arg->type->kind != TYPE_place && shared_is_reference(arg->type);
  }
  if (!call->builtin)
    return is_given && call->decl && !call->decl->d && !is_constructor(call->decl);
  if (call->builtin->form != FORM__memory) return is_given && !is_harmless(call->builtin);
  MemoryOp op = memory_named(call->b->text);
  return is_value || op == MEMORY_copy || op == MEMORY_copy_some;
}

bool shared_call_keeps(const Session *c, const Node *call)
{
  if (is_keeping_call(call)) return true;
  bool has_body = !call->builtin && call->decl && call->decl->d;
  return has_body && has_reference(call->b) && shared_keeps(c, call->decl);
}

bool shared_is_escape(const Node *node)
{
  bool is_number = node->kind == NODE_convert || (node->kind == NODE_binary && node->op == OP_sub);
  const Type *type = is_number ? node->a->type : NULL;
  return type && type->kind == TYPE_pointer && type_is_int(node->type);
}

bool shared_keeps_reference(const Node *node)
{
  for (; node; node = node->next) {
    if (shared_is_escape(node)) return true;
    if (node->kind == NODE_assign && shared_is_reference(node->b->type) && is_kept_target(node->a))
      return true;
    if (node->kind == NODE_call && is_keeping_call(node)) return true;
    /* c and d belong to shared.c. */
    unsigned width = node->kind == NODE_call ? 2 : node_width(node);
    for (unsigned i = 0; i < width; ++i)
      if (shared_keeps_reference(node->children[i])) return true;
  }
  return false;
}
