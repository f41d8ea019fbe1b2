/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* keep.h - the list of references that a capture and the graphs made of it share. */
#ifndef CK_KEEP_H
#define CK_KEEP_H

#include <stdbool.h>

#include "core/error.h"

/* What a graph, a node or a change of a node uses. What is put into a captured stream is added to
 * the keep of the capture. The last user's release gives back what the list refers to; streams and
 * events observe the keep of their capture. */
typedef struct GraphKeep GraphKeep;

typedef enum RefKind {
  REF_keep,
  REF_kernel,
  REF_buffer,
  REF_event,
  REF_array,
  REF_texture,
  REF_surface
} RefKind;

bool graph_keep_is_open(const GraphKeep *keep); /* what is captured still adds to it */
GraphKeep *graph_keep_retain(GraphKeep *keep);
void graph_keep_release(GraphKeep *keep); /* NULL is fine */
GraphKeep *graph_keep_observe(GraphKeep *keep);
void graph_keep_unobserve(GraphKeep *keep); /* NULL is fine */
/* Adds a reference to an object of a kind, but for a buffer; NULL is fine. */
ck_status_t graph_keep_add(GraphKeep *keep, RefKind kind, const void *object);

/* An event that was recorded in a capture, and a stream that waits for it, are part of it: `*keep`,
 * which they observe, becomes the capture's. Not if that is over, or NULL. Returns whether it is
 * another. */
bool graph_keep_join(GraphKeep **keep, GraphKeep *capture);

#endif
