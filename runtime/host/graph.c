/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.c - graph definitions of the host device: nodes, edges, parameters, copies, topological
 * order.
 *
 * The nodes of a graph are an array, and each node has the array `after` of the nodes on which it
 * depends. graph.h has the data structures; capture.c makes nodes by capture, graph_run.c executes
 * graphs.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* Recursive: releasing a node can release an event, whose tail is released under the same mutex. */
pthread_mutex_t host_graph_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static HostGraph *graph_of(CUgraph native)
{
  return (HostGraph *)(void *)native;
}

static HostNode *node_of(CUgraphNode native)
{
  return (HostNode *)(void *)native;
}

#define LOCK()   pthread_mutex_lock(&host_graph_mutex)
#define UNLOCK() pthread_mutex_unlock(&host_graph_mutex)

/* The capacity of an array is the next power of two. */
bool host_grow(void **array, size_t count, size_t bytes)
{
  if (count & (count - 1)) return true;
  size_t room = count ? 2 * count : 1;
  void *larger = memory_new(room * bytes);
  if (!larger) return false;
  if (count) memcpy(larger, *array, count * bytes);
  memory_free(*array);
  *array = larger;
  return true;
}

/* objects that graphs own -------------------------------------------------------------------- */

static void release_condition(HostCondition *condition)
{
  if (atomic_fetch_sub(&condition->reference_count, 1) == 1) memory_free(condition);
}

/* Releases the operation of a node, not its edges. */
static void clear_node(HostNode *node)
{
  host_op_release(node->op);
  if (node->event) host_event_release(node->event);
  if (node->child) host_graph_release(node->child);
  if (node->memory) host_graph_memory_release(node->memory);
  for (unsigned i = 0; i < node->branch_count; ++i)
    if (node->branches[i]) host_graph_release(graph_of(node->branches[i]));
  memory_free(node->branches);
  memory_free(node->memory_ops);
  node->op = NULL;
  node->event = NULL;
  node->child = NULL;
  node->memory = NULL;
  node->branches = NULL;
  node->branch_count = 0;
  node->memory_ops = NULL;
}

static void free_node(HostNode *node)
{
  for (size_t i = 0; i < node->after_count; ++i) --node->after[i]->dependent_count;
  clear_node(node);
  memory_free(node->after);
  memory_free(node);
}

HostGraph *host_graph_new(void)
{
  HostGraph *graph = memory_new(sizeof *graph);
  if (graph) atomic_init(&graph->reference_count, 1);
  return graph;
}

void host_graph_release(HostGraph *graph)
{
  if (atomic_fetch_sub(&graph->reference_count, 1) != 1) return;
  LOCK();
  if (graph->exec) graph->exec->from = NULL;
  for (size_t i = 0; i < graph->node_count; ++i) graph->nodes[i]->after_count = 0;
  for (size_t i = 0; i < graph->node_count; ++i) free_node(graph->nodes[i]);
  for (size_t i = 0; i < graph->condition_count; ++i) release_condition(graph->conditions[i]);
  UNLOCK();
  memory_free(graph->nodes);
  memory_free(graph->conditions);
  memory_free(graph);
}

bool host_node_add_after(HostNode *node, HostNode *before)
{
  for (size_t i = 0; i < node->after_count; ++i)
    if (node->after[i] == before) return true;
  if (!host_grow((void **)&node->after, node->after_count, sizeof *node->after)) return false;
  node->after[node->after_count++] = before;
  ++before->dependent_count;
  return true;
}

HostNode *host_node_new(HostGraph *graph, CUgraphNodeType type, HostNode *const *after,
                        size_t after_count)
{
  static uint64_t last_id;
  HostNode *node = memory_new(sizeof *node);
  if (!node) return NULL;
  bool is_done = host_grow((void **)&graph->nodes, graph->node_count, sizeof *graph->nodes);
  for (size_t i = 0; i < after_count && is_done; ++i) is_done = host_node_add_after(node, after[i]);
  if (!is_done) {
    free_node(node);
    return NULL;
  }
  node->id = ++last_id;
  node->graph = graph;
  node->type = type;
  graph->nodes[graph->node_count++] = node;
  return node;
}

HostGraph *host_graph_whole(HostGraph *graph)
{
  while (graph->owner) graph = graph->owner->graph;
  return graph;
}

/* The graph inside `owner` that corresponds to `part`, a graph inside the node of which `owner` is
 * a copy. */
static HostGraph *same_part(const HostNode *owner, const HostGraph *part)
{
  if (owner->child) return owner->child;
  for (unsigned i = 0; i < owner->branch_count; ++i)
    if (graph_of(part->owner->branches[i]) == part) return graph_of(owner->branches[i]);
  return NULL;
}

HostNode *host_graph_find(HostGraph *copy, const HostGraph *from, const HostNode *node)
{
  HostGraph *graph = copy;
  if (node->graph != from) {
    const HostNode *owner = node->graph->owner;
    owner = owner ? host_graph_find(copy, from, owner) : NULL;
    graph = owner ? same_part(owner, node->graph) : NULL;
  }
  for (size_t i = 0; graph && i < graph->node_count; ++i)
    if (graph->nodes[i]->id == node->id) return graph->nodes[i];
  return NULL;
}

/* copies ------------------------------------------------------------------------------------- */

void host_node_copy(HostNode *node, const HostNode *from)
{
  node->type = from->type;
  node->op = from->op;
  if (node->op) atomic_fetch_add(&node->op->other_references, 1);
  node->event = from->event;
  if (node->event) host_event_retain(node->event);
  node->memory = from->memory;
  if (node->memory) atomic_fetch_add(&node->memory->reference_count, 1);
  node->pool = from->pool;
  node->access_count = from->access_count;
  node->condition = from->condition;
  node->condition_type = from->condition_type;
  memcpy(node->attributes, from->attributes, sizeof node->attributes);
}

/* Copies the parts of a node that must be allocated. */
static bool copy_inside(HostNode *node, const HostNode *from)
{
  if (from->child && !(node->child = host_graph_copy(from->child))) return false;
  if (node->child) node->child->owner = node;
  if (from->memory_op_count) {
    size_t bytes = from->memory_op_count * sizeof *from->memory_ops;
    node->memory_ops = memory_new(bytes);
    if (!node->memory_ops) return false;
    memcpy(node->memory_ops, from->memory_ops, bytes);
    node->memory_op_count = from->memory_op_count;
  }
  if (!from->branch_count) return true;
  node->branches = memory_new(from->branch_count * sizeof *node->branches);
  if (!node->branches) return false;
  node->branch_count = from->branch_count;
  for (unsigned i = 0; i < from->branch_count; ++i) {
    HostGraph *branch = host_graph_copy(graph_of(from->branches[i]));
    if (!branch) return false;
    branch->owner = node;
    node->branches[i] = (CUgraph)(void *)branch;
  }
  return true;
}

/* Copies nodes and conditions first, and then the edges: `place` maps each node of the original to
 * its copy by index. */
static bool copy_parts(HostGraph *graph, const HostGraph *from)
{
  for (size_t i = 0; i < from->condition_count; ++i) {
    if (!host_grow((void **)&graph->conditions, i, sizeof *graph->conditions)) return false;
    graph->conditions[graph->condition_count++] = from->conditions[i];
    atomic_fetch_add(&from->conditions[i]->reference_count, 1);
  }
  for (size_t i = 0; i < from->node_count; ++i) {
    HostNode *node = host_node_new(graph, from->nodes[i]->type, NULL, 0);
    if (!node) return false;
    node->id = from->nodes[i]->id;
    node->is_disabled = from->nodes[i]->is_disabled;
    from->nodes[i]->place = i;
    host_node_copy(node, from->nodes[i]);
    if (!copy_inside(node, from->nodes[i])) return false;
  }
  for (size_t i = 0; i < from->node_count; ++i)
    for (size_t j = 0; j < from->nodes[i]->after_count; ++j)
      if (!host_node_add_after(graph->nodes[i], graph->nodes[from->nodes[i]->after[j]->place]))
        return false;
  return true;
}

HostGraph *host_graph_copy(const HostGraph *from)
{
  HostGraph *graph = host_graph_new();
  if (graph && copy_parts(graph, from)) return graph;
  if (graph) host_graph_release(graph);
  return NULL;
}

static HostNode *enter(HostNode *node, HostNode *back)
{
  node->place = 1;
  node->back = back;
  node->next = 0;
  return node;
}

/* Depth-first search that lists each node after its dependencies. `place` is 1 for a node on the
 * current path and 2 for one that is listed, so reaching a 1 is a cycle. The path is stored in the
 * nodes (back, next) instead of the C stack, since a chain of nodes can be longer than the stack
 * allows. */
static bool sort_from(HostNode *node, HostNode **sorted, size_t *count)
{
  if (node->place == 2) return true;
  node = enter(node, NULL);
  while (node) {
    HostNode *before = node->next < node->after_count ? node->after[node->next++] : NULL;
    if (!before) {
      node->place = 2;
      sorted[(*count)++] = node;
      node = node->back;
    } else if (before->place == 1) {
      return false;
    } else if (before->place == 0) {
      node = enter(before, node);
    }
  }
  return true;
}

CUresult host_graph_sort(HostGraph *graph)
{
  size_t count = 0, room = 1;
  while (room < graph->node_count) room *= 2; /* the capacity that host_grow assumes */
  HostNode **sorted = memory_new(room * sizeof *sorted);
  if (!sorted) return CUDA_ERROR_OUT_OF_MEMORY;
  bool is_sorted = true;
  for (size_t i = 0; i < graph->node_count; ++i) graph->nodes[i]->place = 0;
  for (size_t i = 0; i < graph->node_count && is_sorted; ++i)
    is_sorted = sort_from(graph->nodes[i], sorted, &count);
  if (is_sorted && count) {
    memory_free(graph->nodes);
    graph->nodes = sorted;
  } else {
    memory_free(sorted);
  }
  return is_sorted ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* graphs ------------------------------------------------------------------------------------- */

CUresult host_cuGraphCreate(CUgraph *out_graph, unsigned flags)
{
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  HostGraph *graph = host_graph_new();
  if (!graph) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_fetch_add(&host_live_objects, 1);
  *out_graph = (CUgraph)(void *)graph;
  return CUDA_SUCCESS;
}

bool host_graph_has_dead(const HostGraph *graph)
{
  for (size_t i = 0; i < graph->node_count; ++i)
    for (unsigned k = 0; k < graph->nodes[i]->branch_count; ++k) {
      const HostGraph *part = graph_of(graph->nodes[i]->branches[k]);
      if (part->is_dead || host_graph_has_dead(part)) return true;
    }
  return false;
}

CUresult host_cuGraphDestroy(CUgraph native)
{
  if (host_graph_has_dead(graph_of(native)))
    die("a graph is destroyed with a body that a capture has destroyed");
  if (host_graph_is_captured(graph_of(native)))
    die("a graph is destroyed with a body that is captured");
  host_graph_release(graph_of(native));
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

/* The driver removes nothing from a graph with allocations. */
static bool has_memory(const HostGraph *graph)
{
  for (size_t i = 0; i < graph->node_count; ++i)
    if (graph->nodes[i]->memory) return true;
  return false;
}

bool host_graph_is_unique(const HostGraph *graph)
{
  if (graph->condition_count || has_memory(graph)) return true;
  for (size_t i = 0; i < graph->node_count; ++i) {
    const HostNode *node = graph->nodes[i];
    if (node->branch_count || (node->child && host_graph_is_unique(node->child))) return true;
  }
  return false;
}

CUresult host_cuGraphClone(CUgraph *out_graph, CUgraph native)
{
  LOCK();
  bool is_unique = host_graph_is_unique(graph_of(native));
  HostGraph *graph = is_unique ? NULL : host_graph_copy(graph_of(native));
  UNLOCK();
  if (is_unique) return CUDA_ERROR_NOT_SUPPORTED;
  if (!graph) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_fetch_add(&host_live_objects, 1);
  *out_graph = (CUgraph)(void *)graph;
  return CUDA_SUCCESS;
}

/* The clone may be of any graph around the node: finds it from the outermost one that matches. */
static HostNode *find_in_clone(HostGraph *clone, const HostGraph *from, const HostNode *node)
{
  HostNode *found = from->owner ? find_in_clone(clone, from->owner->graph, node) : NULL;
  return found ? found : host_graph_find(clone, from, node);
}

CUresult host_cuGraphNodeFindInClone(CUgraphNode *out_node, CUgraphNode original, CUgraph clone)
{
  LOCK();
  HostNode *node = find_in_clone(graph_of(clone), node_of(original)->graph, node_of(original));
  UNLOCK();
  *out_node = (CUgraphNode)(void *)node;
  return node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuGraphGetNodes(CUgraph native, CUgraphNode *out_nodes, size_t *count)
{
  HostGraph *graph = graph_of(native);
  for (size_t i = 0; out_nodes && i < *count; ++i)
    out_nodes[i] = i < graph->node_count ? (CUgraphNode)(void *)graph->nodes[i] : NULL;
  if (!out_nodes || *count > graph->node_count) *count = graph->node_count;
  return CUDA_SUCCESS;
}

/* Edges carry no data on the host device. */
static bool has_data(const CUgraphEdgeData *data, size_t count)
{
  static const CUgraphEdgeData plain;
  for (size_t i = 0; data && i < count; ++i)
    if (memcmp(&data[i], &plain, sizeof plain)) return true;
  return false;
}

CUresult host_cuGraphGetEdges(CUgraph native, CUgraphNode *out_from, CUgraphNode *out_to,
                              CUgraphEdgeData *out_data, size_t *count)
{
  HostGraph *graph = graph_of(native);
  size_t total = 0;
  for (size_t i = 0; i < graph->node_count; ++i) {
    HostNode *node = graph->nodes[i];
    for (size_t j = 0; j < node->after_count; ++j, ++total) {
      if (!out_from || total >= *count) continue;
      out_from[total] = (CUgraphNode)(void *)node->after[j];
      out_to[total] = (CUgraphNode)(void *)node;
      if (out_data) memset(&out_data[total], 0, sizeof *out_data);
    }
  }
  if (!out_from || *count > total) *count = total;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphNodeGetDependencies(CUgraphNode native, CUgraphNode *out_nodes,
                                         CUgraphEdgeData *out_data, size_t *count)
{
  HostNode *node = node_of(native);
  for (size_t i = 0; out_nodes && i < *count && i < node->after_count; ++i) {
    out_nodes[i] = (CUgraphNode)(void *)node->after[i];
    if (out_data) memset(&out_data[i], 0, sizeof *out_data);
  }
  if (!out_nodes || *count > node->after_count) *count = node->after_count;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphNodeGetDependentNodes(CUgraphNode native, CUgraphNode *out_nodes,
                                           CUgraphEdgeData *out_data, size_t *count)
{
  HostGraph *graph = node_of(native)->graph;
  size_t total = 0;
  for (size_t i = 0; out_nodes && i < graph->node_count; ++i) {
    HostNode *other = graph->nodes[i];
    for (size_t j = 0; j < other->after_count; ++j) {
      if (other->after[j] != node_of(native) || total == *count) continue;
      out_nodes[total] = (CUgraphNode)(void *)other;
      if (out_data) memset(&out_data[total], 0, sizeof *out_data);
      ++total;
    }
  }
  *count = out_nodes ? total : node_of(native)->dependent_count;
  return CUDA_SUCCESS;
}

static bool remove_after(HostNode *node, HostNode *before)
{
  for (size_t i = 0; i < node->after_count; ++i) {
    if (node->after[i] != before) continue;
    memmove(&node->after[i], &node->after[i + 1],
            (node->after_count - i - 1) * sizeof *node->after);
    --node->after_count;
    --before->dependent_count;
    return true;
  }
  return false;
}

CUresult host_cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                     const CUgraphEdgeData *data, size_t count)
{
  if (has_data(data, count)) return CUDA_ERROR_NOT_SUPPORTED;
  CUresult result = CUDA_SUCCESS;
  size_t added = 0;
  LOCK();
  for (; added < count && result == CUDA_SUCCESS; ++added) {
    HostNode *before = node_of(from[added]), *node = node_of(to[added]);
    if (before->graph != graph_of(graph) || node->graph != before->graph || node == before)
      result = CUDA_ERROR_INVALID_VALUE;
    for (size_t j = 0; j < node->after_count; ++j)
      if (node->after[j] == before) result = CUDA_ERROR_INVALID_VALUE; /* the edge exists */
    if (result == CUDA_SUCCESS && !host_node_add_after(node, before))
      result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  for (size_t i = 0; result != CUDA_SUCCESS && i + 1 < added; ++i)
    remove_after(node_of(to[i]), node_of(from[i]));
  UNLOCK();
  return result;
}

CUresult host_cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                        const CUgraphNode *to, const CUgraphEdgeData *data,
                                        size_t count)
{
  if (has_data(data, count) || has_memory(graph_of(graph))) return CUDA_ERROR_NOT_SUPPORTED;
  CUresult result = CUDA_SUCCESS;
  LOCK();
  for (size_t i = 0; i < count && result == CUDA_SUCCESS; ++i)
    if (!remove_after(node_of(to[i]), node_of(from[i]))) result = CUDA_ERROR_INVALID_VALUE;
  UNLOCK();
  return result;
}

/* nodes -------------------------------------------------------------------------------------- */

/* Builds the launch that a kernel node executes. The attributes of the node that a launch needs are
 * passed on. */
static CUresult set_kernel(HostNode *node, const CUDA_KERNEL_NODE_PARAMS *params)
{
  CUlaunchConfig config = {.gridDimX = params->gridDimX,
                           .gridDimY = params->gridDimY,
                           .gridDimZ = params->gridDimZ,
                           .blockDimX = params->blockDimX,
                           .blockDimY = params->blockDimY,
                           .blockDimZ = params->blockDimZ,
                           .sharedMemBytes = params->sharedMemBytes};
  enum { MODE = CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE };
  CUlaunchAttribute attributes[] = {
      {.id = (CUlaunchAttributeID)MODE, .value = node->attributes[MODE]},
      {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
       .value = node->attributes[CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION]}};
  config.attrs = attributes;
  config.numAttrs = attributes[1].value.clusterDim.x ? 2 : 1;
  CUfunction kernel = params->func ? params->func : (CUfunction)(void *)params->kern;
  if (!kernel) return CUDA_ERROR_INVALID_VALUE;
  if (params->extra) return CUDA_ERROR_NOT_SUPPORTED;
  return host_make_launch(&config, kernel, params->kernelParams, &node->op);
}

static CUresult set_fill(HostNode *node, const CUDA_MEMSET_NODE_PARAMS_v2 *params)
{
  unsigned bytes = params->elementSize;
  if ((bytes != 1 && bytes != 2 && bytes != 4) || params->dst % bytes || !params->height ||
      !params->width ||
      !host_fits_pitch(params->pitch, params->width * bytes, bytes, params->height))
    return CUDA_ERROR_INVALID_VALUE;
  node->op = host_make_fill(&(CUDA_MEMSET_NODE_PARAMS){.dst = params->dst,
                                                       .pitch = params->pitch,
                                                       .value = params->value,
                                                       .elementSize = bytes,
                                                       .width = params->width,
                                                       .height = params->height});
  return node->op ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult set_copy(HostNode *node, const CUDA_MEMCPY_NODE_PARAMS *params)
{
  const CUDA_MEMCPY3D *copy = &params->copyParams;
  if (copy->srcMemoryType == CU_MEMORYTYPE_ARRAY || copy->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (!copy->WidthInBytes || !copy->Height || !copy->Depth) return CUDA_ERROR_INVALID_VALUE;
  node->op = host_make_copy(copy);
  return node->op ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* The nesting depth of graphs, with the graph itself: outwards from it, and inwards below it.
 * Nested graphs are traversed by recursion, so the depth is limited. */
enum { MOST_LEVELS = 256 };

static unsigned levels_around(const HostGraph *graph)
{
  unsigned levels = 1;
  for (; graph->owner; graph = graph->owner->graph) ++levels;
  return levels;
}

static unsigned levels_below(const HostGraph *graph)
{
  unsigned most = 0;
  for (size_t i = 0; i < graph->node_count; ++i) {
    const HostNode *node = graph->nodes[i];
    unsigned levels = node->child ? levels_below(node->child) : 0;
    if (levels > most) most = levels;
  }
  return most + 1; /* a graph with branches can't be a child */
}

static CUresult set_child(HostNode *node, const CUDA_CHILD_GRAPH_NODE_PARAMS *params)
{
  const HostGraph *child = graph_of(params->graph);
  if (host_graph_is_unique(child) || levels_around(node->graph) + levels_below(child) > MOST_LEVELS)
    return CUDA_ERROR_NOT_SUPPORTED;
  node->child = host_graph_copy(child);
  if (!node->child) return CUDA_ERROR_OUT_OF_MEMORY;
  node->child->owner = node;
  return CUDA_SUCCESS;
}

static CUresult set_memory_ops(HostNode *node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
  size_t bytes = params->count * sizeof *params->paramArray;
  if (!params->count || params->flags) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < params->count; ++i) {
    CUstreamBatchMemOpType kind = params->paramArray[i].operation;
    if (kind != CU_STREAM_MEM_OP_WAIT_VALUE_32 && kind != CU_STREAM_MEM_OP_WAIT_VALUE_64 &&
        kind != CU_STREAM_MEM_OP_WRITE_VALUE_32 && kind != CU_STREAM_MEM_OP_WRITE_VALUE_64)
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  node->memory_ops = memory_new(bytes);
  if (!node->memory_ops) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(node->memory_ops, params->paramArray, bytes);
  node->memory_op_count = params->count;
  return CUDA_SUCCESS;
}

static HostCondition *find_condition(HostGraph *graph, CUgraphConditionalHandle handle)
{
  graph = host_graph_whole(graph);
  for (size_t i = 0; i < graph->condition_count; ++i)
    if (graph->conditions[i] == (HostCondition *)(uintptr_t)handle) return graph->conditions[i];
  return NULL;
}

static CUresult set_condition(HostNode *node, CUDA_CONDITIONAL_NODE_PARAMS *params)
{
  HostCondition *condition = find_condition(node->graph, params->handle);
  unsigned most = params->type == CU_GRAPH_COND_TYPE_IF      ? 2
                  : params->type == CU_GRAPH_COND_TYPE_WHILE ? 1
                                                             : UINT32_MAX;
  if (!condition || !params->size || params->size > most) return CUDA_ERROR_INVALID_VALUE;
  if (levels_around(node->graph) == MOST_LEVELS) return CUDA_ERROR_NOT_SUPPORTED;
  node->branches = memory_new(params->size * sizeof *node->branches);
  if (!node->branches) return CUDA_ERROR_OUT_OF_MEMORY;
  node->branch_count = params->size;
  for (unsigned i = 0; i < params->size; ++i) {
    HostGraph *branch = host_graph_new();
    if (!branch) return CUDA_ERROR_OUT_OF_MEMORY;
    branch->owner = node;
    node->branches[i] = (CUgraph)(void *)branch;
  }
  node->condition = condition; /* borrowed: the graph retains it */
  node->condition_type = params->type;
  params->phGraph_out = node->branches;
  return CUDA_SUCCESS;
}

static CUresult set_memory(HostNode *node, CUgraphNodeParams *params)
{
  if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
    const HostNode *owner = node->graph->owner;
    if (!params->alloc.bytesize) return CUDA_ERROR_INVALID_VALUE;
    if (owner && owner->type == CU_GRAPH_NODE_TYPE_GRAPH) return CUDA_ERROR_NOT_SUPPORTED;
    node->pool = params->alloc.poolProps;
    node->access_count = params->alloc.accessDescCount;
    node->memory = host_graph_memory_new(params->alloc.bytesize);
    if (!node->memory) return CUDA_ERROR_OUT_OF_MEMORY;
    params->alloc.dptr = (CUdeviceptr)(uintptr_t)node->memory->start;
    return CUDA_SUCCESS;
  }
  HostGraphMemory *memory = host_graph_memory_find(params->free.dptr);
  if (!memory) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < node->graph->node_count; ++i) {
    HostNode *other = node->graph->nodes[i];
    if (other->type == CU_GRAPH_NODE_TYPE_MEM_FREE && other->memory == memory)
      return CUDA_ERROR_INVALID_VALUE; /* a graph frees an allocation only once */
  }
  atomic_fetch_add(&memory->reference_count, 1);
  node->memory = memory;
  return CUDA_SUCCESS;
}

/* Sets what a node does from the driver's parameters for its type. */
static CUresult fill_in(HostNode *node, CUgraphNodeParams *params)
{
  switch (node->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: return set_kernel(node, &params->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY: return set_copy(node, &params->memcpy);
  case CU_GRAPH_NODE_TYPE_MEMSET: return set_fill(node, &params->memset);
  case CU_GRAPH_NODE_TYPE_HOST:
    if (!params->host.fn) return CUDA_ERROR_INVALID_VALUE;
    node->op = host_make_call(params->host.fn, params->host.userData);
    return node->op ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  case CU_GRAPH_NODE_TYPE_GRAPH: return set_child(node, &params->graph);
  case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    node->event = node->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT ? params->eventWait.event
                                                              : params->eventRecord.event;
    if (!node->event) return CUDA_ERROR_INVALID_VALUE;
    host_event_retain(node->event);
    return CUDA_SUCCESS;
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
  case CU_GRAPH_NODE_TYPE_MEM_FREE: return set_memory(node, params);
  case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return set_memory_ops(node, &params->memOp);
  case CU_GRAPH_NODE_TYPE_CONDITIONAL: return set_condition(node, &params->conditional);
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

/* The new parameters are tried with a temporary node, so that the node is unchanged if they are
 * refused. */
CUresult host_node_change(HostNode *node, const CUgraphNodeParams *params, bool is_executable)
{
  CUgraphNodeParams own = *params;
  if (params->type != node->type) return CUDA_ERROR_INVALID_VALUE;
  if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->type == CU_GRAPH_NODE_TYPE_MEM_FREE ||
      node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    return CUDA_ERROR_NOT_SUPPORTED;
  HostNode fresh = {.type = node->type, .graph = node->graph};
  memcpy(fresh.attributes, node->attributes, sizeof fresh.attributes);
  CUresult result = fill_in(&fresh, &own);
  if (result == CUDA_SUCCESS && is_executable && node->type == CU_GRAPH_NODE_TYPE_KERNEL &&
      !host_has_whole_clusters(fresh.op))
    result = CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (result != CUDA_SUCCESS) {
    clear_node(&fresh);
    return result;
  }
  clear_node(node);
  node->op = fresh.op;
  node->event = fresh.event;
  node->child = fresh.child;
  if (node->child) node->child->owner = node;
  node->memory_ops = fresh.memory_ops;
  node->memory_op_count = fresh.memory_op_count;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphAddNode(CUgraphNode *out_node, CUgraph native, const CUgraphNode *after,
                             const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params)
{
  NEED_CONTEXT();
  if (has_data(data, count)) return CUDA_ERROR_NOT_SUPPORTED;
  HostGraph *graph = graph_of(native);
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  LOCK();
  for (size_t i = 0; i < count; ++i) {
    if (node_of(after[i])->graph == graph) continue;
    UNLOCK();
    return CUDA_ERROR_INVALID_VALUE;
  }
  HostNode *node =
      host_node_new(graph, params->type, (HostNode *const *)(const void *)after, count);
  if (node) {
    --graph->node_count; /* removed until it is complete */
    result = fill_in(node, params);
    if (result == CUDA_SUCCESS) ++graph->node_count;
    else free_node(node);
  }
  UNLOCK();
  if (result == CUDA_SUCCESS) *out_node = (CUgraphNode)(void *)node;
  return result;
}

CUresult host_cuGraphDestroyNode(CUgraphNode native)
{
  HostNode *node = node_of(native);
  HostGraph *graph = node->graph;
  if (has_memory(graph)) return CUDA_ERROR_NOT_SUPPORTED;
  size_t kept = 0;
  LOCK();
  for (size_t i = 0; i < graph->node_count; ++i) {
    remove_after(graph->nodes[i], node);
    if (graph->nodes[i] != node) graph->nodes[kept++] = graph->nodes[i];
  }
  /* host_grow derives the capacity from the count, so an array that grows again must start empty.
   */
  graph->node_count = kept;
  free_node(node);
  UNLOCK();
  return CUDA_SUCCESS;
}

CUresult host_cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *out_type)
{
  *out_type = node_of(node)->type;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params)
{
  NEED_CONTEXT();
  LOCK();
  CUresult result = host_node_change(node_of(node), params, false);
  UNLOCK();
  return result;
}

/* queries ------------------------------------------------------------------------------------ */

/* Defines the function of the driver that reads what a node of a type does, by a statement with
 * `node` and `out`. */
#define NODE_READER(name_, type_, out_type_, ...)                                                  \
  CUresult host_cuGraph##name_(CUgraphNode native, out_type_ *out)                                 \
  {                                                                                                \
    const HostNode *node = node_of(native);                                                        \
    if (node->type != CU_GRAPH_NODE_TYPE_##type_) return CUDA_ERROR_INVALID_VALUE;                 \
    __VA_ARGS__;                                                                                   \
    return CUDA_SUCCESS;                                                                           \
  }                                                                                                \
  _Static_assert(sizeof(out_type_) > 0, "a complete type")

NODE_READER(KernelNodeGetParams, KERNEL, CUDA_KERNEL_NODE_PARAMS, host_read_launch(node->op, out));
NODE_READER(MemcpyNodeGetParams, MEMCPY, CUDA_MEMCPY3D, host_read_copy(node->op, out));
NODE_READER(MemsetNodeGetParams, MEMSET, CUDA_MEMSET_NODE_PARAMS, host_read_fill(node->op, out));
NODE_READER(HostNodeGetParams, HOST, CUDA_HOST_NODE_PARAMS, host_read_call(node->op, out));
NODE_READER(ChildGraphNodeGetGraph, GRAPH, CUgraph, *out = (CUgraph)(void *)node->child);
NODE_READER(EventRecordNodeGetEvent, EVENT_RECORD, CUevent, *out = node->event);
NODE_READER(EventWaitNodeGetEvent, WAIT_EVENT, CUevent, *out = node->event);
NODE_READER(MemFreeNodeGetParams, MEM_FREE, CUdeviceptr,
            *out = (CUdeviceptr)(uintptr_t)node->memory->start);
NODE_READER(MemAllocNodeGetParams, MEM_ALLOC, CUDA_MEM_ALLOC_NODE_PARAMS,
            *out = (CUDA_MEM_ALLOC_NODE_PARAMS){
                .poolProps = node->pool,
                .accessDescCount = node->access_count,
                .bytesize = node->memory->bytes,
                .dptr = (CUdeviceptr)(uintptr_t)node->memory->start});
NODE_READER(BatchMemOpNodeGetParams, BATCH_MEM_OP, CUDA_BATCH_MEM_OP_NODE_PARAMS,
            *out = (CUDA_BATCH_MEM_OP_NODE_PARAMS){.count = node->memory_op_count,
                                                   .paramArray = node->memory_ops});

/* attributes --------------------------------------------------------------------------------- */

/* With host_graph_mutex held. Copies of the node share its operation, so a new one replaces it. */
static CUresult set_cluster(HostNode *node, const CUlaunchAttributeValue *cluster)
{
  CUDA_KERNEL_NODE_PARAMS params;
  host_read_launch(node->op, &params);
  HostNode fresh = {.op = NULL};
  memcpy(fresh.attributes, node->attributes, sizeof fresh.attributes);
  fresh.attributes[CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION] = *cluster;
  CUresult result = set_kernel(&fresh, &params);
  if (result != CUDA_SUCCESS) return result;
  host_op_release(node->op);
  node->op = fresh.op;
  node->attributes[CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION] = *cluster;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphKernelNodeSetAttribute(CUgraphNode native, CUlaunchAttributeID id,
                                            const CUlaunchAttributeValue *value)
{
  HostNode *node = node_of(native);
  if (node->type != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_SUCCESS;
  LOCK();
  if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) result = set_cluster(node, value);
  else if (host_has_attribute(id, true)) node->attributes[id] = *value;
  else result = CUDA_ERROR_NOT_SUPPORTED;
  UNLOCK();
  return result;
}

CUresult host_cuGraphKernelNodeGetAttribute(CUgraphNode native, CUlaunchAttributeID id,
                                            CUlaunchAttributeValue *out)
{
  const HostNode *node = node_of(native);
  if (node->type != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  if (!host_has_attribute(id, true)) return CUDA_ERROR_NOT_SUPPORTED;
  *out = node->attributes[id];
  return CUDA_SUCCESS;
}

/* conditions ------------------------------------------------------------------- */

CUresult host_cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out_handle, CUgraph native,
                                             CUcontext context, unsigned start, unsigned flags)
{
  (void)context; /* there is only one context */
  NEED_CONTEXT();
  HostGraph *graph = host_graph_whole(graph_of(native)); /* a launch of the outermost graph sets
                                                          * its start value */
  HostCondition *condition = memory_new(sizeof *condition);
  if (!condition) return CUDA_ERROR_OUT_OF_MEMORY;
  atomic_init(&condition->reference_count, 1);
  condition->start_value = start;
  condition->has_start = flags & CU_GRAPH_COND_ASSIGN_DEFAULT;
  LOCK();
  bool is_kept =
      host_grow((void **)&graph->conditions, graph->condition_count, sizeof *graph->conditions);
  if (is_kept) graph->conditions[graph->condition_count++] = condition;
  else memory_free(condition);
  UNLOCK();
  if (!is_kept) return CUDA_ERROR_OUT_OF_MEMORY;
  *out_handle = (CUgraphConditionalHandle)(uintptr_t)condition;
  return CUDA_SUCCESS;
}
