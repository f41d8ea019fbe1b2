/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_contract.c - tests what ck/graph.h promises for calls inside release functions, failing
 * calls, and graphs that are released while they run. On the host device or a GPU: $CK_DEVICE. */
#include <stdatomic.h>
#include <stdint.h>

#include "both.h"

static const char source[] =
    "kernel add(a: i32, x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + a; }\n"
    "kernel any(x: inout i32[1]) launch(block = 1) { if (grid.thread_rank == 0) x[0] = 7; }\n";

static atomic_int is_open = 1;

static void pass(void *data)
{
  (void)data;
  while (!atomic_load(&is_open)) usleep(500);
}

static ck_graph_definition_t *definition_new(void)
{
  ck_graph_definition_t *definition = NULL;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  return definition;
}

static ck_graph_node_t *add(ck_graph_definition_t *definition, ck_graph_node_t *after,
                            ck_node_params_t params)
{
  ck_graph_node_t *node = NULL;
  CHECK_OK(ck_graph_definition_add(definition, &after, after != NULL, &params, &node));
  return node;
}

static size_t node_count(ck_graph_definition_t *definition)
{
  size_t count = SIZE_MAX;
  CHECK_OK(ck_graph_definition_get_nodes(definition, NULL, 0, &count));
  return count;
}

/* calls in release functions ------------------------------------------------------------------- */

static ck_graph_definition_t *inner;

static void look_inside(void *data)
{
  size_t count = 99;
  CHECK(ck_graph_definition_native(inner) == NULL);
  CHECK_FAILS(ck_graph_definition_get_nodes(inner, NULL, 0, &count), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition was in a node that is gone");
  ++*(int *)data;
}

/* Makes a definition with a child graph that has a host node, `inner`. */
static ck_graph_node_t *child_of(ck_graph_definition_t *definition, int *count)
{
  ck_graph_definition_t *child = definition_new();
  add(child, NULL, ck_node_host(pass, count, look_inside));
  ck_graph_node_t *node = add(definition, NULL, ck_node_child(child));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  ck_graph_definition_release(child);
  return node;
}

/* When a node's references are dropped, what was inside the node does not exist any more. */
TEST(release_of_what_was_in_a_node)
{
  ck_graph_definition_t *definition = definition_new(), *other = definition_new();
  int destroyed = 0, changed = 0;
  CHECK_OK(ck_graph_node_remove(child_of(definition, &destroyed)));
  CHECK(destroyed == 1);
  ck_graph_node_t *node = child_of(definition, &changed);
  ck_node_params_t params = ck_node_child(other);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  CHECK(changed == 1);
  ck_graph_definition_release(other);
  ck_graph_definition_release(definition);
}

static bool is_refused(ck_graph_definition_t *part)
{
  size_t count;
  return !ck_graph_definition_native(part) &&
         ck_graph_definition_get_nodes(part, NULL, 0, &count) == CK_INVALID_ARGUMENT;
}

/* A definition in a node, and one inside of it, refuse all calls once the node is destroyed or has
 * another child, also when new nodes take the place of the old ones. */
TEST(parts_of_nodes_that_are_replaced)
{
  ck_graph_definition_t *root = definition_new(), *child = definition_new(),
                        *leaf = definition_new();
  ck_graph_definition_t *old[6];
  ck_graph_node_t *deeper = NULL;
  size_t count, olds = 0;
  add(leaf, NULL, ck_node_empty());
  add(child, NULL, ck_node_child(leaf));
  ck_node_params_t params = ck_node_child(child);
  ck_graph_node_t *node = add(root, NULL, params);
  for (int round = 0; round < 3; ++round) {
    ck_graph_definition_t **parts = &old[olds];
    CHECK_OK(ck_graph_node_get_graph(node, 0, &parts[0]));
    CHECK_OK(ck_graph_definition_get_nodes(parts[0], &deeper, 1, &count));
    CHECK_OK(ck_graph_node_get_graph(deeper, 0, &parts[1]));
    CHECK(node_count(parts[0]) == 1 && node_count(parts[1]) == 1);
    for (size_t i = 0; i < olds; ++i) CHECK(is_refused(old[i]));
    olds += 2;
    if (round == 0) CHECK_OK(ck_graph_node_set_params(node, &params));
    else CHECK_OK(ck_graph_node_remove(node));
    if (round > 0) node = add(root, NULL, params);
  }
  for (size_t i = 0; i < olds; ++i) CHECK(is_refused(old[i]));
  ck_graph_definition_release(leaf);
  ck_graph_definition_release(child);
  ck_graph_definition_release(root);
}

typedef struct Again {
  ck_graph_t *graph;
  ck_graph_node_t *node;
  int first, second, third;
} Again;

static void count_one(void *data)
{
  ++*(int *)data;
}

static void change_again(void *data)
{
  Again *self = data;
  ck_node_params_t params = ck_node_host(pass, &self->third, count_one);
  ++self->first;
  atomic_store(&is_open, 0);
  CHECK_OK(ck_graph_launch(self->graph, stream));
  CHECK_OK(ck_graph_update_node(self->graph, self->node, &params));
  atomic_store(&is_open, 1);
}

/* What a change replaced is released once, also if it is replaced again meanwhile. */
TEST(release_of_what_was_replaced)
{
  Again self = {.first = 0};
  ck_graph_definition_t *definition = definition_new();
  self.node = add(definition, NULL, ck_node_host(pass, NULL, NULL));
  CHECK_OK(ck_graph_create(definition, NULL, &self.graph));
  ck_node_params_t first = ck_node_host(pass, &self, change_again),
                   second = ck_node_host(pass, &self.second, count_one);
  CHECK_OK(ck_graph_update_node(self.graph, self.node, &first));
  atomic_store(&is_open, 0);
  CHECK_OK(ck_graph_launch(self.graph, stream));
  CHECK_OK(ck_graph_update_node(self.graph, self.node, &second));
  CHECK(self.first == 0);
  atomic_store(&is_open, 1);
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_graph_launch(self.graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(self.graph);
  CHECK_OK(ck_device_sync(device));
  CHECK(self.first == 1 && self.second == 1 && self.third == 1);
  ck_graph_definition_release(definition);
}

/* released graphs ------------------------------------------------------------------------------ */

/* A host function, followed by an allocation. */
static ck_graph_definition_t *waits_with_memory(void)
{
  ck_graph_definition_t *definition = definition_new();
  ck_graph_node_t *node = add(definition, NULL, ck_node_host(pass, NULL, NULL));
  ck_node_params_t memory = ck_node_alloc(64);
  CHECK_OK(ck_graph_definition_add(definition, &node, 1, &memory, &node));
  add(definition, node, ck_node_free(memory.of.alloc.address));
  return definition;
}

/* A definition with allocations has at most one executable graph; a released one does not count,
 * even while it runs. */
TEST(update_from_what_a_released_graph_runs)
{
  ck_graph_definition_t *one = waits_with_memory(), *other = waits_with_memory();
  ck_graph_t *graph, *released;
  CHECK_OK(ck_graph_create(one, NULL, &graph));
  CHECK_OK(ck_graph_create(other, NULL, &released));
  CHECK_OK(ck_graph_launch(released, stream));
  CHECK_OK(ck_stream_sync(stream));
  /* A GPU's driver may wait for the launch. */
  atomic_store(&is_open, ck_device_is_host(device) ? 0 : 1);
  CHECK_OK(ck_graph_launch(released, stream));
  ck_graph_release(released);
  CHECK_OK(ck_graph_update(graph, other));
  atomic_store(&is_open, 1);
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
  ck_graph_definition_release(one);
  ck_graph_definition_release(other);
}

/* failures ------------------------------------------------------------------------------------- */

/* A node can't be removed from a graph with allocations, so invalid parameters must be found before
 * it is added. */
TEST(a_failed_add)
{
  ck_graph_definition_t *definition = waits_with_memory();
  ck_buffer_t *x = zeros(4);
  ck_kernel_t *any = kernel("any");
  const ck_arg_t args[] = {ck_whole(x)};
  ck_launch_config_t wide = CK_OPTIONS_INIT(ck_launch_config_t);
  wide.grid[0] = wide.cluster[0] = 16;
  ck_node_params_t params = ck_node_kernel(&wide, any, args, 1);
  ck_graph_node_t *node;
  size_t before = node_count(definition);
  ck_status_t status = ck_graph_definition_add(definition, NULL, 0, &params, &node);
  CHECK(status != CK_OK || !ck_device_is_host(device)); /* a GPU reports it at the launch */
  CHECK((node != NULL) == (status == CK_OK));
  CHECK(node_count(definition) == before + (status == CK_OK));
  ck_graph_definition_release(definition);
  ck_kernel_release(any);
  ck_buffer_release(x);
}

TEST(edges_all_or_none)
{
  ck_graph_definition_t *definition = definition_new(), *with_memory = waits_with_memory();
  ck_graph_node_t *a = add(definition, NULL, ck_node_empty()), *nodes[3],
                  *b = add(definition, NULL, ck_node_empty()), *from[] = {a, a}, *to[] = {b, a};
  size_t count = 9;
  CHECK_FAILS(ck_graph_definition_add_edges(definition, from, to, 2), CK_INVALID_ARGUMENT);
  CHECK_ERROR("edge 1: a node does not come after itself");
  to[1] = b;
  CHECK_FAILS(ck_graph_definition_add_edges(definition, from, to, 2), CK_INVALID_ARGUMENT);
  CHECK_ERROR("an edge is given twice");
  CHECK_OK(ck_graph_definition_get_edges(definition, NULL, NULL, 0, &count));
  CHECK(count == 0);
  from[1] = b, to[1] = add(definition, NULL, ck_node_empty());
  CHECK_OK(ck_graph_definition_add_edges(definition, from, to, 2));
  CHECK_OK(ck_graph_definition_get_edges(definition, NULL, NULL, 0, &count));
  CHECK(count == 2);
  CHECK_OK(ck_graph_definition_remove_edges(definition, from, to, 2));
  CHECK_OK(ck_graph_definition_get_edges(definition, NULL, NULL, 0, &count));
  CHECK(count == 0);
  CHECK_OK(ck_graph_definition_get_edges(with_memory, from, to, 1, &count));
  CHECK_FAILS(ck_graph_definition_remove_edges(with_memory, from, to, 1), CK_UNSUPPORTED);
  CHECK_ERROR("the edges of a graph that allocates or frees memory stay");
  CHECK_OK(ck_graph_definition_get_nodes(with_memory, nodes, 3, &count));
  CHECK(count == 3);
  ck_graph_definition_release(definition);
  ck_graph_definition_release(with_memory);
}

/* Ranges that exceed the address space; messages have the right article for each kind. */
TEST(params_that_can_not_be)
{
  ck_graph_definition_t *definition = definition_new();
  ck_buffer_t *x = zeros(64);
  ck_node_place_t at = ck_at_address(ck_buffer_native(x));
  ck_node_params_t copy = ck_node_copy(at, ck_at_address(ck_buffer_native(x) + 32), 2),
                   fill = ck_node_fill(at, 1, 4, SIZE_MAX / 4), event = ck_node_wait(NULL);
  copy.of.copy.slices = 2;
  copy.of.copy.dst_height = (size_t)1 << 63;
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &copy, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("and what is behind it is no memory");
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &fill, NULL), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &event, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("an event wait node's event is NULL");
  ck_graph_node_t *node = add(definition, NULL, ck_node_empty());
  CHECK_FAILS(ck_graph_node_set_params(node, &event), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the node is an empty, the params are an event wait");
  ck_graph_definition_release(definition);
  ck_buffer_release(x);
}

/* parameters that are read back ---------------------------------------------------------------- */

/* The only kernel in a definition. */
static ck_kernel_t *kernel_in(ck_graph_definition_t *definition)
{
  ck_graph_node_t *node = NULL;
  ck_node_params_t params = ck_node_empty();
  size_t count;
  CHECK_OK(ck_graph_definition_get_nodes(definition, &node, 1, &count));
  CHECK(count == 1);
  if (node) CHECK_OK(ck_graph_node_get_params(node, &params));
  return params.kind == CK_NODE_KERNEL ? params.of.kernel.kernel : NULL;
}

TEST(kernels_of_copies)
{
  ck_graph_definition_t *definition = definition_new(), *child, *deeper;
  ck_kernel_t *kernel_add = kernel("add");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, kernel_add, 1, x));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *captured = ck_graph_builder_definition(builder), *between;
  CHECK(kernel_in(captured) == kernel_add);
  between = definition_new();
  add(between, NULL, ck_node_child(captured));
  ck_graph_node_t *node = add(definition, NULL, ck_node_child(between));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &child));
  size_t count;
  CHECK_OK(ck_graph_definition_get_nodes(child, &node, 1, &count));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &deeper));
  CHECK(kernel_in(deeper) == kernel_add);
  ck_graph_definition_release(between);
  ck_graph_definition_release(definition);
  ck_graph_builder_release(builder);
  ck_kernel_release(kernel_add);
  ck_buffer_release(x);
}

/* The release of a builder discards its capture. With a fork that is not joined that fails, which
 * must not replace the failure before it. */
static void test_release_after_a_failure(void)
{
  ck_graph_builder_t *builder, *fork;
  ck_kernel_t *kernel_add = kernel("add");
  ck_buffer_t *x = zeros(4);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  CHECK_OK(ck_launch(ck_graph_builder_stream(fork), NULL, kernel_add, 1, x));
  CHECK_FAILS(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  ck_graph_builder_release(builder);
  CHECK(!ck_graph_builder_is_building(fork));
  CHECK_ERROR("the builder is building already");
  ck_graph_builder_release(fork);
  ck_kernel_release(kernel_add);
  ck_buffer_release(x);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  RUN(release_of_what_was_in_a_node);
  RUN(parts_of_nodes_that_are_replaced);
  RUN(release_of_what_was_replaced);
  RUN(update_from_what_a_released_graph_runs);
  RUN(a_failed_add);
  RUN(edges_all_or_none);
  RUN(params_that_can_not_be);
  RUN(kernels_of_copies);
  RUN(release_after_a_failure);
  return close_both();
}
