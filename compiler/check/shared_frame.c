/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shared_frame.c - makes a frame of shared memory for each function that a kernel reaches, and
 * compares what a kernel needs with what a block of the target has.
 *
 * needs   all bodies checked; c->kernels; c->calls
 * gives   c->frames, sorted by the function's address, for a binary search
 * keeps   the order of c->calls
 * fails   with DIAG_shared_budget, with the kernel's largest variables in notes
 *
 * A caller's frame lies below those of its callees, so shared.c lays them out callees first: a walk
 * in depth from each kernel over the edges of the call graph, which are sorted by the caller. Two
 * properties go up the same edges: cluster.map is reached; a reference that is passed may be kept.
 * In a recursion a callee's frame is still open, and the worst is taken for what it keeps.
 */
#include "check/shared_frame.h"
#include "front/target.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(Node *) Roots;

/* ---- all frames, callees first ---- */

static int by_item(const void *a, const void *b)
{
  uintptr_t x = (uintptr_t)(*(SharedFrame *const *)a)->item,
            y = (uintptr_t)(*(SharedFrame *const *)b)->item;
  return (x > y) - (x < y);
}

static int by_caller(const void *a, const void *b)
{
  uintptr_t x = (uintptr_t)((const CallEdge *)a)->caller,
            y = (uintptr_t)((const CallEdge *)b)->caller;
  return (x > y) - (x < y);
}

SharedFrame *shared_find_frame(const Session *c, const Node *item)
{
  uint32_t lo = 0, hi = c->frames.count;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    SharedFrame *frame = c->frames.at[middle];
    if (frame->item == item) return frame;
    if ((uintptr_t)frame->item < (uintptr_t)item) lo = middle + 1;
    else hi = middle;
  }
  return NULL;
}

static SharedFrame *frame_of(Session *c, const Node *item)
{
  SharedFrame *frame = shared_find_frame(c, item);
  if (!frame) die("'%s' is called and has no frame", item->name->text);
  return frame;
}

static void add_frame(Session *c, Node *item)
{
  SharedFrame *frame = NEW(c->unit, SharedFrame);
  frame->item = item;
  frame->is_open = true;
  vec_push(c->unit, &c->frames, frame);
}

/* The roots of the call graph: kernels, and exported functions. The latter need a frame so that
 * linked.c can refuse one that isn't empty. */
static void find_roots(Session *c, Roots *roots)
{
  for (uint32_t i = 0; i < c->kernels.count; ++i) vec_push(&c->scratch, roots, c->kernels.at[i]);
  for (uint32_t i = 0; i < c->modules.count; ++i)
    for (Node *item = c->modules.at[i]->tree->a; item; item = item->next)
      if (item->kind == NODE_function && item->flags & FLAG_exported && !generic_params(item))
        vec_push(&c->scratch, roots, item);
}

static void make_frames(Session *c, const Roots *roots)
{
  for (uint32_t i = 0; i < roots->count; ++i) add_frame(c, roots->at[i]);
  for (uint32_t i = 0; i < c->calls.count; ++i) {
    if (c->calls.at[i].caller->kind == NODE_function) add_frame(c, c->calls.at[i].caller);
    if (i == 0 || c->calls.at[i].callee != c->calls.at[i - 1].callee)
      add_frame(c, c->calls.at[i].callee);
  }
  if (c->frames.count) qsort(c->frames.at, c->frames.count, sizeof(SharedFrame *), by_item);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->frames.count; ++i)
    if (kept == 0 || c->frames.at[kept - 1]->item != c->frames.at[i]->item)
      c->frames.at[kept++] = c->frames.at[i];
  c->frames.count = kept;
}

/* Lays out what `root` reaches in postorder, with a stack of its own, since chains of calls may be
 * long. */
static void visit(Session *c, SharedFrame *root, const CallEdge *edges)
{
  VEC(SharedFrame *) stack = {0};
  root->is_seen = true;
  vec_push(&c->scratch, &stack, root);
  while (stack.count) {
    SharedFrame *frame = stack.at[stack.count - 1];
    if (frame->edge == frame->edge_end) {
      --stack.count;
      shared_lay_out(c, frame);
      if (!stack.count) continue;
      stack.at[stack.count - 1]->maps |= frame->maps;
      stack.at[stack.count - 1]->keeps |= frame->keeps;
      continue;
    }
    SharedFrame *callee = frame_of(c, edges[frame->edge++].callee);
    frame->maps |= callee->maps;
    frame->keeps |= callee->keeps || (callee->is_seen && callee->is_open && callee->item->d);
    if (callee->is_seen) continue;
    callee->is_seen = true;
    vec_push(&c->scratch, &stack, callee);
  }
}

static void lay_out_all(Session *c)
{
  Roots roots = {0};
  find_roots(c, &roots);
  make_frames(c, &roots);
  uint32_t count = c->calls.count;
  CallEdge *edges = NEW_ARRAY(&c->scratch, CallEdge, count + 1);
  if (count) memcpy(edges, c->calls.at, count * sizeof *edges);
  qsort(edges, count, sizeof *edges, by_caller);
  for (uint32_t i = 0, end; i < count; i = end) {
    SharedFrame *frame = frame_of(c, edges[i].caller);
    for (end = i; end < count && edges[end].caller == edges[i].caller;) ++end;
    frame->edge = i;
    frame->edge_end = end;
  }
  for (uint32_t i = 0; i < roots.count; ++i)
    if (!frame_of(c, roots.at[i])->is_seen) visit(c, frame_of(c, roots.at[i]), edges);
}

uint64_t shared_bytes(const Session *c, const Node *item)
{
  const SharedFrame *frame = shared_find_frame(c, item);
  return frame ? frame->bytes : 0;
}

uint64_t shared_own_bytes(const Session *c, const Node *item)
{
  const SharedFrame *frame = shared_find_frame(c, item);
  return frame ? frame->own : 0;
}

bool shared_always_waits(const Session *c, const Node *function)
{
  const SharedFrame *frame = shared_find_frame(c, function);
  return frame && !frame->is_open && frame->always_waits;
}

bool shared_keeps(const Session *c, const Node *function)
{
  const SharedFrame *frame = shared_find_frame(c, function);
  return !frame || frame->is_open || frame->keeps;
}

/* ptxas places the other shared memory before the outermost variables, and aligning those to 1024
 * bytes may leave a gap of as much. */
bool shared_is_large(const Session *c, const Node *kernel)
{
  uint64_t gap = kernel_has_maps(kernel) ? SWIZZLE : 0;
  return shared_bytes(c, kernel) + gap > c->target->shared_bytes;
}

/* ---- the budget ---- */

typedef struct Part {
  const Node *node;
  uint64_t bytes;
} Part;

typedef VEC(Part) Parts;

static void collect(Session *c, const Node *node, Parts *parts)
{
  for (; node; node = node->next) {
    Part part = {node, 0};
    if (node->kind == NODE_shared && !is_dynamic(node)) part.bytes = type_bytes(node->type);
    if (node->kind == NODE_call && node->c) part.bytes = shared_bytes(c, node->decl);
    if (part.bytes) vec_push(&c->scratch, parts, part);
    unsigned width = node->kind == NODE_call ? 2 : node_width(node);
    for (unsigned i = 0; i < width; ++i) collect(c, node->children[i], parts);
  }
}

/* Reports that the kernel needs too much, with its largest variables in notes. */
static void report_budget(Session *c, const Node *kernel)
{
  enum { SHOWN_MAX = 5 };
  diag_at(&c->diag, DIAG_shared_budget, kernel->span, kernel->name->text,
          (unsigned long long)shared_bytes(c, kernel), c->target->shared_most, c->target->name);
  Parts parts = {0};
  collect(c, kernel->d, &parts);
  for (uint32_t shown = 0; shown < parts.count && shown < SHOWN_MAX; ++shown) {
    uint32_t largest = shown;
    for (uint32_t i = shown + 1; i < parts.count; ++i)
      if (parts.at[i].bytes > parts.at[largest].bytes) largest = i;
    Part part = parts.at[largest];
    parts.at[largest] = parts.at[shown];
    parts.at[shown] = part;
    const Node *named = part.node->kind == NODE_call ? part.node->decl : part.node;
    diag_note(&c->diag, DIAG_shared_part, part.node->span, named->name->text,
              (unsigned long long)part.bytes);
  }
  diag_hint(&c->diag, "Smaller tiles, or fewer of them, fit; blocks that follow each other share "
                      "the memory of what they declare.");
}

void check_shared_memory(Session *c)
{
  if (!c->check->has_shared) return;
  lay_out_all(c);
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    Node *kernel = c->kernels.at[i];
    if (frame_of(c, kernel)->bytes > c->target->shared_most) report_budget(c, kernel);
  }
}
