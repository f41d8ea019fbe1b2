/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shared_room.c - places the variables in the outermost block of a kernel.
 *
 * needs   the kernel's body checked
 * gives   b, the offset, of each NODE_shared in that block; the frame's `own` bytes; its rooms
 * keeps   everything else: variables that share bytes here need no barrier
 * fails   never
 *
 * shared_life.c computes which variables conflict: both hold a value at the same time. The largest
 * variable comes first, and each is placed at the lowest offset at which it overlaps none that it
 * conflicts with. If that saves nothing, they lie one behind the other in the order of the program.
 *
 * The backends get one global variable for each room, a maximal set of variables that are connected
 * by overlapping bytes:
 *
 *     byte 0      a.........  d......        a: live at first; b, c: afterwards; d: always
 *                 b....c....
 *                 | room 1 |  |room 2|
 */
#include "check/shared_frame.h"
#include "front/target.h"

#include <stdlib.h>

/* The bulk copy engine (TMA) needs a destination aligned to 128 bytes. With a swizzle, which
 * permutes 16-byte chunks by bits of the address, the pattern repeats every 1024 bytes. Less than
 * two chunks can't be permuted. */
static unsigned shared_alignment(const Node *kernel, const Type *type)
{
  enum { CHUNK = 16, ENGINE = 128 };
  uint64_t bytes = type_bytes(type);
  if (bytes < CHUNK || !kernel_has_maps(kernel)) return ALIGNMENT;
  return bytes < 2 * CHUNK ? ENGINE : SWIZZLE;
}

unsigned shared_dynamic_alignment(const Node *kernel)
{
  return kernel_has_maps(kernel) ? SWIZZLE : ALIGNMENT;
}

uint64_t shared_node_bytes(const Node *shared)
{
  uint64_t most = round_up(type_bytes(shared->type));
  for (const Node *part = shared->d; part; part = part->next) {
    uint64_t bytes = round_up(type_bytes(part->type));
    if (bytes > most) most = bytes;
  }
  return most;
}

static unsigned node_alignment(const Node *kernel, const Node *shared)
{
  unsigned most = shared_alignment(kernel, shared->type);
  for (const Node *part = shared->d; part; part = part->next) {
    unsigned alignment = shared_alignment(kernel, part->type);
    if (alignment > most) most = alignment;
  }
  return most;
}

/* A variable in the outermost block of a kernel. */
typedef struct Outermost {
  Node *node;
  uint64_t bytes, at;
  unsigned alignment;
  SharedSet conflicts;
  uint32_t order;
} Outermost;

typedef VEC(Outermost) Outermosts;

static Outermosts find_outermost(Session *c, const Node *kernel)
{
  Outermosts all = {0};
  for (Node *node = kernel->d->a; node; node = node->next) {
    if (node->kind != NODE_shared || node->type->kind == TYPE_poison || is_dynamic(node)) continue;
    Outermost outer = {.node = node,
                       .bytes = shared_node_bytes(node),
                       .alignment = node_alignment(kernel, node),
                       .order = all.count};
    vec_push(&c->scratch, &all, outer);
  }
  return all;
}

/* Places all of them one behind the other and gives the bytes. */
static uint64_t place_apart(Outermosts *all)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < all->count; ++i) {
    Outermost *outer = &all->at[i];
    outer->at = round_to(bytes, outer->alignment);
    bytes = outer->at + outer->bytes;
  }
  return bytes;
}

static int by_size(const void *a, const void *b)
{
  const Outermost *x = *(Outermost *const *)a, *y = *(Outermost *const *)b;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
  return x->order < y->order ? -1 : 1;
}

/* The lowest offset at which `outer` overlaps none of the placed ones that it conflicts with. */
static uint64_t lowest_place(Outermost *const *placed, uint32_t count, const Outermost *outer)
{
  uint64_t at = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Outermost *other = placed[i];
    bool is_apart = at >= other->at + other->bytes || at + outer->bytes <= other->at;
    if (is_apart || !(outer->conflicts >> i & 1)) continue;
    at = round_to(other->at + other->bytes, outer->alignment);
    i = UINT32_MAX; /* start again: it may now overlap one that was passed */
  }
  return at;
}

/* Places the `count` largest ones each as low as its conflicts allow, the others behind them, and
 * gives the bytes. */
static uint64_t place_together(Outermost *const *placed, uint32_t count, uint32_t all)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < all; ++i) {
    Outermost *outer = placed[i];
    outer->at = i < count ? lowest_place(placed, i, outer) : round_to(bytes, outer->alignment);
    if (outer->at + outer->bytes > bytes) bytes = outer->at + outer->bytes;
  }
  return bytes;
}

static bool overlaps(const Outermost *a, const Outermost *b)
{
  return a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

static bool has_common(Outermost *const *placed, uint32_t count)
{
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < i; ++k)
      if (overlaps(placed[i], placed[k])) return true;
  return false;
}

static int by_place(const void *a, const void *b)
{
  const Outermost *x = *(Outermost *const *)a, *y = *(Outermost *const *)b;
  return (x->at > y->at) - (x->at < y->at);
}

/* Groups the variables into rooms, in the order of their offsets. A room is a maximal set of
 * variables connected by overlapping bytes: the backend gets one global variable for each. */
static void make_rooms(Session *c, SharedFrame *frame, Outermost **placed, uint32_t count)
{
  if (count) qsort(placed, count, sizeof *placed, by_place);
  frame->rooms = NEW_ARRAY(c->unit, SharedRoom, count + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const Outermost *outer = placed[i];
    SharedRoom *room = frame->room_count ? &frame->rooms[frame->room_count - 1] : NULL;
    if (!room || outer->at >= room->hi) {
      room = &frame->rooms[frame->room_count++];
      *room = (SharedRoom){.lo = outer->at, .first = outer->node};
    }
    if (outer->at + outer->bytes > room->hi) room->hi = outer->at + outer->bytes;
    if (outer->alignment > room->alignment) room->alignment = outer->alignment;
    if (outer->node->span.lo < room->first->span.lo) room->first = outer->node;
    room->count += 1 + node_count(outer->node->d);
  }
}

/* A checked build for the host doesn't overlap variables, if they fit: its checker then tells a
 * read of one from a write to another. */
static bool is_apart(const Session *c, uint64_t bytes)
{
  bool is_checked = c->options.flags & CK_COMPILE_CHECK;
  return c->target->has_accesses && is_checked && bytes <= c->target->shared_most;
}

/* Places a kernel's outermost variables. Those that other blocks may access don't share bytes; of
 * more than SHARED_SET_MAX, the smallest ones don't. */
void shared_place_outermost(Session *c, SharedFrame *frame)
{
  Outermosts all = find_outermost(c, frame->item);
  Outermost **placed = NEW_ARRAY(&c->scratch, Outermost *, all.count + 1);
  for (uint32_t i = 0; i < all.count; ++i) placed[i] = &all.at[i];
  uint64_t apart = frame->own = place_apart(&all);
  if (all.count > 1 && !frame->maps && !is_apart(c, apart)) {
    const Node *variables[SHARED_SET_MAX];
    SharedSet conflicts[SHARED_SET_MAX];
    uint32_t count = all.count < SHARED_SET_MAX ? all.count : SHARED_SET_MAX;
    qsort(placed, all.count, sizeof *placed, by_size);
    for (uint32_t i = 0; i < count; ++i) variables[i] = placed[i]->node;
    shared_find_conflicts(c, frame->item, variables, count, conflicts);
    for (uint32_t i = 0; i < count; ++i) placed[i]->conflicts = conflicts[i];
    frame->own = place_together(placed, count, all.count);
    if (frame->own >= apart || !has_common(placed, count)) frame->own = place_apart(&all);
  }
  for (uint32_t i = 0; i < all.count; ++i) {
    all.at[i].node->b = shared_offset(c, all.at[i].node->span, all.at[i].at);
    place_parts(all.at[i].node);
  }
  make_rooms(c, frame, placed, all.count);
}

const SharedRoom *shared_room(const Session *c, const Node *kernel, uint64_t offset)
{
  const SharedFrame *frame = shared_find_frame(c, kernel);
  uint32_t lo = 0, hi = frame->room_count;
  while (hi - lo > 1) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (frame->rooms[middle].lo <= offset) lo = middle;
    else hi = middle;
  }
  return &frame->rooms[lo];
}
