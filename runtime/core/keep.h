/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* keep.h - the list of references that a stream capture and the graphs made from it share
 * (graph/keep.c).
 *
 * Work that is captured runs later, and perhaps often, so whatever it uses has to live as long as
 * the graph: kernels, buffers, events, arrays. A keep is the list of those references. A stream
 * that is being captured points at the keep of its capture, and each call that uses the stream adds
 * to it. Streams and events are declared below graphs in the folder order, so they see only this
 * part of the interface.
 */
#ifndef CK_KEEP_H
#define CK_KEEP_H

#include <stdbool.h>

#include "core/error.h"

/* A keep has two reference counts. When the last user (a graph, or a changed node) releases it, the
 * references in the list are released. Observers (streams and events) keep only the empty object
 * alive, and ask graph_keep_is_open before each use. */
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

/* Implemented in graph/: streams, events and launches stand before graphs in the order of folders,
 * but a capture has to see what they use. A table that graph/ fills would have the same functions
 * in each process, and cost each call an indirect jump. */

bool graph_keep_is_open(const GraphKeep *keep); /* the capture still runs and adds to the list */
GraphKeep *graph_keep_retain(GraphKeep *keep);
void graph_keep_release(GraphKeep *keep); /* NULL is allowed */
GraphKeep *graph_keep_observe(GraphKeep *keep);
void graph_keep_unobserve(GraphKeep *keep); /* drops an observer; NULL is allowed */
/* Adds a reference to an object of any kind but a buffer (graph_keep_buffer); NULL is allowed. */
ck_status_t graph_keep_add(GraphKeep *keep, RefKind kind, const void *object);

/* Makes a stream or event part of a capture: `*keep` becomes an observed reference to the capture's
 * keep. This happens when an event is recorded in a captured stream, and when a stream waits for
 * such an event. Returns false, and changes nothing, if the capture is NULL, has ended or is the
 * one there already. */
bool graph_keep_join(GraphKeep **keep, GraphKeep *capture);

#endif
