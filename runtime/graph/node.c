/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* node.c - nodes of definitions: added, changed, destroyed; and how their kernels are launched.
 *
 * The driver sets attributes of a kernel node one by one, once the node exists. If it refused one,
 * half of the change would be left; and a graph that allocates memory would keep a new node for
 * good. So params and attributes are tried in an empty graph first. A change then resets those
 * attributes of the node that the new launch lacks, and restores them if the driver fails:
 *
 *   node has {cluster, priority}, new launch has {window}:
 *   try {window} in an empty graph; reset cluster, then priority; set params; set window
 */
#include <string.h>

#include "graph.h"

GETTER(ck_node_kind_t, graph_node, kind);
GETTER(ck_graph_definition_t *, graph_node, definition);

void *ck_graph_node_native(const ck_graph_node_t *node)
{
  return ck_graph_definition_native(node->definition) ? node->native : NULL;
}

/* how kernels are launched --------------------------------------------------------------------- */

NodeShape graph_shape_of(const CUlaunchConfig *launch)
{
  NodeShape shape = {.is_cooperative = false};
  for (unsigned i = 0; launch && i < launch->numAttrs; ++i) {
    const CUlaunchAttributeValue *value = &launch->attrs[i].value;
    if (launch->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.is_cooperative = true;
    if (launch->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      memcpy(shape.cluster, &value->clusterDim, sizeof shape.cluster);
  }
  return shape;
}

static void note_launch(const NodeCall *call)
{
  ck_graph_node_t *node = call->node;
  node->shape = graph_shape_of(call->launch);
  node->is_launch_known =
      !node->attribute_count && !(call->launch && call->params->of.kernel.config.attribute_count);
}

/* An attribute that the driver or the device doesn't have reads as zero. */
static ck_status_t read_attribute(const ck_graph_node_t *node, CUlaunchAttributeID id,
                                  CUlaunchAttributeValue *out)
{
  const Driver *driver = node->definition->device->driver;
  CUresult result = driver->cuGraphKernelNodeGetAttribute(node->native, id, out);
  if (result == CUDA_SUCCESS) return CK_OK;
  memset(out, 0, sizeof *out);
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) return CK_OK;
  return driver_result(driver, result, "cuGraphKernelNodeGetAttribute", __FILE_NAME__, __LINE__);
}

static ck_status_t read_launch(ck_graph_node_t *node)
{
  ck_launch_attribute_t found[LAUNCH_ATTRIBUTE_COUNT];
  CUlaunchAttributeValue cooperative = {{0}}, cluster = {{0}};
  size_t count = 0;
  CK_TRY(read_attribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
  if (node->definition->device->limits.has_clusters)
    CK_TRY(read_attribute(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster));
  for (unsigned kind = 1; kind < LAUNCH_ATTRIBUTE_KINDS; ++kind) {
    CUlaunchAttribute native = {.id = (CUlaunchAttributeID)kind};
    if (!launch_attribute_has(kind, 'N')) continue;
    CK_TRY(read_attribute(node, native.id, &native.value));
    if (launch_attribute_from(&native, &found[count])) ++count;
  }
  /* Params that a caller has read back point to this array, so it never moves. */
  if (count && !node->attributes)
    node->attributes = memory_take(LAUNCH_ATTRIBUTE_COUNT * sizeof *node->attributes);
  if (count && !node->attributes) return CK_OUT_OF_MEMORY;
  if (count) memcpy(node->attributes, found, count * sizeof *found);
  node->attribute_count = count;
  node->shape.is_cooperative = cooperative.cooperative;
  memcpy(node->shape.cluster, &cluster.clusterDim, sizeof node->shape.cluster);
  node->is_launch_known = true;
  return CK_OK;
}

ck_status_t graph_node_read_launch(ck_graph_node_t *node)
{
  return node->kind != CK_NODE_KERNEL || node->is_launch_known ? CK_OK : read_launch(node);
}

/* The mode of cluster sizes is set before the cluster, which may need it. The driver writes back
 * the handle of a device-updatable node. */
static ck_status_t set_attributes(const Driver *driver, CUgraphNode node,
                                  const CUlaunchConfig *launch)
{
  for (int is_rest = 0; is_rest < 2; ++is_rest)
    for (unsigned i = 0; launch && i < launch->numAttrs; ++i) {
      CUlaunchAttribute *attribute = &launch->attrs[i];
      if ((attribute->id != CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE) != is_rest) continue;
      DRV(driver, cuGraphKernelNodeSetAttribute(node, attribute->id, &attribute->value));
      if (attribute->id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE &&
          !attribute->value.deviceUpdatableKernelNode.devNode)
        DRV(driver, cuGraphKernelNodeGetAttribute(node, attribute->id, &attribute->value));
    }
  return CK_OK;
}

/* Fails if the driver refuses the attributes in an empty graph. */
static ck_status_t try_attributes(NodeCall *call)
{
  const Driver *driver = call->device->driver;
  CUgraph graph;
  CUgraphNode node;
  CUlaunchAttribute attributes[LAUNCH_ATTRIBUTE_KINDS];
  if (!call->launch || !call->launch->numAttrs) return CK_OK;
  CUlaunchConfig own = *call->launch;
  memcpy(attributes, own.attrs, own.numAttrs * sizeof *attributes);
  own.attrs = attributes; /* the driver writes handles of the tried node here */
  DRV(driver, cuGraphCreate(&graph, 0));
  ck_status_t status =
      DRV_STATUS(driver, cuGraphAddNode(&node, graph, NULL, NULL, 0, &call->native));
  if (status == CK_OK) status = set_attributes(driver, node, &own);
  driver->cuGraphDestroy(graph);
  return status;
}

/* adding --------------------------------------------------------------------------------------- */

static ck_status_t add_native(NodeCall *call)
{
  const Driver *driver = call->device->driver;
  const GraphPlace *place = call->place;
  CUgraphNode *node = &call->node->native;
  CK_TRY(try_attributes(call));
  DRV(driver, cuGraphAddNode(node, call->node->definition->native, place->after, place->data,
                             place->count, &call->native));
  call->is_sent = true;
  ck_status_t status = set_attributes(driver, *node, call->launch);
  /* If the driver can't destroy the node, it stays in the graph, with what it uses. */
  if (status != CK_OK) call->is_sent = driver->cuGraphDestroyNode(*node) != CUDA_SUCCESS;
  return status;
}

/* All memory is allocated before this calls the driver, so that nothing fails afterwards. A kernel
 * without blocks becomes an empty node. */
static ck_status_t add(NodeCall *call)
{
  ck_graph_node_t *node = call->node;
  ck_status_t status = IN_DEVICE(call->device, add_native(call));
  node->kind = (ck_node_kind_t)call->native.type;
  if (call->is_sent && node->kind == CK_NODE_CONDITION) {
    node->condition = call->native.conditional;
    for (size_t i = 0; i < node->part_count; ++i)
      node->parts[i].native = node->condition.phGraph_out[i];
  }
  if (call->is_sent) note_launch(call);
  if (status == CK_DRIVER && ck_last_driver_error() == CUDA_ERROR_INVALID_VALUE)
    return error_within(CK_INVALID_ARGUMENT, "the driver takes no such %s node",
                        ck_node_kind_name(node->kind));
  return status;
}

ck_status_t graph_add_node(ck_graph_definition_t *definition, const GraphPlace *place,
                           ck_node_params_t *params, ck_graph_node_t **out_node)
{
  NodeCall call = {
      .params = params, .send = add, .place = place, .node = graph_node_new(definition)};
  ck_status_t status = call.node ? graph_node_send(&call) : CK_OUT_OF_MEMORY;
  if (call.is_sent) {
    call.node->keep = call.keep;
    graph_node_put(call.node, call.node->native, call.node->kind);
  } else graph_nodes_free(call.node);
  CK_TRY(status);
  if (params->kind == CK_NODE_ALLOC) params->of.alloc.address = call.native.alloc.dptr;
  if (params->kind == CK_NODE_CHILD) graph_node_share_keep(call.node, params->of.child.definition);
  *out_node = call.node;
  return CK_OK;
}

static ck_status_t add_after(ck_graph_definition_t *definition, ck_graph_node_t *const *after,
                             size_t after_count, ck_node_params_t *params,
                             ck_graph_node_t **out_node)
{
  static const char name[] = "ck_graph_definition_add";
  CK_NEED_ARG_OF(name, definition);
  CK_NEED_ARG_OF(name, params);
  if (after_count) CK_NEED_ARG_OF(name, after);
  CK_TRY(graph_definition_check(definition));
  graph_collect();
  for (size_t i = 0; i < after_count; ++i)
    if (!after[i] || after[i]->definition != definition)
      return error_argument("after[%zu] is %s", i,
                            after[i] ? "a node of another definition" : "NULL");
  CUgraphNode few[16], *natives = few;
  if (after_count > COUNT_OF(few)) natives = memory_take(after_count * sizeof *natives);
  if (!natives) return CK_OUT_OF_MEMORY;
  for (size_t i = 0; i < after_count; ++i) natives[i] = after[i]->native;
  GraphPlace place = {.after = natives, .count = after_count};
  ck_status_t status = graph_add_node(definition, &place, params, out_node);
  if (natives != few) memory_free(natives);
  return status;
}

ck_status_t ck_graph_definition_add(ck_graph_definition_t *definition,
                                    ck_graph_node_t *const *after, size_t after_count,
                                    ck_node_params_t *params, ck_graph_node_t **out_node)
{
  ck_graph_node_t *node = NULL; /* `after` and `out_node` may be one place */
  ck_status_t status = add_after(definition, after, after_count, params, &node);
  if (out_node) *out_node = node;
  return status;
}

/* changing and removing ------------------------------------------------------------------------ */

/* Attributes of a kernel node that were reset, with the values that they had. */
typedef struct TakenOff {
  CUlaunchAttribute attributes[LAUNCH_ATTRIBUTE_COUNT + 2];
  unsigned count;
} TakenOff;

static ck_status_t take_off(const Driver *driver, CUgraphNode node, CUlaunchAttributeID id,
                            TakenOff *off)
{
  CUlaunchAttribute *old = &off->attributes[off->count];
  CUlaunchAttributeValue plain = launch_attribute_plain(id);
  old->id = id;
  DRV(driver, cuGraphKernelNodeGetAttribute(node, id, &old->value));
  ck_status_t status = DRV_STATUS(driver, cuGraphKernelNodeSetAttribute(node, id, &plain));
  if (status == CK_OK) ++off->count;
  return status;
}

static bool has_attribute(const CUlaunchConfig *launch, CUlaunchAttributeID id)
{
  for (unsigned i = 0; i < launch->numAttrs; ++i)
    if (launch->attrs[i].id == id) return true;
  return false;
}

/* Resets the attributes that the new launch lacks: the driver would keep them, and would refuse a
 * grid that the old cluster doesn't divide. A device-updatable node stays one. */
static ck_status_t take_off_rest(const NodeCall *call, TakenOff *off)
{
  const Driver *driver = call->device->driver;
  const ck_graph_node_t *node = call->node;
  const CUlaunchAttributeID preferred = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
  NodeShape shape = graph_shape_of(call->launch);
  /* A preferred cluster needs the cluster, and the cluster its mode: reset in this order. */
  for (size_t i = 0; i < node->attribute_count; ++i)
    if ((CUlaunchAttributeID)node->attributes[i].kind == preferred)
      CK_TRY(take_off(driver, node->native, preferred, off));
  if (node->shape.cluster[0] && memcmp(node->shape.cluster, shape.cluster, sizeof shape.cluster))
    CK_TRY(take_off(driver, node->native, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, off));
  if (node->shape.is_cooperative && !shape.is_cooperative)
    CK_TRY(take_off(driver, node->native, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, off));
  for (size_t i = 0; i < node->attribute_count; ++i) {
    CUlaunchAttributeID id = (CUlaunchAttributeID)node->attributes[i].kind;
    if (id != preferred && id != CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE &&
        !has_attribute(call->launch, id))
      CK_TRY(take_off(driver, node->native, id, off));
  }
  return CK_OK;
}

static ck_status_t change_native(NodeCall *call)
{
  const Driver *driver = call->device->driver;
  CUgraphNode node = call->node->native;
  TakenOff off = {.count = 0};
  CK_TRY(try_attributes(call));
  ck_status_t status = call->launch ? take_off_rest(call, &off) : CK_OK;
  if (status == CK_OK) status = DRV_STATUS(driver, cuGraphNodeSetParams(node, &call->native));
  call->is_sent = status == CK_OK;
  if (call->is_sent) return set_attributes(driver, node, call->launch);
  while (off.count > 0) { /* restore; the first failure stays the one that is reported */
    CUlaunchAttribute *old = &off.attributes[--off.count];
    driver->cuGraphKernelNodeSetAttribute(node, old->id, &old->value);
  }
  return status;
}

static ck_status_t change(NodeCall *call)
{
  ck_graph_node_t *node = call->node;
  CK_TRY(graph_check_change(node, (ck_node_kind_t)call->native.type));
  CK_TRY(LOCKED(node->definition, graph_node_read_launch(node)));
  ck_status_t status = IN_DEVICE(call->device, change_native(call));
  node->changed_at = ++node->definition->root->change_count;
  return status;
}

ck_status_t graph_check_change(const ck_graph_node_t *node, ck_node_kind_t kind)
{
  const NodeKind *row = graph_node_kind(node->kind);
  if (kind != node->kind)
    return error_argument("the node is %s, the params are %s", row->name,
                          graph_node_kind(kind)->name);
  return row->is_fixed ? error_unsupported("%s node can't be changed", row->name) : CK_OK;
}

ck_status_t ck_graph_node_set_params(ck_graph_node_t *node, const ck_node_params_t *params)
{
  CK_NEED_ARGS(node, params);
  CK_TRY(graph_definition_check(node->definition));
  CK_TRY(graph_check_change(node, params->kind));
  graph_collect();
  NodeCall call = {.params = params, .old = node->keep, .send = change, .node = node};
  ck_graph_node_t *inner = NULL;
  GraphKeep *old = NULL;
  ck_status_t status = graph_node_send(&call);
  if (status == CK_OK) {
    old = node->keep;
    node->keep = call.keep;
    note_launch(&call);
    graph_node_empty(node, &inner);
    if (node->kind == CK_NODE_CHILD) graph_node_share_keep(node, params->of.child.definition);
  } else if (call.is_sent) { /* new params, but not all attributes: it keeps both */
    call.keep->next = node->keep;
    node->keep = call.keep;
    node->is_launch_known = false;
  }
  graph_keep_release(old);
  graph_nodes_free(inner);
  graph_collect();
  return status;
}

ck_status_t ck_graph_node_remove(ck_graph_node_t *node)
{
  CK_NEED_ARG(node);
  CK_TRY(graph_definition_check_ended(node->definition->root));
  DRV(node->definition->device->driver, cuGraphDestroyNode(node->native));
  graph_node_remove(node);
  graph_collect();
  return CK_OK;
}
