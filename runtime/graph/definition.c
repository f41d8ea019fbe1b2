/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* definition.c - definitions: roots, parts in their nodes, nodes by handle until they go, edges.
 *
 * graph.h says who holds whom. Each definition has a hash of its nodes, by CUgraphNode, so what is
 * in a node is found by going down from it:
 *
 *   root { a, n }    n has the part P { b, m }    m has the part Q { c }
 *
 * When n is destroyed, graph_node_empty takes b, m and c out of P and Q, which become stale. These
 * stay in the root's list if a caller may still have them.
 */
#include <stdlib.h>

#include "graph.h"

/* nodes by handle ------------------------------------------------------------------------------ */

static size_t bucket_of(const ck_graph_definition_t *definition, CUgraphNode native)
{
  return ((uintptr_t)native >> 4) * 0x9E3779B97F4A7C15u % definition->bucket_count;
}

void graph_node_put(ck_graph_node_t *node, CUgraphNode native, ck_node_kind_t kind)
{
  ck_graph_definition_t *definition = node->definition;
  ck_graph_node_t **bucket = &definition->buckets[bucket_of(definition, native)];
  node->native = native;
  node->kind = kind;
  node->next = *bucket;
  *bucket = node;
  ++definition->node_count;
}

static bool grow(ck_graph_definition_t *definition)
{
  size_t count = definition->bucket_count, more = count ? 2 * count + 1 : 15;
  if (definition->node_count < count) return true;
  ck_graph_node_t **old = definition->buckets, **buckets = memory_take(more * sizeof *buckets);
  if (!buckets) return false;
  definition->buckets = buckets;
  definition->bucket_count = more;
  definition->node_count = 0;
  for (size_t i = 0; i < count; ++i)
    for (ck_graph_node_t *node; (node = old[i]);) {
      old[i] = node->next;
      graph_node_put(node, node->native, node->kind);
    }
  memory_free(old);
  return true;
}

/* The next node in the hash after `node`; the first one after NULL. */
static ck_graph_node_t *next_node(const ck_graph_definition_t *definition,
                                  const ck_graph_node_t *node)
{
  size_t i = node ? bucket_of(definition, node->native) + 1 : 0;
  if (node && node->next) return node->next;
  while (i < definition->bucket_count && !definition->buckets[i]) ++i;
  return i < definition->bucket_count ? definition->buckets[i] : NULL;
}

ck_graph_node_t *graph_node_new(ck_graph_definition_t *definition)
{
  ck_graph_node_t *node = grow(definition) ? memory_take(sizeof *node) : NULL;
  if (node) node->definition = definition;
  return node;
}

ck_status_t graph_definition_node(ck_graph_definition_t *definition, CUgraphNode native,
                                  const ck_node_kind_t *kind, ck_graph_node_t **out_node)
{
  CUgraphNodeType type = kind ? (CUgraphNodeType)*kind : CU_GRAPH_NODE_TYPE_EMPTY;
  *out_node = definition->bucket_count ? definition->buckets[bucket_of(definition, native)] : NULL;
  while (*out_node && (*out_node)->native != native) *out_node = (*out_node)->next;
  if (*out_node) return CK_OK;
  if (!kind) DRV(definition->device->driver, cuGraphNodeGetType(native, &type));
  *out_node = graph_node_new(definition);
  if (!*out_node) return CK_OUT_OF_MEMORY;
  graph_node_put(*out_node, native, (ck_node_kind_t)type);
  return CK_OK;
}

/* parts ---------------------------------------------------------------------------------------- */

ck_status_t graph_definition_check(const ck_graph_definition_t *definition)
{
  if (definition->root->is_lost)
    return error_argument("the definition is lost: a capture into it failed");
  if (!definition->native) return error_argument("the definition was in a node that is gone");
  return CK_OK;
}

ck_status_t graph_definition_check_ended(const ck_graph_definition_t *definition)
{
  CK_TRY(graph_definition_check(definition));
  if (!atomic_load_explicit(&definition->root->capture_count, memory_order_relaxed)) return CK_OK;
  return error_argument("the definition is being captured: end its builders first");
}

void *ck_graph_definition_native(const ck_graph_definition_t *definition)
{
  return definition->root->is_lost ? NULL : definition->native;
}

ck_status_t graph_node_make_parts(ck_graph_node_t *node, size_t count)
{
  node->parts = memory_take(count * sizeof *node->parts);
  if (!node->parts) return CK_OUT_OF_MEMORY;
  node->part_count = count;
  for (ck_graph_definition_t *part = node->parts; part < node->parts + count; ++part) {
    part->root = node->definition->root;
    part->device = part->root->device;
    part->node = node;
  }
  return CK_OK;
}

ck_status_t graph_node_part(ck_graph_node_t *node, size_t index, bool is_given,
                            ck_graph_definition_t **out_definition)
{
  CK_TRY(graph_definition_check(node->definition));
  if (node->kind == CK_NODE_CHILD && !node->parts) {
    CUgraph native;
    DRV(node->definition->device->driver, cuGraphChildGraphNodeGetGraph(node->native, &native));
    CK_TRY(graph_node_make_parts(node, 1));
    node->parts->native = native;
  }
  if (index >= node->part_count)
    return error_argument("this %s node has %zu graphs in it, there is no number %zu",
                          ck_node_kind_name(node->kind), node->part_count, index);
  node->parts->is_given |= is_given;
  *out_definition = &node->parts[index];
  return CK_OK;
}

ck_status_t ck_graph_node_get_graph(ck_graph_node_t *node, size_t index,
                                    ck_graph_definition_t **out_definition)
{
  CK_NEED_OUT(out_definition, NULL, node);
  return LOCKED(node->definition, graph_node_part(node, index, true, out_definition));
}

/* Moves all nodes in a definition and in its parts to a list. */
static void take_nodes(ck_graph_definition_t *definition, ck_graph_node_t **list)
{
  for (size_t i = 0; i < definition->bucket_count; ++i)
    for (ck_graph_node_t *node; (node = definition->buckets[i]);) {
      definition->buckets[i] = node->next;
      node->next = *list;
      *list = node;
      graph_node_empty(node, list);
    }
  memory_free(definition->buckets);
}

void graph_node_empty(ck_graph_node_t *node, ck_graph_node_t **list)
{
  ck_graph_definition_t *parts = node->parts, **stale = &node->definition->root->stale;
  for (size_t i = 0; i < node->part_count; ++i) {
    take_nodes(&parts[i], list);
    parts[i].native = NULL;
  }
  node->parts = NULL;
  node->part_count = 0;
  if (parts && parts->is_given) {
    parts->next_stale = *stale;
    *stale = parts;
  } else memory_free(parts);
}

void graph_nodes_free(ck_graph_node_t *nodes)
{
  for (ck_graph_node_t *node; (node = nodes);) {
    GraphKeep *keep = node->keep;
    nodes = node->next;
    memory_free(node->launch);
    memory_free(node->parts);
    memory_free(node);
    graph_keep_release(keep);
  }
}

ck_status_t ck_graph_node_remove(ck_graph_node_t *node)
{
  CK_NEED_ARG(node);
  ck_graph_definition_t *definition = node->definition;
  CK_TRY(graph_definition_check_ended(definition->root));
  DRV(definition->device->driver, cuGraphDestroyNode(node->native));
  ck_graph_node_t **link = &definition->buckets[bucket_of(definition, node->native)];
  while (*link != node) link = &(*link)->next;
  *link = node->next;
  --definition->node_count;
  node->next = NULL;
  graph_node_empty(node, &node->next);
  graph_nodes_free(node);
  graph_collect();
  return CK_OK;
}

/* roots ---------------------------------------------------------------------------------------- */

static void definition_destroy(ck_graph_definition_t *root)
{
  ck_device_t *device = root->device;
  ck_graph_node_t *nodes = NULL;
  CLEAN_UP(device, if (root->native) device->driver->cuGraphDestroy(root->native));
  take_nodes(root, &nodes);
  graph_nodes_free(nodes);
  for (ck_graph_definition_t *parts; (parts = root->stale);) {
    root->stale = parts->next_stale;
    memory_free(parts);
  }
  graph_keep_release(root->captured);
  pthread_mutex_destroy(&root->mutex);
  object_free(root);
  graph_collect();
  ck_device_release(device);
}

ck_graph_definition_t *ck_graph_definition_retain(ck_graph_definition_t *definition)
{
  if (definition) object_retain(&definition->root->object);
  return definition;
}

void ck_graph_definition_release(ck_graph_definition_t *definition)
{
  if (definition && object_release(&definition->root->object)) definition_destroy(definition->root);
}

ck_status_t graph_supported(const ck_device_t *device)
{
  if (device->driver->cuGraphAddNode) return CK_OK;
  return error_unsupported("%s lacks cuGraphAddNode: graphs need CUDA 12.3", device->driver->label);
}

ck_status_t ck_graph_definition_create(ck_device_t *device, ck_graph_definition_t **out_definition)
{
  CK_NEED_OUT(out_definition, NULL, device);
  CK_TRY(graph_supported(device));
  graph_collect();
  ck_graph_definition_t *root = object_new(sizeof *root);
  if (!root) return CK_OUT_OF_MEMORY;
  root->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  root->root = root;
  root->device = ck_device_retain(device);
  ck_status_t status = DRV_STATUS(device->driver, cuGraphCreate(&root->native, 0));
  return GIVE(status, root, out_definition, definition_destroy);
}

GETTER(ck_device_t *, graph_definition, device);

/* keeps ---------------------------------------------------------------------------------------- */

/* Adds the keeps of the nodes in a definition and in its parts. */
static ck_status_t keep_inside(const ck_graph_definition_t *definition, GraphKeep *keep)
{
  for (const ck_graph_node_t *node = NULL; (node = next_node(definition, node));) {
    CK_TRY(graph_keep_add(keep, &keep_ref, node->keep));
    for (size_t i = 0; i < node->part_count; ++i) CK_TRY(keep_inside(&node->parts[i], keep));
  }
  return CK_OK;
}

/* Adds what else may have references for those nodes: the nodes around a part, and captures. */
static ck_status_t keep_around(const ck_graph_definition_t *definition, GraphKeep *keep)
{
  for (const ck_graph_node_t *node = definition->node; node; node = node->definition->node)
    CK_TRY(graph_keep_add(keep, &keep_ref, node->keep));
  return graph_keep_add(keep, &keep_ref, definition->root->captured);
}

ck_status_t graph_definition_keep(const ck_graph_definition_t *definition, GraphKeep *keep)
{
  return LOCKED(definition, keep_inside(definition, keep) ?: keep_around(definition, keep));
}

/* Gives each node in the copy of a definition the keep of its original, and does the same for the
 * nodes in it. The driver copies no conditional nodes, so what is in a node is a child. */
static ck_status_t share(const ck_graph_definition_t *from, ck_graph_definition_t *to)
{
  for (const ck_graph_node_t *node = NULL; (node = next_node(from, node));) {
    CUgraphNode native = NULL;
    ck_graph_node_t *copy;
    ck_graph_definition_t *part;
    if (!node->keep && !node->parts) continue;
    DRV(to->device->driver, cuGraphNodeFindInClone(&native, node->native, to->native));
    CK_TRY(graph_definition_node(to, native, &node->kind, &copy));
    copy->keep = graph_keep_retain(node->keep);
    if (node->parts) CK_TRY(graph_node_part(copy, 0, false, &part));
    if (node->parts) CK_TRY(share(node->parts, part));
  }
  return CK_OK;
}

void graph_node_share_keep(ck_graph_node_t *node, const ck_graph_definition_t *child)
{
  ck_graph_definition_t *inner;
  GraphKeep *rest = graph_keep_new();
  pthread_mutex_lock(&child->root->mutex);
  if (rest && keep_around(child, rest) == CK_OK &&
      graph_node_part(node, 0, false, &inner) == CK_OK && share(child, inner) == CK_OK) {
    GraphKeep *all = node->keep;
    node->keep = rest;
    rest = all;
  }
  pthread_mutex_unlock(&child->root->mutex);
  graph_keep_release(rest);
}

/* lists of nodes and edges --------------------------------------------------------------------- */

static ck_status_t call_list(const Driver *driver, GraphListKind kind, void *of, GraphList *list)
{
  CUgraphNode *from = list->from, *to = list->to;
  size_t *count = &list->count;
  switch (kind) {
  case LIST_nodes: return DRV_STATUS(driver, cuGraphGetNodes(of, from, count));
  case LIST_edges: return DRV_STATUS(driver, cuGraphGetEdges(of, from, to, list->data, count));
  case LIST_before:
    return DRV_STATUS(driver, cuGraphNodeGetDependencies(of, from, list->data, count));
  case LIST_behind:
    return DRV_STATUS(driver, cuGraphNodeGetDependentNodes(of, from, list->data, count));
  }
  return CK_INVALID_ARGUMENT;
}

ck_status_t graph_list(const Driver *driver, GraphListKind kind, void *of, GraphList *out_list)
{
  GraphList list = {.count = 0};
  *out_list = list;
  CK_TRY(call_list(driver, kind, of, &list));
  if (!list.count) return CK_OK;
  list.from = memory_take(list.count * (2 * sizeof *list.from + sizeof *list.data));
  if (!list.from) return CK_OUT_OF_MEMORY;
  list.to = list.from + list.count;
  list.data = (CUgraphEdgeData *)(void *)(list.to + list.count);
  ck_status_t status = call_list(driver, kind, of, &list);
  if (status == CK_OK) *out_list = list;
  else memory_free(list.from);
  return status;
}

/* Turns up to `room` entries of a list into nodes; `to` is NULL unless they are edges. */
static ck_status_t list_nodes(GraphListKind kind, ck_graph_definition_t *definition, void *of,
                              ck_graph_node_t **from, ck_graph_node_t **to, size_t room,
                              size_t *out_count)
{
  GraphList list;
  CK_TRY(graph_definition_check(definition));
  pthread_mutex_lock(&definition->root->mutex);
  ck_status_t status = graph_list(definition->device->driver, kind, of, &list);
  for (size_t i = 0; status == CK_OK && i < room && i < list.count; ++i) {
    status = graph_definition_node(definition, list.from[i], NULL, &from[i]);
    if (to && status == CK_OK) status = graph_definition_node(definition, list.to[i], NULL, &to[i]);
  }
  pthread_mutex_unlock(&definition->root->mutex);
  if (status == CK_OK) *out_count = list.count;
  memory_free(list.from);
  return status;
}

/* Defines a function of the API that lists nodes of a definition, or neighbours of a node. */
#define LISTS_NODES(function_, object_, kind_, definition_)                                        \
  ck_status_t function_(ck_graph_##object_##_t *object_, ck_graph_node_t **nodes, size_t room,     \
                        size_t *out_count)                                                         \
  {                                                                                                \
    CK_NEED_OUT(out_count, 0, object_);                                                            \
    if (room) CK_NEED_ARG(nodes);                                                                  \
    return list_nodes(kind_, definition_, object_->native, nodes, NULL, room, out_count);          \
  }
LISTS_NODES(ck_graph_definition_get_nodes, definition, LIST_nodes, definition)
LISTS_NODES(ck_graph_node_get_dependencies, node, LIST_before, node->definition)
LISTS_NODES(ck_graph_node_get_dependents, node, LIST_behind, node->definition)

ck_status_t ck_graph_definition_get_edges(ck_graph_definition_t *definition, ck_graph_node_t **from,
                                          ck_graph_node_t **to, size_t room, size_t *out_count)
{
  CK_NEED_OUT(out_count, 0, definition);
  if (room) CK_NEED_ARGS(from, to);
  return list_nodes(LIST_edges, definition, definition->native, from, to, room, out_count);
}

/* changes of edges ----------------------------------------------------------------------------- */

typedef struct Edge {
  CUgraphNode from, to;
  CUgraphEdgeData data; /* of an existing edge: the driver removes an edge only with its data */
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
  if (!from || !to) return error_argument("edge %zu: %s[%zu] is NULL", i, from ? "to" : "from", i);
  if (from->definition != definition || to->definition != definition)
    return error_argument("edge %zu: a node is of another definition", i);
  if (from == to) return error_argument("edge %zu: a node does not come after itself", i);
  *out_edge = (Edge){.from = from->native, .to = to->native};
  CK_TRY(graph_list(definition->device->driver, LIST_before, to->native, &before));
  for (size_t k = 0; k < before.count && !is_there; ++k) {
    is_there = before.from[k] == from->native;
    if (is_there) out_edge->data = before.data[k];
  }
  memory_free(before.from);
  if (is_there != is_new) return CK_OK;
  return error_argument("edge %zu: it is %s", i, is_new ? "there already" : "not there");
}

/* Changes all edges or none: checks each of them first, and calls the driver once. */
static ck_status_t change_edges(const char *function, ck_graph_definition_t *definition,
                                ck_graph_node_t *const *from, ck_graph_node_t *const *to,
                                size_t count, bool is_new)
{
  CK_NEED_ARG_OF(function, definition);
  if (count) CK_NEED_ARG_OF(function, from);
  if (count) CK_NEED_ARG_OF(function, to);
  CK_TRY(graph_definition_check(definition));
  const Driver *driver = definition->device->driver;
  if (!count) return CK_OK;
  Edge *edges = memory_take(count * (sizeof *edges + 2 * sizeof(CUgraphNode) + sizeof edges->data));
  if (!edges) return CK_OUT_OF_MEMORY;
  CUgraphNode *natives = (CUgraphNode *)(void *)(edges + count);
  CUgraphEdgeData *data = (CUgraphEdgeData *)(void *)(natives + 2 * count);
  ck_status_t status = CK_OK;
  for (size_t i = 0; i < count && status == CK_OK; ++i)
    status = read_edge(definition, from[i], to[i], i, is_new, &edges[i]);
  if (status == CK_OK) qsort(edges, count, sizeof *edges, compare_edges);
  for (size_t i = 0; i < count && status == CK_OK; ++i) {
    natives[i] = edges[i].from;
    natives[count + i] = edges[i].to;
    data[i] = edges[i].data;
    if (i && !compare_edges(&edges[i - 1], &edges[i]))
      status = error_argument("an edge is given twice");
  }
  if (status == CK_OK && is_new)
    status = DRV_STATUS(
        driver, cuGraphAddDependencies(definition->native, natives, natives + count, data, count));
  else if (status == CK_OK)
    status = DRV_STATUS(driver, cuGraphRemoveDependencies(definition->native, natives,
                                                          natives + count, data, count));
  memory_free(edges);
  if (status != CK_UNSUPPORTED || is_new) return status;
  return error_within(status, "the edges of a graph that allocates or frees memory stay");
}

/* Defines a function of the API that adds or removes edges. */
#define CHANGES_EDGES(function_, is_new_)                                                          \
  ck_status_t function_(ck_graph_definition_t *definition, ck_graph_node_t *const *from,           \
                        ck_graph_node_t *const *to, size_t count)                                  \
  {                                                                                                \
    return change_edges(__func__, definition, from, to, count, is_new_);                           \
  }
CHANGES_EDGES(ck_graph_definition_add_edges, true)
CHANGES_EDGES(ck_graph_definition_remove_edges, false)

/* conditions, pictures ------------------------------------------------------------------------- */

ck_status_t ck_graph_definition_create_condition(ck_graph_definition_t *definition,
                                                 const uint32_t *start, uint64_t *out_condition)
{
  CK_NEED_OUT(out_condition, 0, definition);
  CK_TRY(graph_definition_check(definition));
  const ck_device_t *device = definition->device;
  CUgraphConditionalHandle handle = 0;
  ck_status_t status = DEVICE_STATUS(
      device,
      cuGraphConditionalHandleCreate(&handle, definition->native, device->context,
                                     start ? *start : 0, start ? CU_GRAPH_COND_ASSIGN_DEFAULT : 0));
  *out_condition = handle;
  return status;
}

ck_status_t ck_graph_definition_save_dot(ck_graph_definition_t *definition, const char *path,
                                         uint32_t flags)
{
  CK_NEED_ARGS(definition, path);
  if (flags >= 2 * CK_DOT_CONDITIONS)
    return error_argument("the flags are 0x%x: unknown bits are set", flags);
  CK_TRY(graph_definition_check(definition));
  const ck_device_t *device = definition->device;
  ck_status_t status = IN_DEVICE(
      device, LOCKED(definition, DRV_STATUS(device->driver, cuGraphDebugDotPrint(definition->native,
                                                                                 path, flags))));
  return status == CK_DRIVER ? error_within(CK_IO, "'%s'", path) : status;
}
