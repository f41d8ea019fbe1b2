/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_run.c - executable graphs of the host device: instantiation, changes, launches, execution.
 *
 * A launch is one operation (GraphOp) in a stream. The thread of that stream executes the nodes one
 * after the other in topological order. Launches of one executable graph run one after the other,
 * even in different streams: the executable graph has an internal event `turns`, each launch waits
 * for the record of the launch before and then reaches its own:
 *
 *   launch 1 in s1   run nodes, reach turn 1
 *   launch 2 in s2   wait for turn 1, run nodes, reach turn 2
 *
 * The counts of event records (event.c) are assigned when the graph is launched, not when the node
 * is executed, so that work submitted to other streams after the launch waits for these records.
 * For the same reason a launch that is dropped without running must still reach its records.
 */
#include <sched.h>
#include <string.h>

#include "graph.h"

#define LOCK()   pthread_mutex_lock(&host_graph_mutex)
#define UNLOCK() pthread_mutex_unlock(&host_graph_mutex)

static HostExec *exec_of(CUgraphExec native)
{
  return (HostExec *)(void *)native;
}

/* A launch in a stream's queue. */
typedef struct GraphOp {
  HostOp op;
  HostGraph *graph;      /* retained */
  CUevent turns;         /* retained; each launch is a record of it */
  uint64_t before, turn; /* the record to wait for, and its own */
  bool is_entered, is_run;
  uint64_t counts[]; /* counts of the event nodes, in execution order */
} GraphOp;

void ck_host_set_condition(uint64_t handle, uint32_t value)
{
  atomic_store(&((HostCondition *)(uintptr_t)handle)->value, value);
}

uint32_t ck_host_launch_graph(uint64_t graph, uint64_t how)
{
  (void)graph, (void)how;
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* running ------------------------------------------------------------------------------------ */

/* Executes one operation of a batch node: writes a value to memory, or waits for one. A wait ends
 * as well when a kernel fault makes the device unusable. Greater-or-equal compares the difference
 * as a signed number, as cuda.h defines, so that counters may wrap around. */
static void run_memory_op(const CUstreamBatchMemOpParams *op)
{
  _Atomic uint32_t *word = (_Atomic uint32_t *)(uintptr_t)op->waitValue.address;
  _Atomic uint64_t *wide = (_Atomic uint64_t *)(uintptr_t)op->waitValue.address;
  bool is_wide = op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
                 op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
  bool is_write = op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ||
                  op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
  uint64_t value = is_wide ? op->waitValue.value64 : op->waitValue.value;
  if (!host_may_access(is_write ? "a write of a value" : "a wait for a value",
                       op->waitValue.address, is_wide ? 8 : 4, is_write))
    return;
  if (is_write) {
    if (is_wide) atomic_store(wide, value);
    else atomic_store(word, (uint32_t)value);
    return;
  }
  while (host_fault() == CUDA_SUCCESS) {
    uint64_t now = is_wide ? atomic_load(wide) : atomic_load(word);
    int64_t ahead = is_wide ? (int64_t)(now - value) : (int32_t)((uint32_t)now - (uint32_t)value);
    switch (op->waitValue.flags & 3) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      if (ahead >= 0) return;
      break;
    case CU_STREAM_WAIT_VALUE_EQ:
      if (now == value) return;
      break;
    case CU_STREAM_WAIT_VALUE_AND:
      if (now & value) return;
      break;
    default:
      if (~(now | value) & (is_wide ? UINT64_MAX : UINT32_MAX)) return;
    }
    sched_yield();
  }
}

static void run_graph(HostGraph *graph, const uint64_t **counts);

static void run_condition(HostNode *node, const uint64_t **counts)
{
  HostGraph **branches = (HostGraph **)(void *)node->branches;
  atomic_uint *value = &node->condition->value;
  if (node->condition_type == CU_GRAPH_COND_TYPE_WHILE) {
    while (atomic_load(value) && host_fault() == CUDA_SUCCESS) run_graph(branches[0], counts);
    return;
  }
  unsigned which = atomic_load(value);
  if (node->condition_type == CU_GRAPH_COND_TYPE_IF) which = which ? 0 : 1;
  if (which < node->branch_count) run_graph(branches[which], counts);
}

static void run_node(HostNode *node, const uint64_t **counts)
{
  bool is_fine = host_fault() == CUDA_SUCCESS;
  switch (node->type) {
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD: host_event_reach(node->event, *(*counts)++); break;
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT: host_event_wait(node->event, *(*counts)++); break;
  case CU_GRAPH_NODE_TYPE_GRAPH: run_graph(node->child, counts); break;
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    if (is_fine) run_condition(node, counts);
    break;
  case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
    for (unsigned i = 0; host_fault() == CUDA_SUCCESS && i < node->memory_op_count; ++i)
      run_memory_op(&node->memory_ops[i]);
    break;
  default:
    if (is_fine && node->op && !node->is_disabled) node->op->run(node->op);
  }
}

static void run_graph(HostGraph *graph, const uint64_t **counts)
{
  for (size_t i = 0; i < graph->condition_count; ++i)
    if (graph->conditions[i]->has_start)
      atomic_store(&graph->conditions[i]->value, graph->conditions[i]->start_value);
  for (size_t i = 0; i < graph->node_count; ++i) run_node(graph->nodes[i], counts);
}

static void run_graph_op(HostOp *op)
{
  GraphOp *launch = (GraphOp *)op;
  const uint64_t *counts = launch->counts;
  host_event_wait(launch->turns, launch->before);
  run_graph(launch->graph, &counts);
  host_event_reach(launch->turns, launch->turn);
  launch->is_run = true;
}

/* Visits the event nodes of a graph in execution order. Without counts: returns their number. With
 * counts: assigns them, or, if is_reached, reaches the records. */
static size_t walk_events(HostGraph *graph, uint64_t *counts, bool is_reached)
{
  size_t total = 0;
  for (size_t i = 0; i < graph->node_count; ++i) {
    HostNode *node = graph->nodes[i];
    bool is_record = node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    if (node->child) total += walk_events(node->child, counts ? counts + total : NULL, is_reached);
    if (!is_record && node->type != CU_GRAPH_NODE_TYPE_WAIT_EVENT) continue;
    if (is_reached && is_record) host_event_reach(node->event, counts[total]);
    else if (counts && !is_reached) {
      counts[total] = host_event_count(node->event, is_record);
      /* its last record is no longer a captured one */
      if (is_record) host_tail_release(host_event_tail(node->event));
    }
    ++total;
  }
  return total;
}

static void drop_graph_op(HostOp *op)
{
  GraphOp *launch = (GraphOp *)op;
  /* Records that were submitted must be reached, or waits for them would never end. */
  if (launch->is_entered && !launch->is_run) {
    walk_events(launch->graph, launch->counts, true);
    host_event_reach(launch->turns, launch->turn);
  }
  host_event_release(launch->turns);
  host_graph_release(launch->graph);
}

/* instantiating and updating ----------------------------------------------------------------- */

/* Finds a node that can't be executed: one that the driver does not allow in the body of a
 * conditional node, or a kernel whose clusters don't divide its grid. The latter is checked here
 * because a node may be set in two steps, grid first and cluster later. */
static const HostNode *find_unfit(HostGraph *graph, bool is_body)
{
  for (size_t i = 0; i < graph->node_count; ++i) {
    HostNode *node = graph->nodes[i];
    const HostNode *inner = node->child ? find_unfit(node->child, is_body) : NULL;
    for (unsigned b = 0; b < node->branch_count && !inner; ++b)
      inner = find_unfit((HostGraph *)(void *)node->branches[b], true);
    if (inner) return inner;
    switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      if (!host_has_whole_clusters(node->op)) return node;
      break;
    case CU_GRAPH_NODE_TYPE_EMPTY:
    case CU_GRAPH_NODE_TYPE_GRAPH:
    case CU_GRAPH_NODE_TYPE_MEMSET:
    case CU_GRAPH_NODE_TYPE_MEMCPY:
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: break;
    default:
      if (is_body) return node;
    }
  }
  return NULL;
}

static void mark_conditions(const HostGraph *graph)
{
  for (size_t i = 0; i < graph->node_count; ++i) {
    const HostNode *node = graph->nodes[i];
    if (node->condition) node->condition->is_used = true;
    if (node->child) mark_conditions(node->child);
    for (unsigned b = 0; b < node->branch_count; ++b)
      mark_conditions((HostGraph *)(void *)node->branches[b]);
  }
}

/* Whether a condition is used by no node; the driver refuses such a graph. */
static bool has_unused_condition(const HostGraph *graph)
{
  bool has_unused = false;
  for (size_t i = 0; i < graph->condition_count; ++i) graph->conditions[i]->is_used = false;
  if (graph->condition_count) mark_conditions(graph);
  for (size_t i = 0; i < graph->condition_count; ++i) has_unused |= !graph->conditions[i]->is_used;
  return has_unused;
}

static CUresult sort_all(HostGraph *graph)
{
  CUresult result = host_graph_sort(graph);
  for (size_t i = 0; i < graph->node_count && result == CUDA_SUCCESS; ++i) {
    HostNode *node = graph->nodes[i];
    if (node->child) result = sort_all(node->child);
    for (unsigned b = 0; b < node->branch_count && result == CUDA_SUCCESS; ++b)
      result = sort_all((HostGraph *)(void *)node->branches[b]);
  }
  return result;
}

/* Links a unique graph and its executable graph. */
static void tie(HostExec *exec, HostGraph *from)
{
  LOCK();
  exec->from = from;
  from->exec = exec;
  UNLOCK();
}

/* Instantiates a copy of the graph, since the original may be changed later. On failure
 * hErrNode_out names the unsuitable node. */
CUresult host_cuGraphInstantiateWithParams(CUgraphExec *out_exec, CUgraph native,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  HostGraph *from = (HostGraph *)(void *)native;
  params->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
  params->hErrNode_out = NULL;
  const uint64_t known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                         CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                         CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  if (params->flags & ~known) return CUDA_ERROR_NOT_SUPPORTED;
  LOCK();
  bool is_unique = host_graph_is_unique(from), is_made = is_unique && from->exec;
  bool is_unused = has_unused_condition(from);
  const HostNode *unfit = find_unfit(from, false);
  HostGraph *graph = is_made || is_unused || unfit ? NULL : host_graph_copy(from);
  CUresult result = is_unused || unfit ? CUDA_ERROR_INVALID_VALUE
                    : graph            ? sort_all(graph)
                                       : CUDA_ERROR_OUT_OF_MEMORY;
  UNLOCK();
  if (is_made) return CUDA_ERROR_NOT_SUPPORTED;
  HostExec *exec = result == CUDA_SUCCESS ? memory_new(sizeof *exec) : NULL;
  if (exec && host_cuEventCreate(&exec->turns, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
    memory_free(exec);
    exec = NULL;
  }
  if (!exec) {
    if (graph) host_graph_release(graph);
    if (result != CUDA_ERROR_INVALID_VALUE) return CUDA_ERROR_OUT_OF_MEMORY;
    params->result_out = is_unused ? CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED
                                   : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    params->hErrNode_out = (CUgraphNode)(uintptr_t)unfit;
    return CUDA_ERROR_INVALID_VALUE;
  }
  exec->graph = graph;
  exec->flags = params->flags;
  if (is_unique) tie(exec, from);
  params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  atomic_fetch_add(&host_live_objects, 1);
  *out_exec = (CUgraphExec)(void *)exec;
  return CUDA_SUCCESS;
}

CUresult host_cuGraphExecDestroy(CUgraphExec native)
{
  UNSAFE_IN_CAPTURES();
  HostExec *exec = exec_of(native);
  LOCK();
  if (exec->from) exec->from->exec = NULL;
  UNLOCK();
  host_graph_release(exec->graph);
  host_cuEventDestroy(exec->turns);
  memory_free(exec);
  atomic_fetch_sub(&host_live_objects, 1);
  return CUDA_SUCCESS;
}

static HostNode *find(HostExec *exec, CUgraphNode native)
{
  const HostNode *node = (const HostNode *)(void *)native;
  return host_graph_find(exec->graph, host_graph_whole(node->graph), node);
}

/* Finds the node of an executable graph that corresponds to a node of its graph, to change it.
 * Replaces the graph by a copy first if a launch in progress uses it. */
static CUresult find_to_change(HostExec *exec, CUgraphNode node, HostNode **out_node)
{
  *out_node = NULL;
  if (atomic_load(&exec->graph->reference_count) > 1) {
    HostGraph *own = host_graph_copy(exec->graph);
    if (!own) return CUDA_ERROR_OUT_OF_MEMORY;
    host_graph_release(exec->graph);
    exec->graph = own;
  }
  *out_node = find(exec, node);
  return *out_node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Whether two sorted graphs have the same structure, so that one can replace the other; if so, the
 * new one gets the ids and disabled flags of the old one. */
static CUgraphExecUpdateResult take_over(HostGraph *fresh, HostGraph *old)
{
  if (fresh->node_count != old->node_count) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (size_t i = 0; i < fresh->node_count; ++i) fresh->nodes[i]->place = old->nodes[i]->place = i;
  for (size_t i = 0; i < fresh->node_count; ++i) {
    HostNode *a = fresh->nodes[i], *b = old->nodes[i];
    if (a->type != b->type) return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    if (a->after_count != b->after_count) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t j = 0; j < a->after_count; ++j)
      if (a->after[j]->place != b->after[j]->place)
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (a->branch_count != b->branch_count || a->condition_type != b->condition_type)
      return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    a->id = b->id;
    a->is_disabled = b->is_disabled;
    CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    if (a->child) result = take_over(a->child, b->child);
    for (unsigned k = 0; k < a->branch_count && !result; ++k)
      result = take_over((HostGraph *)(void *)a->branches[k], (HostGraph *)(void *)b->branches[k]);
    if (result) return result;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* Replaces a child graph by another one of the same structure. */
static CUresult change_child(HostNode *node, const HostGraph *from)
{
  HostGraph *fresh = host_graph_copy(from);
  CUresult sorted = fresh ? sort_all(fresh) : CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result =
      sorted == CUDA_ERROR_OUT_OF_MEMORY ? sorted : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  if (sorted == CUDA_SUCCESS && !host_graph_is_unique(from) &&
      take_over(fresh, node->child) == CU_GRAPH_EXEC_UPDATE_SUCCESS)
    result = find_unfit(fresh, false) ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
  if (result == CUDA_SUCCESS) {
    HostGraph *old = node->child;
    node->child = fresh;
    fresh->owner = node;
    fresh = old;
  }
  if (fresh) host_graph_release(fresh);
  return result;
}

CUresult host_cuGraphExecNodeSetParams(CUgraphExec native, CUgraphNode node,
                                       CUgraphNodeParams *params)
{
  NEED_CONTEXT();
  HostNode *own;
  LOCK();
  CUresult result = find_to_change(exec_of(native), node, &own);
  bool is_child = result == CUDA_SUCCESS && own->child && params->type == own->type;
  if (is_child) result = change_child(own, (HostGraph *)(void *)params->graph.graph);
  else if (result == CUDA_SUCCESS) result = host_node_change(own, params, true);
  UNLOCK();
  return result;
}

CUresult host_cuGraphNodeSetEnabled(CUgraphExec native, CUgraphNode node, unsigned is_enabled)
{
  HostNode *own;
  LOCK();
  CUresult result = find_to_change(exec_of(native), node, &own);
  if (result == CUDA_SUCCESS && own->type != CU_GRAPH_NODE_TYPE_KERNEL &&
      own->type != CU_GRAPH_NODE_TYPE_MEMCPY && own->type != CU_GRAPH_NODE_TYPE_MEMSET)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) own->is_disabled = !is_enabled;
  UNLOCK();
  return result;
}

CUresult host_cuGraphNodeGetEnabled(CUgraphExec native, CUgraphNode node, unsigned *out_is_enabled)
{
  LOCK();
  HostNode *own = find(exec_of(native), node);
  UNLOCK();
  if (!own) return CUDA_ERROR_INVALID_VALUE;
  *out_is_enabled = !own->is_disabled;
  return CUDA_SUCCESS;
}

static bool allocates(const HostGraph *graph)
{
  for (size_t i = 0; i < graph->node_count; ++i) {
    const HostNode *node = graph->nodes[i];
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) return true;
    if (node->child && allocates(node->child)) return true;
  }
  return false;
}

/* As with driver 580, allocations of a graph belong to one executable graph at a time: after an
 * update from a graph with allocations, they belong to the updated one. */
CUresult host_cuGraphExecUpdate(CUgraphExec native, CUgraph graph, CUgraphExecUpdateResultInfo *out)
{
  NEED_CONTEXT();
  HostExec *exec = exec_of(native);
  *out = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_ERROR};
  LOCK();
  HostGraph *from = (HostGraph *)(void *)graph;
  bool has_memory = allocates(from);
  if (has_memory && from->exec && from->exec != exec) {
    UNLOCK();
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  HostGraph *fresh = host_graph_copy((HostGraph *)(void *)graph);
  CUresult sorted = fresh ? sort_all(fresh) : CUDA_ERROR_OUT_OF_MEMORY;
  bool is_sorted = sorted == CUDA_SUCCESS && !find_unfit(fresh, false);
  if (is_sorted) out->result = take_over(fresh, exec->graph);
  HostGraph *old = exec->graph;
  bool is_done = is_sorted && out->result == CU_GRAPH_EXEC_UPDATE_SUCCESS;
  if (is_done) exec->graph = fresh;
  else old = fresh;
  if (is_done && has_memory) {
    if (exec->from) exec->from->exec = NULL;
    exec->from = from;
    from->exec = exec;
  }
  UNLOCK();
  if (old) host_graph_release(old);
  if (sorted == CUDA_ERROR_OUT_OF_MEMORY) return sorted;
  return out->result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS
                                                     : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

/* launching ---------------------------------------------------------------------------------- */

CUresult host_cuGraphUpload(CUgraphExec exec, CUstream stream)
{
  (void)exec, (void)stream; /* nothing to do: host memory */
  return host_fault();
}

/* A launch fails if an allocation of the previous one has not been freed, unless the graph was made
 * with the auto-free flag. */
static bool may_allocate(HostGraph *graph)
{
  for (size_t i = 0; i < graph->node_count; ++i) {
    HostNode *node = graph->nodes[i];
    if (node->child && !may_allocate(node->child)) return false;
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && node->memory->is_allocated) return false;
  }
  return true;
}

static void allocate_all(HostGraph *graph)
{
  for (size_t i = 0; i < graph->node_count; ++i) {
    HostNode *node = graph->nodes[i];
    if (node->child) allocate_all(node->child);
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) host_graph_memory_set(node->memory, true);
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_FREE && host_graph_memory_set(node->memory, false))
      host_graph_memory_release(node->memory);
  }
}

static void enter_graph_op(HostOp *op)
{
  GraphOp *launch = (GraphOp *)op;
  allocate_all(launch->graph);
  walk_events(launch->graph, launch->counts, false);
  launch->before = host_event_count(launch->turns, false);
  launch->turn = host_event_count(launch->turns, true);
  launch->is_entered = true;
}

CUresult host_cuGraphLaunch(CUgraphExec native, CUstream stream)
{
  HostExec *exec = exec_of(native);
  if (host_fault() != CUDA_SUCCESS) return host_fault();
  if (host_is_capturing(stream)) return host_capture_refuse(stream);
  LOCK();
  size_t count = walk_events(exec->graph, NULL, false);
  GraphOp *launch = memory_new(sizeof *launch + count * sizeof(uint64_t));
  CUresult result = launch ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  if (launch && !(exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) &&
      !may_allocate(exec->graph))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) {
    launch->op = (HostOp){
        .run = run_graph_op, .drop = drop_graph_op, .enter = enter_graph_op, .is_work = true};
    launch->graph = exec->graph;
    atomic_fetch_add(&launch->graph->reference_count, 1);
    launch->turns = exec->turns;
    host_event_retain(launch->turns);
    /* Under the lock, so that launches are queued in the order of their turns. */
    result = host_put(stream, &launch->op);
  } else {
    memory_free(launch);
  }
  UNLOCK();
  return result;
}
