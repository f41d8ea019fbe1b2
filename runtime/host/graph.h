/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.h - data structures of the host device's graphs, shared by graph*.c and capture.c.
 *
 * A node has an operation like one in a stream, which copies of the node share. An executable graph
 * is a deep copy of a graph whose nodes are sorted topologically; a launch is one operation in a
 * stream that executes the nodes in that order.
 *
 *   HostExec --> HostGraph (copy, sorted) <-- launch in progress (retains it)
 *                  nodes[] --> HostNode --> op (shared with the node it was copied from)
 *                                child, branches[] --> HostGraph ...
 *
 * A change of an executable graph (find_to_change in graph_run.c) first replaces the copy by
 * another one if a launch in progress retains it: launches must not see changes that were made
 * after them.
 *
 * host_graph_mutex guards the structure of all graphs and captures. It is not held while nodes are
 * executed.
 */
#ifndef CK_HOST_GRAPH_H
#define CK_HOST_GRAPH_H

#include "host.h"

typedef struct HostGraph HostGraph;
typedef struct HostNode HostNode;
typedef struct HostExec HostExec;

/* A conditional handle of the CUDA driver. */
typedef struct HostCondition {
  atomic_size_t reference_count; /* held by graphs and their copies */
  unsigned start_value;
  bool has_start; /* set to start_value when a launch starts */
  bool is_used;   /* mark: a node uses it */
  atomic_uint value;
} HostCondition;

/* Memory of an allocation node; its address is fixed when the node is made. */
typedef struct HostGraphMemory {
  atomic_size_t reference_count; /* nodes, and one more while it is allocated */
  struct HostGraphMemory *next;  /* in the list of all */
  void *start;
  size_t bytes;
  bool is_allocated; /* allocated by the last launch and not freed; decides what a launch or a
                      * free may do */
} HostGraphMemory;

struct HostNode {
  uint64_t id;      /* id of the original node, which copies keep */
  HostGraph *graph; /* the graph that contains it */
  CUgraphNodeType type;
  HostOp *op;              /* kernel, memcpy, memset, host: retained */
  CUevent event;           /* record, wait: retained */
  HostGraph *child;        /* child graph: a copy, owned */
  HostGraphMemory *memory; /* alloc, free: retained */
  CUmemPoolProps pool;     /* alloc: as requested; the host has one kind of memory */
  size_t access_count;     /* alloc: number of devices with access, as requested */
  CUstreamBatchMemOpParams *memory_ops;
  unsigned memory_op_count;
  HostCondition *condition;
  CUgraphConditionalNodeType condition_type;
  CUgraph *branches; /* each a HostGraph */
  unsigned branch_count;
  CUlaunchAttributeValue attributes[HOST_ATTRIBUTES]; /* of a kernel, as set, indexed by id */
  bool is_disabled, is_captured;
  HostNode **after;
  size_t after_count;
  size_t dependent_count; /* nodes that come after it */
  size_t place;           /* position in an order, or a mark of a search */
  HostNode *back;         /* for traversals: the node visited before */
  size_t next;            /* for traversals: the next index in `after` */
};

struct HostGraph {
  atomic_size_t reference_count; /* the handle or the owning node, and launches in progress */
  HostNode **nodes;
  size_t node_count, node_room;
  HostCondition **conditions;
  size_t condition_count;
  HostNode *owner; /* the node that contains it as child or branch, or NULL */
  HostExec *exec;  /* if it is unique: the executable graph made of it, or NULL */
  bool is_dead;    /* a body whose capture ended with an error */
  HostGraph *next_dead;
};

struct HostExec {
  HostGraph *graph;
  HostGraph *from; /* the graph it was made of if that is unique and exists; or NULL */
  CUevent turns;   /* each launch records it, which serialises launches */
  uint64_t flags;
};

extern pthread_mutex_t host_graph_mutex;

/* graph.c; with host_graph_mutex held --------------------------------------------------- */

HostGraph *host_graph_new(void);
bool host_graph_has_dead(const HostGraph *graph); /* contains a dead body */
bool host_graph_is_captured(const HostGraph *graph);
void host_graph_release(HostGraph *graph);
/* A deep copy; NULL when memory is out. */
HostGraph *host_graph_copy(const HostGraph *graph);
HostNode *host_node_new(HostGraph *graph, CUgraphNodeType type, HostNode *const *after,
                        size_t after_count);
/* Changes the operation of a node; the kind can't change. In an executable graph the result must be
 * valid for a launch. */
CUresult host_node_change(HostNode *node, const CUgraphNodeParams *params, bool is_executable);
void host_node_copy(HostNode *node, const HostNode *from); /* the operation, not the edges */
/* Whether the graph, at any depth, has allocations or conditions. The driver does not copy such a
 * graph, and makes one executable graph of it at a time. */
bool host_graph_is_unique(const HostGraph *graph);
HostGraph *host_graph_whole(HostGraph *graph); /* the outermost graph that contains it, or itself */
/* The node in a copy of `from` that corresponds to a node in `from`; NULL if there is none. It is
 * found by its path through child graphs and branches, since ids are not unique: several child
 * nodes may contain copies of the same graph. */
HostNode *host_graph_find(HostGraph *copy, const HostGraph *from, const HostNode *node);
CUresult host_graph_sort(HostGraph *graph); /* CUDA_ERROR_INVALID_VALUE: it has a cycle */
bool host_node_add_after(HostNode *node, HostNode *before);

/* graph_memory.c ------------------------------------------------------------------------ */

HostGraphMemory *host_graph_memory_new(size_t bytes);
HostGraphMemory *host_graph_memory_find(CUdeviceptr address); /* not retained */
void host_graph_memory_release(HostGraphMemory *memory);
/* Marks memory as allocated or freed; false if it is so already. */
bool host_graph_memory_set(HostGraphMemory *memory, bool is_allocated);

/* capture.c ----------------------------------------------------------------------------- */

/* The tail of a captured stream or event. */
typedef struct HostTail HostTail;
/* Adds a node that depends on a stream's tail; NULL when memory is out or the capture is invalid.
 */
HostNode *host_capture_node(CUstream stream, CUgraphNodeType type, CUresult *out_result);

#endif
