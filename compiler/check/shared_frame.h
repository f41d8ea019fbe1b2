/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shared_frame.h - the frame of shared memory of a function, which shared.c, shared_room.c and
 * shared_frame.c make together. */
#ifndef CK_SHARED_FRAME_H
#define CK_SHARED_FRAME_H

#include "check/check_private.h"

enum { ALIGNMENT = 16, SWIZZLE = 1024, RANGES_MAX = 8 };

/* Bytes of the frame that may have been touched since the last barrier, as unordered ranges. */
typedef struct Touched {
  uint64_t lo[RANGES_MAX], hi[RANGES_MAX];
  unsigned count;
} Touched;

/* Asynchronous copies, as an effect of a stretch of code. */
typedef struct Copies {
  bool are_left;  /* a copy that it starts may be in flight at its end */
  bool are_ended; /* copies from before are complete at its end */
} Copies;

struct SharedFrame {
  Node *item;
  uint64_t own; /* of a kernel: the bytes of its outermost variables */
  SharedRoom *rooms;
  uint32_t room_count;
  uint64_t bytes; /* all bytes, `own` included */
  Touched left;   /* bytes touched behind the last barrier on some path through it */
  bool is_seen;
  bool is_open;            /* its layout is not finished */
  uint32_t edge, edge_end; /* in the array of edges: calls not visited yet */
  bool is_recursive;       /* it is recursive */
  bool waits;              /* it or a callee has a barrier of the block */
  bool always_waits;       /* on every path there is a barrier of the block */
  bool maps;               /* it or a callee uses cluster.map */
  bool keeps;              /* it may store a reference argument somewhere */
  Copies copies;
};

static inline uint64_t round_to(uint64_t bytes, uint64_t unit)
{
  return (bytes + unit - 1) / unit * unit;
}

static inline uint64_t round_up(uint64_t bytes)
{
  return round_to(bytes, ALIGNMENT);
}

static inline bool is_dynamic(const Node *shared)
{
  return shared->type->kind == TYPE_span;
}

/* All members of a union have its offset. */
static inline void place_parts(const Node *shared)
{
  for (Node *part = shared->d; part; part = part->next) part->b = shared->b;
}

static inline Node *shared_offset(Session *c, Span span, uint64_t offset)
{
  return node_int(c->unit, span, c->types->type_u64, offset);
}

/* shared_room.c */
uint64_t shared_node_bytes(const Node *shared); /* of a union, those of its largest member */
void shared_place_outermost(Session *c, SharedFrame *frame); /* the variables of a kernel */

/* shared.c: the frame's bytes, offsets and barriers. Those of all callees have been made. */
void shared_lay_out(Session *c, SharedFrame *frame);

/* shared_frame.c. NULL if the program has no shared memory, or nothing calls the item. */
SharedFrame *shared_find_frame(const Session *c, const Node *item);

#endif
