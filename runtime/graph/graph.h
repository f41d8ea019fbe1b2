/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.h - what the files of this folder share: who holds whom, and the structs.
 *
 * A definition of the caller is a root. Definitions in its nodes, a child's copy or the bodies of a
 * condition, are parts of it: they have no reference count and no driver's graph of their own.
 *
 *   builder ==> stream, keep of its capture
 *      |
 *      +======> root <============================ graph ==> stream of its last launch
 *                |  owns: the driver's CUgraph       |  owns: CUgraphExec, NodeChange of each
 *                |                                   |        node that was changed in it
 *                +-- nodes, in a hash by CUgraphNode +==> keeps: what the root had when the graph
 *                |     +==> keep of the node               was made, and each change's
 *                |     +--> its parts
 *                +-- parts ..> node, generation
 *                +-- deferred: released graphs with launches under way
 *                +==> keeps of its captures         stream, event ..> keep of a capture
 *
 * There are three kinds of references:
 *
 *   --  owner     exactly one; it frees what it owns
 *   ==> user      counted; it needs the thing as it is, and gives it back with a release
 *   ..> observer  may outlive what it sees, and asks before each use: a part whether it is stale
 *                 (graph_definition_check), a stream or an event whether its capture is still open
 *                 (graph_keep_is_open)
 *
 * A part is a handle: a node, and the node's generation when the part was made. The generation
 * counts up when the node is destroyed or gets another child. So nobody has to be told: a part is
 * stale if its generation, or that of a part around it, is an older one. Nodes' memory is used
 * again in the root, and freed with it, so that a stale handle can be looked at. graph_node_empty
 * takes nodes that are in stale parts out of the hash.
 *
 * Rules:
 * - What is given back may call this library. So a release is the last thing that a function does:
 *   nothing is locked then, and the structs are as if the call had ended.
 * - Who reads a definition holds its root's mutex, for the driver puts nothing in order either, and
 *   reading makes objects of nodes. Who changes it is ordered by the caller, and locks nothing; a
 *   change of a graph locks the definition whose node it names to the driver, and no other.
 * - The driver is called for a root only while the root is not lost: a capture that fails destroys
 *   the graph that it goes into (capture.c).
 */
#ifndef CK_GRAPH_INTERNAL_H
#define CK_GRAPH_INTERNAL_H

#include <pthread.h>

#include "ck/graph.h"
#include "launch/launch.h"

/* keep.c --------------------------------------------------------------------------------------- */

GraphKeep *graph_keep_new(void); /* open, with one user; NULL with the failure recorded */
/* A keep that has no next one takes over a user's reference to another; returns the first. */
GraphKeep *graph_keep_chain(GraphKeep *keep, GraphKeep *next);
/* Takes over a caller's data, one for each keep. This can't fail. */
void graph_keep_own_data(GraphKeep *keep, void *data, void (*release)(void *data));
/* Adds the memory at an address, if `from`, which may be NULL, keeps it. */
ck_status_t graph_keep_address(GraphKeep *keep, GraphKeep *from, CUdeviceptr address);
/* The kernel or event with a driver's handle: borrowed; NULL if there is none. */
void *graph_keep_find(GraphKeep *keep, RefKind kind, const void *native);
/* The capture is over: its streams and events are no longer in it, and streams that it held go. */
void graph_keep_close(GraphKeep *keep);

/* definition.c --------------------------------------------------------------------------------- */

/* A graph in a node. */
typedef struct NodePart {
  CUgraph native;              /* of a condition's body; a child's is asked for */
  ck_graph_definition_t *part; /* made when it is asked for; owned by the root */
} NodePart;

/* What a kernel's node keeps from change to change in an executable graph. */
typedef struct NodeShape {
  unsigned cluster[3]; /* 0: none */
  bool is_cooperative;
} NodeShape;

struct ck_graph_node {
  ck_graph_node_t *next; /* in its bucket, or of those that are to be freed, or are free */
  ck_graph_definition_t *definition;
  CUgraphNode native; /* NULL: the driver didn't tell */
  ck_node_kind_t kind;
  unsigned generation; /* of its parts */
  GraphKeep *keep;     /* a user; NULL: nothing, or its capture's. A child's: what no node of its
                        * copy keeps */
  NodePart *parts;
  size_t part_count;
  uint64_t condition;
  ck_condition_kind_t condition_kind;
  uint64_t changed_at; /* the number of the last change, of all nodes of all definitions */
  /* Of a kernel, once graph_node_read_launch was called: */
  NodeShape shape;
  ck_launch_attribute_t *attributes; /* those that a plain launch has not; room for all, for good */
  size_t attribute_count;
  bool is_launch_known;
};

/* A driver's capture of a builder's stream. */
typedef struct Capture {
  struct Capture *next; /* in the list of all */
  ck_stream_t *stream;  /* a user if it goes on without its builder */
  GraphKeep *keep;      /* the same */
} Capture;

struct ck_graph_definition {
  Object object;               /* of a root */
  ck_graph_definition_t *root; /* itself, or what it is a part of */
  ck_device_t *device;         /* retained by the root */
  CUgraph native;              /* owned by a root; NULL: a failed capture has destroyed it */
  /* Captures into it and its parts that the driver has; a capture into it that waits for those in
   * its parts, or NULL; and whether a capture has destroyed a body in it. */
  atomic_uint capture_count;
  Capture *waiting;
  bool has_dead_body;
  /* Of a part: */
  ck_graph_node_t *node; /* the handle; NULL: a root */
  unsigned generation;
  bool is_given; /* somebody may have it: it is freed with the root */
  ck_graph_definition_t *next_part;
  /* Of a root: */
  bool is_lost;                 /* no call of the driver takes it any more */
  ck_graph_definition_t *parts; /* by next_part */
  ck_graph_node_t **buckets;    /* of its nodes and those of its parts, by next */
  size_t bucket_count, node_count;
  ck_graph_node_t *free_nodes; /* by next */
  GraphKeep *captured;         /* a user; of its captures, the last one first */
  ck_graph_t *deferred;        /* by next_deferred; guarded by a mutex of graph.c */
  ck_graph_definition_t *next_deferring;
  pthread_mutex_t mutex;
};

static inline void graph_definition_lock(const ck_graph_definition_t *definition)
{
  pthread_mutex_lock(&definition->root->mutex);
}

/* Returns the status of what was done with the lock. */
static inline ck_status_t graph_definition_unlock(const ck_graph_definition_t *definition,
                                                  ck_status_t status)
{
  pthread_mutex_unlock(&definition->root->mutex);
  return status;
}

/* The same for what was done in a device's context. */
static inline ck_status_t graph_leave(const ck_device_t *device, ck_status_t status)
{
  device_leave(device);
  return status;
}

/* CK_UNSUPPORTED if the driver has no graphs of CUDA 12.3. */
ck_status_t graph_supported(const ck_device_t *device);
/* CK_INVALID_ARGUMENT for a definition that is lost or stale. */
ck_status_t graph_definition_check(const ck_graph_definition_t *definition);
/* The same, and while the whole or a part of it is being captured. */
ck_status_t graph_definition_check_ended(const ck_graph_definition_t *definition);
/* What it is in; NULL for a root. */
ck_graph_definition_t *graph_definition_around(const ck_graph_definition_t *definition);
/* Adds all that a root keeps now, for a copy of its graph. */
ck_status_t graph_definition_keep(const ck_graph_definition_t *definition, GraphKeep *keep);
/* The node of a driver's, made if there is none: of a kind, or, with NULL, of that which the driver
 * says. The definition is locked, or the caller's alone. */
ck_status_t graph_definition_node(ck_graph_definition_t *definition, CUgraphNode native,
                                  const ck_node_kind_t *kind, ck_graph_node_t **out_node);
/* A node that will be added, with room in the hash, and its place there once the driver has it.
 * NULL with the failure recorded. */
ck_graph_node_t *graph_node_new(ck_graph_definition_t *definition);
void graph_node_put(ck_graph_node_t *node, CUgraphNode native, ck_node_kind_t kind);
/* What is in the node is another's, or goes with it: its parts are stale. Returns the nodes in them
 * for graph_nodes_free. */
ck_graph_node_t *graph_node_empty(ck_graph_node_t *node);
void graph_node_forget(ck_graph_node_t *node); /* the driver has it no more */
void graph_nodes_free(ck_graph_node_t *nodes); /* by next; none of them is in the hash */
/* ck_graph_node_get_graph of a definition that is locked, or the caller's alone. Who gives the part
 * to somebody sets is_given. */
ck_status_t graph_node_part(ck_graph_node_t *node, size_t index,
                            ck_graph_definition_t **out_definition);
/* Gives each node of a child's copy what the node has that it is a copy of; the child node has the
 * rest. While that can't be done, the child node has all. */
void graph_node_share_keep(ck_graph_node_t *node, const ck_graph_definition_t *child);

/* edge.c --------------------------------------------------------------------------------------- */

typedef enum GraphListKind { LIST_nodes, LIST_edges, LIST_before, LIST_behind } GraphListKind;

/* What the driver lists of a graph, or around a node: one block, freed by `from`. */
typedef struct GraphList {
  CUgraphNode *from, *to; /* `to`: of edges */
  CUgraphEdgeData *data;
  size_t count;
} GraphList;

ck_status_t graph_list(const Driver *driver, GraphListKind kind, CUgraph graph, CUgraphNode node,
                       GraphList *out_list);
/* The same for clean-up, with nothing recorded, and the names of its calls. Without memory, the
 * list has a count alone. */
CUresult graph_read_list(const Driver *driver, GraphListKind kind, CUgraph graph, CUgraphNode node,
                         GraphList *out_list);
extern const char *const graph_list_calls[];

/* capture.c ------------------------------------------------------------------------------------ */

struct ck_graph_builder {
  Object object;
  ck_device_t *device;               /* retained */
  ck_stream_t *stream;               /* retained */
  ck_graph_definition_t *definition; /* retained; NULL before the first begin; a body's own */
  GraphKeep *keep;                   /* a user; of the capture that it is or was in */
  bool is_building, is_fork, is_body;
  Capture *capture; /* owned; NULL: none, a fork, or it goes on without the builder */
  bool is_strict;   /* of a capture: it forbids calls */
  pthread_t thread; /* the one that began it: the calls of this one, or of all */
  CUstream guard;   /* owned; whose capture forbids them; NULL before the first strict one */
};

/* Captures the builder's stream into a definition, and makes the keep. */
ck_status_t graph_capture_begin(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                ck_capture_mode_t mode);
/* In the device's context, and on the thread that began a strict one. The definition may be lost.
 */
ck_status_t graph_capture_end(ck_graph_builder_t *builder);
/* As the end, on any thread, where nobody is to be told. */
void graph_capture_give_up(ck_graph_builder_t *builder);
/* The builder is in no capture any more: after either, and for a fork that is joined. */
void graph_capture_leave(ck_graph_builder_t *builder);
/* Gives back what a builder has for its captures. */
void graph_capture_close(ck_graph_builder_t *builder);

/* kind.c and node.c ---------------------------------------------------------------------------- */

typedef struct NodeChange NodeChange;

/* A node's params on their way to the driver. */
typedef struct NodeCall {
  const ck_node_params_t *params;
  const ck_device_t *device;
  const ck_graph_definition_t *root; /* of the graph that it is for */
  GraphKeep *keep;                   /* a user; what the params name is added */
  GraphKeep *old; /* of what is changed: addresses may be of its memory; or NULL */
  /* Adds the node or changes it: `native` and `launch`, which is a kernel's or NULL, are valid in
   * this call alone. */
  ck_status_t (*send)(struct NodeCall *call);
  CUgraphNodeParams native;
  const CUlaunchConfig *launch;
  ck_graph_node_t *node;
  const struct GraphPlace *place; /* where it is added */
  ck_graph_t *graph;              /* in which it is changed, */
  NodeChange *change;             /* and how it was before */
  bool is_sent;                   /* the driver has it, whatever failed behind that */
} NodeCall;

/* What differs from kind to kind. */
typedef struct NodeKind {
  const char *name;                    /* "a kernel", "an event wait" */
  ck_status_t (*send)(NodeCall *call); /* checks the params, fills in `native`, calls call->send */
  ck_status_t (*read)(ck_graph_node_t *node, ck_node_params_t *out); /* its definition is locked */
  bool is_fixed;                                                     /* it stays as it was made */
  bool can_be_off;                                                   /* in an executable graph */
} NodeKind;

const NodeKind *graph_node_kind(ck_node_kind_t kind); /* named "a ?" if it is none */
/* From the params to call->send. */
ck_status_t graph_node_send(NodeCall *call);
/* Takes over a host node's data, behind all that may fail. */
void graph_node_own_data(const NodeCall *call);

/* Where a node is added. */
typedef struct GraphPlace {
  const CUgraphNode *after;
  const CUgraphEdgeData *data; /* or NULL */
  size_t count;
} GraphPlace;

ck_status_t graph_add_node(ck_graph_definition_t *definition, const GraphPlace *place,
                           ck_node_params_t *params, ck_graph_node_t **out_node);
/* Asks the driver, once, how a kernel is launched that was captured or has attributes. The
 * definition is locked. */
ck_status_t graph_node_read_launch(ck_graph_node_t *node);
NodeShape graph_shape_of(const CUlaunchConfig *launch);
/* Whether params of this kind may change the node. */
ck_status_t graph_check_change(const ck_graph_node_t *node, ck_node_kind_t kind);

/* How often nodes of definitions were changed. */
extern _Atomic(uint64_t) graph_node_changes;

/* graph.c -------------------------------------------------------------------------------------- */

/* A node that is not as the definition has it, or may not be. */
struct NodeChange {
  NodeChange *next;
  CUgraphNode node;
  GraphKeep *keep;                 /* a user; of what it was changed to; or NULL */
  bool is_inner;                   /* the node is in a child */
  bool is_off;                     /* a fill that writes into the device's `scratch` instead */
  CUDA_MEMSET_NODE_PARAMS_v2 fill; /* what a fill does, on or off; elementSize 0: not known */
};

struct ck_graph {
  Object object;
  ck_device_t *device;               /* retained */
  ck_graph_definition_t *definition; /* retained: its nodes name this graph's */
  CUgraphExec native;
  GraphKeep *keep; /* a user; what the definition kept */
  NodeChange *changes;
  /* Of graph_node_changes, when the driver took the nodes, and those in children; 0: the definition
   * doesn't tell what they are. */
  uint64_t made_at, inner_made_at;
  ck_stream_t *stream; /* retained; of the last launch, if it is ours; or NULL */
  ck_event_t *last;    /* retained; of the context of that stream */
  bool is_pending;     /* the last launch is not known to have finished */
  bool is_marked;      /* `last` is behind it */
  GraphKeep *retired;  /* a user; what launches under way may use of what was replaced; or NULL */
  size_t retired_count;
  ck_graph_t *next_deferred;
};

#endif
