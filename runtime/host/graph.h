/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.h - the host device's graphs: what graph*.c and capture.c share.
 *
 * A node holds an operation as a stream would get it, and shares it with the nodes that are copied
 * from it. An executable graph is a copy whose nodes stand in an order that their edges allow; a
 * launch is one operation of a stream that runs them one after the other. A launch retains the
 * copy, and what changes an executable graph under way changes a copy of its own.
 *
 * One lock, host_graph_mutex, guards the structure of all graphs and captures. It is not held
 * while nodes run.
 */
#ifndef CK_HOST_GRAPH_H
#define CK_HOST_GRAPH_H

#include "host.h"

typedef struct HostGraph HostGraph;
typedef struct HostNode HostNode;
typedef struct HostExec HostExec;

/* What the driver calls a conditional handle. */
typedef struct HostCondition {
  atomic_size_t reference_count; /* graphs and their copies */
  unsigned start_value;
  bool has_start; /* it is set to start_value when a launch starts */
  bool is_used;   /* by a node: for searches */
  atomic_uint value;
} HostCondition;

/* Memory of an allocation node: an address from the node's birth on. */
typedef struct HostGraphMemory {
  atomic_size_t reference_count; /* nodes, and the caller while it is allocated */
  struct HostGraphMemory *next;  /* in the list of all */
  void *start;
  size_t bytes;
  bool is_allocated; /* by the last launch, and not freed: what a launch or a free may do */
} HostGraphMemory;

struct HostNode {
  uint64_t id;      /* of the node that a program made: copies have it too */
  HostGraph *graph; /* that it is a node of */
  CUgraphNodeType type;
  HostOp *op;              /* kernel, memcpy, memset, host: one reference */
  CUevent event;           /* record, wait: one reference */
  HostGraph *child;        /* child graph: its own copy */
  HostGraphMemory *memory; /* alloc, free: one reference */
  CUmemPoolProps pool;     /* alloc: as it was asked for; the host has one kind of memory */
  size_t access_count;     /* likewise: devices that shall reach it */
  CUstreamBatchMemOpParams *memory_ops;
  unsigned memory_op_count;
  HostCondition *condition;
  CUgraphConditionalNodeType condition_type;
  CUgraph *branches; /* each a HostGraph */
  unsigned branch_count;
  CUlaunchAttributeValue attributes[HOST_ATTRIBUTES]; /* of a kernel, as they were set, by id */
  bool is_disabled, is_captured;
  HostNode **after;
  size_t after_count;
  size_t place;   /* in an order of nodes, for searches */
  HostNode *back; /* for walks: where they came from */
  size_t next;    /* and which of `after` is next */
};

struct HostGraph {
  atomic_size_t reference_count; /* the handle or its node, and launches under way */
  HostNode **nodes;
  size_t node_count, node_room;
  HostCondition **conditions;
  size_t condition_count;
  HostNode *owner; /* the node whose child or branch it is, or NULL */
  HostExec *exec;  /* if it is unique: the executable graph that was made of it, or NULL */
  bool is_dead;    /* a body that a capture which ended badly has taken along */
  HostGraph *next_dead;
};

struct HostExec {
  HostGraph *graph;
  HostGraph *from; /* that is unique, while it is there; or NULL */
  CUevent turns;   /* a record for each launch */
  uint64_t flags;
};

extern pthread_mutex_t host_graph_mutex;

/* graph.c; with host_graph_mutex held --------------------------------------------------- */

HostGraph *host_graph_new(void);
bool host_graph_has_dead(const HostGraph *graph); /* in it */
bool host_graph_is_captured(const HostGraph *graph);
void host_graph_release(HostGraph *graph);
/* A copy with all that is in it; NULL when memory is out. */
HostGraph *host_graph_copy(const HostGraph *graph);
HostNode *host_node_new(HostGraph *graph, CUgraphNodeType type, HostNode *const *after,
                        size_t after_count);
/* Changes what a node does: the kind must stay. In an executable graph it has to be able to run. */
CUresult host_node_change(HostNode *node, const CUgraphNodeParams *params, bool is_executable);
void host_node_copy(HostNode *node, const HostNode *from); /* what it does, not where it stands */
/* Memory of its own, or conditions, in its parts too: the driver copies no such graph, and makes
 * one executable graph of it at a time. */
bool host_graph_is_unique(const HostGraph *graph);
HostGraph *host_graph_whole(HostGraph *graph); /* that it is a part of, or itself */
/* The node in a copy of `from` that stands for a node in `from`; NULL if it has none. It is found
 * by its way through the parts: copies of one graph, whose nodes have the same ids, may be several
 * of them. */
HostNode *host_graph_find(HostGraph *copy, const HostGraph *from, const HostNode *node);
CUresult host_graph_sort(HostGraph *graph); /* CUDA_ERROR_INVALID_VALUE: it has a cycle */
bool host_node_add_after(HostNode *node, HostNode *before);

/* graph_memory.c ------------------------------------------------------------------------ */

HostGraphMemory *host_graph_memory_new(size_t bytes);
HostGraphMemory *host_graph_memory_find(CUdeviceptr address); /* not retained */
void host_graph_memory_release(HostGraphMemory *memory);
/* Allocates or frees for a launch, or a free outside of graphs; false if it is so already. */
bool host_graph_memory_set(HostGraphMemory *memory, bool is_allocated);

/* capture.c ----------------------------------------------------------------------------- */

/* Where a capturing stream or a captured event stands. */
typedef struct HostTail HostTail;
/* Adds a node behind a stream's tail: NULL when memory is out or the capture is invalid. */
HostNode *host_capture_node(CUstream stream, CUgraphNodeType type, CUresult *out_result);

#endif
