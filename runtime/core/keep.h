/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* keep.h - the list of references that a capture and the graphs made of it share. */
#ifndef CK_KEEP_H
#define CK_KEEP_H

#include <stdbool.h>

#include "core/error.h"

/* What a graph, or a change of a node, retains. A captured stream has its capture's: what it uses
 * is added there. The last release gives the contents back; streams and events have weak
 * references, to the object alone. */
typedef struct GraphKeep GraphKeep;

bool graph_keep_is_open(const GraphKeep *keep); /* what is captured still adds to it */
GraphKeep *graph_keep_retain(GraphKeep *keep);
void graph_keep_release(GraphKeep *keep); /* NULL is fine */
GraphKeep *graph_keep_observe(GraphKeep *keep);
void graph_keep_ignore(GraphKeep *keep); /* NULL is fine */

/* An event that was recorded in a capture, and a stream that waits for it, are part of it: `*keep`,
 * held weakly, becomes the capture's. Not if that is over, or NULL. Returns whether it is another.
 */
bool graph_keep_join(GraphKeep **keep, GraphKeep *capture);

#endif
