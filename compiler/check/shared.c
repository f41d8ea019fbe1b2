/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shared.c - lays out shared memory, and inserts the barriers that reuse of bytes needs.
 *
 * needs   all bodies checked; c->kernels; c->calls
 * gives   on NODE_shared: b its offset, c a barrier before it or NULL; on NODE_call: c where the
 *         callee's frame starts, d a barrier before it or NULL; the bytes of each frame
 * keeps   everything else; FLAG_waits, "it reaches a barrier", is set where a barrier is inserted
 * fails   with DIAG_shared_recursion, if a recursive function has a frame; DIAG_shared_dynamic, for
 *         an extent that the launch says in an inner block or a function
 *
 * Each function has a frame of shared memory, laid out like a stack: blocks that are not nested in
 * each other reuse the same bytes, and a callee's frame begins above what is declared around the
 * call. Offsets count from the start of the function's frame, whose address the caller passes as a
 * hidden parameter. shared_frame.c has frames laid out callees first.
 *
 *     kernel k() {                      byte 0             own          high       bytes
 *         shared a: f32[64];              | a, b: outermost | c           | set apart |
 *         shared b: f32[64];              |                 | d | f()'s   |           |
 *         { shared c: ...; }
 *         { shared d: ...; f(); }     d reuses c's bytes: a barrier before it, if c was touched
 *     }
 *
 * A kernel's outermost variables come first, up to `own`. shared_room.c places them so that
 * those without a conflict share bytes, which needs no barrier: the program has one between their
 * uses already. Then comes the stack; `high` is the highest top that it has. What may
 * not be reused at all (put_apart) lies above.
 *
 * A thread may still read bytes when another thread writes to them under their new name. So the
 * walk keeps the ranges that were touched since the last barrier of the block (Touched), in the
 * order of the statements. Where a new variable or frame overlaps one of them, a barrier goes in.
 * Behind a branch, the ranges of both ways are touched. At the head of a loop that uses the frame
 * and behind the loop, everything from `own` up is, since iterations and jumps are not told apart.
 * What is touched at a `return` stays so in the caller. Bytes that a pointer, span or lambda in a
 * variable leads to stay touched behind a barrier too, up to the end of the block that declares the
 * variable. Those of a reference that is stored elsewhere, becomes an integer or goes to inline PTX
 * stay so up to the end of the function.
 *
 * A barrier may be inserted only where all threads of the block come by. There are three such
 * places:
 * - a call of a function in which the block waits anyway, under any condition (uniform.c refuses
 *   one that differs);
 * - a declaration behind which the block waits in the same braces;
 * - any place outside of conditions and of loops whose trip count may differ, in a kernel, or in a
 *   function in which the block waits, where no thread has returned before. Of a kernel, all
 *   threads or none return where the block waits behind the return or in a loop around it.
 * Elsewhere a variable or frame is put apart, even if it needs no barrier, and so it is in the
 * second case. One exception: a variable in the outermost block of a function goes onto the stack
 * if its bytes are not touched.
 *
 * A variable that is put apart shares its bytes with nothing, but in a loop it has them again in
 * the next iteration. It gets a barrier for that in the second case, unless the loop's body ends
 * with one. Where the block doesn't wait behind it, only lanes of a warp or threads of a role can
 * have exchanged data by it, and their barriers are the program's.
 *
 * Two more things are always put apart. (1) What other blocks of a cluster may read: a barrier of
 * this block doesn't stop them. This holds for everything in a function that reaches cluster.map.
 * (2) What is declared or called while a memcpy_async may be in flight: a barrier doesn't wait for
 * it, only pipeline.wait() for all copies does.
 */
#include "check/shared_frame.h"
#include "front/builtin.h"
#include "front/memory.h"
#include "front/target.h"

#include <stdlib.h>
#include <string.h>

/* A provisional base for offsets of bytes that are never reused: they move behind the frame's stack
 * when its size is known. Above any real offset, so that ranges of both kinds don't meet. */
static const uint64_t APART = UINT64_C(1) << 62;

/* A block that the walk is in, but for the function's outermost one. */
typedef struct Open {
  const Node *list;
  Touched reached; /* what Walk.reached becomes behind it */
  struct Open *outer;
} Open;

typedef struct Walk {
  Session *c;
  SharedFrame *frame;
  Touched touched;
  /* Bytes that a pointer, span or lambda in a variable leads to. They stay touched behind a
   * barrier. */
  Touched reached;
  Open *block;        /* the innermost one */
  uint64_t top, high; /* the top of the stack; its highest value so far */
  VEC(Node *) apart;  /* offset nodes of bytes that are never reused */
  uint64_t apart_bytes;
  unsigned barriers;  /* how many have been passed */
  uint32_t waits;     /* calls ahead, in which the block waits */
  bool is_outermost;  /* the current block is the function's body itself */
  bool is_divergent;  /* some threads of the block may skip the current statement */
  bool is_left;       /* some threads may have returned already */
  bool is_in_waiting; /* the block waits in a loop around the current statement */
  bool is_repeated;   /* what the innermost loop accesses may be in use in its next iteration */
  bool is_barriered;  /* every path to here passes a barrier of the block */
  Copies copies;      /* of the code walked so far */
} Walk;

static void walk(Walk *w, Node *node);
static uint32_t count_waits(const Walk *w, const Node *node);

/* ---- ranges ---- */

static void touch(Touched *touched, uint64_t lo, uint64_t hi)
{
  if (lo == hi) return;
  for (unsigned i = 0; i < touched->count; ++i) {
    if (touched->lo[i] > hi || touched->hi[i] < lo) continue;
    if (lo < touched->lo[i]) touched->lo[i] = lo;
    if (hi > touched->hi[i]) touched->hi[i] = hi;
    return;
  }
  /* The table is full: merge the last range into the new one. That may cover bytes between them. */
  if (touched->count == RANGES_MAX) {
    unsigned last = --touched->count;
    if (touched->lo[last] < lo) lo = touched->lo[last];
    if (touched->hi[last] > hi) hi = touched->hi[last];
  }
  touched->lo[touched->count] = lo;
  touched->hi[touched->count++] = hi;
}

static void touch_all(Touched *touched, const Touched *more, uint64_t offset)
{
  for (unsigned i = 0; i < more->count; ++i) {
    uint64_t hi = more->hi[i];
    touch(touched, more->lo[i] + offset, hi == UINT64_MAX ? hi : hi + offset);
  }
}

static bool is_touched(const Touched *touched, uint64_t lo, uint64_t hi)
{
  for (unsigned i = 0; i < touched->count; ++i)
    if (lo < touched->hi[i] && touched->lo[i] < hi) return true;
  return false;
}

/* ---- copies ---- */

static Copies copies_either(Copies a, Copies b)
{
  return (Copies){a.are_left || b.are_left, a.are_ended && b.are_ended};
}

static Copies copies_then(Copies a, Copies b)
{
  return (Copies){b.are_left || (a.are_left && !b.are_ended), a.are_ended || b.are_ended};
}

static Copies copies_of_access(const Node *call)
{
  MemoryOp op = memory_named(call->b->text);
  bool is_start = op == MEMORY_copy || op == MEMORY_copy_some;
  return (Copies){is_start, op == MEMORY_copy_wait && !call->b->next->bits};
}

static Copies copies_of_call(const Walk *w, const Node *call)
{
  if (call->builtin)
    return call->builtin->form == FORM__memory ? copies_of_access(call) : (Copies){0};
  const SharedFrame *callee = call->decl ? shared_find_frame(w->c, call->decl) : NULL;
  if (callee && callee->is_open) return (Copies){true, false};
  return callee ? callee->copies : (Copies){0};
}

static bool leaves_copies(const Walk *w, const Node *node)
{
  for (; node; node = node->next) {
    if (node->kind == NODE_call && copies_of_call(w, node).are_left) return true;
    for (unsigned i = 0; i < node_width(node); ++i)
      if (leaves_copies(w, node->children[i])) return true;
  }
  return false;
}

/* ---- giving out bytes ---- */

static Node *barrier_node(Walk *w, Span span)
{
  Session *c = w->c;
  static const char text[] = "__block_sync";
  Node *name = node_new(c->unit, NODE_name, span), *call = node_new(c->unit, NODE_call, span);
  name->name = name_of(&c->names, text, sizeof text - 1);
  name->type = c->types->function;
  call->a = name;
  call->builtin = builtin_named(name->name);
  call->type = c->types->none;
  return call;
}

/* Makes a barrier node if some of the bytes were touched since the last barrier. */
static void guard(Walk *w, uint64_t at, uint64_t bytes, Node **barrier, Span span)
{
  *barrier = NULL;
  if (!is_touched(&w->touched, at, at + bytes)) return;
  *barrier = barrier_node(w, span);
  w->touched = w->reached;
  ++w->barriers;
  w->frame->item->flags |= FLAG_waits;
  w->frame->waits = true;
}

/* Allocates bytes at the top of the stack and gives their offset. */
static uint64_t push(Walk *w, uint64_t bytes, Node **offset, Node **barrier, Span span)
{
  uint64_t at = w->top;
  guard(w, at, bytes, barrier, span);
  *offset = shared_offset(w->c, span, at);
  if (at + bytes > w->high) w->high = at + bytes;
  return at;
}

/* Allocates bytes that are never reused. `barrier` is NULL where some threads may skip the
 * place. */
static uint64_t put_apart(Walk *w, uint64_t bytes, Node **offset, Node **barrier, Span span)
{
  if (!*offset) { /* a second walk over a body keeps the offset */
    *offset = shared_offset(w->c, span, APART + w->apart_bytes);
    vec_push(&w->c->scratch, &w->apart, *offset);
    w->apart_bytes += bytes;
  }
  if (barrier) guard(w, (*offset)->bits, bytes, barrier, span);
  return (*offset)->bits;
}

/* ---- statements and expressions ---- */

static void walk_list(Walk *w, Node *list)
{
  for (; list; list = list->next) walk(w, list);
}

static bool is_kernel(const Walk *w)
{
  return w->frame->item->kind == NODE_kernel;
}

/* Does every thread of the block reach the current place? In a function without a barrier of the
 * block this isn't known: its caller may be one warp. */
static bool is_by_block(const Walk *w)
{
  return !w->is_divergent && !w->is_left && (is_kernel(w) || w->frame->waits);
}

static void walk_shared(Walk *w, Node *node)
{
  if (node->type == w->c->types->poison) return;
  if (is_dynamic(node)) {
    if (!is_kernel(w) || !w->is_outermost)
      diag_at(&w->c->diag, DIAG_shared_dynamic, node->span, node->name->text);
    return;
  }
  uint64_t bytes = shared_node_bytes(node);
  if (w->is_outermost && is_kernel(w)) return; /* shared_place_outermost() has placed it */
  bool is_first = w->is_outermost && !is_touched(&w->touched, w->top, w->top + bytes);
  bool is_common = is_first || is_by_block(w);
  if (is_common && !w->copies.are_left && !w->frame->maps) {
    w->top = push(w, bytes, &node->b, &node->c, node->span) + bytes;
  } else {
    /* In a loop, the iteration before may use it still. All threads come to a barrier behind it, or
     * none does, so one may stand before it. */
    bool is_again = w->is_repeated && count_waits(w, node->next);
    put_apart(w, bytes, &node->b, is_common || is_again ? &node->c : NULL, node->span);
  }
  place_parts(node);
}

static void walk_name(Walk *w, const Node *node)
{
  const Node *decl = node->decl;
  if (node->builtin || !decl || decl->kind != NODE_shared || !decl->b) return;
  uint64_t at = decl->b->bits, bytes = round_up(type_bytes(decl->type));
  touch(&w->touched, at, at + bytes);
}

static void walk_names(Walk *w, const Node *node)
{
  for (; node; node = node->next) {
    if (node->kind == NODE_name) walk_name(w, node);
    unsigned width = node->kind == NODE_call ? 2 : node_width(node);
    for (unsigned i = 0; i < width; ++i) walk_names(w, node->children[i]);
  }
}

/* Of `node` and its children, without the list that follows it. */
static void reach_names(Walk *w, const Node *node)
{
  const Node *decl = node->kind == NODE_name && !node->builtin ? node->decl : NULL;
  if (decl && decl->kind == NODE_shared && decl->b)
    touch(&w->reached, decl->b->bits, decl->b->bits + round_up(type_bytes(decl->type)));
  /* c and d are the offset and barrier made here. */
  unsigned width = node->kind == NODE_call ? 2 : node_width(node);
  for (unsigned i = 0; i < width; ++i)
    for (const Node *child = node->children[i]; child; child = child->next) reach_names(w, child);
}

/* A variable gets a pointer, span or lambda that leads to shared memory. */
static void walk_bound(Walk *w, const Node *value)
{
  if (value && shared_is_reference(value->type)) reach_names(w, value);
}

static bool declares(const Node *list, const Node *variable)
{
  for (; list; list = list->next) {
    if (list == variable) return true;
    if (list->kind == NODE_unpack && declares(list->a, variable)) return true;
  }
  return false;
}

/* What is reached stays so up to the end of the block of `variable`, or of the function if it is
 * NULL. */
static void keep_reached(Walk *w, const Node *variable)
{
  for (Open *block = w->block; block; block = block->outer) {
    if (variable && declares(block->list, variable)) return;
    touch_all(&block->reached, &w->reached, 0);
  }
}

/* A variable of an outer block may get the reference. The value may come from a variable of the
 * inner block, so all that is reached there counts. */
static void walk_target(Walk *w, const Node *target)
{
  if (target->kind != NODE_tuple) {
    keep_reached(w, shared_own_variable(target));
    return;
  }
  for (const Node *part = target->a; part; part = part->next) walk_target(w, part);
}

static void walk_escape(Walk *w, const Node *node)
{
  if (!shared_is_escape(node)) return;
  reach_names(w, node);
  keep_reached(w, NULL);
}

static void walk_block(Walk *w, Node *list)
{
  Open block = {.list = list, .reached = w->reached, .outer = w->block};
  uint64_t top = w->top;
  bool is_outermost = w->is_outermost;
  w->is_outermost = false;
  w->block = &block;
  walk_list(w, list);
  w->is_outermost = is_outermost;
  w->top = top;
  w->block = block.outer;
  w->reached = block.reached;
}

/* Code that may be skipped: the state behind it joins that of both paths. */
static void walk_maybe(Walk *w, Node *node)
{
  if (!node) return;
  Touched before = w->touched;
  bool is_barriered = w->is_barriered, is_divergent = w->is_divergent;
  Copies copies = w->copies;
  w->is_divergent = true;
  walk_block(w, node);
  w->is_divergent = is_divergent;
  w->is_barriered = is_barriered;
  w->copies = copies_either(w->copies, copies);
  touch_all(&w->touched, &before, 0);
}

static void walk_if(Walk *w, Node *node)
{
  walk(w, node->a);
  Touched before = w->touched;
  Copies copies_before = w->copies;
  bool was_barriered = w->is_barriered, is_divergent = w->is_divergent;
  w->is_divergent = true;
  walk_block(w, node->b);
  Touched after = w->touched;
  bool is_barriered = w->is_barriered;
  Copies copies = w->copies;
  w->touched = before;
  w->is_barriered = was_barriered;
  w->copies = copies_before;
  if (node->c) walk_block(w, node->c);
  w->is_divergent = is_divergent;
  w->is_barriered &= is_barriered;
  w->copies = copies_either(w->copies, copies);
  touch_all(&w->touched, &after, 0);
}

/* Is the expression plainly the same in all threads of the block: made of constants and of the
 * kernel's parameters? */
static bool is_uniform(const Walk *w, const Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_int:
  case NODE_bool: return true;
  case NODE_name:
    return is_kernel(w) && !node->builtin && node->decl && node->decl->kind == NODE_param;
  case NODE_convert:
  case NODE_unary: return is_uniform(w, node->a);
  case NODE_binary: return is_uniform(w, node->a) && is_uniform(w, node->b);
  case NODE_range:
    return is_uniform(w, node->a) && is_uniform(w, node->b) && (!node->c || is_uniform(w, node->c));
  default: return false;
  }
}

/* Is there a node of the kind in the list? */
static bool has_kind(const Node *node, NodeKind kind)
{
  for (; node; node = node->next) {
    if (node->kind == kind) return true;
    for (unsigned i = 0; i < node_width(node); ++i)
      if (has_kind(node->children[i], kind)) return true;
  }
  return false;
}

static bool has_jump(const Node *node)
{
  return has_kind(node, NODE_break) || has_kind(node, NODE_continue);
}

/* Does the statement allocate or access bytes of the frame? */
static bool uses_frame(Walk *w, const Node *node)
{
  for (; node; node = node->next) {
    if (node->kind == NODE_shared) return true;
    bool is_call = node->kind == NODE_call && node->decl && !node->builtin;
    if (is_call && shared_bytes(w->c, node->decl)) return true;
    if (node->kind == NODE_name && !node->builtin && node->decl && node->decl->kind == NODE_shared)
      return true;
    for (unsigned i = is_call; i < node_width(node); ++i)
      if (uses_frame(w, node->children[i])) return true;
  }
  return false;
}

/* Some threads may return here. In a kernel, all do or none if the block waits behind it, or in a
 * loop around it: uniform.c has seen to that. */
static void threads_left(Walk *w)
{
  w->is_left |= !is_kernel(w) || (!w->waits && !w->is_in_waiting);
}

static bool is_block_barrier(const Node *call)
{
  return call->builtin && call->builtin->effect == EFFECT_BLOCK;
}

/* NULL: a builtin. The callees' frames are made already. */
static SharedFrame *callee_of(const Walk *w, const Node *call)
{
  return !call->builtin && call->decl ? shared_find_frame(w->c, call->decl) : NULL;
}

static bool assigns_reference(const Node *node)
{
  for (; node; node = node->next) {
    if (node->kind == NODE_assign && shared_is_reference(node->b->type)) return true;
    for (unsigned i = 0; i < node_width(node); ++i)
      if (assigns_reference(node->children[i])) return true;
  }
  return false;
}

/* Is the last statement of the loop's body a barrier that each iteration comes to? What is declared
 * in the body isn't accessed behind it then, unless a pointer that lives longer leads there. */
static bool ends_in_barrier(const Walk *w, const Node *body)
{
  if (has_jump(body) || assigns_reference(body) || shared_keeps_reference(body)) return false;
  while (body && (body->next || body->kind == NODE_block)) body = body->next ? body->next : body->a;
  const Node *call = body && body->kind == NODE_evaluate ? body->a : NULL;
  if (!call || call->kind != NODE_call || call->b) return false;
  const SharedFrame *callee = callee_of(w, call);
  return is_block_barrier(call) || (callee && callee->always_waits && !callee->left.count);
}

static void walk_loop(Walk *w, Node *node)
{
  if (node->kind == NODE_for) walk(w, node->a);
  bool is_barriered = w->is_barriered, is_divergent = w->is_divergent;
  bool is_in_waiting = w->is_in_waiting, is_repeated = w->is_repeated;
  bool is_same = node->kind == NODE_for && is_uniform(w, node->a) && !has_jump(node->b);
  bool is_while = node->kind == NODE_while;
  bool is_user = uses_frame(w, node->b) || (is_while && uses_frame(w, node->a));
  Touched before = w->touched; /* the body, with its barriers, may run zero times */
  Copies copies = w->copies;
  bool has_copies = leaves_copies(w, node->b);
  if (has_copies) w->copies.are_left = true; /* from the iteration before */
  if (!is_same) w->is_divergent = true;
  w->is_in_waiting |= count_waits(w, node->b) || (is_while && count_waits(w, node->a));
  w->is_repeated = !ends_in_barrier(w, node->b);
  if (has_kind(node->b, NODE_return)) threads_left(w); /* in the iteration before */
  if (is_user) touch(&w->touched, w->frame->own, UINT64_MAX);
  if (is_while) walk(w, node->a);
  walk_block(w, node->b);
  touch_all(&w->touched, &before, 0);
  if (is_user) touch(&w->touched, w->frame->own, UINT64_MAX);
  w->is_repeated = is_repeated;
  w->is_in_waiting = is_in_waiting;
  w->is_divergent = is_divergent;
  w->is_barriered = is_barriered;
  w->copies = copies_either(w->copies, copies);
  if (has_copies && has_jump(node->b)) w->copies.are_left = true;
}

static void barrier_passed(Walk *w)
{
  w->touched = w->reached;
  ++w->barriers;
  w->is_barriered = w->frame->waits = true;
}

/* The callee's frame lies above what is declared around the call. */
static void walk_callee(Walk *w, Node *call)
{
  SharedFrame *callee = shared_find_frame(w->c, call->decl);
  if (!callee) return;
  uint64_t at = w->top;
  if (callee->is_open) callee->is_recursive = true;
  bool is_common = callee->waits || is_by_block(w);
  if (callee->bytes && is_common && !w->copies.are_left && !callee->maps)
    at = push(w, callee->bytes, &call->c, &call->d, call->span);
  else if (callee->bytes)
    at = put_apart(w, callee->bytes, &call->c, is_common ? &call->d : NULL, call->span);
  w->frame->waits |= callee->waits;
  if (callee->always_waits && !callee->is_open) barrier_passed(w);
  touch_all(&w->touched, &callee->left, at);
}

/* Does the block wait in the call? */
static bool is_waiting(const Walk *w, const Node *call)
{
  const SharedFrame *callee = callee_of(w, call);
  return is_block_barrier(call) || (callee && callee->waits);
}

/* The calls of a list in which the block waits. */
static uint32_t count_waits(const Walk *w, const Node *node)
{
  uint32_t count = 0;
  for (; node; node = node->next) {
    NodeKind kind = node->kind;
    if (kind == NODE_shared || kind == NODE_constant || kind == NODE_alias) continue;
    bool is_call = kind == NODE_call; /* c and d belong to the layout */
    count += is_call && is_waiting(w, node);
    for (unsigned i = 0; i < (is_call ? 2 : node_width(node)); ++i)
      count += count_waits(w, node->children[i]);
  }
  return count;
}

static void walk_call(Walk *w, Node *call)
{
  if (!call->decl && !call->builtin) walk(w, call->a); /* range.step(k) */
  walk_list(w, call->b);
  if (shared_call_keeps(w->c, call)) {
    for (const Node *arg = call->b; arg; arg = arg->next) walk_bound(w, arg);
    keep_reached(w, NULL);
  }
  Copies copies = copies_of_call(w, call);
  if (w->waits && is_waiting(w, call)) --w->waits;
  if (is_block_barrier(call)) barrier_passed(w);
  else if (call->builtin && !strcmp(call->builtin->name, "__cluster_map")) w->frame->maps = true;
  else if (!call->builtin && call->decl && call->decl->kind == NODE_function) walk_callee(w, call);
  w->copies = copies_then(w->copies, copies);
}

static void walk_node(Walk *w, Node *node)
{
  switch ((NodeKind)node->kind) {
  case NODE_block: walk_block(w, node->a); return;
  case NODE_shared: walk_shared(w, node); return;
  case NODE_name: walk_name(w, node); return;
  case NODE_if: walk_if(w, node); return;
  case NODE_while:
  case NODE_for: walk_loop(w, node); return;
  case NODE_call: walk_call(w, node); return;
  case NODE_constant:
  case NODE_alias: return;
  case NODE_return:
    walk(w, node->a);
    if (w->is_divergent) threads_left(w);
    touch_all(&w->frame->left, &w->touched, 0);
    w->frame->always_waits &= w->is_barriered;
    w->frame->copies = copies_either(w->frame->copies, w->copies);
    return;
  case NODE_choose:
    walk(w, node->a);
    walk_maybe(w, node->b);
    walk_maybe(w, node->c);
    return;
  case NODE_binary:
    walk(w, node->a);
    if (op_is_lazy(node->op)) walk_maybe(w, node->b);
    else walk(w, node->b);
    walk_escape(w, node);
    return;
  default:
    for (unsigned i = 0; i < node_width(node); ++i) walk_list(w, node->children[i]);
    bool is_binding = node->kind == NODE_let || node->kind == NODE_var ||
                      node->kind == NODE_unpack || node->kind == NODE_assign;
    if (is_binding) walk_bound(w, node->b);
    if (node->kind == NODE_assign && shared_is_reference(node->b->type)) walk_target(w, node->a);
    walk_escape(w, node);
    return;
  }
}

static bool has_blocks(const Node *node)
{
  NodeKind kind = node->kind;
  return kind == NODE_block || kind == NODE_if || kind == NODE_while || kind == NODE_for;
}

/* The operands of an expression with a barrier in one of them may be accessed before and behind
 * it. */
static void walk(Walk *w, Node *node)
{
  if (!node) return;
  unsigned barriers = w->barriers;
  walk_node(w, node);
  if (w->barriers == barriers || has_blocks(node)) return;
  unsigned width = node->kind == NODE_call ? 2 : node_width(node);
  for (unsigned i = 0; i < width; ++i) walk_names(w, node->children[i]);
}

/* ---- one frame ---- */

void shared_lay_out(Session *c, SharedFrame *frame)
{
  Node *item = frame->item;
  Walk w = {.c = c, .frame = frame, .is_outermost = true};
  frame->is_open = item->d != NULL;
  if (!frame->is_open) return; /* a constructor has no body */
  if (item->kind == NODE_kernel) {
    shared_place_outermost(c, frame);
    w.top = w.high = frame->own;
  } else if (!frame->keeps) {
    frame->keeps = shared_keeps_reference(item->d->a);
  }
  w.waits = count_waits(&w, item->d->a);
  frame->waits = w.waits;
  frame->always_waits = frame->copies.are_ended = true;
  walk_list(&w, item->d->a);
  if (!(item->d->flags & FLAG_returns)) {
    touch_all(&frame->left, &w.touched, 0);
    frame->always_waits &= w.is_barriered;
    frame->copies = copies_either(frame->copies, w.copies);
  }
  frame->is_open = false;
  for (uint32_t i = 0; i < w.apart.count; ++i) w.apart.at[i]->bits += w.high - APART;
  for (unsigned i = 0; i < frame->left.count; ++i) {
    uint64_t *lo = &frame->left.lo[i], *hi = &frame->left.hi[i];
    if (*lo >= APART) *lo += w.high - APART;
    if (*hi >= APART && *hi != UINT64_MAX) *hi += w.high - APART;
  }
  frame->bytes = w.high + w.apart_bytes;
  if (frame->is_recursive && frame->bytes)
    diag_at(&c->diag, DIAG_shared_recursion, item->span, item->name->text);
}
