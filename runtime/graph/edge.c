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
    status = graph_definition_node(definition, list.from[i], &from[i]);
    if (to && status == CK_OK) status = graph_definition_node(definition, list.to[i], &to[i]);
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

/* Edges as the driver takes them, and once more to be sorted. */
typedef struct Edge {
  CUgraphNode from, to;
} Edge;

typedef struct Edges {
  CUgraphNode *from, *to;
  CUgraphEdgeData *data;
  Edge *sorted;
} Edges;

static int compare_edges(const void *left, const void *right)
{
  const Edge *a = left, *b = right;
  if (a->from != b->from) return (uintptr_t)a->from < (uintptr_t)b->from ? -1 : 1;
  return ((uintptr_t)a->to > (uintptr_t)b->to) - ((uintptr_t)a->to < (uintptr_t)b->to);
}

/* Whether an edge is there, and its data: the driver removes an edge by that as well. */
static ck_status_t has_edge(const ck_graph_node_t *from, const ck_graph_node_t *to, bool *out_has,
                            CUgraphEdgeData *out_data)
{
  GraphList before;
  *out_has = false;
  CK_TRY(graph_list(from->definition->device->driver, LIST_before, NULL, to->native, &before));
  for (size_t i = 0; i < before.count; ++i) {
    if (before.from[i] != from->native) continue;
    *out_has = true;
    *out_data = before.data[i];
  }
  memory_free(before.from);
  return CK_OK;
}

static ck_status_t read_edge(ck_graph_definition_t *definition, ck_graph_node_t *from,
                             ck_graph_node_t *to, size_t i, bool is_new, Edges *edges)
{
  bool is_there;
  if (!from || !to)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: %s[%zu] is NULL", i, from ? "to" : "from", i);
  if (from->definition != definition || to->definition != definition)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: a node is of another definition", i);
  if (from == to)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: a node does not come after itself", i);
  CK_TRY(has_edge(from, to, &is_there, &edges->data[i]));
  if (is_there == is_new)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: it is %s", i,
                     is_new ? "there already" : "not there");
  edges->from[i] = from->native;
  edges->to[i] = to->native;
  edges->sorted[i] = (Edge){from->native, to->native};
  return CK_OK;
}

/* All of them or none: they are looked at first, and go to the driver in one call. */
static ck_status_t change_edges(ck_graph_definition_t *definition, ck_graph_node_t *const *from,
                                ck_graph_node_t *const *to, size_t count, bool is_new)
{
  const Driver *driver = definition->device->driver;
  CK_TRY(graph_definition_check(definition));
  if (!count) return CK_OK;
  Edges edges = {.from = memory_new(2 * count * sizeof *edges.from),
                 .data = memory_new(count * sizeof *edges.data),
                 .sorted = memory_new(count * sizeof *edges.sorted)};
  ck_status_t status = CK_OK;
  if (!edges.from || !edges.data || !edges.sorted)
    status = error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu edges", count);
  edges.to = edges.from + count;
  for (size_t i = 0; i < count && status == CK_OK; ++i)
    status = read_edge(definition, from[i], to[i], i, is_new, &edges);
  if (status == CK_OK) qsort(edges.sorted, count, sizeof *edges.sorted, compare_edges);
  for (size_t i = 1; i < count && status == CK_OK; ++i)
    if (!compare_edges(&edges.sorted[i - 1], &edges.sorted[i]))
      status = error_set(CK_INVALID_ARGUMENT, "an edge is given twice");
  if (status == CK_OK && is_new)
    status = DRV_STATUS(driver, cuGraphAddDependencies(definition->native, edges.from, edges.to,
                                                       edges.data, count));
  else if (status == CK_OK)
    status = DRV_STATUS(driver, cuGraphRemoveDependencies(definition->native, edges.from, edges.to,
                                                          edges.data, count));
  memory_free(edges.from);
  memory_free(edges.data);
  memory_free(edges.sorted);
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
