/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* node.c - nodes of definitions: added and changed; and how their kernels are launched.
 *
 * The driver sets attributes of a kernel node one by one, once the node exists. If it refused one,
 * half of the change would be left; and a graph that allocates memory would keep a new node for
 * good. So params and attributes are tried in an empty graph first. A change then resets the node's
 * attributes, because the driver would keep them, and would refuse a grid that the old cluster
 * doesn't divide; and it restores them if the driver fails. A device-updatable node stays one:
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

NodeShape graph_shape_of(const CUlaunchAttribute *attributes, size_t count)
{
  NodeShape shape = {.is_cooperative = false};
  for (size_t i = 0; i < count; ++i) {
    if (attributes[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.is_cooperative = true;
    if (attributes[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      memcpy(shape.cluster, &attributes[i].value.clusterDim, sizeof shape.cluster);
  }
  return shape;
}

/* Whether the new params need no attributes. */
static bool is_plain(const NodeCall *call)
{
  return !call->launch || !call->launch->numAttrs;
}

static ck_status_t read_launch(ck_graph_node_t *node)
{
  const unsigned first = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
  const Driver *driver = node->definition->device->driver;
  NodeLaunch found = {.native_count = 0};
  for (unsigned i = 0; i < LAUNCH_ATTRIBUTE_KINDS; ++i) { /* no attribute has the number 0 */
    const unsigned kind = i ? i : first;
    bool is_shape =
        kind == CU_LAUNCH_ATTRIBUTE_COOPERATIVE || (kind == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
                                                    node->definition->device->limits.has_clusters);
    if (i == first || (!is_shape && !launch_attribute_has(kind, 'N'))) continue;
    CUlaunchAttribute *native = &found.natives[found.native_count];
    *native = (CUlaunchAttribute){.id = (CUlaunchAttributeID)kind};
    CUresult result =
        driver->cuGraphKernelNodeGetAttribute(node->native, native->id, &native->value);
    if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) continue;
    CK_TRY(driver_result(driver, result, "cuGraphKernelNodeGetAttribute", __FILE_NAME__, __LINE__));
    bool is_given = launch_attribute_from(native, &found.attributes[found.attribute_count]);
    found.attribute_count += is_given;
    found.native_count += is_given ? kind != CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
                                   : is_shape && native->value.clusterDim.x; /* or .cooperative */
  }
  /* Params that a caller has read back point to this struct, so it never moves. */
  if (found.native_count + found.attribute_count && !node->launch) {
    node->launch = memory_take(sizeof found);
    if (!node->launch) return CK_OUT_OF_MEMORY;
  }
  if (node->launch) *node->launch = found;
  node->is_launch_known = true;
  return CK_OK;
}

ck_status_t graph_node_read_launch(ck_graph_node_t *node, const NodeLaunch **out_launch)
{
  static NodeLaunch plain; /* all zero; not const, so that the library has no bytes of it */
  if (node->kind == CK_NODE_KERNEL && !node->is_launch_known) CK_TRY(read_launch(node));
  *out_launch = node->launch ? node->launch : &plain;
  return CK_OK;
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
  if (is_plain(call)) return CK_OK;
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

/* All memory is allocated before this calls the driver, so that nothing fails afterwards. A kernel
 * without blocks becomes an empty node. */
static ck_status_t add(NodeCall *call)
{
  const Driver *driver = call->device->driver;
  const GraphPlace *place = call->place;
  ck_graph_node_t *node = call->node;
  ck_status_t status = try_attributes(call);
  if (status == CK_OK)
    status =
        DRV_STATUS(driver, cuGraphAddNode(&node->native, node->definition->native, place->after,
                                          place->data, place->count, &call->native));
  call->is_sent = status == CK_OK;
  if (call->is_sent) status = set_attributes(driver, node->native, call->launch);
  /* If the driver can't destroy the node, it stays in the graph, with what it uses. */
  if (call->is_sent && status != CK_OK)
    call->is_sent = driver->cuGraphDestroyNode(node->native) != CUDA_SUCCESS;
  node->kind = (ck_node_kind_t)call->native.type;
  node->is_launch_known = is_plain(call);
  if (call->is_sent && node->kind == CK_NODE_CONDITION) {
    node->condition = call->native.conditional;
    for (size_t i = 0; i < node->part_count; ++i)
      node->parts[i].native = node->condition.phGraph_out[i];
  }
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

/* changing ------------------------------------------------------------------------------------- */

ck_status_t graph_check_change(const ck_graph_node_t *node, ck_node_kind_t kind)
{
  const NodeKind *row = graph_node_kind(node->kind);
  if (kind != node->kind)
    return error_argument("the node is %s, the params are %s", row->name,
                          graph_node_kind(kind)->name);
  return row->is_fixed ? error_unsupported("%s node can't be changed", row->name) : CK_OK;
}

static ck_status_t change(NodeCall *call)
{
  const Driver *driver = call->device->driver;
  ck_graph_node_t *node = call->node;
  const NodeLaunch *old;
  ck_status_t status = CK_OK;
  size_t count = 0; /* of attributes that are reset */
  CK_TRY(graph_check_change(node, (ck_node_kind_t)call->native.type));
  CK_TRY(LOCKED(node->definition, graph_node_read_launch(node, &old)));
  CK_TRY(try_attributes(call));
  node->changed_at = ++node->definition->root->change_count;
  for (; count < old->native_count && status == CK_OK; ++count) {
    const CUlaunchAttributeID id = old->natives[count].id;
    CUlaunchAttributeValue plain = launch_attribute_plain(id);
    status = DRV_STATUS(driver, cuGraphKernelNodeSetAttribute(node->native, id, &plain));
  }
  if (status == CK_OK)
    status = DRV_STATUS(driver, cuGraphNodeSetParams(node->native, &call->native));
  call->is_sent = status == CK_OK;
  if (call->is_sent) {
    node->is_launch_known = is_plain(call) && !node->launch;
    return set_attributes(driver, node->native, call->launch);
  }
  while (count-- > 0) /* restore; the first failure stays the one that is reported */
    driver->cuGraphKernelNodeSetAttribute(node->native, old->natives[count].id,
                                          &old->natives[count].value);
  return status;
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
    graph_node_empty(node, &inner);
    if (node->kind == CK_NODE_CHILD) graph_node_share_keep(node, params->of.child.definition);
  } else if (call.is_sent) { /* new params, but not all attributes: it keeps both */
    call.keep->next = node->keep;
    node->keep = call.keep;
  }
  graph_keep_release(old);
  graph_nodes_free(inner);
  graph_collect();
  return status;
}
