/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.h - declarations shared by the files of graph/: who holds whom, the rules, the structs.
 *
 *   definition   nodes and edges: a CUgraph. One that a caller creates is a root. Those in its
 *                nodes, which are the copy in a child node and the bodies of a condition, are its
 *                parts. A part has no reference count, and its CUgraph belongs to the node: who
 *                retains a part retains its root
 *   graph        executable, made from a root: a CUgraphExec (graph.c)
 *   builder      captures a stream into a definition (builder.c)
 *   keep         a list of counted references to the kernels, buffers and events that a capture, a
 *                node or a graph uses (device/keep.h)
 *
 * There are three kinds of references:
 *
 *   ---   owner     Each thing has one owner, which frees it.
 *   ===>  user      A counted reference: the thing stays as it is until the last user releases it.
 *   ..>   observer  It may outlive what it refers to, and asks before each use: a stream or an
 *                   event whether its capture still runs (graph_keep_is_open).
 *
 *   builder ====> root, stream, keep of its capture
 *
 *   root ====> keep of its newest capture ====> keep of the capture before ...
 *     |------- node n ====> keep of n
 *     |          +----- part of n ----- its nodes, and so on
 *     +------- stale parts: those of nodes that are gone, which a caller may still have
 *
 *   graph ====> root, stream of its last launch, keep of all that the root kept when the graph was
 *     |         made or last updated as a whole
 *     |-------- CUgraphExec
 *     +-------- NodeChange, for each node that was changed in it ====> keep of the new params
 *
 *   keep ====> kernels, buffers, events, other keeps
 *   stream, event ..> keep of the capture that they are in
 *   list of the captures under way ..> keep of each
 *   list of deferred graphs ----- graph: released with a launch under way
 *
 * A part becomes stale when its node is destroyed or gets another child (graph_node_empty). Its
 * `native` is NULL then, it has no nodes, and every function refuses it (graph_definition_check).
 *
 * A definition finds its nodes by their CUgraphNode, in a hash. A node gets its ck_graph_node_t and
 * its entry there when a function adds it or first meets it in a list of the driver's.
 *
 * Rules:
 * - A release may call a function of the caller's, which may call this library. So a function
 *   releases last: no lock is held, and all structs are as after the call.
 * - Functions that only read a definition lock its root, because the driver doesn't, and because
 *   reading may add nodes to the hash. Functions that change it lock nothing, because the caller
 *   orders them. Builders alone lock the root to add a keep to `captured`, since several threads
 *   may capture forks. A change of an executable graph names a node of a definition to the driver
 *   and locks the root of that definition, but for a child node the root of the new child, which
 *   the driver copies. No function holds two of these locks.
 * - No function of the driver gets a graph of a root that is lost. A root is lost when a capture
 *   into it or a part of it fails, because the driver destroys the graph then (builder.c).
 */
#ifndef CK_GRAPH_INTERNAL_H
#define CK_GRAPH_INTERNAL_H

#include <pthread.h>

#include "ck/graph.h"
#include "launch/launch.h"

/* definition.c --------------------------------------------------------------------------------- */

/* The attributes of a kernel node with other values than a plain launch's. */
typedef struct NodeLaunch {
  /* All but that of a device-updatable node, in the order in which a change resets them: a
   * preferred cluster needs the cluster, and the cluster its mode. */
  CUlaunchAttribute natives[LAUNCH_ATTRIBUTE_COUNT + 2];
  ck_launch_attribute_t attributes[LAUNCH_ATTRIBUTE_COUNT]; /* all but cluster and cooperative */
  size_t native_count, attribute_count;
} NodeLaunch;

struct ck_graph_node {
  ck_graph_node_t *next; /* in its bucket, or in a list of nodes that are removed */
  ck_graph_definition_t *definition;
  CUgraphNode native;
  ck_node_kind_t kind;
  GraphKeep *keep; /* a user; NULL: it uses nothing, or its capture keeps it. A child node's has
                    * what no node of its copy keeps */
  ck_graph_definition_t *parts; /* owned, an array: bodies, or a child, which is made when needed */
  size_t part_count;
  CUDA_CONDITIONAL_NODE_PARAMS condition; /* handle, type and size of a conditional node */
  uint64_t changed_at;                    /* the root's change_count then, or 0 */
  NodeLaunch *launch;                     /* owned, of a kernel; NULL: it never had an attribute */
  bool is_launch_known;                   /* the same as the driver's */
};

struct ck_graph_definition {
  Object object;               /* of a root */
  ck_graph_definition_t *root; /* itself, or what it is a part of */
  ck_device_t *device;         /* retained by the root */
  CUgraph native;              /* owned by a root; NULL: the driver has destroyed it */
  ck_graph_node_t **buckets;   /* owned; its nodes, linked by next */
  size_t bucket_count, node_count;
  atomic_uint capture_count; /* captures into it and its parts: those that are under way, and those
                              * that have failed and destroyed a body in it */
  GraphKeep *waiting;        /* a user; of a capture into it that ends after those into its parts */
  /* Of a part: */
  ck_graph_node_t *node; /* the node that it is in; NULL: this is a root */
  bool is_given;         /* a caller may have it or its neighbours; of a node's first part */
  ck_graph_definition_t *next_stale;
  /* Of a root: */
  bool is_lost;                 /* a capture has failed; see the rules above */
  ck_graph_definition_t *stale; /* owned, arrays of a node's parts, linked by next_stale */
  GraphKeep *captured;          /* a user; the newest capture's, chained to older ones */
  uint64_t change_count;        /* of nodes in it and in its parts */
  pthread_mutex_t mutex;
};

/* Unlocks a definition; returns `status`, of what was done with the lock held. */
static inline ck_status_t graph_definition_unlock(const ck_graph_definition_t *definition,
                                                  ck_status_t status)
{
  pthread_mutex_unlock(&definition->root->mutex);
  return status;
}

/* The status of an expression that is evaluated with the lock held. */
#define LOCKED(definition_, status_)                                                               \
  (pthread_mutex_lock(&(definition_)->root->mutex),                                                \
   graph_definition_unlock((definition_), (status_)))

/* DRV_STATUS with the lock of a node's definition held. */
#define NODE_STATUS(node_, call_)                                                                  \
  LOCKED((node_)->definition, DRV_STATUS((node_)->definition->device->driver, call_))

/* CK_UNSUPPORTED if the driver has no graphs of CUDA 12.3. */
ck_status_t graph_supported(const ck_device_t *device);
/* CK_INVALID_ARGUMENT for a definition that is lost or stale. */
ck_status_t graph_definition_check(const ck_graph_definition_t *definition);
/* The same, also for a definition whose root or one of its parts is being captured. */
ck_status_t graph_definition_check_ended(const ck_graph_definition_t *definition);
/* Adds all that may have references for the nodes in a definition, for a copy of its graph. */
ck_status_t graph_definition_keep(const ck_graph_definition_t *definition, GraphKeep *keep);
/* The node with a driver's handle, made if there is none: of a kind, or, if that is NULL, of the
 * kind that the driver tells. The definition is locked, or the caller's alone. */
ck_status_t graph_definition_node(ck_graph_definition_t *definition, CUgraphNode native,
                                  const ck_node_kind_t *kind, ck_graph_node_t **out_node);
/* Makes a node that is not in the hash yet, and room there, so that graph_node_put can't fail. NULL
 * with the failure recorded. */
ck_graph_node_t *graph_node_new(ck_graph_definition_t *definition);
void graph_node_put(ck_graph_node_t *node, CUgraphNode native, ck_node_kind_t kind);
/* Makes the parts of a node stale, because it is destroyed or has another child. Moves the nodes in
 * them to a list; they are to be freed once the caller is done. */
void graph_node_empty(ck_graph_node_t *node, ck_graph_node_t **list);
void graph_nodes_free(ck_graph_node_t *nodes); /* linked by next; not in a hash */
/* Makes the parts of a node that has none; their CUgraph is not set. */
ck_status_t graph_node_make_parts(ck_graph_node_t *node, size_t count);
/* The part of a node. Its definition is locked, or the caller's alone. `is_given`: a caller of the
 * API gets the part. */
ck_status_t graph_node_part(ck_graph_node_t *node, size_t index, bool is_given,
                            ck_graph_definition_t **out_definition);
/* Lets each node in the copy of a child share the keep of its original; the child node keeps the
 * rest. If this fails, the child node goes on to keep everything. */
void graph_node_share_keep(ck_graph_node_t *node, const ck_graph_definition_t *child);

typedef enum GraphListKind { LIST_nodes, LIST_edges, LIST_before, LIST_behind } GraphListKind;

/* A list of the driver's: nodes or edges of a graph, or neighbours of a node. One block of memory,
 * which memory_free(list.from) frees. */
typedef struct GraphList {
  CUgraphNode *from, *to; /* `to` is valid for edges */
  CUgraphEdgeData *data;
  size_t count;
} GraphList;

/* `of` is a graph, or a node for its neighbours. */
ck_status_t graph_list(const Driver *driver, GraphListKind kind, void *of, GraphList *out_list);

/* kind.c and node.c ---------------------------------------------------------------------------- */

/* A call that adds a node, or changes one in a definition or an executable graph. */
typedef struct NodeCall {
  const ck_node_params_t *params;
  const ck_device_t *device; /* of the node */
  GraphKeep *keep; /* a user; of the objects in the params; NULL if the driver didn't take them */
  GraphKeep *old;  /* of a changed node, for addresses without a buffer; or NULL */
  /* Adds or changes the node. `native` and `launch`, NULL unless it is a kernel, are valid only
   * during this call. */
  ck_status_t (*send)(struct NodeCall *call);
  CUgraphNodeParams native;
  const CUlaunchConfig *launch;
  ck_graph_node_t *node;
  const struct GraphPlace *place; /* of a node that is added */
  ck_graph_t *graph;              /* of a change in an executable graph, */
  struct NodeChange *change;      /* the last change of the node there */
  bool is_sent;                   /* the driver has added or changed it, even if the call fails */
} NodeCall;

/* A row for each kind of node. */
typedef struct NodeKind {
  char name[20];                       /* "a kernel", "an event wait" */
  ck_status_t (*send)(NodeCall *call); /* checks the params, fills in `native`, calls call->send */
  ck_status_t (*read)(ck_graph_node_t *node, ck_node_params_t *out); /* its definition is locked */
  bool is_fixed;                                                     /* can't be changed */
  bool can_be_off; /* ck_graph_set_enabled takes it */
} NodeKind;

const NodeKind *graph_node_kind(ck_node_kind_t kind); /* named "a ?" if it is none */
/* Checks call->params, and adds or changes the node, in the context of its device. Sets device and
 * keep of the call; the keep takes over the data of a host node. */
ck_status_t graph_node_send(NodeCall *call);

/* The dependencies of a node that is added. */
typedef struct GraphPlace {
  const CUgraphNode *after;
  const CUgraphEdgeData *data; /* or NULL */
  size_t count;
} GraphPlace;

ck_status_t graph_add_node(ck_graph_definition_t *definition, const GraphPlace *place,
                           ck_node_params_t *params, ck_graph_node_t **out_node);
/* Reads the attributes of a kernel node from the driver, unless they are known; other nodes have
 * none. The definition is locked. */
ck_status_t graph_node_read_launch(ck_graph_node_t *node, const NodeLaunch **out_launch);

/* What can't be changed of a kernel node in an executable graph. */
typedef struct NodeShape {
  unsigned cluster[3]; /* 0: none */
  bool is_cooperative;
} NodeShape;

NodeShape graph_shape_of(const CUlaunchAttribute *attributes, size_t count);
/* CK_INVALID_ARGUMENT or CK_UNSUPPORTED if params of a kind can't change the node. */
ck_status_t graph_check_change(const ck_graph_node_t *node, ck_node_kind_t kind);

#endif
