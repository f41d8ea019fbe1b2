/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.c - executable graphs: created, launched, updated as a whole and node by node; and the
 * memory of graphs.
 *
 * A graph has all that its definition kept when it was made, and what its nodes were changed to
 * since. None of that may go while a launch is under way. Launches of one graph run one after the
 * other, so the last one tells: the graph remembers its stream, and puts an event there only when
 * something is about to be given back. A stream that is not ours may be gone by then: there, the
 * event follows each launch. A graph that is released too early stays in a list until it is
 * through.
 */
#include <sched.h>
#include <string.h>

#include "core/nvtx.h"
#include "graph.h"

/* Released, with launches under way. */
static _Atomic(ck_graph_t *) deferred;
atomic_bool graph_has_deferred;

/* Whether work may be under way, as a query has it. A capture that began meanwhile forbids to ask,
 * and takes an event that is recorded then. */
static bool is_under_way(CUresult result)
{
  return result == CUDA_ERROR_NOT_READY || result == CUDA_ERROR_CAPTURED_EVENT ||
         result == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/* Puts the event behind the last launch, if that is not through. False if it can't be put there
 * now: the stream is captured. */
static bool mark(ck_graph_t *graph)
{
  const Driver *driver = graph->device->driver;
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
  if (graph->is_marked) return true;
  CUstream native = graph->stream->native;
  driver->cuStreamIsCapturing(native, &state);
  if (state != CU_STREAM_CAPTURE_STATUS_NONE) return false;
  CUresult result = driver->cuStreamQuery(native);
  graph->is_pending = is_under_way(result);
  if (result == CUDA_ERROR_NOT_READY)
    graph->is_marked = driver->cuEventRecord(graph->last, native) == CUDA_SUCCESS;
  return graph->is_marked || !graph->is_pending;
}

/* Whether no launch is under way. If it may wait for them, then unless the stream is captured now.
 */
static bool is_through(ck_graph_t *graph, bool may_wait)
{
  const Driver *driver = graph->device->driver;
  if (!graph->is_pending) return true;
  bool is_entered = device_enter_quietly(graph->device);
  CUstreamCaptureMode mode = capture_relax(driver);
  if (mark(graph) && graph->is_pending) {
    if (may_wait) driver->cuEventSynchronize(graph->last);
    CUresult result = driver->cuEventQuery(graph->last);
    graph->is_pending = is_under_way(result);
    if (result == CUDA_ERROR_CAPTURED_EVENT) graph->is_marked = !graph->stream;
  }
  capture_restore(driver, mode);
  if (is_entered) device_leave(graph->device);
  return !graph->is_pending;
}

static void destroy_native(ck_graph_t *graph)
{
  CleanUp clean_up = clean_up_begin(graph->device);
  graph->device->driver->cuGraphExecDestroy(graph->native);
  clean_up_end(&clean_up);
  graph->native = NULL;
  if (graph->is_deferred) atomic_fetch_sub(&graph->definition->deferred_count, 1);
}

/* What is left of a graph that is through. */
static void graph_free(ck_graph_t *graph)
{
  if (graph->native) destroy_native(graph);
  CleanUp clean_up = clean_up_begin(graph->device);
  if (graph->last) graph->device->driver->cuEventDestroy(graph->last);
  clean_up_end(&clean_up);
  ck_context_release(graph->last_context);
  for (size_t i = 0; i < graph->change_count; ++i) graph_keep_release(graph->changes[i].keep);
  memory_free(graph->changes);
  graph_keep_release(graph->keep);
  graph_keep_release(graph->retired);
  ck_graph_definition_release(graph->definition);
  ck_stream_release(graph->stream);
  ck_device_release(graph->device);
  object_free(graph);
}

static void defer(ck_graph_t *graph)
{
  ck_graph_t *next = atomic_load(&deferred);
  do graph->next_deferred = next;
  while (!atomic_compare_exchange_weak(&deferred, &next, graph));
  atomic_store(&graph_has_deferred, true);
}

/* What is released may call this library, and may wait: the others are back in the list by then,
 * where give_up_deferred looks for them. */
void graph_collect_now(void)
{
  atomic_store(&graph_has_deferred, false);
  ck_graph_t *graph = atomic_exchange(&deferred, NULL), *done = NULL;
  while (graph) {
    ck_graph_t *next = graph->next_deferred;
    if (is_through(graph, false)) {
      if (graph->native) destroy_native(graph);
      graph->next_deferred = done;
      done = graph;
    } else defer(graph);
    graph = next;
  }
  while (done) {
    ck_graph_t *next = done->next_deferred;
    graph_free(done);
    done = next;
  }
}

/* The driver waits for launches under way where it destroys a graph that has conditions. */
static void graph_destroy(ck_graph_t *graph)
{
  graph_collect();
  if (is_through(graph, false)) {
    graph_free(graph);
    return;
  }
  graph->is_deferred = true;
  atomic_fetch_add(&graph->definition->deferred_count, 1);
  defer(graph);
}

static bool has_deferred(ck_graph_definition_t *definition)
{
  return atomic_load(&definition->deferred_count) > 0;
}

/* Of a definition that allocates there is one graph at a time: CK_UNSUPPORTED. Takes from those
 * that are released what the driver has, though launches are under way. Whether there were any, now
 * or before a call that failed: another thread may have taken it since. */
static bool give_up_deferred(ck_graph_definition_t *definition, bool were_there)
{
  while (has_deferred(definition)) { /* another thread may look at it right now */
    ck_graph_t *graph = atomic_exchange(&deferred, NULL);
    were_there = true;
    while (graph) {
      ck_graph_t *next = graph->next_deferred;
      if (graph->definition == definition && graph->native) destroy_native(graph);
      defer(graph);
      graph = next;
    }
    sched_yield();
  }
  return were_there;
}

OBJECT(graph, ck_graph_t);

/* What the driver found at fault. */
static ck_status_t explain(ck_graph_definition_t *definition,
                           const CUDA_GRAPH_INSTANTIATE_PARAMS *params, ck_status_t status)
{
  static const char *const texts[] = {
      [CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE] = "the graph has a cycle, or a node where it "
                                                   "can't stand",
      [CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED] =
          "a graph for launches from the device has a node that such a graph can't have",
      [CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED] =
          "a graph for launches from the device has nodes of several devices",
      [CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED] = "a condition has no node"};
  size_t result = (size_t)params->result_out;
  if (result >= COUNT_OF(texts) || !texts[result]) return status;
  CUgraphNodeType type;
  const Driver *driver = definition->device->driver;
  if (params->hErrNode_out &&
      driver->cuGraphNodeGetType(params->hErrNode_out, &type) == CUDA_SUCCESS)
    return error_within(CK_INVALID_ARGUMENT, "%s: it is %s", texts[result],
                        graph_a_kind((ck_node_kind_t)type));
  return error_within(CK_INVALID_ARGUMENT, "%s", texts[result]);
}

static ck_status_t make_native(ck_graph_t *graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
  const ck_graph_definition_t *definition = graph->definition;
  graph_definition_lock(definition);
  ck_status_t status =
      DRV_STATUS(graph->device->driver,
                 cuGraphInstantiateWithParams(&graph->native, definition->native, params));
  graph_definition_unlock(definition);
  return status;
}

static ck_status_t instantiate(ck_graph_t *graph, const ck_graph_options_t *options)
{
  CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = options->flags};
  if (options->upload_stream) {
    params.flags |= CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    params.hUploadStream = options->upload_stream->native;
  }
  const Driver *driver = graph->device->driver;
  ck_graph_definition_t *definition = graph->definition;
  graph->keep = graph_keep_new();
  if (!graph->keep) return CK_OUT_OF_MEMORY;
  CK_TRY(graph_definition_keep(definition, graph->keep));
  graph->made_at = atomic_load(&graph_node_changes);
  CK_TRY(device_enter(graph->device));
  ck_status_t status = DRV_STATUS(driver, cuEventCreate(&graph->last, CU_EVENT_DISABLE_TIMING));
  if (status != CK_OK) graph->last = NULL;
  else {
    bool had_deferred = has_deferred(definition);
    status = make_native(graph, &params);
    if (status == CK_UNSUPPORTED && give_up_deferred(definition, had_deferred))
      status = make_native(graph, &params);
    if (status != CK_OK) {
      graph->native = NULL;
      status = explain(definition, &params, status);
    }
  }
  device_leave(graph->device);
  return status;
}

ck_status_t ck_graph_create(ck_graph_definition_t *definition, const ck_graph_options_t *options,
                            ck_graph_t **out_graph)
{
  CK_NEED_ARG(out_graph);
  *out_graph = NULL;
  CK_NEED_ARG(definition);
  ck_graph_options_t own = CK_OPTIONS_INIT(ck_graph_options_t);
  CK_TRY(options_read(&own, sizeof own, options, "ck_graph_options_t"));
  const uint32_t known =
      CK_GRAPH_AUTO_FREE_ON_LAUNCH | CK_GRAPH_DEVICE_LAUNCH | CK_GRAPH_USE_NODE_PRIORITY;
  if (own.flags & ~known)
    return error_set(CK_INVALID_ARGUMENT, "graph flags are 0x%x: unknown bits are set", own.flags);
  if (definition->root != definition)
    return error_set(CK_INVALID_ARGUMENT, "the definition is a part of another: create that one");
  CK_TRY(graph_definition_check_ended(definition));
  if (definition->device->is_host && own.flags & CK_GRAPH_DEVICE_LAUNCH)
    return error_set(CK_UNSUPPORTED, "'%s' launches no graphs from kernels",
                     definition->device->name);
  if (own.upload_stream) CK_TRY(stream_check(own.upload_stream, definition->device));
  graph_collect();
  ck_graph_t *graph = object_new(sizeof *graph);
  if (!graph) return CK_OUT_OF_MEMORY;
  graph->device = ck_device_retain(definition->device);
  graph->definition = ck_graph_definition_retain(definition);
  bool is_marked = nvtx_begin("instantiate", "a graph");
  ck_status_t status = instantiate(graph, &own);
  nvtx_end(is_marked);
  if (status != CK_OK) {
    graph_destroy(graph);
    return status;
  }
  *out_graph = graph;
  return CK_OK;
}

ck_device_t *ck_graph_device(const ck_graph_t *graph)
{
  return graph->device;
}

ck_graph_definition_t *ck_graph_definition(const ck_graph_t *graph)
{
  return graph->definition;
}

void *ck_graph_native(const ck_graph_t *graph)
{
  return graph->native;
}

/* launching ------------------------------------------------------------------------------------ */

/* Gives back what was replaced, if no launch can use it any more. */
static void let_retired_go(ck_graph_t *graph, bool may_wait)
{
  if (!graph->retired || !is_through(graph, may_wait)) return;
  GraphKeep *retired = graph->retired; /* what it gives back may call this library */
  graph->retired = NULL;
  graph->retired_count = 0;
  graph_keep_release(retired);
}

/* Makes `last` anew where streams of another context are followed: the driver records an event in
 * streams of its own context alone. Launches before this one are through when this one is. */
static bool fit_last(ck_graph_t *graph, ck_context_t *green)
{
  CUevent fresh = NULL;
  const Driver *driver = graph->device->driver;
  if (graph->last_context == green) return true;
  if (context_enter(green ? green : &graph->device->primary) != CK_OK) return false;
  bool is_made = driver->cuEventCreate(&fresh, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS;
  context_leave(green ? green : &graph->device->primary);
  if (!is_made) return false;
  driver->cuEventDestroy(graph->last);
  graph->last = fresh;
  ck_context_release(graph->last_context);
  graph->last_context = ck_context_retain(green);
  return true;
}

/* Remembers that the last launch is in another stream. The graph was launched: where an event can't
 * tell that it is through, it is waited for. */
static ck_status_t follow(ck_graph_t *graph, ck_stream_t *stream)
{
  bool fits = fit_last(graph, stream ? stream->context : NULL);
  ck_stream_release(graph->stream);
  graph->stream = stream && stream->is_owned && fits ? ck_stream_retain(stream) : NULL;
  if (graph->stream) return CK_OK;
  const Driver *driver = graph->device->driver;
  CUstream native = stream_native(stream);
  graph->is_marked = fits && driver->cuEventRecord(graph->last, native) == CUDA_SUCCESS;
  graph->is_pending = graph->is_marked;
  return graph->is_marked ? CK_OK : DRV_STATUS(driver, cuStreamSynchronize(native));
}

/* Whether a node of the definition, not of what is in a node, allocates memory. */
COLD static bool has_allocation(const ck_graph_t *graph)
{
  size_t count = 0;
  bool has = false;
  const Driver *driver = graph->device->driver;
  const ck_graph_definition_t *definition = graph->definition;
  CUgraphNode *nodes = NULL;
  CUgraphNodeType type;
  graph_definition_lock(definition);
  if (definition->native &&
      driver->cuGraphGetNodes(definition->native, NULL, &count) == CUDA_SUCCESS)
    nodes = memory_new((count + 1) * sizeof *nodes);
  if (nodes && driver->cuGraphGetNodes(definition->native, nodes, &count) == CUDA_SUCCESS)
    for (size_t i = 0; i < count && !has; ++i)
      has = driver->cuGraphNodeGetType(nodes[i], &type) == CUDA_SUCCESS &&
            type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  graph_definition_unlock(definition);
  memory_free(nodes);
  return has;
}

ck_status_t ck_graph_launch(ck_graph_t *graph, ck_stream_t *stream)
{
  CK_NEED_ARG(graph);
  CK_TRY(stream_check(stream, graph->device));
  graph_collect();
  if (graph->retired) let_retired_go(graph, false);
  CK_TRY(stream_enter(stream, graph->device));
  ck_status_t status =
      DRV_STATUS(graph->device->driver, cuGraphLaunch(graph->native, stream_native(stream)));
  if (LIKELY(status == CK_OK)) {
    graph->is_pending = true;
    graph->is_marked = false;
    if (!stream || stream != graph->stream) status = follow(graph, stream);
  } else if (ck_last_driver_error() == CUDA_ERROR_INVALID_VALUE && has_allocation(graph)) {
    status = error_within(CK_INVALID_ARGUMENT, "memory of the graph's last launch may still be "
                                               "allocated: free it first, or create the graph with "
                                               "CK_GRAPH_AUTO_FREE_ON_LAUNCH");
  }
  stream_leave(stream, graph->device);
  return status;
}

ck_status_t ck_graph_upload(ck_graph_t *graph, ck_stream_t *stream)
{
  CK_NEED_ARG(graph);
  CK_TRY(stream_check(stream, graph->device));
  CK_TRY(device_enter(graph->device));
  ck_status_t status =
      DRV_STATUS(graph->device->driver, cuGraphUpload(graph->native, stream_native(stream)));
  device_leave(graph->device);
  return status;
}

/* changing ------------------------------------------------------------------------------------- */

/* Gives a keep back once the launches that may use it are done. */
static void retire(ck_graph_t *graph, GraphKeep *keep)
{
  enum { MOST_RETIRED = 64 };
  if (!keep) return;
  let_retired_go(graph, graph->retired_count >= MOST_RETIRED);
  if (!is_through(graph, false)) {
    if (!graph->retired) graph->retired = graph_keep_new();
    if (graph->retired && graph_keep_keep(graph->retired, keep) == CK_OK) ++graph->retired_count;
    else is_through(graph, true);
  }
  graph_keep_release(keep);
}

/* An update of the whole replaces what nodes were changed to. What is given back may call this
 * library, so the graph is without them first. */
static void retire_changes(ck_graph_t *graph)
{
  NodeChange *changes = graph->changes;
  size_t count = graph->change_count;
  graph->changes = NULL;
  graph->change_count = 0;
  for (size_t i = 0; i < count; ++i) retire(graph, changes[i].keep);
  memory_free(changes);
}

static ck_status_t update_native(ck_graph_t *graph, const ck_graph_definition_t *definition,
                                 CUgraphExecUpdateResultInfo *out_info)
{
  graph_definition_lock(definition);
  ck_status_t status = DRV_STATUS(graph->device->driver,
                                  cuGraphExecUpdate(graph->native, definition->native, out_info));
  graph_definition_unlock(definition);
  return status;
}

ck_status_t ck_graph_update(ck_graph_t *graph, ck_graph_definition_t *definition)
{
  static const char *const texts[] = {
      [CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED] = "nodes or edges are others",
      [CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED] = "a node is of another kind",
      [CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED] = "a kernel is another one",
      [CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED] = "a node does what it can't be changed to",
      [CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED] = "a node can't be changed",
      [CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE] = "a kernel can't be replaced so",
      [CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED] = "a kernel's launch has other attributes"};
  CK_NEED_ARG(graph);
  CK_NEED_ARG(definition);
  if (!device_same(graph->device, definition->device) || definition->root != definition)
    return error_set(CK_INVALID_ARGUMENT, "the definition is %s",
                     definition->root != definition ? "a part of another" : "another device's");
  CK_TRY(graph_definition_check_ended(definition));
  CK_TRY(graph_check_switches(graph, false));
  graph_collect();
  CUgraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_SUCCESS};
  GraphKeep *keep = graph_keep_new();
  if (!keep) return CK_OUT_OF_MEMORY;
  uint64_t made_at = atomic_load(&graph_node_changes);
  ck_status_t status = graph_definition_keep(definition, keep);
  if (status == CK_OK) status = device_enter(graph->device);
  if (status == CK_OK) {
    bool had_deferred = has_deferred(definition);
    status = update_native(graph, definition, &info);
    if (status == CK_UNSUPPORTED && give_up_deferred(definition, had_deferred))
      status = update_native(graph, definition, &info);
    device_leave(graph->device);
  }
  if (status == CK_OK) {
    GraphKeep *old = graph->keep;
    graph->keep = keep;
    graph->made_at = made_at;
    graph->has_other_nodes = definition != graph->definition;
    graph->has_other_inner = false;
    retire_changes(graph);
    retire(graph, old);
  } else graph_keep_release(keep);
  if (status != CK_DRIVER || ck_last_driver_error() != CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    return status;
  const char *text = (size_t)info.result < COUNT_OF(texts) ? texts[info.result] : NULL;
  return error_within(CK_INVALID_ARGUMENT, "the graph can't be updated: %s",
                      text ? text : "the driver does not say why");
}

ck_status_t graph_check_node(const ck_graph_t *graph, const ck_graph_node_t *node)
{
  if (node->definition->root == graph->definition) return graph_definition_check(node->definition);
  return error_set(CK_INVALID_ARGUMENT, "the node is not of the graph's definition");
}

ck_status_t graph_explain_node(ck_status_t status)
{
  if (status != CK_DRIVER) return status;
  if (ck_last_driver_error() == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    return error_within(CK_INVALID_ARGUMENT, "the graph in the node has another shape");
  if (ck_last_driver_error() != CUDA_ERROR_INVALID_VALUE) return status;
  return error_within(CK_INVALID_ARGUMENT,
                      "the graph can't have it so, or the node is newer than the graph");
}

typedef struct ExecChange {
  ck_graph_t *graph;
  ck_graph_node_t *node;
  NodeChange *place;
} ExecChange;

/* Without clusters, a block is one alone. */
static unsigned blocks_along(unsigned cluster_extent)
{
  return cluster_extent ? cluster_extent : 1;
}

/* An executable node has the attributes of the definition's; the same ones may be given again. */
static ck_status_t check_attributes(const ck_graph_node_t *node, const CUlaunchConfig *launch)
{
  for (unsigned i = 0; launch && i < launch->numAttrs; ++i) {
    ck_launch_attribute_t given;
    bool is_there = !launch_attribute_from(&launch->attrs[i], &given);
    for (size_t k = 0; k < node->attribute_count && !is_there; ++k)
      is_there = !memcmp(&given, &node->attributes[k], sizeof given);
    if (!is_there)
      return error_set(CK_UNSUPPORTED, "%s: attributes stay as the definition has them",
                       ck_launch_attribute_name((ck_launch_attribute_kind_t)given.kind));
  }
  return CK_OK;
}

/* A child's change is made with the child's definition locked, and no other. */
static ck_status_t set_params(const NodeUse *use, const ExecChange *self, CUgraphNodeParams *native)
{
  const ck_graph_node_t *node = self->node;
  bool must_lock = node->kind != CK_NODE_CHILD;
  if (must_lock) graph_definition_lock(node->definition);
  ck_status_t status = DRV_STATUS(
      use->device->driver, cuGraphExecNodeSetParams(self->graph->native, node->native, native));
  if (must_lock) graph_definition_unlock(node->definition);
  return status;
}

static ck_status_t change(NodeUse *use, CUgraphNodeParams *native, const CUlaunchConfig *launch)
{
  const ExecChange *self = use->data;
  ck_graph_node_t *node = self->node;
  if (native->type != (CUgraphNodeType)node->kind)
    return error_set(CK_INVALID_ARGUMENT, "the grid has no blocks: switch the node off instead");
  CK_TRY(graph_node_read_launch(node));
  bool is_same = use->is_cooperative == node->is_cooperative;
  for (int i = 0; i < 3; ++i)
    is_same = is_same && blocks_along(use->cluster[i]) == blocks_along(node->cluster[i]);
  if (!is_same)
    return error_set(CK_UNSUPPORTED, "cluster and cooperative stay as the definition has them");
  CK_TRY(check_attributes(node, launch));
  CK_TRY(device_enter(use->device));
  ck_status_t status = node->kind == CK_NODE_FILL
                           ? graph_change_fill(self->graph, self->place, &native->memset)
                           : set_params(use, self, native);
  if (status == CK_OK && node->kind == CK_NODE_CHILD) graph_forget_inner(self->graph);
  device_leave(use->device);
  return graph_explain_node(status);
}

/* Makes room for what a node keeps, so that nothing can fail behind the change. */
ck_status_t graph_find_change(ck_graph_t *graph, const ck_graph_node_t *node,
                              NodeChange **out_change, bool *out_is_new)
{
  *out_is_new = false;
  for (size_t i = 0; i < graph->change_count; ++i) {
    *out_change = &graph->changes[i];
    if (graph->changes[i].node == node->native) return CK_OK;
  }
  NodeChange *changes = memory_new((graph->change_count + 1) * sizeof *changes);
  if (!changes) return error_set(CK_OUT_OF_MEMORY, "host memory is out: a change of a node");
  for (size_t i = 0; i < graph->change_count; ++i) changes[i] = graph->changes[i];
  memory_free(graph->changes);
  graph->changes = changes;
  *out_is_new = true;
  *out_change = &graph->changes[graph->change_count++];
  **out_change =
      (NodeChange){.node = node->native, .is_inner = node->definition != graph->definition};
  return CK_OK;
}

ck_status_t ck_graph_update_node(ck_graph_t *graph, ck_graph_node_t *node,
                                 const ck_node_params_t *params)
{
  CK_NEED_ARG(graph);
  CK_NEED_ARG(node);
  CK_NEED_ARG(params);
  CK_TRY(graph_check_node(graph, node));
  CK_TRY(graph_check_change(node, params));
  if (node->kind == CK_NODE_CHILD) CK_TRY(graph_check_switches(graph, true));
  graph_collect();
  NodeChange *place = NULL;
  bool is_new;
  GraphKeep *keep = graph_keep_new();
  if (!keep) return CK_OUT_OF_MEMORY;
  ck_status_t status = graph_find_change(graph, node, &place, &is_new);
  if (status != CK_OK) {
    graph_keep_release(keep);
    return status;
  }
  ExecChange self = {graph, node, place};
  NodeUse use = {.device = graph->device,
                 .root = graph->definition,
                 .keep = keep,
                 .old = place->keep,
                 .use = change,
                 .data = &self};
  status = node_params_use(params, &use);
  if (status != CK_OK) {
    if (is_new) --graph->change_count; /* the last one */
    graph_keep_release(keep);
    return status;
  }
  node_params_own(params, &use);
  GraphKeep *old = place->keep;
  place->keep = keep;
  retire(graph, old);
  return CK_OK;
}

/* memory --------------------------------------------------------------------------------------- */

ck_status_t ck_graph_memory_get(ck_device_t *device, ck_graph_memory_t attribute, size_t *out_bytes)
{
  CK_NEED_ARG(out_bytes);
  *out_bytes = 0;
  CK_NEED_ARG(device);
  if ((unsigned)attribute > CK_GRAPH_MEMORY_RESERVED_HIGH)
    return error_set(CK_INVALID_ARGUMENT, "graph memory attribute %d is unknown", (int)attribute);
  uint64_t bytes = 0;
  DRV(device->driver,
      cuDeviceGetGraphMemAttribute(device->native, (CUgraphMem_attribute)attribute, &bytes));
  *out_bytes = bytes;
  return CK_OK;
}

ck_status_t ck_graph_memory_reset(ck_device_t *device, ck_graph_memory_t attribute)
{
  CK_NEED_ARG(device);
  if (attribute != CK_GRAPH_MEMORY_USED_HIGH && attribute != CK_GRAPH_MEMORY_RESERVED_HIGH)
    return error_set(CK_INVALID_ARGUMENT, "only the highest values can be reset");
  uint64_t zero = 0;
  return DRV_STATUS(device->driver, cuDeviceSetGraphMemAttribute(
                                        device->native, (CUgraphMem_attribute)attribute, &zero));
}

ck_status_t ck_graph_memory_trim(ck_device_t *device)
{
  CK_NEED_ARG(device);
  return DRV_STATUS(device->driver, cuDeviceGraphMemTrim(device->native));
}
