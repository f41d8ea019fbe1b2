/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* switch.c - nodes of executable graphs that are switched off and on.
 *
 * CUDA's driver 580 loses the order of what comes before and behind a memset node that is off: of
 * kernel A, memset and kernel B in a row, B may run before A has finished, and the GPU faults if a
 * launch is under way (sm_90; kernels and copies that are off keep the order). So on a GPU a fill
 * that is off becomes a fill of one value of scratch memory, and its params are remembered. The
 * driver can't change a fill of rows so.
 */
#include "graph.h"

/* Memory of the kind that a fill's is, which the driver insists on. It is the device's: to free
 * memory waits for all work under way, and graphs are released at any time. */
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

/* What a fill does in the graph: as the graph was told, or else as its definition says. */
static ck_status_t read_fill(const ck_graph_t *graph, const ck_graph_node_t *node,
                             NodeChange *change)
{
  if (change->fill.elementSize) return CK_OK;
  if (node->changed_at >= (change->is_inner ? graph->inner_made_at : graph->made_at))
    return error_set(CK_UNSUPPORTED, "the fill in the graph is not the definition's any more: "
                                     "ck_graph_update_node says first what it is");
  CUDA_MEMSET_NODE_PARAMS native = {0};
  graph_definition_lock(node->definition);
  CK_TRY(graph_definition_unlock(
      node->definition,
      DRV_STATUS(graph->device->driver, cuGraphMemsetNodeGetParams(node->native, &native))));
  change->fill = (CUDA_MEMSET_NODE_PARAMS_v2){.dst = native.dst,
                                              .pitch = native.pitch,
                                              .value = native.value,
                                              .elementSize = native.elementSize,
                                              .width = native.width,
                                              .height = native.height,
                                              .ctx = graph->device->context};
  return CK_OK;
}

/* Makes the driver's node do the fill, or, if it is off, fill the scratch memory. */
static ck_status_t put_fill(ck_graph_t *graph, const NodeChange *change, bool is_off)
{
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = change->fill};
  if (is_off && change->fill.height > 1)
    return error_set(CK_UNSUPPORTED,
                     "a fill of %zu rows can't be off: the driver would lose the order of what is "
                     "around it. A kernel can, or a fill of one row",
                     change->fill.height);
  if (is_off) {
    CUstreamCaptureMode mode = capture_relax(graph->device->driver);
    ck_status_t status = find_scratch(graph->device, change->fill.dst, &params.memset.dst);
    capture_restore(graph->device->driver, mode);
    CK_TRY(status);
    params.memset.width = params.memset.height = 1;
  }
  graph_definition_lock(graph->definition);
  return graph_definition_unlock(
      graph->definition,
      DRV_STATUS(graph->device->driver,
                 cuGraphExecNodeSetParams(graph->native, change->node, &params)));
}

ck_status_t graph_change_fill(ck_graph_t *graph, NodeChange *change,
                              const CUDA_MEMSET_NODE_PARAMS_v2 *fill)
{
  NodeChange next = *change;
  next.fill = *fill;
  CK_TRY(put_fill(graph, &next, change->is_off));
  change->fill = *fill;
  return CK_OK;
}

static ck_status_t switch_fill(ck_graph_t *graph, const ck_graph_node_t *node, bool is_off)
{
  NodeChange *change;
  CK_TRY(graph_find_change(graph, node, &change));
  if (change->is_off == is_off) return CK_OK;
  CK_TRY(read_fill(graph, node, change));
  CK_TRY(device_enter(graph->device));
  CK_TRY(graph_explain_node(graph_leave(graph->device, put_fill(graph, change, is_off))));
  change->is_off = is_off;
  return CK_OK;
}

ck_status_t graph_check_switches(const ck_graph_t *graph, bool is_child)
{
  for (const NodeChange *change = graph->changes; change; change = change->next)
    if (change->is_off && (change->is_inner || !is_child))
      return error_set(CK_UNSUPPORTED, "a fill is switched off, which the update would switch on: "
                                       "ck_graph_set_enabled does that first");
  return CK_OK;
}

static ck_status_t check(const ck_graph_t *graph, const ck_graph_node_t *node)
{
  const NodeKind *kind = graph_node_kind(node->kind);
  CK_TRY(graph_check_node(graph, node));
  if (kind->can_be_off) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "%s node can't be switched off", kind->name);
}

ck_status_t ck_graph_set_enabled(ck_graph_t *graph, ck_graph_node_t *node, int is_enabled)
{
  CK_NEED_ARG(graph);
  CK_NEED_ARG(node);
  CK_TRY(check(graph, node));
  /* The host device keeps the order. */
  if (node->kind == CK_NODE_FILL && !graph->device->is_host)
    return switch_fill(graph, node, !is_enabled);
  graph_definition_lock(node->definition);
  return graph_explain_node(graph_definition_unlock(
      node->definition,
      DRV_STATUS(graph->device->driver,
                 cuGraphNodeSetEnabled(graph->native, node->native, is_enabled != 0))));
}

ck_status_t ck_graph_get_enabled(ck_graph_t *graph, ck_graph_node_t *node, int *out_is_enabled)
{
  CK_NEED_ARG(out_is_enabled);
  *out_is_enabled = 0;
  CK_NEED_ARG(graph);
  CK_NEED_ARG(node);
  CK_TRY(check(graph, node));
  unsigned is_enabled = 0;
  graph_definition_lock(node->definition);
  ck_status_t status = graph_definition_unlock(
      node->definition,
      DRV_STATUS(graph->device->driver,
                 cuGraphNodeGetEnabled(graph->native, node->native, &is_enabled)));
  for (const NodeChange *change = graph->changes; change; change = change->next)
    if (change->node == node->native && change->is_off) is_enabled = 0;
  *out_is_enabled = is_enabled != 0;
  return graph_explain_node(status);
}
