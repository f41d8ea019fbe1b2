/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_definition.c - tests graphs made node by node: the cases of cuda.core's
 * test_graph_definition.py, _errors.py and _mutation.py by name, and of
 * test_host_callback_contracts.py. On the host device or a GPU: $CK_DEVICE. */
#include <unistd.h>

#include "both.h"

static const char source[] =
    "kernel empty_kernel() launch(block = 1, grid = 1) {}\n"
    "kernel plain(x: inout i32[1]) { if (grid.thread_rank == 0) x[0] = x[0] + 1; }\n"
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n"
    "kernel none(n: u32, x: inout i32[n]) launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = grid.thread_rank; if (i < n) x[i] = 1; }\n"
    "kernel affine(x: inout i32[1], m: i32, b: i32) launch(block = 1, grid = 1)\n"
    "{ x[0] = x[0] * m + b; }\n"
    "kernel combine(r: out i32[1], a: in i32[1], b: in i32[1]) launch(block = 1, grid = 1)\n"
    "{ r[0] = a[0] << 16 | b[0] & 0xffff; }\n"
    "kernel total(r: out i32[1], n: u32, x: in i32[n]) launch(block = 1, grid = 1)\n"
    "{ var sum = 0; for (i in 0..n) sum = sum + x[i]; r[0] = sum; }\n"
    "kernel together(x: inout u32[1]) launch(block = 32, grid = 4)\n"
    "{ atomic.add(x[0], 1); grid.sync(); if (grid.thread_rank == 0) x[0] = x[0] * 2; }\n";

enum { BYTES = 1024, MOST = 16 };

static ck_graph_definition_t *new_definition(void)
{
  ck_graph_definition_t *definition = NULL;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  return definition;
}

static ck_graph_node_t *add_after(ck_graph_definition_t *definition, ck_graph_node_t *after,
                                  ck_node_params_t params)
{
  ck_graph_node_t *node = NULL;
  CHECK_OK(ck_graph_definition_add(definition, &after, after != NULL, &params, &node));
  CHECK(node && ck_graph_node_kind(node) == params.kind);
  CHECK(ck_graph_node_definition(node) == definition && ck_graph_node_native(node));
  return node;
}

static size_t count_nodes(ck_graph_definition_t *definition)
{
  size_t count = 99;
  CHECK_OK(ck_graph_definition_get_nodes(definition, NULL, 0, &count));
  return count;
}

/* Counts the edges, and checks that each is in the list of pairs. */
static size_t count_edges(ck_graph_definition_t *definition, ck_graph_node_t *const *listed,
                          size_t listed_count)
{
  ck_graph_node_t *from[MOST], *to[MOST];
  size_t count = 99, known = 0;
  CHECK_OK(ck_graph_definition_get_edges(definition, from, to, MOST, &count));
  for (size_t i = 0; i < count && i < MOST; ++i)
    for (size_t j = 0; j < listed_count; ++j)
      known += from[i] == listed[2 * j] && to[i] == listed[2 * j + 1];
  if (listed_count) CHECK(known == count);
  return count;
}

static void add_to(void *data)
{
  ++*(int *)data;
}

static void run_once(ck_graph_definition_t *definition)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
}

/* cuda.core's graph shapes: the number of nodes, and the edges as pairs of indices. */
typedef struct Shape {
  const char *name;
  size_t node_count, edge_count;
  int edges[4][2];
} Shape;

static const Shape shapes[] = {{"empty", 0, 0, {{0}}},
                               {"single", 1, 0, {{0}}},
                               {"chain", 3, 2, {{0, 1}, {1, 2}}},
                               {"fan out", 4, 3, {{0, 1}, {0, 2}, {0, 3}}},
                               {"fan in", 4, 3, {{0, 3}, {1, 3}, {2, 3}}},
                               {"diamond", 4, 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}},
                               {"disconnected", 2, 0, {{0}}}};

/* Whether a node's neighbours on one side are those of the shape. */
static bool has_neighbours(const Shape *shape, ck_graph_node_t *const *nodes, int index,
                           bool is_before)
{
  ck_graph_node_t *near[MOST];
  size_t count = 99, known = 0, wanted = 0;
  if (is_before) CHECK_OK(ck_graph_node_get_dependencies(nodes[index], near, MOST, &count));
  else CHECK_OK(ck_graph_node_get_dependents(nodes[index], near, MOST, &count));
  for (size_t e = 0; e < shape->edge_count; ++e) {
    if (shape->edges[e][is_before] != index) continue;
    ++wanted;
    for (size_t i = 0; i < count; ++i) known += near[i] == nodes[shape->edges[e][!is_before]];
  }
  return count == wanted && known == wanted;
}

static void check_shape(const Shape *shape, ck_node_params_t params)
{
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *nodes[4], *all[4], *pairs[8], *after[4];
  CHECK(ck_graph_definition_native(d) && ck_graph_definition_device(d) == device);
  for (size_t i = 0; i < shape->node_count; ++i) {
    size_t count = 0;
    for (size_t e = 0; e < shape->edge_count; ++e)
      if (shape->edges[e][1] == (int)i) after[count++] = nodes[shape->edges[e][0]];
    CHECK_OK(ck_graph_definition_add(d, after, count, &params, &nodes[i]));
    CHECK(ck_graph_node_definition(nodes[i]) == d);
  }
  for (size_t e = 0; e < shape->edge_count; ++e) {
    pairs[2 * e] = nodes[shape->edges[e][0]];
    pairs[2 * e + 1] = nodes[shape->edges[e][1]];
  }
  size_t count = 99, found = 0;
  CHECK_OK(ck_graph_definition_get_nodes(d, all, 4, &count));
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < shape->node_count; ++k) found += all[i] == nodes[k];
  CHECK(count == shape->node_count && found == count);
  CHECK(count_edges(d, pairs, shape->edge_count) == shape->edge_count);
  for (size_t i = 0; i < shape->node_count; ++i)
    if (!CHECK(has_neighbours(shape, nodes, (int)i, true) &&
               has_neighbours(shape, nodes, (int)i, false)))
      fprintf(stderr, "%s, node %zu\n", shape->name, i);
  if (params.kind == CK_NODE_EMPTY) run_once(d);
  ck_graph_definition_release(d);
}

TEST(topologies)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
    check_shape(&shapes[i], ck_node_empty());
    check_shape(&shapes[i], ck_node_alloc(BYTES));
  }
}

/* Only as many as there is room for are stored. */
TEST(some_of_the_neighbours)
{
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *a = add_after(d, NULL, ck_node_empty()), *b = add_after(d, a, ck_node_empty()),
                  *c = add_after(d, a, ck_node_empty()), *near[4];
  size_t count;
  CHECK_OK(ck_graph_node_get_dependents(a, near, 1, &count));
  CHECK(count == 2 && (near[0] == b || near[0] == c));
  CHECK_OK(ck_graph_definition_get_edges(d, near, near + 1, 1, &count));
  CHECK(count == 2 && near[0] == a && (near[1] == b || near[1] == c));
  CHECK_FAILS(ck_graph_node_get_dependents(a, NULL, 1, &count), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_get_nodes(d, near, 4, NULL), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(d);
}

/* For every kind, a node is a single object with the kind and parameters that it was added with. */
TEST(node_types)
{
  static const char *const names[] = {
      "kernel",       "copy",       "fill", "host",      "child",     "empty",     "event wait",
      "event record", "allocation", "free", "condition", "condition", "condition", "condition"};
  enum { KINDS = sizeof names / sizeof *names };
  ck_graph_definition_t *d = new_definition(), *child = new_definition();
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(BYTES), *y = zeros(BYTES);
  ck_event_t *event;
  uint64_t conditions[4];
  int calls = 0;
  CHECK_OK(ck_event_create(device, NULL, &event));
  for (int i = 0; i < 4; ++i)
    CHECK_OK(ck_graph_definition_create_condition(d, NULL, &conditions[i]));
  const ck_arg_t args[] = {ck_span(x, 0, 1)};
  ck_node_params_t params[KINDS] = {ck_node_kernel(NULL, add, args, 1),
                                    ck_node_copy(ck_at(y, 0), ck_at(x, 0), BYTES),
                                    ck_node_fill(ck_at(x, 0), 0x04030201, 4, BYTES / 4),
                                    ck_node_host(add_to, &calls, NULL),
                                    ck_node_child(child),
                                    ck_node_empty(),
                                    ck_node_wait(event),
                                    ck_node_record(event),
                                    ck_node_alloc(BYTES),
                                    ck_node_free(0),
                                    ck_node_condition(CK_CONDITION_IF, conditions[0], 1),
                                    ck_node_condition(CK_CONDITION_IF, conditions[1], 2),
                                    ck_node_condition(CK_CONDITION_WHILE, conditions[2], 1),
                                    ck_node_condition(CK_CONDITION_SWITCH, conditions[3], 3)};
  ck_graph_node_t *nodes[KINDS], *all[KINDS], *near[2];
  size_t count;
  for (int i = 0; i < KINDS; ++i) {
    if (params[i].kind == CK_NODE_FREE) params[i] = ck_node_free(params[i - 1].of.alloc.address);
    CHECK_OK(ck_graph_definition_add(d, i ? &nodes[i - 1] : NULL, i > 0, &params[i], &nodes[i]));
    CHECK(ck_graph_node_kind(nodes[i]) == params[i].kind);
    CHECK(!strcmp(ck_node_kind_name(ck_graph_node_kind(nodes[i])), names[i]));
  }
  CHECK_OK(ck_graph_definition_get_nodes(d, all, KINDS, &count));
  CHECK(count == KINDS);
  for (int i = 0; i < KINDS; ++i) {
    int found = 0;
    for (int k = 0; k < KINDS; ++k) found += all[k] == nodes[i];
    CHECK(found == 1);
    if (i) {
      CHECK_OK(ck_graph_node_get_dependencies(nodes[i], near, 2, &count));
      CHECK(count == 1 && near[0] == nodes[i - 1]);
      CHECK_OK(ck_graph_node_get_dependents(near[0], near, 2, &count));
      CHECK(count == 1 && near[0] == nodes[i]);
    }
  }
  ck_node_params_t seen[KINDS];
  for (int i = 0; i < KINDS; ++i) {
    seen[i] = ck_node_empty();
    CHECK_OK(ck_graph_node_get_params(nodes[i], &seen[i]));
    CHECK(seen[i].kind == params[i].kind && seen[i].struct_size == sizeof seen[i]);
  }
  CHECK(seen[0].of.kernel.kernel == add && seen[0].of.kernel.config.block[0] == 1);
  CHECK(seen[1].of.copy.bytes == BYTES && seen[1].of.copy.dst.offset == ck_buffer_native(y));
  CHECK(seen[2].of.fill.value == 0x04030201 && seen[2].of.fill.value_bytes == 4 &&
        seen[2].of.fill.count == BYTES / 4);
  CHECK(seen[3].of.host.function == add_to && seen[3].of.host.data == &calls);
  CHECK(count_nodes(seen[4].of.child.definition) == 0);
  CHECK(seen[6].of.event.event == event && seen[7].of.event.event == event);
  CHECK(seen[8].of.alloc.bytes == BYTES && seen[8].of.alloc.kind == CK_ALLOC_DEVICE &&
        seen[8].of.alloc.peer_count == 0 && seen[8].of.alloc.address != 0);
  CHECK(seen[9].of.free.address == seen[8].of.alloc.address);
  for (int i = 10; i < KINDS; ++i)
    CHECK(seen[i].of.condition.condition == conditions[i - 10] &&
          seen[i].of.condition.kind == params[i].of.condition.kind &&
          seen[i].of.condition.body_count == params[i].of.condition.body_count);
  ck_graph_definition_release(d);
  ck_graph_definition_release(child);
  ck_event_release(event);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(add);
}

/* Every kind of node, read back. */
TEST(node_attrs)
{
  ck_graph_definition_t *d = new_definition(), *child = new_definition(), *inner;
  ck_kernel_t *plain = kernel("plain");
  ck_buffer_t *x = zeros(BYTES), *y = zeros(BYTES);
  ck_event_t *event;
  ck_node_params_t seen = ck_node_empty();
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = 2, config.grid[1] = 3;
  config.block[0] = 32, config.block[1] = 4;
  config.dynamic_shared_bytes = 128;
  const ck_arg_t args[] = {ck_span(x, 0, 1)};
  ck_graph_node_t *node = add_after(d, NULL, ck_node_kernel(&config, plain, args, 1));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_KERNEL && seen.of.kernel.kernel == plain);
  CHECK(seen.of.kernel.config.grid[0] == 2 && seen.of.kernel.config.grid[1] == 3 &&
        seen.of.kernel.config.grid[2] == 1);
  CHECK(seen.of.kernel.config.block[0] == 32 && seen.of.kernel.config.block[1] == 4 &&
        seen.of.kernel.config.dynamic_shared_bytes == 128);

  node = add_after(d, node, ck_node_copy(ck_at(y, 4), ck_at(x, 8), 16));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_COPY && seen.of.copy.bytes == 16 && seen.of.copy.rows == 1 &&
        seen.of.copy.dst.offset == ck_buffer_native(y) + 4 &&
        seen.of.copy.src.offset == ck_buffer_native(x) + 8);

  node = add_after(d, node, ck_node_fill(ck_at(x, 0), 0xabcd, 2, BYTES / 2));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_FILL && seen.of.fill.value == 0xabcd &&
        seen.of.fill.value_bytes == 2 && seen.of.fill.count == BYTES / 2 &&
        seen.of.fill.rows == 1 && seen.of.fill.dst.offset == ck_buffer_native(x));

  ck_node_params_t rows = ck_node_fill(ck_at(y, 0), 0xff, 1, 16);
  rows.of.fill.rows = 4, rows.of.fill.pitch = 64;
  node = add_after(d, node, rows);
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.fill.rows == 4 && seen.of.fill.pitch == 64 && seen.of.fill.count == 16);

  CHECK_OK(ck_event_create(device, NULL, &event));
  node = add_after(d, node, ck_node_record(event));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_EVENT_RECORD && seen.of.event.event == event &&
        seen.of.event.native == ck_event_native(event));
  node = add_after(d, node, ck_node_wait(event));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_EVENT_WAIT && seen.of.event.event == event);

  add_after(child, NULL, ck_node_empty());
  add_after(child, NULL, ck_node_empty());
  node = add_after(d, node, ck_node_child(child));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  CHECK(seen.kind == CK_NODE_CHILD && seen.of.child.definition == inner && inner != child);
  CHECK(count_nodes(inner) == 2);
  CHECK_FAILS(ck_graph_node_get_graph(node, 1, &inner), CK_INVALID_ARGUMENT);

  node = add_after(d, node, ck_node_empty());
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_EMPTY && !strcmp(ck_node_kind_name(seen.kind), "empty"));
  run_once(d);
  uint16_t half[2];
  CHECK_OK(ck_buffer_read(x, BYTES - 4, half, sizeof half, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(half[0] == 0xabcd && half[1] == 0xabcd);
  CHECK(read_i32(y, 15) == 0 && read_i32(y, 16) == -1 && read_i32(y, 48) == -1);
  CHECK_OK(ck_event_sync(event));
  ck_event_release(event);
  ck_graph_definition_release(child);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(plain);
}

TEST(instantiate_and_execute_host_callback)
{
  ck_graph_definition_t *d = new_definition();
  ck_node_params_t seen = ck_node_empty();
  int count = 0;
  ck_graph_node_t *node = add_after(d, NULL, ck_node_host(add_to, &count, NULL));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_HOST && seen.of.host.function == add_to &&
        seen.of.host.data == &count);
  run_once(d);
  CHECK(count == 1);
  ck_graph_definition_release(d);
}

/* Memory that the graph allocates, fills, copies and frees; the result in host memory. */
TEST(instantiate_and_execute_memcpy)
{
  ck_graph_definition_t *d = new_definition();
  unsigned char got[BYTES] = {0};
  ck_node_params_t from = ck_node_alloc(BYTES), to = ck_node_alloc(BYTES), seen = ck_node_empty();
  ck_graph_node_t *node;
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &from, &node));
  CHECK(from.of.alloc.address != 0);
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_ALLOC && seen.of.alloc.bytes == BYTES &&
        seen.of.alloc.kind == CK_ALLOC_DEVICE && seen.of.alloc.address == from.of.alloc.address);
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &to, &node));
  ck_node_place_t src = ck_at_address(from.of.alloc.address),
                  dst = ck_at_address(to.of.alloc.address);
  node = add_after(d, node, ck_node_fill(src, 0xab, 1, BYTES));
  node = add_after(d, node, ck_node_copy(dst, src, BYTES));
  node = add_after(d, node, ck_node_copy(ck_at_host(got), dst, BYTES));
  node = add_after(d, node, ck_node_free(from.of.alloc.address));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.kind == CK_NODE_FREE && seen.of.free.address == from.of.alloc.address);
  ck_graph_node_t *last = add_after(d, node, ck_node_free(to.of.alloc.address));
  CHECK_FAILS(ck_graph_node_set_params(last, &seen), CK_UNSUPPORTED);
  ck_graph_t *graph;
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  for (int i = 0; i < 2; ++i) {
    memset(got, 0, sizeof got);
    CHECK_OK(ck_graph_launch(graph, stream));
    CHECK_OK(ck_stream_sync(stream));
    CHECK(got[0] == 0xab && got[BYTES - 1] == 0xab);
  }
  /* failed_destroy_preserves_node: the driver removes nothing from such a graph. */
  CHECK(ck_graph_node_remove(last) != CK_OK);
  CHECK(ck_graph_node_kind(last) == CK_NODE_FREE && count_nodes(d) == 7);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
}

/* A free depends on its allocation. */
TEST(alloc_free_chain)
{
  ck_graph_definition_t *d = new_definition();
  ck_node_params_t first = ck_node_alloc(BYTES), second = ck_node_alloc(BYTES);
  ck_graph_node_t *a, *b, *near[2];
  size_t count;
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &first, &a));
  CHECK_OK(ck_graph_definition_add(d, &a, 1, &second, &b));
  CHECK(first.of.alloc.address != second.of.alloc.address);
  ck_graph_node_t *c = add_after(d, b, ck_node_free(second.of.alloc.address)),
                  *e = add_after(d, c, ck_node_free(first.of.alloc.address));
  CHECK_OK(ck_graph_node_get_dependencies(b, near, 2, &count));
  CHECK(count == 1 && near[0] == a);
  CHECK_OK(ck_graph_node_get_dependencies(c, near, 2, &count));
  CHECK(count == 1 && near[0] == b);
  CHECK_OK(ck_graph_node_get_dependencies(e, near, 2, &count));
  CHECK(count == 1 && near[0] == c);
  run_once(d);
  ck_graph_definition_release(d);
}

TEST(alloc_memory_type_invalid)
{
  ck_graph_definition_t *d = new_definition();
  ck_node_params_t params = ck_node_alloc(BYTES), seen = ck_node_empty();
  ck_device_t *nobody = NULL;
  ck_graph_node_t *node;
  params.of.alloc.kind = (ck_alloc_kind_t)3;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("an allocation of kind 3");
  params.of.alloc.kind = CK_ALLOC_DEVICE;
  params.of.alloc.peers = &nobody, params.of.alloc.peer_count = 1;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  /* Managed memory: not every GPU has a pool of it. */
  params = ck_node_alloc(BYTES);
  params.of.alloc.kind = CK_ALLOC_MANAGED;
  ck_status_t status = ck_graph_definition_add(d, NULL, 0, &params, &node);
  if (status == CK_OK) {
    CHECK_OK(ck_graph_node_get_params(node, &seen));
    CHECK(seen.of.alloc.kind == CK_ALLOC_MANAGED && seen.of.alloc.bytes == BYTES &&
          seen.of.alloc.address == params.of.alloc.address);
  } else CHECK(!ck_device_is_host(device));
  ck_graph_definition_release(d);
}

/* Opens the second GPU; NULL if there is none. */
static ck_device_t *open_second(void)
{
  ck_device_t *second = NULL;
  if (!ck_device_is_host(device) && ck_device_count() >= 2)
    CHECK_OK(ck_device_open(ck_device_ordinal(device) ? 0 : 1, &second));
  else printf("one device, these need two: %s, in part\n", current_test);
  return second;
}

/* With two devices, memory that both can access. */
TEST(alloc_peer_access)
{
  ck_graph_definition_t *d = new_definition();
  ck_node_params_t params = ck_node_alloc(BYTES), seen = ck_node_empty();
  ck_graph_node_t *node;
  ck_device_t *second = open_second(), *host = NULL;
  if (!second && ck_device_is_host(device)) second = ck_device_retain(device); /* the same device */
  if (second) {
    params.of.alloc.peers = &second, params.of.alloc.peer_count = 1;
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
    CHECK_OK(ck_graph_node_get_params(node, &seen));
    CHECK(seen.of.alloc.peer_count == 1 && seen.of.alloc.address == params.of.alloc.address);
  }
  if (!ck_device_is_host(device)) { /* a GPU can't give access to the host device */
    CHECK_OK(ck_device_open_host(&host));
    params.of.alloc.peers = &host, params.of.alloc.peer_count = 1;
    CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
    CHECK_ERROR("which reaches no memory of");
  }
  params.of.alloc.peer_count = 65;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  ck_device_release(host);
  ck_device_release(second);
  ck_graph_definition_release(d);
}

typedef struct Snapshot {
  const volatile unsigned char *from;
  unsigned char seen;
} Snapshot;

static void take_snapshot(void *data)
{
  Snapshot *snapshot = data;
  snapshot->seen = *snapshot->from;
}

/* Two graphs on each of two devices, all running: each host function sees its own graph's data. */
TEST(two_devices_keep_callback_parameters_separate)
{
  enum { RUNS = 4, SLOT = 16 };
  ck_device_t *second = open_second();
  ck_memory_resource_t *pinned;
  ck_buffer_t *slots, *buffers[RUNS];
  ck_stream_t *streams[RUNS];
  ck_graph_t *graphs[RUNS];
  Snapshot snapshots[RUNS];
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, RUNS * SLOT, stream, &slots));
  ck_memory_resource_release(pinned);
  for (size_t i = 0; i < RUNS; ++i) {
    ck_device_t *on = second && i >= RUNS / 2 ? second : device;
    unsigned char *slot = (unsigned char *)ck_buffer_host(slots) + i * SLOT;
    ck_graph_definition_t *d = NULL;
    snapshots[i] = (Snapshot){slot, 0};
    CHECK_OK(ck_stream_create(on, NULL, &streams[i]));
    CHECK_OK(ck_buffer_create(on, SLOT, streams[i], &buffers[i]));
    CHECK_OK(ck_graph_definition_create(on, &d));
    ck_graph_node_t *node =
        add_after(d, NULL, ck_node_fill(ck_at(buffers[i], 0), 0xa1 + 16 * (uint32_t)i, 1, SLOT));
    node = add_after(d, node, ck_node_copy(ck_at_host(slot), ck_at(buffers[i], 0), SLOT));
    add_after(d, node, ck_node_host(take_snapshot, &snapshots[i], NULL));
    CHECK_OK(ck_graph_create(d, NULL, &graphs[i]));
    ck_graph_definition_release(d);
  }
  for (size_t i = 0; i < RUNS; ++i) {
    CHECK_OK(ck_graph_upload(graphs[i], streams[i]));
    CHECK_OK(ck_graph_launch(graphs[i], streams[i]));
  }
  for (size_t i = 0; i < RUNS; ++i) {
    CHECK_OK(ck_stream_sync(streams[i]));
    CHECK(snapshots[i].seen == 0xa1 + 16 * i);
    ck_graph_release(graphs[i]);
    ck_buffer_release(buffers[i]);
    ck_stream_release(streams[i]);
  }
  ck_buffer_release(slots);
  ck_device_release(second);
}

/* An empty node that depends on any number of others. */
TEST(join_merges_branches)
{
  static const size_t counts[] = {1, 2, 3, 5, 40};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
    ck_graph_definition_t *d = new_definition();
    ck_graph_node_t *branches[40], *near[40], *joined;
    ck_node_params_t join = ck_node_empty();
    size_t count, found = 0;
    for (size_t i = 0; i < counts[c]; ++i) branches[i] = add_after(d, NULL, ck_node_alloc(BYTES));
    CHECK_OK(ck_graph_definition_add(d, branches, counts[c], &join, &joined));
    CHECK(ck_graph_node_kind(joined) == CK_NODE_EMPTY);
    CHECK_OK(ck_graph_node_get_dependencies(joined, near, 40, &count));
    for (size_t i = 0; i < count; ++i)
      for (size_t k = 0; k < counts[c]; ++k) found += near[i] == branches[k];
    CHECK(count == counts[c] && found == count);
    ck_graph_definition_release(d);
  }
}

TEST(launch_chain_dependencies)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_node_t *nodes[3] = {NULL, NULL, NULL}, *near[3];
  size_t count;
  for (int i = 0; i < 3; ++i)
    nodes[i] = add_after(d, i ? nodes[i - 1] : NULL, ck_node_kernel(NULL, empty, NULL, 0));
  CHECK_OK(ck_graph_node_get_dependencies(nodes[1], near, 3, &count));
  CHECK(count == 1 && near[0] == nodes[0]);
  CHECK_OK(ck_graph_node_get_dependencies(nodes[2], near, 3, &count));
  CHECK(count == 1 && near[0] == nodes[1]);
  run_once(d);
  ck_graph_definition_release(d);
  ck_kernel_release(empty);
}

/* Launches a graph with options, uploaded in one way or the other. */
static void run_with(ck_graph_definition_t *d, const ck_graph_options_t *options)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_create(d, options, &graph));
  if (!options || !options->upload_stream) CHECK_OK(ck_graph_upload(graph, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
}

/* An empty graph, and one that allocates, fills, copies and frees, with each option. */
TEST(instantiate_with_options)
{
  ck_graph_definition_t *empty = new_definition(), *d = new_definition();
  ck_node_params_t from = ck_node_alloc(BYTES), to = ck_node_alloc(BYTES);
  unsigned char got[BYTES];
  ck_graph_node_t *node;
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &from, &node));
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &to, &node));
  ck_node_place_t src = ck_at_address(from.of.alloc.address),
                  dst = ck_at_address(to.of.alloc.address);
  node = add_after(d, node, ck_node_fill(src, 0xab, 1, BYTES));
  node = add_after(d, node, ck_node_copy(dst, src, BYTES));
  node = add_after(d, node, ck_node_copy(ck_at_host(got), dst, BYTES));
  node = add_after(d, node, ck_node_free(from.of.alloc.address));
  add_after(d, node, ck_node_free(to.of.alloc.address));
  const uint32_t flags[] = {0, CK_GRAPH_AUTO_FREE_ON_LAUNCH, CK_GRAPH_USE_NODE_PRIORITY,
                            CK_GRAPH_AUTO_FREE_ON_LAUNCH | CK_GRAPH_USE_NODE_PRIORITY};
  run_with(empty, NULL);
  for (size_t i = 0; i < 2 * sizeof flags / sizeof *flags; ++i) {
    ck_graph_options_t options = CK_OPTIONS_INIT(ck_graph_options_t);
    options.flags = flags[i / 2];
    if (i % 2) options.upload_stream = stream;
    run_with(empty, &options);
    memset(got, 0, sizeof got);
    run_with(d, &options);
    int wrong = 0;
    for (int k = 0; k < BYTES; ++k) wrong += got[k] != 0xab;
    CHECK(wrong == 0);
  }
  ck_graph_options_t short_one = CK_OPTIONS_INIT(ck_graph_options_t);
  short_one.struct_size = 1;
  ck_graph_t *graph;
  CHECK_FAILS(ck_graph_create(empty, &short_one, &graph), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(empty);
  ck_graph_definition_release(d);
}

TEST(instantiate_and_execute_child_graph)
{
  ck_graph_definition_t *d = new_definition(), *child = new_definition();
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  const ck_arg_t args[] = {ck_whole(x)};
  ck_graph_node_t *node = add_after(child, NULL, ck_node_kernel(NULL, add, args, 1));
  add_after(child, node, ck_node_kernel(NULL, add, args, 1));
  node = add_after(d, NULL, ck_node_child(child));
  add_after(d, node, ck_node_child(child));
  add_after(child, NULL, ck_node_empty()); /* the copies don't get it */
  ck_graph_definition_t *inner;
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  CHECK(count_nodes(inner) == 2 && count_nodes(child) == 3);
  run_once(d);
  CHECK(read_i32(x, 0) == 4);
  ck_graph_definition_release(child);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* Memory that the graph does not free: another graph may free it. */
TEST(unmatched_alloc_succeeds)
{
  ck_graph_definition_t *d = new_definition(), *freeing = new_definition();
  ck_node_params_t params = ck_node_alloc(BYTES);
  ck_graph_t *graph;
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  add_after(freeing, NULL, ck_node_free(params.of.alloc.address));
  run_once(freeing);
  CHECK_OK(ck_graph_launch(graph, stream)); /* so the graph can be launched again */
  run_once(freeing);
  ck_graph_release(graph);
  ck_graph_definition_release(freeing);
  ck_graph_definition_release(d);
}

TEST(memory_operations)
{
  ck_graph_definition_t *d = new_definition();
  ck_memory_resource_t *pinned; /* not from a pool: a rule of the driver */
  ck_buffer_t *x;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, 16, stream, &x));
  ck_memory_resource_release(pinned);
  CHECK_OK(ck_buffer_fill(x, 0, 16, 0, 4, stream));
  ck_memory_op_t ops[2] = {{CK_MEMORY_OP_WRITE_32, CK_MEMORY_AT_LEAST, ck_at(x, 0), 5},
                           {CK_MEMORY_OP_WRITE_64, CK_MEMORY_AT_LEAST, ck_at(x, 8), 7}};
  ck_memory_op_t wait = {CK_MEMORY_OP_WAIT_32, CK_MEMORY_EQUAL, ck_at(x, 0), 5};
  ck_node_params_t seen = ck_node_empty(), params = ck_node_memory_ops(ops, 2);
  ck_graph_node_t *node;
  ck_status_t status = ck_graph_definition_add(d, NULL, 0, &params, &node);
  if (status == CK_OK) { /* not every driver allows it */
    CHECK_OK(ck_graph_node_get_params(node, &seen));
    CHECK(seen.kind == CK_NODE_MEMORY_OPS && seen.of.memory_ops.count == 2);
    add_after(d, node, ck_node_memory_ops(&wait, 1));
    run_once(d);
    CHECK(read_i32(x, 0) == 5 && read_i32(x, 2) == 7);
  }
  ops[0].place.offset = 2;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &params, NULL), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
}

/* Copies with pitches on both sides; a cooperative kernel, which cuda.core's nodes don't support.
 */
TEST(wider_than_cuda_core)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *together = kernel("together"), *none = kernel("none");
  ck_buffer_t *x = zeros(64), *y = zeros(64);
  int32_t in[16];
  for (int i = 0; i < 16; ++i) in[i] = i;
  CHECK_OK(ck_buffer_write(x, 0, in, sizeof in, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_node_params_t copy = ck_node_copy(ck_at(y, 4), ck_at(x, 0), 8);
  copy.of.copy.rows = 3, copy.of.copy.src_pitch = 16, copy.of.copy.dst_pitch = 20;
  ck_graph_node_t *node = add_after(d, NULL, copy);
  copy.of.copy.rows = 4; /* beyond the end of y */
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &copy, NULL), CK_INVALID_ARGUMENT);
  const ck_arg_t args[] = {ck_span(y, 0, 1)}, few[] = {ck_u32(0), ck_whole(x)};
  ck_node_params_t seen = ck_node_empty();
  node = add_after(d, node, ck_node_kernel(NULL, together, args, 1));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.config.flags & CK_LAUNCH_COOPERATIVE);
  /* A kernel whose grid has no blocks becomes an empty node. */
  ck_node_params_t nothing = ck_node_kernel(NULL, none, few, 2);
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &nothing, &node));
  CHECK(ck_graph_node_kind(node) == CK_NODE_EMPTY);
  run_once(d);
  CHECK(read_i32(y, 0) == 256 && read_i32(y, 1) == 0 && read_i32(y, 2) == 1);
  CHECK(read_i32(y, 6) == 4 && read_i32(y, 7) == 5 && read_i32(y, 11) == 8 && read_i32(y, 8) == 0);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(together);
  ck_kernel_release(none);
}

/* A node is not cooperative any more when its new launch is not. */
TEST(cooperative_no_longer)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *none = kernel("none");
  ck_buffer_t *x = zeros(BYTES);
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_node_params_t seen = ck_node_empty();
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.flags = CK_LAUNCH_COOPERATIVE;
  const ck_arg_t args[] = {ck_u32(2), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(&config, none, args, 2);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.config.flags == CK_LAUNCH_COOPERATIVE);
  params.of.kernel.config.flags = 0;
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.config.flags == 0);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  params.of.kernel.config.flags = CK_LAUNCH_COOPERATIVE;
  CHECK_FAILS(ck_graph_update_node(graph, node, &params), CK_UNSUPPORTED);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.config.flags == CK_LAUNCH_COOPERATIVE);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(none);
}

/* cuda.core's setup for edits: two arms of steps that don't commute, joined and combined. */
typedef struct Rig {
  ck_graph_definition_t *d;
  ck_buffer_t *x; /* the values of the arms, and the result */
  ck_kernel_t *affine, *combine;
  ck_graph_node_t *a[3], *b[2], *j, *r;
} Rig;

static ck_graph_node_t *add_affine(Rig *rig, ck_graph_node_t *after, size_t arm, int m, int b)
{
  const ck_arg_t args[] = {ck_span(rig->x, arm, 1), ck_i32(m), ck_i32(b)};
  return add_after(rig->d, after, ck_node_kernel(NULL, rig->affine, args, 3));
}

static void open_rig(Rig *rig)
{
  rig->d = new_definition();
  rig->x = zeros(12);
  rig->affine = kernel("affine");
  rig->combine = kernel("combine");
  rig->a[0] = add_affine(rig, NULL, 0, 2, 1);
  rig->a[1] = add_affine(rig, rig->a[0], 0, 3, 2);
  rig->a[2] = add_affine(rig, rig->a[1], 0, 5, 3);
  rig->b[0] = add_affine(rig, NULL, 1, 2, 7);
  rig->b[1] = add_affine(rig, rig->b[0], 1, 3, 1);
  ck_graph_node_t *ends[2] = {rig->a[2], rig->b[1]};
  ck_node_params_t join = ck_node_empty();
  CHECK_OK(ck_graph_definition_add(rig->d, ends, 2, &join, &rig->j));
  const ck_arg_t args[] = {ck_span(rig->x, 2, 1), ck_span(rig->x, 0, 1), ck_span(rig->x, 1, 1)};
  rig->r = add_after(rig->d, rig->j, ck_node_kernel(NULL, rig->combine, args, 3));
}

static void close_rig(Rig *rig, int a, int b)
{
  run_once(rig->d);
  CHECK(read_i32(rig->x, 0) == a && read_i32(rig->x, 1) == b);
  CHECK(read_i32(rig->x, 2) == (a << 16 | (b & 0xffff)));
  ck_graph_definition_release(rig->d);
  ck_buffer_release(rig->x);
  ck_kernel_release(rig->affine);
  ck_kernel_release(rig->combine);
}

TEST(baseline)
{
  Rig rig;
  open_rig(&rig);
  ck_graph_node_t *const edges[] = {rig.a[0], rig.a[1], rig.a[1], rig.a[2], rig.a[2], rig.j,
                                    rig.b[0], rig.b[1], rig.b[1], rig.j,    rig.j,    rig.r};
  CHECK(count_nodes(rig.d) == 7 && count_edges(rig.d, edges, 6) == 6);
  close_rig(&rig, 28, 22);
}

/* Afterwards the rest of the arm has no order; the other arm and the join are not affected. */
TEST(destroy_a1)
{
  Rig rig;
  open_rig(&rig);
  CHECK_OK(ck_graph_node_remove(rig.a[1]));
  ck_graph_node_t *const edges[] = {rig.a[2], rig.j, rig.b[0], rig.b[1],
                                    rig.b[1], rig.j, rig.j,    rig.r};
  CHECK(count_nodes(rig.d) == 6 && count_edges(rig.d, edges, 4) == 4);
  run_once(rig.d);
  CHECK(read_i32(rig.x, 1) == 22 && (read_i32(rig.x, 2) & 0xffff) == 22);
  int a = read_i32(rig.x, 0); /* the possible results: both steps in either order, or one of them */
  CHECK(a == 8 || a == 7 || a == 1 || a == 3);
  ck_graph_definition_release(rig.d);
  ck_buffer_release(rig.x);
  ck_kernel_release(rig.affine);
  ck_kernel_release(rig.combine);
}

TEST(destroy_a2)
{
  Rig rig;
  open_rig(&rig);
  CHECK_OK(ck_graph_node_remove(rig.a[2]));
  CHECK_OK(ck_graph_definition_add_edges(rig.d, &rig.a[1], &rig.r, 1));
  CHECK(count_nodes(rig.d) == 6 && count_edges(rig.d, NULL, 0) == 5);
  close_rig(&rig, 5, 22);
}

TEST(destroy_joint)
{
  Rig rig;
  open_rig(&rig);
  CHECK_OK(ck_graph_node_remove(rig.j));
  ck_graph_node_t *from[2] = {rig.a[2], rig.b[1]}, *to[2] = {rig.r, rig.r};
  CHECK_OK(ck_graph_definition_add_edges(rig.d, from, to, 2));
  CHECK(count_nodes(rig.d) == 6 && count_edges(rig.d, NULL, 0) == 5);
  close_rig(&rig, 28, 22);
}

TEST(insert_b)
{
  Rig rig;
  open_rig(&rig);
  ck_graph_node_t *fresh = add_affine(&rig, NULL, 1, 5, 3);
  CHECK_OK(ck_graph_definition_remove_edges(rig.d, &rig.b[0], &rig.b[1], 1));
  ck_graph_node_t *from[2] = {rig.b[0], fresh}, *to[2] = {fresh, rig.b[1]};
  CHECK_OK(ck_graph_definition_add_edges(rig.d, from, to, 2));
  close_rig(&rig, 28, 115);
}

/* An edge is found from both ends, whichever it was added for. */
TEST(edges_from_both_sides)
{
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *hub = add_after(d, NULL, ck_node_empty()), *nodes[5], *near[5], *hubs[5];
  size_t count;
  for (int i = 0; i < 5; ++i) {
    nodes[i] = add_after(d, NULL, ck_node_empty());
    hubs[i] = hub;
  }
  CHECK_OK(ck_graph_definition_add_edges(d, nodes, hubs, 2)); /* dependencies */
  CHECK_OK(ck_graph_node_get_dependencies(hub, near, 5, &count));
  CHECK(count == 2 && near[0] != near[1]);
  CHECK_OK(ck_graph_node_get_dependents(nodes[0], near, 5, &count));
  CHECK(count == 1 && near[0] == hub);
  CHECK_OK(ck_graph_node_get_dependents(nodes[2], near, 5, &count));
  CHECK(count == 0);
  CHECK_OK(ck_graph_definition_remove_edges(d, nodes, hubs, 1));
  CHECK_OK(ck_graph_node_get_dependencies(hub, near, 5, &count));
  CHECK(count == 1 && near[0] == nodes[1]);
  CHECK_OK(ck_graph_definition_add_edges(d, hubs, nodes + 2, 3)); /* dependents */
  CHECK_OK(ck_graph_node_get_dependents(hub, near, 5, &count));
  CHECK(count == 3);
  CHECK_OK(ck_graph_definition_remove_edges(d, hubs, nodes + 2, 3));
  CHECK_OK(ck_graph_node_get_dependents(hub, near, 5, &count));
  CHECK(count == 0 && count_edges(d, NULL, 0) == 1);
  CHECK_OK(ck_graph_definition_add_edges(d, NULL, NULL, 0));
  ck_graph_definition_release(d);
}

/* A destroyed node and its edges disappear from every list; other nodes are the same objects. */
TEST(destroyed_node)
{
  ck_graph_definition_t *d = new_definition();
  ck_buffer_t *x = zeros(16);
  ck_graph_node_t *a = add_after(d, NULL, ck_node_fill(ck_at(x, 0), 1, 4, 4)),
                  *b = add_after(d, a, ck_node_fill(ck_at(x, 0), 42, 1, 4)),
                  *c = add_after(d, a, ck_node_empty()), *all[3];
  size_t count;
  CHECK_OK(ck_graph_node_remove(b));
  CHECK_OK(ck_graph_definition_get_nodes(d, all, 3, &count));
  CHECK(count == 2 && all[0] != all[1] && (all[0] == a || all[0] == c) &&
        (all[1] == a || all[1] == c));
  CHECK_OK(ck_graph_node_get_dependents(a, all, 3, &count));
  CHECK(count == 1 && all[0] == c);
  run_once(d);
  CHECK(read_i32(x, 0) == 1);
  CHECK_OK(ck_graph_node_remove(a));
  CHECK_OK(ck_graph_node_get_dependencies(c, all, 3, &count));
  CHECK(count == 0 && count_nodes(d) == 1 && count_edges(d, NULL, 0) == 0);
  CHECK_FAILS(ck_graph_node_remove(NULL), CK_INVALID_ARGUMENT);
  for (int i = 0; i < 40; ++i) b = add_after(d, c, ck_node_empty()); /* so that the table grows */
  CHECK_OK(ck_graph_node_remove(b));
  CHECK(count_nodes(d) == 40);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
}

/* Turns a chain of four steps into four parallel ones before a sum. */
TEST(convert_linear_to_fan_in)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *affine = kernel("affine"), *total = kernel("total");
  ck_buffer_t *x = zeros(20);
  ck_graph_node_t *fills[4], *steps[4], *before = NULL;
  for (size_t i = 0; i < 4; ++i) {
    const ck_arg_t args[] = {ck_span(x, i, 1), ck_i32(2), ck_i32(1)};
    fills[i] = add_after(d, before, ck_node_fill(ck_at(x, 4 * i), 10 * (uint32_t)(i + 1), 4, 1));
    steps[i] = before = add_after(d, fills[i], ck_node_kernel(NULL, affine, args, 3));
  }
  const ck_arg_t args[] = {ck_span(x, 4, 1), ck_u32(4), ck_span(x, 0, 4)};
  ck_graph_node_t *sum = add_after(d, NULL, ck_node_kernel(NULL, total, args, 3));
  CHECK(count_edges(d, NULL, 0) == 7);
  CHECK_OK(ck_graph_definition_remove_edges(d, steps, fills + 1, 3));
  ck_graph_node_t *sums[4] = {sum, sum, sum, sum};
  CHECK_OK(ck_graph_definition_add_edges(d, steps, sums, 4));
  CHECK(count_edges(d, NULL, 0) == 8);
  run_once(d);
  CHECK(read_i32(x, 4) == 21 + 41 + 61 + 81);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(affine);
  ck_kernel_release(total);
}

TEST(edges_that_are_refused)
{
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_graph_node_t *a = add_after(d, NULL, ck_node_empty()), *b = add_after(d, a, ck_node_empty()),
                  *foreign = add_after(other, NULL, ck_node_empty());
  CHECK_FAILS(ck_graph_definition_add_edges(d, &a, &b, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("it is there already");
  CHECK_FAILS(ck_graph_definition_remove_edges(d, &b, &a, 1), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_add_edges(d, &a, &foreign, 1), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_add_edges(d, &a, &a, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("edge 0: a node does not come after itself");
  ck_graph_node_t *none = NULL;
  CHECK_FAILS(ck_graph_definition_add_edges(d, &a, &none, 1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("edge 0: to[0] is NULL");
  CHECK_FAILS(ck_graph_definition_add_edges(d, &a, NULL, 1), CK_INVALID_ARGUMENT);
  ck_node_params_t params = ck_node_empty();
  CHECK_FAILS(ck_graph_definition_add(d, &foreign, 1, &params, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("after[0] is a node of another definition");
  /* A cycle is found when the graph is created. */
  ck_graph_t *graph = NULL;
  if (ck_graph_definition_add_edges(d, &b, &a, 1) == CK_OK)
    CHECK_FAILS(ck_graph_create(d, NULL, &graph), CK_INVALID_ARGUMENT);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_graph_definition_release(other);
}

static ck_node_params_t fill_rows(ck_node_place_t dst, size_t value_bytes, size_t count,
                                  size_t rows, size_t pitch)
{
  ck_node_params_t params = ck_node_fill(dst, 1, value_bytes, count);
  params.of.fill.rows = rows;
  params.of.fill.pitch = pitch;
  return params;
}

/* An adopted kernel accepts NULL as texture or surface: nothing is retained. */
TEST(no_texture)
{
  ck_graph_definition_t *d = new_definition();
  ck_buffer_t *x = zeros(16);
  ck_kernel_t *combine = kernel("combine"), *raw;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = config.block[0] = 1;
  CHECK_OK(ck_kernel_from_native(device, ck_kernel_native(combine), NULL, &raw));
  const ck_arg_t args[][3] = {{ck_arg_texture(NULL), ck_whole(x), ck_whole(x)},
                              {ck_arg_surface(NULL), ck_whole(x), ck_whole(x)},
                              {ck_whole(NULL), ck_whole(x), ck_whole(x)}};
  for (int i = 0; i < 3; ++i) {
    ck_node_params_t params = ck_node_kernel(&config, raw, args[i], 3);
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  }
  ck_graph_definition_release(d);
  ck_kernel_release(raw);
  ck_kernel_release(combine);
  ck_buffer_release(x);
}

TEST(nodes_that_are_refused)
{
  ck_graph_definition_t *d = new_definition();
  ck_buffer_t *x = zeros(16);
  ck_kernel_t *add = kernel("add_one");
  const ck_arg_t wrong[] = {ck_f32(1)};
  const ck_memory_op_t wrong_wait = {
      .kind = CK_MEMORY_OP_WAIT_32, .place = ck_at(x, 0), .compare = (ck_memory_compare_t)17};
  ck_node_params_t bad[] = {ck_node_fill(ck_at(x, 0), 1, 3, 1),
                            ck_node_fill(ck_at(x, 0), 1, 4, 5),
                            ck_node_fill(ck_at(x, 2), 1, 4, 1),
                            ck_node_fill(ck_at(x, 0), 1, 4, 0),
                            fill_rows(ck_at(x, 0), 4, 1, 2, 5),
                            ck_node_condition((ck_condition_kind_t)3, 1, 1),
                            ck_node_memory_ops(&wrong_wait, 1),
                            ck_node_copy(ck_at(x, 0), ck_at(x, 8), 16),
                            ck_node_copy(ck_at(x, 0), ck_at(x, 8), 0),
                            ck_node_copy(ck_at(x, 0), ck_at(x, 4), 8), /* they overlap */
                            ck_node_copy(ck_at_host(NULL), ck_at(x, 0), 8),
                            ck_node_copy(ck_at(x, 0), ck_at_address(0), 8),
                            ck_node_fill(ck_at_address(0), 1, 1, 8),
                            ck_node_fill(ck_at(x, 0), 1, 4, SIZE_MAX / 2),
                            ck_node_alloc(0),
                            ck_node_free(0),
                            ck_node_host(NULL, NULL, NULL),
                            ck_node_child(NULL),
                            ck_node_child(d),
                            ck_node_record(NULL),
                            ck_node_kernel(NULL, add, wrong, 1),
                            ck_node_kernel(NULL, add, NULL, 0),
                            ck_node_kernel(NULL, NULL, NULL, 0)};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (!CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &bad[i], NULL), CK_INVALID_ARGUMENT))
      fprintf(stderr, "params %zu\n", i);
  CHECK_ERROR("a kernel node's kernel is NULL"); /* of the last one */
  ck_node_params_t all = ck_node_alloc(SIZE_MAX), odd = ck_node_empty();
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &all, NULL), CK_OUT_OF_MEMORY);
  odd.kind = CK_NODE_SEMAPHORE_WAIT;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &odd, NULL), CK_UNSUPPORTED);
  odd.kind = (ck_node_kind_t)77;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &odd, NULL), CK_INVALID_ARGUMENT);
  CHECK(!strcmp(ck_node_kind_name(odd.kind), "?"));
  odd.struct_size = 8;
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &odd, NULL), CK_INVALID_ARGUMENT);
  CHECK(count_nodes(d) == 0);
  ck_graph_node_t *node = add_after(d, NULL, ck_node_empty());
  CHECK_FAILS(ck_graph_node_get_params(node, &odd), CK_INVALID_ARGUMENT);
  CHECK_ERROR("its size is 8");
  ck_graph_options_t options = CK_OPTIONS_INIT(ck_graph_options_t);
  ck_graph_t *graph;
  options.flags = 2;
  CHECK_FAILS(ck_graph_create(d, &options, &graph), CK_INVALID_ARGUMENT);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* Several executable graphs of one definition, with options. */
TEST(multiple_instantiation)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  const ck_arg_t args[] = {ck_whole(x)};
  ck_graph_t *graph;
  add_after(d, NULL, ck_node_kernel(NULL, add, args, 1));
  const uint32_t flags[] = {0, CK_GRAPH_AUTO_FREE_ON_LAUNCH, CK_GRAPH_USE_NODE_PRIORITY,
                            CK_GRAPH_DEVICE_LAUNCH};
  int launched = 0;
  for (size_t i = 0; i < 4; ++i)
    for (int upload = 0; upload < 2; ++upload) {
      ck_graph_options_t options = CK_OPTIONS_INIT(ck_graph_options_t);
      options.flags = flags[i];
      if (upload) options.upload_stream = stream;
      ck_status_t status = ck_graph_create(d, &options, &graph);
      if (flags[i] == CK_GRAPH_DEVICE_LAUNCH && ck_device_is_host(device)) {
        CHECK(status == CK_UNSUPPORTED && graph == NULL);
        continue;
      }
      CHECK(status == CK_OK);
      CHECK_OK(ck_graph_launch(graph, stream));
      CHECK(read_i32(x, 0) == ++launched);
      ck_graph_release(graph);
    }
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(debug_dot_print)
{
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *affine = kernel("affine");
  ck_buffer_t *x = zeros(64);
  const ck_arg_t args[] = {ck_span(x, 0, 1), ck_i32(2), ck_i32(3)};
  ck_graph_node_t *node = add_after(d, NULL, ck_node_kernel(NULL, affine, args, 3));
  add_after(d, node, ck_node_fill(ck_at(x, 4), 1, 4, 2));
  char path[64], *text = malloc(1 << 16);
  snprintf(path, sizeof path, "/tmp/ck-graph-%d.dot", (int)getpid());
  const uint32_t flags[] = {0, CK_DOT_VERBOSE, CK_DOT_KERNELS, CK_DOT_CONDITIONS | CK_DOT_HANDLES};
  for (size_t i = 0; i < 4; ++i) {
    CHECK_OK(ck_graph_definition_save_dot(d, path, flags[i]));
    FILE *file = fopen(path, "r");
    size_t bytes = file ? fread(text, 1, (1 << 16) - 1, file) : 0;
    text[bytes] = 0;
    if (file) fclose(file);
    CHECK(strstr(text, "digraph") && strstr(text, "->"));
    if (flags[i] & (CK_DOT_VERBOSE | CK_DOT_KERNELS)) CHECK(strstr(text, "affine") != NULL);
  }
  remove(path);
  free(text);
  CHECK_FAILS(ck_graph_definition_save_dot(d, path, 0x10000), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_save_dot(d, "/nowhere/graph.dot", 0), CK_IO);
  ck_graph_definition_release(d);
  ck_buffer_release(x);
  ck_kernel_release(affine);
}

/* Definitions with allocations or conditions: one executable graph at a time, and they can't be
 * child graphs. */
TEST(unique_graphs)
{
  for (int i = 0; i < 2; ++i) {
    ck_graph_definition_t *d = new_definition(), *parent = new_definition();
    ck_graph_t *first, *second;
    uint64_t condition;
    ck_node_params_t params = ck_node_alloc(BYTES);
    if (i) {
      CHECK_OK(ck_graph_definition_create_condition(d, NULL, &condition));
      params = ck_node_condition(CK_CONDITION_IF, condition, 1);
    }
    CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
    CHECK_OK(ck_graph_create(d, NULL, &first));
    CHECK_FAILS(ck_graph_create(d, NULL, &second), CK_UNSUPPORTED);
    CHECK_ERROR("CUDA_ERROR_NOT_SUPPORTED");
    ck_graph_release(first);
    CHECK_OK(ck_graph_create(d, NULL, &second));
    params = ck_node_child(d);
    CHECK_FAILS(ck_graph_definition_add(parent, NULL, 0, &params, NULL), CK_UNSUPPORTED);
    CHECK_ERROR("CUDA_ERROR_NOT_SUPPORTED");
    ck_graph_definition_release(d);
    ck_graph_definition_release(parent);
    ck_graph_release(second);
  }
}

/* Nor can an allocation be added to a child graph. */
TEST(alloc_in_a_child)
{
  ck_graph_definition_t *d = new_definition(), *child = new_definition(), *inner;
  ck_node_params_t params = ck_node_alloc(BYTES);
  add_after(child, NULL, ck_node_empty());
  ck_graph_node_t *node = add_after(d, NULL, ck_node_child(child));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  CHECK_FAILS(ck_graph_definition_add(inner, NULL, 0, &params, NULL), CK_UNSUPPORTED);
  CHECK_ERROR("CUDA_ERROR_NOT_SUPPORTED");
  ck_graph_definition_release(child);
  ck_graph_definition_release(d);
}

static void *run_long_chain(void *data)
{
  enum { COUNT = 20000 };
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *nodes[2] = {NULL, NULL};
  ck_graph_t *graph;
  ck_node_params_t params = ck_node_empty();
  int wrong = 0;
  /* The last one first, so that a traversal meets the whole chain at once. */
  for (int i = 0; i < COUNT; ++i) {
    wrong += ck_graph_definition_add(d, NULL, 0, &params, &nodes[i % 2]) != CK_OK;
    if (i)
      wrong += ck_graph_definition_add_edges(d, &nodes[i % 2], &nodes[(i + 1) % 2], 1) != CK_OK;
  }
  CHECK(wrong == 0);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  return data;
}

/* A long chain does not overflow a small stack. */
TEST(long_chain)
{
  CHECK(run_on_small_stack(run_long_chain));
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  run_all();
  return close_both();
}
