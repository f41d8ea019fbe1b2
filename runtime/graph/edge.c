/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* edge.c - what graphs are made of: lists of nodes and edges, and edges that are added or removed.
 *
 * The driver has four lists, each asked for its length first. graph_list asks for any of them in
 * one block of memory, and four functions of the API turn its handles into nodes.
 */
#include <stdlib.h>

#include "graph.h"

static CUresult call_list(const Driver *driver, GraphListKind kind, CUgraph graph, CUgraphNode node,
                          GraphList *list)
{
  size_t *count = &list->count;
  switch (kind) {
  case LIST_nodes: return driver->cuGraphGetNodes(graph, list->from, count);
  case LIST_edges: return driver->cuGraphGetEdges(graph, list->from, list->to, list->data, count);
  case LIST_before: return driver->cuGraphNodeGetDependencies(node, list->from, list->data, count);
  case LIST_behind:
    return driver->cuGraphNodeGetDependentNodes(node, list->from, list->data, count);
  }
  return CUDA_ERROR_INVALID_VALUE;
}

const char *const graph_list_calls[] = {[LIST_nodes] = "cuGraphGetNodes",
                                        [LIST_edges] = "cuGraphGetEdges",
                                        [LIST_before] = "cuGraphNodeGetDependencies",
                                        [LIST_behind] = "cuGraphNodeGetDependentNodes"};

CUresult graph_read_list(const Driver *driver, GraphListKind kind, CUgraph graph, CUgraphNode node,
                         GraphList *out_list)
{
  GraphList list = {.count = 0};
  CUresult result = call_list(driver, kind, graph, node, &list);
  *out_list = (GraphList){.count = 0};
  if (result != CUDA_SUCCESS || !list.count) return result;
  list.from = memory_new(list.count * (2 * sizeof *list.from + sizeof *list.data));
  out_list->count = list.count;
  if (!list.from) return CUDA_ERROR_OUT_OF_MEMORY;
  list.to = list.from + list.count;
  list.data = (CUgraphEdgeData *)(void *)(list.to + list.count);
  result = call_list(driver, kind, graph, node, &list);
  if (result != CUDA_SUCCESS) {
    memory_free(list.from);
    list = (GraphList){.count = 0};
  }
  *out_list = list;
  return result;
}

ck_status_t graph_list(const Driver *driver, GraphListKind kind, CUgraph graph, CUgraphNode node,
                       GraphList *out_list)
{
  CUresult result = graph_read_list(driver, kind, graph, node, out_list);
  if (result != CUDA_SUCCESS && out_list->count)
    return error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu nodes", out_list->count);
  return driver_result(driver, result, graph_list_calls[kind], __FILE__, __LINE__);
}

/* A list as nodes, `to` of edges or NULL: up to `room` of them. */
static ck_status_t list_nodes(GraphListKind kind, ck_graph_definition_t *definition,
                              CUgraphNode node, ck_graph_node_t **from, ck_graph_node_t **to,
                              size_t room, size_t *out_count)
{
  GraphList list;
  CK_TRY(graph_definition_check(definition));
  graph_definition_lock(definition);
  ck_status_t status =
      graph_list(definition->device->driver, kind, definition->native, node, &list);
  for (size_t i = 0; status == CK_OK && i < room && i < list.count; ++i) {
    status = graph_definition_node(definition, list.from[i], NULL, &from[i]);
    if (to && status == CK_OK) status = graph_definition_node(definition, list.to[i], NULL, &to[i]);
  }
  graph_definition_unlock(definition, status);
  if (status == CK_OK) *out_count = list.count;
  memory_free(list.from);
  return status;
}

ck_status_t ck_graph_definition_get_nodes(ck_graph_definition_t *definition,
                                          ck_graph_node_t **nodes, size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(definition);
  if (room) CK_NEED_ARG(nodes);
  return list_nodes(LIST_nodes, definition, NULL, nodes, NULL, room, out_count);
}

ck_status_t ck_graph_definition_get_edges(ck_graph_definition_t *definition, ck_graph_node_t **from,
                                          ck_graph_node_t **to, size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(definition);
  if (room) CK_NEED_ARG(from);
  if (room) CK_NEED_ARG(to);
  return list_nodes(LIST_edges, definition, NULL, from, to, room, out_count);
}

ck_status_t ck_graph_node_get_dependencies(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                           size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(node);
  if (room) CK_NEED_ARG(nodes);
  return list_nodes(LIST_before, node->definition, node->native, nodes, NULL, room, out_count);
}

ck_status_t ck_graph_node_get_dependents(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                         size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(node);
  if (room) CK_NEED_ARG(nodes);
  return list_nodes(LIST_behind, node->definition, node->native, nodes, NULL, room, out_count);
}

/* changes -------------------------------------------------------------------------------------- */

typedef struct Edge {
  CUgraphNode from, to;
  CUgraphEdgeData data; /* of one that is there: the driver removes an edge by that as well */
} Edge;

static int compare_edges(const void *left, const void *right)
{
  const Edge *a = left, *b = right;
  if (a->from != b->from) return (uintptr_t)a->from < (uintptr_t)b->from ? -1 : 1;
  return ((uintptr_t)a->to > (uintptr_t)b->to) - ((uintptr_t)a->to < (uintptr_t)b->to);
}

static ck_status_t read_edge(ck_graph_definition_t *definition, ck_graph_node_t *from,
                             ck_graph_node_t *to, size_t i, bool is_new, Edge *out_edge)
{
  GraphList before;
  bool is_there = false;
  if (!from || !to)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: %s[%zu] is NULL", i, from ? "to" : "from", i);
  if (from->definition != definition || to->definition != definition)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: a node is of another definition", i);
  if (from == to)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: a node does not come after itself", i);
  *out_edge = (Edge){.from = from->native, .to = to->native};
  CK_TRY(graph_list(definition->device->driver, LIST_before, NULL, to->native, &before));
  for (size_t k = 0; k < before.count && !is_there; ++k) {
    is_there = before.from[k] == from->native;
    if (is_there) out_edge->data = before.data[k];
  }
  memory_free(before.from);
  if (is_there != is_new) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "edge %zu: it is %s", i,
                   is_new ? "there already" : "not there");
}

/* All edges or none: they are looked at first, and go to the driver in one call, sorted. */
static ck_status_t change_edges(ck_graph_definition_t *definition, ck_graph_node_t *const *from,
                                ck_graph_node_t *const *to, size_t count, bool is_new)
{
  const Driver *driver = definition->device->driver;
  CK_TRY(graph_definition_check(definition));
  if (!count) return CK_OK;
  Edge *edges = memory_new(count * sizeof *edges);
  CUgraphNode *natives = memory_new(2 * count * sizeof(CUgraphNode));
  CUgraphEdgeData *data = memory_new(count * sizeof *data);
  ck_status_t status = CK_OK;
  if (!edges || !natives || !data)
    status = error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu edges", count);
  for (size_t i = 0; i < count && status == CK_OK; ++i)
    status = read_edge(definition, from[i], to[i], i, is_new, &edges[i]);
  if (status == CK_OK) qsort(edges, count, sizeof *edges, compare_edges);
  for (size_t i = 0; i < count && status == CK_OK; ++i) {
    natives[i] = edges[i].from;
    natives[count + i] = edges[i].to;
    data[i] = edges[i].data;
    if (i && !compare_edges(&edges[i - 1], &edges[i]))
      status = error_set(CK_INVALID_ARGUMENT, "an edge is given twice");
  }
  if (status == CK_OK && is_new)
    status = DRV_STATUS(
        driver, cuGraphAddDependencies(definition->native, natives, natives + count, data, count));
  else if (status == CK_OK)
    status = DRV_STATUS(driver, cuGraphRemoveDependencies(definition->native, natives,
                                                          natives + count, data, count));
  memory_free(edges);
  memory_free(natives);
  memory_free(data);
  if (status != CK_UNSUPPORTED || is_new) return status;
  return error_within(status, "the edges of a graph that allocates or frees memory stay");
}

ck_status_t ck_graph_definition_add_edges(ck_graph_definition_t *definition,
                                          ck_graph_node_t *const *from, ck_graph_node_t *const *to,
                                          size_t count)
{
  CK_NEED_ARG(definition);
  if (count) CK_NEED_ARG(from);
  if (count) CK_NEED_ARG(to);
  return change_edges(definition, from, to, count, true);
}

ck_status_t ck_graph_definition_remove_edges(ck_graph_definition_t *definition,
                                             ck_graph_node_t *const *from,
                                             ck_graph_node_t *const *to, size_t count)
{
  CK_NEED_ARG(definition);
  if (count) CK_NEED_ARG(from);
  if (count) CK_NEED_ARG(to);
  return change_edges(definition, from, to, count, false);
}
