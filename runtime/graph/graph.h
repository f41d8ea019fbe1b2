/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.h - what the files of this folder share: definitions, nodes, and what they keep alive.
 *
 *   builder -> device, stream, definition, keep of its capture
 *   definition -> device; one in a node belongs to the node, and counts on its root
 *   node -> its definition, as a part; what it keeps
 *   graph -> device, definition; what that kept when the graph was made, what changes of its nodes
 *            keep; the stream of its last launch
 */
#ifndef CK_GRAPH_INTERNAL_H
#define CK_GRAPH_INTERNAL_H

#include <pthread.h>

#include "runtime.h"

/* graph.c ----------------------------------------------------------------------------------- */

/* A node that is not as the definition has it, or may not be. */
typedef struct NodeChange {
  CUgraphNode node;
  GraphKeep *keep;                 /* retained; what it was changed to names; or NULL */
  CUDA_MEMSET_NODE_PARAMS_v2 fill; /* what a fill does, on or off */
  bool is_fill_known, is_inner;    /* in a child */
  bool is_off;                     /* a fill that writes into the device's `scratch` instead */
} NodeChange;

struct ck_graph {
  Object object;
  ck_device_t *device;               /* retained */
  ck_graph_definition_t *definition; /* retained: its nodes name this graph's */
  CUgraphExec native;
  GraphKeep *keep; /* retained; what the definition kept */
  NodeChange *changes;
  size_t change_count;
  uint64_t made_at;                      /* of graph_node_changes, when the driver took the nodes */
  bool has_other_nodes, has_other_inner; /* the definition's do not tell: all, those in children */
  ck_stream_t *stream;                   /* retained; of the last launch, if it is ours; or NULL */
  CUevent last;
  ck_context_t *last_context; /* retained; the green one that `last` is of, or NULL */
  bool is_pending;            /* the last launch is not known to be through */
  bool is_marked;             /* `last` is behind it */
  GraphKeep *retired; /* retained; what launches under way may use of what was replaced; or NULL */
  size_t retired_count;
  ck_graph_t *next_deferred;
  bool is_deferred; /* released, with launches under way */
};

/* The entry of a node, made if there is none: a new one is the last. */
ck_status_t graph_find_change(ck_graph_t *graph, const ck_graph_node_t *node,
                              NodeChange **out_change, bool *out_is_new);

/* CK_INVALID_ARGUMENT for a node of another definition than the graph's. */
ck_status_t graph_check_node(const ck_graph_t *graph, const ck_graph_node_t *node);
/* What a driver says of a node that its executable graph has not. */
ck_status_t graph_explain_node(ck_status_t status);

/* switch.c ---------------------------------------------------------------------------- */

/* CK_UNSUPPORTED while a fill is off that an update would bring back: one in a child, or any. */
ck_status_t graph_check_switches(const ck_graph_t *graph, bool is_child);
/* Makes a fill another one; if it is off, it stays so. In the device's context. */
ck_status_t graph_change_fill(ck_graph_t *graph, NodeChange *change,
                              const CUDA_MEMSET_NODE_PARAMS_v2 *fill);
/* What is in children is another's now. */
void graph_forget_inner(ck_graph_t *graph);

/* keep.c ------------------------------------------------------------------------------ */

GraphKeep *graph_keep_new(void); /* open, with one reference; NULL with the failure recorded */

/* Takes over a reference to an object, which `release` gives back; also on failure. */
ck_status_t graph_keep_add(GraphKeep *keep, void *object, void (*release)(void *object));
/* A caller's data that the keep gives back: a place for it, and, once nothing can fail any more,
 * the data. Until then it is the caller's. */
typedef struct KeepData KeepData;
ck_status_t graph_keep_data(GraphKeep *keep, KeepData **out_data);
void graph_keep_own_data(KeepData *own, void *data, void (*release)(void *data)); /* NULL is fine */
ck_status_t graph_keep_keep(GraphKeep *keep, GraphKeep *inner);
/* What a captured node has: added as a part, taken out again by the node, that is told later. */
void graph_keep_tell_part(GraphKeep *keep, const GraphKeep *part, CUgraphNode node);
/* The next part whose node is known, and its node: a reference. NULL: there is none. */
GraphKeep *graph_keep_take_part(GraphKeep *keep, CUgraphNode *out_node);
/* A kernel and what its arguments lead to; addresses as graph_keep_address has them. */
ck_status_t graph_keep_args(GraphKeep *keep, GraphKeep *from, ck_kernel_t *kernel,
                            const ck_arg_t *args, size_t arg_count);
/* Adds the memory at an address, if `from`, which may be NULL, keeps it. */
ck_status_t graph_keep_address(GraphKeep *keep, GraphKeep *from, CUdeviceptr address);
/* The kernel or event with a driver's handle: borrowed; NULL if there is none. */
ck_kernel_t *graph_keep_find_kernel(GraphKeep *keep, const void *native);
ck_event_t *graph_keep_find_event(GraphKeep *keep, const void *native);

/* The capture is over: streams are no longer in it, and those that it held go. */
void graph_keep_close(GraphKeep *keep);

/* definition.c ------------------------------------------------------------------------ */

struct ck_graph_node {
  ck_graph_node_t *next; /* in its bucket */
  ck_graph_definition_t *definition;
  CUgraphNode native;
  ck_node_kind_t kind;
  GraphKeep *keep; /* retained; NULL: nothing, or its capture's; a child's: what none of the nodes
                    * of its copy has */
  CUgraph *bodies; /* of a condition; the driver's */
  uint64_t condition;
  ck_condition_kind_t condition_kind;
  uint64_t changed_at;            /* of graph_node_changes, the last time */
  ck_graph_definition_t **graphs; /* in it, made when asked for */
  size_t graph_count;
  /* Of a kernel, as graph_node_read_launch has it. */
  unsigned cluster[3];               /* 0: none */
  ck_launch_attribute_t *attributes; /* those that a plain launch has not; room for all, for good */
  size_t attribute_count;
  bool is_cooperative, is_launch_known;
};

typedef enum GraphState {
  GRAPH_plain,
  GRAPH_captured, /* a capture into it, not into parts of it, is under way */
  GRAPH_dead      /* a body that a capture has destroyed in the driver, or that stays captured */
} GraphState;

/* A capture that is under way. */
typedef struct OpenCapture {
  struct OpenCapture *next;
  ck_stream_t *stream; /* where it began; retained when its builder has left it */
  GraphKeep *keep;     /* the same */
} OpenCapture;

struct ck_graph_definition {
  Object object;               /* of the root */
  ck_graph_definition_t *root; /* itself, or what it is a part of */
  ck_device_t *device;         /* retained by the root */
  ck_graph_node_t *node;       /* that it is in; NULL: a root, or gone */
  bool is_given;               /* of a part: somebody may have it */
  CUgraph native;              /* owned by the root; NULL: lost, or in a node that is gone */
  CUgraph lost;                /* of a root that is lost: what the driver still has; or NULL */
  ck_graph_node_t **buckets;
  size_t bucket_count, node_count;
  GraphKeep **keeps; /* of captures into it: retained; of the root */
  size_t keep_count;
  ck_graph_definition_t *gone; /* of the root: those whose nodes are gone, by next_gone */
  ck_graph_definition_t *next_gone;
  atomic_uint capture_count; /* of the root: captures into it and its parts under way */
  GraphState state;
  OpenCapture *late;          /* whose end was put off; or NULL */
  atomic_uint late_count;     /* of the root: such, of all its parts */
  atomic_uint deferred_count; /* of the root: graphs that are released and that the driver has */
  pthread_mutex_t mutex; /* of the root: calls that only read, which make objects of nodes, and the
                          * driver's calls of theirs, which it does not put in order; changes of
                          * graphs too, that name its nodes to the driver. No other is locked
                          * meanwhile: who changes a child in a graph has the lock of what the
                          * driver copies, and names the node without this one */
};

static inline void graph_definition_lock(const ck_graph_definition_t *definition)
{
  pthread_mutex_lock(&definition->root->mutex);
}

static inline void graph_definition_unlock(const ck_graph_definition_t *definition)
{
  pthread_mutex_unlock(&definition->root->mutex);
}

/* CK_UNSUPPORTED if the driver has no graphs of CUDA 12.3. */
ck_status_t graph_supported(const ck_device_t *device);
/* The object of a driver's node, made if there is none. */
ck_status_t graph_definition_node(ck_graph_definition_t *definition, CUgraphNode native,
                                  ck_graph_node_t **out_node);
/* An object for a node that will be added, with room for it in its definition, and its place there
 * once the driver has the node. NULL when memory is out. */
ck_graph_node_t *graph_node_new(ck_graph_definition_t *definition);
void graph_node_put(ck_graph_node_t *node, CUgraphNode native, ck_node_kind_t kind);
void graph_definition_forget(ck_graph_node_t *node);
/* What was in a node that is gone or changed: the objects of definitions stay, empty, for those who
 * retain them. Returns its nodes, by next, to be freed when the caller is done: what they keep may
 * call this library when it goes. */
ck_graph_node_t *graph_node_bury_graphs(ck_graph_node_t *node);
void graph_nodes_free(ck_graph_node_t *parts); /* by next; none of them is in a definition */
/* CK_INVALID_ARGUMENT for a definition whose node is gone, or that is lost. */
ck_status_t graph_definition_check(const ck_graph_definition_t *definition);
/* The driver's graph can't be used any more, of the whole that the definition is of. */
void graph_definition_lose(ck_graph_definition_t *definition);
/* The driver has destroyed it as well: the whole's, or a body's that a node still has. */
void graph_definition_die(ck_graph_definition_t *definition);
void graph_definition_set_state(ck_graph_definition_t *definition, GraphState state);
/* The last of the states that parts of it are in. */
GraphState graph_definition_inside(const ck_graph_definition_t *definition);
/* The end of a capture waits until none goes on in parts of its definition. */
void graph_definition_put_off(ck_graph_definition_t *definition, OpenCapture *capture);
/* Takes one that need not wait any longer, the innermost; NULL if there is none. */
OpenCapture *graph_definition_take_late(ck_graph_definition_t *root,
                                        ck_graph_definition_t **out_definition);
/* CK_INVALID_ARGUMENT while the whole or a part of it is being captured. */
ck_status_t graph_definition_check_ended(const ck_graph_definition_t *definition);
/* Takes a capture's keep along; of a root. */
ck_status_t graph_definition_add_keep(ck_graph_definition_t *definition, GraphKeep *keep);
/* Adds all that a root keeps now, for a copy of its graph; it is locked, as for all that copies. */
ck_status_t graph_definition_keep(const ck_graph_definition_t *definition, GraphKeep *keep);
/* Gives each node of a child's copy what the node has that it is a copy of; the child node has the
 * rest. While that can't be done, the child node has all. */
void graph_node_share_keep(ck_graph_node_t *node, const ck_graph_definition_t *child);
/* Gives nodes that were captured what is known to be theirs. */
void graph_definition_take_parts(ck_graph_definition_t *definition, GraphKeep *keep);
/* Calls the driver for a condition of a graph. */
ck_status_t graph_create_condition(ck_device_t *device, CUgraph graph, const uint32_t *start,
                                   uint64_t *out_condition);

/* capture.c ---------------------------------------------------------------------------- */

struct ck_graph_builder {
  Object object;
  ck_device_t *device;               /* retained */
  ck_stream_t *stream;               /* retained */
  ck_graph_definition_t *definition; /* retained; NULL before the first begin; a body's own */
  GraphKeep *keep;                   /* retained; of the capture that it is or was in */
  bool is_building, is_fork, is_body;
  OpenCapture *open; /* owned; NULL: none, a fork, or it goes on without the builder */
  bool is_strict;    /* of a capture: it forbids calls */
  pthread_t thread;  /* the one that began it: the calls of this one, or of all */
  CUstream guard;    /* owned; whose capture forbids them; NULL before the first strict one */
};

/* Captures the builder's stream into a definition, and makes the keep. */
ck_status_t graph_capture_begin(ck_graph_builder_t *builder, ck_graph_definition_t *definition,
                                ck_capture_mode_t mode);
/* In the device's context, and on the thread that began a strict one. The definition may be lost.
 */
ck_status_t graph_capture_end(ck_graph_builder_t *builder);
/* As the end, on any thread, where nobody is to be told. */
void graph_capture_give_up(ck_graph_builder_t *builder);
/* What is captured counts no longer as the builder's: after either, and for a fork that is joined.
 */
void graph_capture_leave(ck_graph_builder_t *builder);
/* Gives back what a builder has for its captures. */
void graph_capture_close(ck_graph_builder_t *builder);

/* node.c ------------------------------------------------------------------------------- */

/* How often nodes of definitions were changed. */
extern _Atomic(uint64_t) graph_node_changes;

/* What a node's params come to for the driver. The driver's `native` is used before it goes. */
typedef struct NodeUse {
  const ck_device_t *device;
  const ck_graph_definition_t *root; /* of the graph that it is for */
  GraphKeep *keep;                   /* what the params name is added */
  GraphKeep *old;      /* of what is changed: addresses may be of its memory; or NULL */
  KeepData *host_data; /* in the keep, of a host node with a release function; or NULL */
  unsigned cluster[3];
  bool is_cooperative, has_attributes;
  /* Called with native params, inside of the device's context. */
  ck_status_t (*use)(struct NodeUse *self, CUgraphNodeParams *native, const CUlaunchConfig *launch);
  void *data;
} NodeUse;

/* "a kernel", "an event wait". */
const char *graph_a_kind(ck_node_kind_t kind);
ck_status_t node_params_use(const ck_node_params_t *params, NodeUse *use);
/* Takes over a host node's data, behind all that may fail. */
void node_params_own(const ck_node_params_t *params, const NodeUse *use);

/* Where a node is added. */
typedef struct GraphPlace {
  const CUgraphNode *after;
  const CUgraphEdgeData *data; /* or NULL */
  size_t count;
  GraphKeep *keep; /* of the capture that it is a part of; NULL: the node has its own */
} GraphPlace;

ck_status_t graph_add_node(ck_graph_definition_t *definition, const GraphPlace *place,
                           ck_node_params_t *params, ck_graph_node_t **out_node);
/* ck_graph_node_get_graph of a definition that is locked, or the caller's alone. Who gives the part
 * to somebody sets is_given. */
ck_status_t graph_node_graph(ck_graph_node_t *node, size_t index,
                             ck_graph_definition_t **out_definition);
/* Asks the driver, once, how a kernel is launched that was captured or has attributes. */
ck_status_t graph_node_read_launch(ck_graph_node_t *node);
/* Kinds that stay as they were made. */
ck_status_t graph_check_change(const ck_graph_node_t *node, const ck_node_params_t *params);

#endif
