/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* definition.c - definitions: creation, their nodes by the driver's handle, edges, pictures.
 *
 * A definition in a node, a child's copy or a body, is a part of its root: it has no count and no
 * driver's graph of its own, and what is captured into it is kept by the root. When its
 * node goes, one that was given to somebody stays as an empty object without a driver's graph for
 * as long as the root.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* A loop over the definitions in a definition's nodes. */
#define EACH_PART(part_, definition_)                                                              \
  for (size_t i_ = 0; i_ < (definition_)->bucket_count; ++i_)                                      \
    for (const ck_graph_node_t *node_ = (definition_)->buckets[i_]; node_; node_ = node_->next)    \
      for (size_t k_ = 0; k_ < node_->graph_count; ++k_)                                           \
        for (ck_graph_definition_t *part_ = node_->graphs[k_]; part_; part_ = NULL)

static void free_node(ck_graph_node_t *node);
static GraphState inside(const ck_graph_definition_t *definition);

/* A definition's own memory and, for a root, what it retains. */
static void free_definition(ck_graph_definition_t *definition)
{
  for (size_t i = 0; i < definition->bucket_count; ++i)
    while (definition->buckets[i]) {
      ck_graph_node_t *node = definition->buckets[i];
      definition->buckets[i] = node->next;
      free_node(node);
    }
  for (size_t i = 0; i < definition->keep_count; ++i) graph_keep_release(definition->keeps[i]);
  while (definition->gone) {
    ck_graph_definition_t *gone = definition->gone;
    definition->gone = gone->next_gone;
    object_free(gone);
  }
  if (definition->root == definition) pthread_mutex_destroy(&definition->mutex);
  memory_free(definition->keeps);
  memory_free(definition->buckets);
  object_free(definition);
}

static void free_node(ck_graph_node_t *node)
{
  for (size_t i = 0; i < node->graph_count; ++i)
    if (node->graphs[i]) free_definition(node->graphs[i]);
  graph_keep_release(node->keep);
  memory_free(node->graphs);
  memory_free(node->bodies);
  memory_free(node->attributes);
  memory_free(node);
}

static void graph_definition_destroy(ck_graph_definition_t *definition)
{
  ck_device_t *device = definition->device;
  CUgraph native = definition->native ? definition->native : definition->lost;
  if (native && definition->state != GRAPH_dead && inside(definition) != GRAPH_dead) {
    CleanUp clean_up = clean_up_begin(device);
    device->driver->cuGraphDestroy(native);
    clean_up_end(&clean_up);
  }
  free_definition(definition);
  graph_collect();
  ck_device_release(device);
}

/* Those that nobody was given go at once. */
static void bury(ck_graph_node_t *node, ck_graph_node_t **parts)
{
  ck_graph_definition_t *root = node->definition->root;
  for (size_t i = 0; i < node->graph_count; ++i) {
    ck_graph_definition_t *inner = node->graphs[i];
    if (!inner) continue;
    for (size_t k = 0; k < inner->bucket_count; ++k)
      while (inner->buckets[k]) {
        ck_graph_node_t *part = inner->buckets[k];
        inner->buckets[k] = part->next;
        bury(part, parts);
        part->next = *parts;
        *parts = part;
      }
    memory_free(inner->buckets);
    inner->buckets = NULL;
    inner->bucket_count = inner->node_count = 0;
    inner->native = NULL;
    inner->node = NULL;
    node->graphs[i] = NULL;
    if (!inner->is_given) {
      object_free(inner);
      continue;
    }
    inner->next_gone = root->gone;
    root->gone = inner;
  }
}

ck_graph_node_t *graph_node_bury_graphs(ck_graph_node_t *node)
{
  ck_graph_node_t *parts = NULL;
  bury(node, &parts);
  return parts;
}

void graph_nodes_free(ck_graph_node_t *parts)
{
  while (parts) {
    ck_graph_node_t *next = parts->next;
    free_node(parts);
    parts = next;
  }
}

ck_status_t graph_definition_check(const ck_graph_definition_t *definition)
{
  if (definition->native) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, definition->root->native
                                            ? "the definition was in a node that is gone"
                                            : "the definition is lost: a capture into it failed");
}

static void lose(ck_graph_definition_t *definition)
{
  definition->native = NULL;
  EACH_PART(part, definition) lose(part);
}

static void lose_whole(ck_graph_definition_t *root)
{
  if (root->native) root->lost = root->native;
  lose(root);
}

void graph_definition_lose(ck_graph_definition_t *definition)
{
  graph_definition_lock(definition);
  lose_whole(definition->root);
  graph_definition_unlock(definition);
}

void graph_definition_die(ck_graph_definition_t *definition)
{
  graph_definition_lock(definition);
  lose_whole(definition->root);
  definition->lost = NULL;
  definition->state = definition == definition->root ? GRAPH_plain : GRAPH_dead;
  graph_definition_unlock(definition);
}

void graph_definition_set_state(ck_graph_definition_t *definition, GraphState state)
{
  graph_definition_lock(definition);
  definition->state = state;
  graph_definition_unlock(definition);
}

static GraphState inside(const ck_graph_definition_t *definition)
{
  GraphState last = GRAPH_plain;
  EACH_PART(part, definition)
  {
    GraphState deeper = inside(part);
    if (part->state > last) last = part->state;
    if (deeper > last) last = deeper;
  }
  return last;
}

GraphState graph_definition_inside(const ck_graph_definition_t *definition)
{
  graph_definition_lock(definition);
  GraphState last = inside(definition);
  graph_definition_unlock(definition);
  return last;
}

void graph_definition_put_off(ck_graph_definition_t *definition, OpenCapture *capture)
{
  graph_definition_lock(definition);
  definition->late = capture;
  atomic_fetch_add(&definition->root->late_count, 1);
  graph_definition_unlock(definition);
}

/* The innermost definition whose late end waits for nothing. */
static ck_graph_definition_t *find_late(ck_graph_definition_t *definition)
{
  EACH_PART(part, definition)
  {
    ck_graph_definition_t *late = find_late(part);
    if (late) return late;
  }
  return definition->late && inside(definition) != GRAPH_captured ? definition : NULL;
}

OpenCapture *graph_definition_take_late(ck_graph_definition_t *root,
                                        ck_graph_definition_t **out_definition)
{
  OpenCapture *late = NULL;
  if (!atomic_load(&root->late_count)) return NULL;
  graph_definition_lock(root);
  *out_definition = find_late(root);
  if (*out_definition) {
    late = (*out_definition)->late;
    (*out_definition)->late = NULL;
    atomic_fetch_sub(&root->late_count, 1);
  }
  graph_definition_unlock(root);
  return late;
}

ck_status_t graph_definition_check_ended(const ck_graph_definition_t *definition)
{
  CK_TRY(graph_definition_check(definition));
  if (!atomic_load_explicit(&definition->root->capture_count, memory_order_relaxed)) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "the definition is being captured: end its builders first");
}

ck_graph_definition_t *ck_graph_definition_retain(ck_graph_definition_t *definition)
{
  if (definition) object_retain(&definition->root->object);
  return definition;
}

void ck_graph_definition_release(ck_graph_definition_t *definition)
{
  if (definition && object_release(&definition->root->object))
    graph_definition_destroy(definition->root);
}

ck_status_t graph_supported(const ck_device_t *device)
{
  if (device->driver->cuGraphAddNode) return CK_OK;
  return error_set(CK_UNSUPPORTED, "%s lacks cuGraphAddNode: graphs need CUDA 12.3",
                   device->driver->label);
}

ck_status_t ck_graph_definition_create(ck_device_t *device, ck_graph_definition_t **out_definition)
{
  CK_NEED_ARG(out_definition);
  *out_definition = NULL;
  CK_NEED_ARG(device);
  CK_TRY(graph_supported(device));
  graph_collect();
  ck_graph_definition_t *definition = object_new(sizeof *definition);
  if (!definition) return CK_OUT_OF_MEMORY;
  if (pthread_mutex_init(&definition->mutex, NULL) != 0) {
    object_free(definition);
    return error_set(CK_OUT_OF_MEMORY, "host memory is out: a definition");
  }
  definition->root = definition;
  definition->device = ck_device_retain(device);
  ck_status_t status = DRV_STATUS(device->driver, cuGraphCreate(&definition->native, 0));
  if (status != CK_OK) {
    graph_definition_destroy(definition);
    return status;
  }
  *out_definition = definition;
  return CK_OK;
}

ck_device_t *ck_graph_definition_device(const ck_graph_definition_t *definition)
{
  return definition->device;
}

void *ck_graph_definition_native(const ck_graph_definition_t *definition)
{
  return definition->native;
}

ck_status_t graph_definition_add_keep(ck_graph_definition_t *definition, GraphKeep *keep)
{
  size_t count = definition->keep_count;
  GraphKeep **keeps = memory_new((count + 1) * sizeof(GraphKeep *));
  if (!keeps) return error_set(CK_OUT_OF_MEMORY, "host memory is out: a capture");
  for (size_t i = 0; i < count; ++i) keeps[i] = definition->keeps[i];
  keeps[count] = graph_keep_retain(keep);
  memory_free(definition->keeps);
  definition->keeps = keeps;
  definition->keep_count = count + 1;
  return CK_OK;
}

/* Adds what captures keep for no node in particular; and of `nodes`, recursively, what child nodes
 * have of it, or all that any node has. */
typedef enum Nodes { NODES_none, NODES_child, NODES_all } Nodes;

static ck_status_t collect(const ck_graph_definition_t *definition, Nodes nodes, GraphKeep *keep)
{
  for (size_t i = 0; i < definition->keep_count; ++i)
    CK_TRY(graph_keep_keep(keep, definition->keeps[i]));
  for (size_t i = 0; nodes != NODES_none && i < definition->bucket_count; ++i)
    for (const ck_graph_node_t *node = definition->buckets[i]; node; node = node->next) {
      bool is_wanted = nodes == NODES_all || node->kind == CK_NODE_CHILD;
      if (node->keep && is_wanted) CK_TRY(graph_keep_keep(keep, node->keep));
      for (size_t k = 0; k < node->graph_count; ++k)
        if (node->graphs[k]) CK_TRY(collect(node->graphs[k], nodes, keep));
    }
  return CK_OK;
}

ck_status_t graph_definition_keep(const ck_graph_definition_t *definition, GraphKeep *keep)
{
  graph_definition_lock(definition);
  ck_status_t status = collect(definition, NODES_all, keep);
  graph_definition_unlock(definition);
  return status;
}

/* nodes by handle ---------------------------------------------------------------------------- */

static size_t bucket_of(const ck_graph_definition_t *definition, CUgraphNode native)
{
  return ((uintptr_t)native >> 4) * 0x9E3779B97F4A7C15u % definition->bucket_count;
}

static bool grow(ck_graph_definition_t *definition)
{
  if (definition->node_count < definition->bucket_count) return true;
  size_t count = definition->bucket_count, more = count ? 2 * count + 1 : 15;
  ck_graph_node_t **old = definition->buckets, **buckets = memory_new(more * sizeof *buckets);
  if (!buckets) return false;
  definition->buckets = buckets;
  definition->bucket_count = more;
  for (size_t i = 0; i < count; ++i)
    for (ck_graph_node_t *node = old[i], *next; node; node = next) {
      next = node->next;
      size_t bucket = bucket_of(definition, node->native);
      node->next = buckets[bucket];
      buckets[bucket] = node;
    }
  memory_free(old);
  return true;
}

static ck_graph_node_t *find_node(const ck_graph_definition_t *definition, CUgraphNode native)
{
  ck_graph_node_t *node =
      definition->bucket_count ? definition->buckets[bucket_of(definition, native)] : NULL;
  while (node && node->native != native) node = node->next;
  return node;
}

ck_graph_node_t *graph_node_new(ck_graph_definition_t *definition)
{
  ck_graph_node_t *node = grow(definition) ? memory_new(sizeof *node) : NULL;
  if (node) node->definition = definition;
  return node;
}

void graph_node_put(ck_graph_node_t *node, CUgraphNode native, ck_node_kind_t kind)
{
  ck_graph_definition_t *definition = node->definition;
  size_t bucket = bucket_of(definition, native);
  node->native = native;
  node->kind = kind;
  node->next = definition->buckets[bucket];
  definition->buckets[bucket] = node;
  ++definition->node_count;
}

/* The object of a node of a kind, made if there is none; NULL when memory is out. */
static ck_graph_node_t *have_node(ck_graph_definition_t *definition, CUgraphNode native,
                                  ck_node_kind_t kind)
{
  ck_graph_node_t *node = find_node(definition, native);
  if (node) return node;
  node = graph_node_new(definition);
  if (node) graph_node_put(node, native, kind);
  return node;
}

ck_status_t graph_definition_node(ck_graph_definition_t *definition, CUgraphNode native,
                                  ck_graph_node_t **out_node)
{
  *out_node = find_node(definition, native);
  if (*out_node) return CK_OK;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  DRV(definition->device->driver, cuGraphNodeGetType(native, &type));
  *out_node = have_node(definition, native, (ck_node_kind_t)type);
  return *out_node ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out: a node");
}

/* keeps of nodes that others have made --------------------------------------------------------- */

void graph_definition_take_parts(ck_graph_definition_t *definition, GraphKeep *keep)
{
  CUgraphNode native = NULL;
  GraphKeep *part;
  while ((part = graph_keep_take_part(keep, &native))) {
    ck_graph_node_t *node = have_node(definition, native, CK_NODE_HOST);
    if (node && !node->keep) {
      node->keep = part;
      continue;
    }
    /* The capture keeps it for all of its nodes; there is room where it was. */
    graph_keep_keep(keep, part);
    graph_keep_release(part);
  }
}

static ck_status_t share(const ck_graph_definition_t *from, ck_graph_definition_t *to);

/* What is in a node is found again in a child's copy. The driver does not tell the bodies of a
 * condition's copy: that node has what all their nodes have. */
static ck_status_t share_inside(const ck_graph_node_t *from, ck_graph_node_t *to)
{
  for (size_t i = 0; i < from->graph_count; ++i) {
    ck_graph_definition_t *inner;
    if (!from->graphs[i]) continue;
    if (from->kind != CK_NODE_CHILD) {
      if (!to->keep) to->keep = graph_keep_new();
      if (!to->keep) return CK_OUT_OF_MEMORY;
      CK_TRY(collect(from->graphs[i], NODES_all, to->keep));
      continue;
    }
    CK_TRY(graph_node_graph(to, i, &inner));
    CK_TRY(share(from->graphs[i], inner));
  }
  return CK_OK;
}

static ck_status_t share_node(const ck_graph_node_t *from, ck_graph_definition_t *to)
{
  CUgraphNode native = NULL;
  if (!from->keep && !from->graph_count) return CK_OK;
  DRV(to->device->driver, cuGraphNodeFindInClone(&native, from->native, to->native));
  ck_graph_node_t *node = have_node(to, native, from->kind);
  if (!node) return error_set(CK_OUT_OF_MEMORY, "host memory is out: a node");
  if (from->kind != CK_NODE_CONDITION) node->keep = graph_keep_retain(from->keep);
  return share_inside(from, node);
}

static ck_status_t share(const ck_graph_definition_t *from, ck_graph_definition_t *to)
{
  for (size_t i = 0; i < from->bucket_count; ++i)
    for (const ck_graph_node_t *node = from->buckets[i]; node; node = node->next)
      CK_TRY(share_node(node, to));
  return CK_OK;
}

void graph_node_share_keep(ck_graph_node_t *node, const ck_graph_definition_t *child)
{
  ck_graph_definition_t *inner;
  GraphKeep *rest = graph_keep_new();
  /* Where graphs that were captured are in the root, their child nodes have their share. */
  Nodes nodes = child->root != child ? NODES_child : NODES_none;
  graph_definition_lock(child);
  if (rest && collect(child->root, nodes, rest) == CK_OK &&
      graph_node_graph(node, 0, &inner) == CK_OK && share(child, inner) == CK_OK) {
    GraphKeep *all = node->keep;
    node->keep = rest;
    rest = all;
  }
  graph_definition_unlock(child);
  graph_keep_release(rest);
}

/* what a graph is made of ------------------------------------------------------------------------
 */

void graph_definition_forget(ck_graph_node_t *node)
{
  ck_graph_definition_t *definition = node->definition;
  ck_graph_node_t **link = &definition->buckets[bucket_of(definition, node->native)];
  while (*link != node) link = &(*link)->next;
  *link = node->next;
  --definition->node_count;
  node->next = graph_node_bury_graphs(node);
  graph_nodes_free(node);
}

/* Turns the driver's handles into nodes. */
static ck_status_t to_nodes(ck_graph_definition_t *definition, const CUgraphNode *natives,
                            size_t count, ck_graph_node_t **nodes)
{
  for (size_t i = 0; i < count; ++i)
    CK_TRY(graph_definition_node(definition, natives[i], &nodes[i]));
  return CK_OK;
}

/* A row of handles, or two beside each other. */
static ck_status_t new_handles(size_t count, CUgraphNode **out_handles)
{
  *out_handles = memory_new(count * sizeof **out_handles);
  return *out_handles ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu nodes", count);
}

static ck_status_t get_nodes(ck_graph_definition_t *definition, ck_graph_node_t **nodes,
                             size_t room, size_t *out_count)
{
  const Driver *driver = definition->device->driver;
  size_t count = 0;
  CUgraphNode *natives;
  DRV(driver, cuGraphGetNodes(definition->native, NULL, &count));
  CK_TRY(new_handles(count, &natives));
  size_t got = count;
  ck_status_t status = CK_OK;
  if (count) status = DRV_STATUS(driver, cuGraphGetNodes(definition->native, natives, &got));
  if (status == CK_OK) status = to_nodes(definition, natives, room < got ? room : got, nodes);
  if (status == CK_OK) *out_count = got;
  memory_free(natives);
  return status;
}

ck_status_t ck_graph_definition_get_nodes(ck_graph_definition_t *definition,
                                          ck_graph_node_t **nodes, size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(definition);
  if (room) CK_NEED_ARG(nodes);
  CK_TRY(graph_definition_check(definition));
  graph_definition_lock(definition);
  ck_status_t status = get_nodes(definition, nodes, room, out_count);
  graph_definition_unlock(definition);
  return status;
}

static ck_status_t get_edges(ck_graph_definition_t *definition, ck_graph_node_t **from,
                             ck_graph_node_t **to, size_t room, size_t *out_count)
{
  const Driver *driver = definition->device->driver;
  size_t count = 0;
  DRV(driver, cuGraphGetEdges(definition->native, NULL, NULL, NULL, &count));
  CUgraphNode *natives;
  CK_TRY(new_handles(2 * count, &natives));
  CUgraphEdgeData *data = memory_new(count * sizeof *data);
  ck_status_t status = data ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out: edges");
  if (status == CK_OK && count)
    status = DRV_STATUS(
        driver, cuGraphGetEdges(definition->native, natives, natives + count, data, &count));
  size_t wanted = room < count ? room : count;
  if (status == CK_OK) status = to_nodes(definition, natives, wanted, from);
  if (status == CK_OK) status = to_nodes(definition, natives + count, wanted, to);
  if (status == CK_OK) *out_count = count;
  memory_free(natives);
  memory_free(data);
  return status;
}

ck_status_t ck_graph_definition_get_edges(ck_graph_definition_t *definition, ck_graph_node_t **from,
                                          ck_graph_node_t **to, size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(definition);
  if (room) CK_NEED_ARG(from);
  if (room) CK_NEED_ARG(to);
  CK_TRY(graph_definition_check(definition));
  graph_definition_lock(definition);
  ck_status_t status = get_edges(definition, from, to, room, out_count);
  graph_definition_unlock(definition);
  return status;
}

/* The neighbours of a node on one side. */
static ck_status_t get_neighbours(ck_graph_node_t *node, bool is_before, ck_graph_node_t **nodes,
                                  size_t room, size_t *out_count)
{
  CK_TRY(graph_definition_check(node->definition));
  const Driver *driver = node->definition->device->driver;
  size_t count = 0;
  if (is_before) DRV(driver, cuGraphNodeGetDependencies(node->native, NULL, NULL, &count));
  else DRV(driver, cuGraphNodeGetDependentNodes(node->native, NULL, NULL, &count));
  CUgraphNode *natives;
  CK_TRY(new_handles(count, &natives));
  CUgraphEdgeData *data = memory_new(count * sizeof *data);
  ck_status_t status = data ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out: edges");
  if (status == CK_OK && count && is_before)
    status = DRV_STATUS(driver, cuGraphNodeGetDependencies(node->native, natives, data, &count));
  else if (status == CK_OK && count)
    status = DRV_STATUS(driver, cuGraphNodeGetDependentNodes(node->native, natives, data, &count));
  if (status == CK_OK)
    status = to_nodes(node->definition, natives, room < count ? room : count, nodes);
  if (status == CK_OK) *out_count = count;
  memory_free(natives);
  memory_free(data);
  return status;
}

ck_status_t ck_graph_node_get_dependencies(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                           size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(node);
  if (room) CK_NEED_ARG(nodes);
  graph_definition_lock(node->definition);
  ck_status_t status = get_neighbours(node, true, nodes, room, out_count);
  graph_definition_unlock(node->definition);
  return status;
}

ck_status_t ck_graph_node_get_dependents(ck_graph_node_t *node, ck_graph_node_t **nodes,
                                         size_t room, size_t *out_count)
{
  CK_NEED_ARG(out_count);
  *out_count = 0;
  CK_NEED_ARG(node);
  if (room) CK_NEED_ARG(nodes);
  graph_definition_lock(node->definition);
  ck_status_t status = get_neighbours(node, false, nodes, room, out_count);
  graph_definition_unlock(node->definition);
  return status;
}

/* Whether an edge is there, and its data: the driver removes an edge by that as well. */
static ck_status_t has_edge(ck_graph_node_t *from, ck_graph_node_t *to, bool *out_has,
                            CUgraphEdgeData *out_data)
{
  const Driver *driver = from->definition->device->driver;
  size_t count = 0;
  *out_has = false;
  memset(out_data, 0, sizeof *out_data);
  DRV(driver, cuGraphNodeGetDependencies(to->native, NULL, NULL, &count));
  CUgraphNode *natives;
  CK_TRY(new_handles(count, &natives));
  CUgraphEdgeData *data = memory_new(count * sizeof *data);
  ck_status_t status = data ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out: edges");
  if (status == CK_OK && count)
    status = DRV_STATUS(driver, cuGraphNodeGetDependencies(to->native, natives, data, &count));
  for (size_t i = 0; status == CK_OK && i < count; ++i) {
    if (natives[i] != from->native) continue;
    *out_has = true;
    *out_data = data[i];
  }
  memory_free(natives);
  memory_free(data);
  return status;
}

/* Edges as the driver takes them. */
typedef struct Edge {
  CUgraphNode from, to;
} Edge;

typedef struct Edges {
  CUgraphNode *from, *to; /* one block */
  CUgraphEdgeData *data;
  Edge *sorted;
} Edges;

static int compare_edges(const void *left, const void *right)
{
  const Edge *a = left, *b = right;
  if (a->from != b->from) return (uintptr_t)a->from < (uintptr_t)b->from ? -1 : 1;
  if (a->to != b->to) return (uintptr_t)a->to < (uintptr_t)b->to ? -1 : 1;
  return 0;
}

static ck_status_t read_edge(ck_graph_definition_t *definition, ck_graph_node_t *from,
                             ck_graph_node_t *to, size_t i, bool is_new, Edges *edges)
{
  if (!from || !to)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: %s[%zu] is NULL", i, from ? "to" : "from", i);
  if (from->definition != definition || to->definition != definition)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: a node is of another definition", i);
  if (from == to)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: a node does not come after itself", i);
  bool is_there;
  CK_TRY(has_edge(from, to, &is_there, &edges->data[i]));
  if (is_there == is_new)
    return error_set(CK_INVALID_ARGUMENT, "edge %zu: it is %s", i,
                     is_new ? "there already" : "not there");
  edges->from[i] = from->native;
  edges->to[i] = to->native;
  edges->sorted[i] = (Edge){from->native, to->native};
  return CK_OK;
}

/* All of them or none: they are looked at first, and go to the driver at once. */
static ck_status_t read_edges(ck_graph_definition_t *definition, ck_graph_node_t *const *from,
                              ck_graph_node_t *const *to, size_t count, bool is_new, Edges *edges)
{
  if (!edges->from || !edges->data || !edges->sorted)
    return error_set(CK_OUT_OF_MEMORY, "host memory is out: %zu edges", count);
  edges->to = edges->from + count;
  for (size_t i = 0; i < count; ++i)
    CK_TRY(read_edge(definition, from[i], to[i], i, is_new, edges));
  qsort(edges->sorted, count, sizeof *edges->sorted, compare_edges);
  for (size_t i = 1; i < count; ++i)
    if (!compare_edges(&edges->sorted[i - 1], &edges->sorted[i]))
      return error_set(CK_INVALID_ARGUMENT, "an edge is given twice");
  return CK_OK;
}

static ck_status_t change_edges(ck_graph_definition_t *definition, ck_graph_node_t *const *from,
                                ck_graph_node_t *const *to, size_t count, bool is_new)
{
  const Driver *driver = definition->device->driver;
  CK_TRY(graph_definition_check(definition));
  if (!count) return CK_OK;
  Edges edges = {.from = memory_new(2 * count * sizeof *edges.from),
                 .data = memory_new(count * sizeof *edges.data),
                 .sorted = memory_new(count * sizeof *edges.sorted)};
  ck_status_t status = read_edges(definition, from, to, count, is_new, &edges);
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

/* conditions, pictures ------------------------------------------------------------------------ */

ck_status_t graph_create_condition(ck_device_t *device, CUgraph graph, const uint32_t *start,
                                   uint64_t *out_condition)
{
  CUgraphConditionalHandle handle = 0;
  CK_TRY(device_enter(device));
  ck_status_t status =
      DRV_STATUS(device->driver,
                 cuGraphConditionalHandleCreate(&handle, graph, device->context, start ? *start : 0,
                                                start ? CU_GRAPH_COND_ASSIGN_DEFAULT : 0));
  device_leave(device);
  *out_condition = handle;
  return status;
}

ck_status_t ck_graph_definition_create_condition(ck_graph_definition_t *definition,
                                                 const uint32_t *start, uint64_t *out_condition)
{
  CK_NEED_ARG(out_condition);
  *out_condition = 0;
  CK_NEED_ARG(definition);
  CK_TRY(graph_definition_check(definition));
  return graph_create_condition(definition->device, definition->native, start, out_condition);
}

ck_status_t ck_graph_definition_save_dot(ck_graph_definition_t *definition, const char *path,
                                         uint32_t flags)
{
  CK_NEED_ARG(definition);
  CK_NEED_ARG(path);
  if (flags >= 2 * CK_DOT_CONDITIONS)
    return error_set(CK_INVALID_ARGUMENT, "the flags are 0x%x: unknown bits are set", flags);
  CK_TRY(graph_definition_check(definition));
  CK_TRY(device_enter(definition->device));
  graph_definition_lock(definition);
  ck_status_t status =
      DRV_STATUS(definition->device->driver, cuGraphDebugDotPrint(definition->native, path, flags));
  graph_definition_unlock(definition);
  device_leave(definition->device);
  if (status == CK_DRIVER) return error_within(CK_IO, "'%s'", path);
  return status;
}
