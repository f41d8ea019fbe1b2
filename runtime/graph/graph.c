/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.c - executable graphs: created, launched, updated as a whole or node by node, with nodes
 * switched off and on, and destroyed.
 *
 * An executable graph holds references to everything its nodes use: what its definition kept when
 * it was made, and what its nodes were changed to since. They may be released only after the last
 * launch has finished. Launches of one executable graph are serialised by CUDA, so it is enough to
 * know when the newest one is done. The graph remembers the stream of that launch, and a launch
 * itself records nothing. Only when the graph is about to release something, and the stream is not
 * idle, does it record its event there. The event then covers work that was submitted after the
 * launch too; that delays a release, but costs no launch anything. A stream that this library
 * didn't create may be destroyed by then, so there the event is recorded behind each launch.
 *
 * A graph that is released with a launch under way goes on a list of deferred destruction.
 * Functions that wait for a stream, event or device, and those for graphs, destroy the graphs in it
 * whose launches have finished by then (graph_collect).
 *
 * CUDA's driver 580 loses edges around a memset node that is switched off: of kernel A, memset and
 * kernel B in a row, B may run before A has finished, and the GPU faults if a launch is under way
 * (sm_90; kernels and copies that are off keep the order). So on a GPU a fill (a memset node) that
 * is off becomes a fill of one value of scratch memory, and the graph remembers its params. The
 * driver doesn't change a fill of several rows to one of another shape, so such a fill can't be
 * switched off: ck_graph_set_enabled fails.
 */
#include <string.h>

#include "core/nvtx.h"
#include "graph.h"

/* A node that was changed or switched in the graph. */
typedef struct NodeChange {
  struct NodeChange *next;
  CUgraphNode node;
  GraphKeep *keep;                 /* a user; what the new params need; or NULL */
  bool is_inner;                   /* the node is in a part, not in the root */
  bool is_off;                     /* a fill that writes scratch memory instead */
  CUDA_MEMSET_NODE_PARAMS_v2 fill; /* a fill's params while it is on; elementSize 0: unknown */
} NodeChange;

struct ck_graph {
  Object object;
  ck_device_t *device;               /* retained */
  ck_graph_definition_t *definition; /* retained: its nodes stand for those of the graph */
  CUgraphExec native;                /* owned */
  GraphKeep *keep;                   /* a user; what the definition kept */
  NodeChange *changes;               /* owned, linked by next */
  /* The definition's change_count + 1 when the driver copied the root's nodes, and those in parts.
   * A node with changed_at of at least that is another one now. 0: these nodes are not its own. */
  uint64_t made_at, inner_made_at;
  ck_stream_t *stream; /* retained; of the last launch; NULL: none, or not owned by the runtime */
  ck_event_t *last;    /* retained; in the context of that stream */
  bool is_pending;     /* the last launch may not have finished */
  bool is_marked;      /* `last` is recorded after it */
  GraphKeep *retired;  /* a user; replaced keeps that launches under way may need; or NULL */
  size_t retired_count;
  ck_graph_t *next_deferred;
};

/* whether launches have finished --------------------------------------------------------------- */

/* Whether work may be under way, by the result of a query. If a capture of the stream has begun
 * since, the query is forbidden, or the event was recorded in the capture. */
static bool is_under_way(CUresult result)
{
  return result == CUDA_ERROR_NOT_READY || result == CUDA_ERROR_CAPTURED_EVENT ||
         result == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/* Whether no launch is under way. With may_wait it waits, unless the stream is captured now. If the
 * stream is not idle, records the event there. */
static bool has_finished(ck_graph_t *graph, bool may_wait)
{
  const Driver *driver = graph->device->driver;
  CUstream native = stream_native(graph->stream);
  if (!graph->is_pending) return true;
  CleanUp clean_up = clean_up_begin(graph->device);
  if (!graph->is_marked && stream_capture_state(driver, native) == CU_STREAM_CAPTURE_STATUS_NONE) {
    CUresult result = driver->cuStreamQuery(native);
    graph->is_pending = is_under_way(result);
    if (result == CUDA_ERROR_NOT_READY)
      graph->is_marked = driver->cuEventRecord(graph->last->native, native) == CUDA_SUCCESS;
  }
  if (graph->is_marked && graph->is_pending) {
    if (may_wait) driver->cuEventSynchronize(graph->last->native);
    CUresult result = driver->cuEventQuery(graph->last->native);
    graph->is_pending = is_under_way(result);
    if (result == CUDA_ERROR_CAPTURED_EVENT) graph->is_marked = !graph->stream;
  }
  clean_up_end(&clean_up);
  return !graph->is_pending;
}

/* deferred destruction ------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static ck_graph_t *deferred; /* released with a launch under way; by next_deferred */
atomic_bool graph_has_deferred;

static void destroy_native(const ck_device_t *device, CUgraphExec native)
{
  CLEAN_UP(device, if (native) device->driver->cuGraphExecDestroy(native));
}

/* Releases replaced keeps, if no launch can use them any more. */
static void release_retired(ck_graph_t *graph, bool may_wait)
{
  if (!graph->retired || !has_finished(graph, may_wait)) return;
  GraphKeep *retired = graph->retired;
  graph->retired = NULL;
  graph->retired_count = 0;
  graph_keep_release(retired);
}

/* Releases a keep that no one else uses, once the launches that may need it have finished. */
static void retire(ck_graph_t *graph, GraphKeep *keep)
{
  enum { MOST_RETIRED = 64 };
  if (!keep) return;
  keep->next = graph->retired;
  graph->retired = keep;
  ++graph->retired_count;
  release_retired(graph, graph->retired_count > MOST_RETIRED);
}

static void retire_changes(ck_graph_t *graph)
{
  NodeChange *changes = graph->changes;
  graph->changes = NULL;
  for (NodeChange *change; (change = changes);) {
    changes = change->next;
    retire(graph, change->keep);
    memory_free(change);
  }
}

/* Frees a graph whose launches have finished. */
static void free_graph(ck_graph_t *graph)
{
  destroy_native(graph->device, graph->native);
  ck_event_release(graph->last);
  retire_changes(graph);
  if (graph->keep) workspaces_leave(graph, graph->keep);
  graph_keep_release(graph->keep);
  graph_keep_release(graph->retired);
  ck_graph_definition_release(graph->definition);
  ck_stream_release(graph->stream);
  ck_device_release(graph->device);
  object_free(graph);
}

/* The CUgraphExec is destroyed with the mutex held, so that another thread finds either the graph
 * on the list or no CUgraphExec at all. This doesn't wait, since no launch is under way. The graphs
 * themselves are freed without the mutex, because that may call this library. */
void graph_collect_now(void)
{
  ck_graph_t *done = NULL;
  pthread_mutex_lock(&mutex);
  for (ck_graph_t **link = &deferred, *graph; (graph = *link);) {
    if (!has_finished(graph, false)) {
      link = &graph->next_deferred;
      continue;
    }
    *link = graph->next_deferred;
    destroy_native(graph->device, graph->native);
    graph->native = NULL;
    graph->next_deferred = done;
    done = graph;
  }
  atomic_store(&graph_has_deferred, deferred != NULL);
  pthread_mutex_unlock(&mutex);
  for (ck_graph_t *graph; (graph = done);) {
    done = graph->next_deferred;
    free_graph(graph);
  }
}

/* Destroys the CUgraphExec of all released graphs of a root, though launches are under way: of a
 * definition that allocates memory the driver makes only one at a time. The driver may wait for
 * launches that another thread has to let go on, so the mutex is not held. */
static void give_up_deferred(const ck_graph_definition_t *root)
{
  CUgraphExec native;
  do {
    native = NULL;
    pthread_mutex_lock(&mutex);
    for (ck_graph_t *graph = deferred; graph && !native; graph = graph->next_deferred) {
      if (graph->definition != root) continue;
      native = graph->native;
      graph->native = NULL;
    }
    pthread_mutex_unlock(&mutex);
    destroy_native(root->device, native);
  } while (native);
}

/* Deferred because the driver waits for launches where it destroys a graph with conditions. */
static void graph_destroy(ck_graph_t *graph)
{
  graph_collect();
  if (has_finished(graph, false)) {
    free_graph(graph);
    return;
  }
  pthread_mutex_lock(&mutex);
  graph->next_deferred = deferred;
  deferred = graph;
  atomic_store(&graph_has_deferred, true);
  pthread_mutex_unlock(&mutex);
}

OBJECT(graph, ck_graph_t);

/* creation ------------------------------------------------------------------------------------- */

/* Adds what the driver found wrong with the definition. */
static ck_status_t explain(const Driver *driver, const CUDA_GRAPH_INSTANTIATE_PARAMS *params,
                           ck_status_t status)
{
  enum { FIRST = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE };
  static const char texts[] = /* of FIRST and the results behind it */
      "the graph has a cycle, or a node where it can't stand\0"
      "a graph for launches from the device has a node that such a graph can't have\0"
      "a graph for launches from the device has nodes of several devices\0"
      "a condition has no node";
  unsigned result = (unsigned)params->result_out;
  if (result < FIRST || result > CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED) return status;
  CUgraphNodeType type;
  bool has_type = params->hErrNode_out &&
                  driver->cuGraphNodeGetType(params->hErrNode_out, &type) == CUDA_SUCCESS;
  return error_within(CK_INVALID_ARGUMENT, "%s%s%s", strings_at(texts, result - FIRST),
                      has_type ? ": it is " : "",
                      has_type ? graph_node_kind((ck_node_kind_t)type)->name : "");
}

/* Creates the CUgraphExec from a definition, or, without params, updates it. If the driver has one
 * of that definition already, tries again without those of released graphs. */
static ck_status_t take_native(ck_graph_t *graph, const ck_graph_definition_t *definition,
                               CUDA_GRAPH_INSTANTIATE_PARAMS *params,
                               CUgraphExecUpdateResultInfo *out_info)
{
  const Driver *driver = graph->device->driver;
  CUgraph native = definition->native;
  ck_status_t status = CK_UNSUPPORTED;
  for (int i = 0; i < 2 && status == CK_UNSUPPORTED; ++i) {
    if (i) give_up_deferred(definition);
    status = LOCKED(
        definition,
        params ? DRV_STATUS(driver, cuGraphInstantiateWithParams(&graph->native, native, params))
               : DRV_STATUS(driver, cuGraphExecUpdate(graph->native, native, out_info)));
  }
  if (params && status != CK_OK) {
    graph->native = NULL;
    status = explain(driver, params, status);
  }
  return status;
}

/* The same, with all that the definition keeps now, and with memory of its own for the algorithms
 * in it. What the graph kept before is retired. */
static ck_status_t take(ck_graph_t *graph, const ck_graph_definition_t *definition,
                        CUDA_GRAPH_INSTANTIATE_PARAMS *params,
                        CUgraphExecUpdateResultInfo *out_info)
{
  GraphKeep *keep = graph_keep_new(), *old = graph->keep;
  ck_status_t status = keep ? graph_definition_keep(definition, keep) : CK_OUT_OF_MEMORY;
  uint64_t made_at = definition->change_count + 1;
  if (status == CK_OK)
    status = IN_DEVICE(graph->device, take_native(graph, definition, params, out_info));
  if (status != CK_OK) {
    graph_keep_release(keep);
    return status;
  }
  graph->keep = keep;
  graph->made_at = graph->inner_made_at = definition == graph->definition ? made_at : 0;
  retire_changes(graph); /* an update replaces them */
  status = LOCKED(definition, IN_DEVICE(graph->device, workspaces_take(graph->device->driver, graph,
                                                                       graph->native, keep)));
  retire(graph, old);
  return status;
}

ck_status_t ck_graph_create(ck_graph_definition_t *definition, const ck_graph_options_t *options,
                            ck_graph_t **out_graph)
{
  CK_NEED_OUT(out_graph, NULL, definition);
  CK_READ_OPTIONS(ck_graph_options_t, own, options);
  const uint32_t known =
      CK_GRAPH_AUTO_FREE_ON_LAUNCH | CK_GRAPH_DEVICE_LAUNCH | CK_GRAPH_USE_NODE_PRIORITY;
  if (own.flags & ~known)
    return error_argument("graph flags are 0x%x: unknown bits are set", own.flags);
  if (definition->root != definition)
    return error_argument("the definition is a part of another: create that one");
  CK_TRY(graph_definition_check_ended(definition));
  if (own.flags & CK_GRAPH_DEVICE_LAUNCH && !definition->device->driver->traits->has_device_graphs)
    return error_unsupported("'%s' launches no graphs from kernels", definition->device->name);
  CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = own.flags};
  if (own.upload_stream) {
    CK_TRY(stream_check(own.upload_stream, definition->device));
    params.flags |= CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    params.hUploadStream = own.upload_stream->native;
  }
  graph_collect();
  ck_graph_t *graph = object_new(sizeof *graph);
  if (!graph) return CK_OUT_OF_MEMORY;
  graph->device = ck_device_retain(definition->device);
  graph->definition = ck_graph_definition_retain(definition);
  bool is_marked = nvtx_begin("instantiate", "a graph");
  ck_status_t status = ck_event_create(definition->device, NULL, &graph->last);
  if (status == CK_OK) status = take(graph, definition, &params, NULL);
  nvtx_end(is_marked);
  return GIVE(status, graph, out_graph, graph_destroy);
}

GETTER(ck_device_t *, graph, device);
GETTER(ck_graph_definition_t *, graph, definition);
GETTER(void *, graph, native);

/* launching ------------------------------------------------------------------------------------ */

/* Makes `last` an event of a context, since the driver records events only in streams of their own
 * context. No earlier record is needed: launches of one graph finish in their order. */
static bool fit_last(ck_graph_t *graph, ck_context_t *context)
{
  ck_event_t *fresh;
  if (ck_event_context(graph->last)->native == context->native) return true;
  if (ck_context_create_event(context, NULL, &fresh) != CK_OK) return false;
  ck_event_release(graph->last);
  graph->last = fresh;
  return true;
}

/* Remembers the stream of the last launch. If no event can be recorded there later, records it now,
 * or waits for the launch. */
static ck_status_t follow(ck_graph_t *graph, ck_stream_t *stream)
{
  const Driver *driver = graph->device->driver;
  CUstream native = stream_native(stream);
  ck_context_t *context = stream ? ck_stream_context(stream) : &graph->device->primary;
  bool fits = fit_last(graph, context);
  ck_stream_release(graph->stream);
  graph->stream = stream && stream->is_owned && fits ? ck_stream_retain(stream) : NULL;
  if (graph->stream) return CK_OK;
  graph->is_marked = fits && driver->cuEventRecord(graph->last->native, native) == CUDA_SUCCESS;
  graph->is_pending = graph->is_marked;
  return graph->is_marked ? CK_OK : DRV_STATUS(driver, cuStreamSynchronize(native));
}

/* Whether a node of the root, not of its parts, allocates memory. */
COLD static bool has_allocation(const ck_graph_t *graph)
{
  const Driver *driver = graph->device->driver;
  const ck_graph_definition_t *definition = graph->definition;
  GraphList nodes = {.count = 0};
  bool has = false;
  if (definition->is_lost) return false;
  CLEAN_UP(graph->device,
           (void)LOCKED(definition, graph_list(driver, LIST_nodes, definition->native, &nodes)));
  for (size_t i = 0; i < nodes.count && !has; ++i) {
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    driver->cuGraphNodeGetType(nodes.from[i], &type);
    has = type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  }
  memory_free(nodes.from);
  return has;
}

ck_status_t ck_graph_launch(ck_graph_t *graph, ck_stream_t *stream)
{
  CK_NEED_ARG(graph);
  CK_TRY(stream_check(stream, graph->device));
  graph_collect();
  if (graph->retired) release_retired(graph, false);
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
  return IN_DEVICE(graph->device, DRV_STATUS(graph->device->driver,
                                             cuGraphUpload(graph->native, stream_native(stream))));
}

/* nodes in graphs ------------------------------------------------------------------------------ */

/* CK_INVALID_ARGUMENT for a node of another definition than the graph's. */
static ck_status_t check_node(const ck_graph_t *graph, const ck_graph_node_t *node)
{
  if (node->definition->root == graph->definition) return graph_definition_check(node->definition);
  return error_argument("the node is not of the graph's definition");
}

/* Explains the driver's error for a node that the CUgraphExec doesn't have. */
static ck_status_t explain_node(ck_status_t status)
{
  if (status != CK_DRIVER) return status;
  if (ck_last_driver_error() == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    return error_within(CK_INVALID_ARGUMENT, "the graph in the node has another shape");
  if (ck_last_driver_error() != CUDA_ERROR_INVALID_VALUE) return status;
  return error_within(CK_INVALID_ARGUMENT,
                      "the graph can't have it so, or the node is newer than the graph");
}

/* The NodeChange of a node, made if there is none. */
static ck_status_t find_change(ck_graph_t *graph, const ck_graph_node_t *node,
                               NodeChange **out_change)
{
  for (*out_change = graph->changes; *out_change; *out_change = (*out_change)->next)
    if ((*out_change)->node == node->native) return CK_OK;
  NodeChange *change = memory_take(sizeof *change);
  if (!change) return CK_OUT_OF_MEMORY;
  *change = (NodeChange){.next = graph->changes,
                         .node = node->native,
                         .is_inner = node->definition != graph->definition};
  *out_change = graph->changes = change;
  return CK_OK;
}

/* fills that are off --------------------------------------------------------------------------- */

/* Finds out what a fill does in the graph: the last change says it, or else the definition. */
static ck_status_t read_fill(const ck_graph_t *graph, const ck_graph_node_t *node,
                             NodeChange *change)
{
  if (change->fill.elementSize) return CK_OK;
  if (node->changed_at >= (change->is_inner ? graph->inner_made_at : graph->made_at))
    return error_unsupported("the fill in the graph is not the definition's any more: "
                             "ck_graph_update_node says first what it is");
  CUDA_MEMSET_NODE_PARAMS native = {0};
  CK_TRY(NODE_STATUS(node, cuGraphMemsetNodeGetParams(node->native, &native)));
  memcpy(&change->fill, &native, sizeof native); /* the newer struct has one member more */
  change->fill.ctx = graph->device->context;
  return CK_OK;
}

static ck_status_t put_params(const ck_graph_t *graph, CUgraphNode node, CUgraphNodeParams *params)
{
  return DRV_STATUS(graph->device->driver, cuGraphExecNodeSetParams(graph->native, node, params));
}

/* Changes the driver's node to a fill, or, if it is off, to that of scratch memory. */
static ck_status_t put_fill(ck_graph_t *graph, NodeChange *change, CUDA_MEMSET_NODE_PARAMS_v2 fill,
                            bool is_off)
{
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = fill};
  unsigned type = CU_MEMORYTYPE_DEVICE;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *values[] = {&type};
  if (is_off && fill.height > 1)
    return error_unsupported(
        "a fill of %zu rows can't be off: the driver would lose the order of what is "
        "around it. A kernel can, or a fill of one row",
        fill.height);
  if (is_off) { /* the driver refuses memory of another kind, device or host */
    DRV(graph->device->driver, cuPointerGetAttributes(1, &attribute, values, fill.dst));
    CK_TRY(device_scratch(graph->device, type == CU_MEMORYTYPE_HOST, &params.memset.dst));
    params.memset.width = params.memset.height = 1;
  }
  CK_TRY(LOCKED(graph->definition, put_params(graph, change->node, &params)));
  change->fill = fill;
  change->is_off = is_off;
  return CK_OK;
}

/* CK_UNSUPPORTED while a fill is off that an update would bring back: one in a child, or any. */
static ck_status_t check_switches(const ck_graph_t *graph, bool is_child)
{
  for (const NodeChange *change = graph->changes; change; change = change->next)
    if (change->is_off && (change->is_inner || !is_child))
      return error_unsupported("a fill is switched off, which the update would switch on: "
                               "ck_graph_set_enabled does that first");
  return CK_OK;
}

/* changing ------------------------------------------------------------------------------------- */

ck_status_t ck_graph_update(ck_graph_t *graph, ck_graph_definition_t *definition)
{
  enum { FIRST = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED };
  static const char texts[] = /* of FIRST and the results behind it */
      "nodes or edges are others\0"
      "a node is of another kind\0"
      "a kernel is another one\0"
      "a node does what it can't be changed to\0"
      "a node can't be changed\0"
      "a kernel can't be replaced so\0"
      "a kernel's launch has other attributes";
  CK_NEED_ARGS(graph, definition);
  if (!device_same(graph->device, definition->device) || definition->root != definition)
    return error_argument("the definition is %s", definition->root != definition
                                                      ? "a part of another"
                                                      : "another device's");
  CK_TRY(graph_definition_check_ended(definition));
  CK_TRY(check_switches(graph, false));
  graph_collect();
  CUgraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_SUCCESS};
  ck_status_t status = take(graph, definition, NULL, &info);
  if (status != CK_DRIVER || ck_last_driver_error() != CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    return status;
  unsigned result = (unsigned)info.result;
  bool is_known = result >= FIRST && result <= CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
  return error_within(CK_INVALID_ARGUMENT, "the graph can't be updated: %s",
                      is_known ? strings_at(texts, result - FIRST) : "the driver does not say why");
}

/* A node in an executable graph keeps cluster and attributes of the definition's. A change may name
 * the same ones again. */
static ck_status_t check_launch(ck_graph_node_t *node, const CUlaunchConfig *launch)
{
  const NodeLaunch *old;
  CK_TRY(LOCKED(node->definition, graph_node_read_launch(node, &old)));
  NodeShape shape = graph_shape_of(launch->attrs, launch->numAttrs);
  NodeShape old_shape = graph_shape_of(old->natives, old->native_count);
  bool is_same = shape.is_cooperative == old_shape.is_cooperative;
  for (int i = 0; i < 3; ++i) { /* no cluster is the same as one of 1 block */
    unsigned blocks = shape.cluster[i], old_blocks = old_shape.cluster[i];
    is_same = is_same && (blocks ? blocks : 1) == (old_blocks ? old_blocks : 1);
  }
  if (!is_same) return error_unsupported("cluster and cooperative stay as the definition has them");
  for (unsigned i = 0; i < launch->numAttrs; ++i) {
    ck_launch_attribute_t given;
    bool is_there = !launch_attribute_from(&launch->attrs[i], &given);
    for (size_t k = 0; k < old->attribute_count && !is_there; ++k)
      is_there = !memcmp(&given, &old->attributes[k], sizeof given);
    if (!is_there)
      return error_unsupported("%s: attributes stay as the definition has them",
                               ck_launch_attribute_name((ck_launch_attribute_kind_t)given.kind));
  }
  return CK_OK;
}

static ck_status_t change(NodeCall *call)
{
  ck_graph_t *graph = call->graph;
  ck_graph_node_t *node = call->node;
  if (call->native.type != (CUgraphNodeType)node->kind)
    return error_argument("the grid has no blocks: switch the node off instead");
  if (call->launch) CK_TRY(check_launch(node, call->launch));
  ck_status_t status;
  if (node->kind == CK_NODE_FILL)
    status = put_fill(graph, call->change, call->native.memset, call->change->is_off);
  else if (node->kind == CK_NODE_CHILD) /* the child is locked, and there may be no second lock */
    status = put_params(graph, node->native, &call->native);
  else status = LOCKED(node->definition, put_params(graph, node->native, &call->native));
  return explain_node(status);
}

ck_status_t ck_graph_update_node(ck_graph_t *graph, ck_graph_node_t *node,
                                 const ck_node_params_t *params)
{
  CK_NEED_ARGS(graph, node);
  CK_NEED_ARG(params);
  CK_TRY(check_node(graph, node));
  CK_TRY(graph_check_change(node, params->kind));
  bool is_child = node->kind == CK_NODE_CHILD;
  if (is_child) CK_TRY(check_switches(graph, true));
  graph_collect();
  NodeCall call = {.params = params, .send = change, .node = node, .graph = graph};
  CK_TRY(find_change(graph, node, &call.change));
  call.old = call.change->keep;
  CK_TRY(graph_node_send(&call));
  if (is_child) graph->inner_made_at = 0;
  for (NodeChange *inner = graph->changes; inner && is_child; inner = inner->next)
    if (inner->is_inner) inner->fill.elementSize = 0; /* now another child's: unknown */
  call.change->keep = call.keep;
  retire(graph, call.old);
  return CK_OK;
}

/* switching ------------------------------------------------------------------------------------ */

static ck_status_t check_switch(const ck_graph_t *graph, const ck_graph_node_t *node)
{
  const NodeKind *kind = graph_node_kind(node->kind);
  CK_TRY(check_node(graph, node));
  if (kind->can_be_off) return CK_OK;
  return error_argument("%s node can't be switched off", kind->name);
}

ck_status_t ck_graph_set_enabled(ck_graph_t *graph, ck_graph_node_t *node, int is_enabled)
{
  CK_NEED_ARGS(graph, node);
  CK_TRY(check_switch(graph, node));
  if (node->kind != CK_NODE_FILL || graph->device->driver->traits->keeps_fill_edges)
    return explain_node(
        NODE_STATUS(node, cuGraphNodeSetEnabled(graph->native, node->native, is_enabled != 0)));
  NodeChange *change;
  CK_TRY(find_change(graph, node, &change));
  if (change->is_off == !is_enabled) return CK_OK;
  CK_TRY(read_fill(graph, node, change));
  return explain_node(IN_DEVICE(graph->device, put_fill(graph, change, change->fill, !is_enabled)));
}

ck_status_t ck_graph_get_enabled(ck_graph_t *graph, ck_graph_node_t *node, int *out_is_enabled)
{
  CK_NEED_OUT(out_is_enabled, 0, graph, node);
  CK_TRY(check_switch(graph, node));
  unsigned is_enabled = 0;
  ck_status_t status =
      NODE_STATUS(node, cuGraphNodeGetEnabled(graph->native, node->native, &is_enabled));
  for (const NodeChange *change = graph->changes; change; change = change->next)
    if (change->node == node->native && change->is_off) is_enabled = 0;
  *out_is_enabled = is_enabled != 0;
  return explain_node(status);
}
