/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* switch.c - nodes of executable graphs that are switched off and on.
 *
 * CUDA's driver 580 loses the order of what comes before and behind a memset node that is off: of
 * A, memset, B in a row, B may run before A is through; and the GPU faults if a launch is under way
 * (sm_90; kernels and copies that are off are fine). So on a GPU a fill that is off is a fill of
 * one value of scratch memory, and what it did is remembered. A fill of rows can't be changed so.
 */
#include <pthread.h>

#include "graph.h"

static ck_status_t check_kind(const ck_graph_node_t *node)
{
  if (node->kind == CK_NODE_KERNEL || node->kind == CK_NODE_COPY || node->kind == CK_NODE_FILL)
    return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "%s node can't be switched off", graph_a_kind(node->kind));
}

/* scratch memory ------------------------------------------------------------------------------ */

/* Of the kind that a fill's is: the driver keeps to that. It is the device's, since to free memory
 * waits for all that is under way, and graphs are released at any time. */
static ck_status_t find_scratch(ck_device_t *device, CUdeviceptr dst, CUdeviceptr *out_scratch)
{
  enum { BYTES = 4 };
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const Driver *driver = device->driver;
  unsigned type = CU_MEMORYTYPE_DEVICE;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *values[] = {&type}, *host = NULL;
  ck_status_t status = CK_OK;
  DRV(driver, cuPointerGetAttributes(1, &attribute, values, dst));
  bool is_hosts = type == CU_MEMORYTYPE_HOST;
  CUdeviceptr *scratch = &device->scratch[is_hosts];
  pthread_mutex_lock(&mutex);
  if (!*scratch && is_hosts) {
    status = DRV_STATUS(driver, cuMemHostAlloc(&host, BYTES, 0));
    *scratch = (CUdeviceptr)(uintptr_t)host;
  } else if (!*scratch) status = DRV_STATUS(driver, cuMemAlloc(scratch, BYTES));
  *out_scratch = *scratch;
  pthread_mutex_unlock(&mutex);
  return status;
}

/* fills --------------------------------------------------------------------------------------- */

/* The host device keeps the order. */
static bool needs_scratch(const ck_graph_t *graph, const ck_graph_node_t *node)
{
  return node->kind == CK_NODE_FILL && !graph->device->is_host;
}

/* What a fill does in the graph, if nobody has said so since. */
static ck_status_t read_fill(const ck_graph_t *graph, const ck_graph_node_t *node,
                             NodeChange *change)
{
  if (change->is_fill_known) return CK_OK;
  if (node->changed_at > graph->made_at || graph->has_other_nodes ||
      (change->is_inner && graph->has_other_inner))
    return error_set(CK_UNSUPPORTED, "the fill in the graph is not the definition's any more: "
                                     "ck_graph_update_node says first what it is");
  CUDA_MEMSET_NODE_PARAMS native = {0};
  graph_definition_lock(node->definition);
  ck_status_t status =
      DRV_STATUS(graph->device->driver, cuGraphMemsetNodeGetParams(node->native, &native));
  graph_definition_unlock(node->definition);
  CK_TRY(status);
  change->fill = (CUDA_MEMSET_NODE_PARAMS_v2){.dst = native.dst,
                                              .pitch = native.pitch,
                                              .value = native.value,
                                              .elementSize = native.elementSize,
                                              .width = native.width,
                                              .height = native.height,
                                              .ctx = graph->device->context};
  change->is_fill_known = true;
  return CK_OK;
}

/* Makes the driver's node do the fill, or its shadow. */
static ck_status_t put_fill(ck_graph_t *graph, const NodeChange *change, bool is_off)
{
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = change->fill};
  if (is_off) {
    CUstreamCaptureMode mode = capture_relax(graph->device->driver);
    ck_status_t status = find_scratch(graph->device, change->fill.dst, &params.memset.dst);
    capture_restore(graph->device->driver, mode);
    CK_TRY(status);
    params.memset.width = params.memset.height = 1;
  }
  graph_definition_lock(graph->definition);
  ck_status_t status = DRV_STATUS(graph->device->driver,
                                  cuGraphExecNodeSetParams(graph->native, change->node, &params));
  graph_definition_unlock(graph->definition);
  return status;
}

static ck_status_t refuse_rows(size_t rows)
{
  return error_set(CK_UNSUPPORTED,
                   "a fill of %zu rows can't be off: the driver would lose the order of what is "
                   "around it. A kernel can, or a fill of one row",
                   rows);
}

ck_status_t graph_change_fill(ck_graph_t *graph, NodeChange *change,
                              const CUDA_MEMSET_NODE_PARAMS_v2 *fill)
{
  NodeChange next = *change;
  next.fill = *fill;
  next.is_fill_known = true;
  if (change->is_off && fill->height > 1) return refuse_rows(fill->height);
  CK_TRY(put_fill(graph, &next, change->is_off));
  *change = next;
  return CK_OK;
}

void graph_forget_inner(ck_graph_t *graph)
{
  graph->has_other_inner = true;
  for (size_t i = 0; i < graph->change_count; ++i)
    if (graph->changes[i].is_inner) graph->changes[i].is_fill_known = false;
}

static ck_status_t switch_fill(ck_graph_t *graph, const ck_graph_node_t *node, bool is_enabled)
{
  NodeChange *change;
  bool is_new;
  CK_TRY(graph_find_change(graph, node, &change, &is_new));
  if (change->is_off == !is_enabled) return CK_OK;
  CK_TRY(read_fill(graph, node, change));
  if (change->fill.height > 1) return refuse_rows(change->fill.height);
  CK_TRY(device_enter(graph->device));
  ck_status_t status = put_fill(graph, change, !is_enabled);
  device_leave(graph->device);
  if (status == CK_OK) change->is_off = !is_enabled;
  return graph_explain_node(status);
}

ck_status_t graph_check_switches(const ck_graph_t *graph, bool is_child)
{
  for (size_t i = 0; i < graph->change_count; ++i)
    if (graph->changes[i].is_off && (graph->changes[i].is_inner || !is_child))
      return error_set(CK_UNSUPPORTED, "a fill is switched off, which the update would switch on: "
                                       "ck_graph_set_enabled does that first");
  return CK_OK;
}

/* --------------------------------------------------------------------------------------------- */

ck_status_t ck_graph_set_enabled(ck_graph_t *graph, ck_graph_node_t *node, int is_enabled)
{
  CK_NEED_ARG(graph);
  CK_NEED_ARG(node);
  CK_TRY(graph_check_node(graph, node));
  CK_TRY(check_kind(node));
  if (needs_scratch(graph, node)) return switch_fill(graph, node, is_enabled != 0);
  graph_definition_lock(node->definition);
  ck_status_t status = DRV_STATUS(
      graph->device->driver, cuGraphNodeSetEnabled(graph->native, node->native, is_enabled != 0));
  graph_definition_unlock(node->definition);
  return graph_explain_node(status);
}

ck_status_t ck_graph_get_enabled(ck_graph_t *graph, ck_graph_node_t *node, int *out_is_enabled)
{
  CK_NEED_ARG(out_is_enabled);
  *out_is_enabled = 0;
  CK_NEED_ARG(graph);
  CK_NEED_ARG(node);
  CK_TRY(graph_check_node(graph, node));
  CK_TRY(check_kind(node));
  unsigned is_enabled = 0;
  graph_definition_lock(node->definition);
  ck_status_t status = DRV_STATUS(graph->device->driver,
                                  cuGraphNodeGetEnabled(graph->native, node->native, &is_enabled));
  graph_definition_unlock(node->definition);
  for (size_t i = 0; i < graph->change_count; ++i)
    if (graph->changes[i].node == node->native && graph->changes[i].is_off) is_enabled = 0;
  *out_is_enabled = is_enabled != 0;
  return graph_explain_node(status);
}
