/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_cluster.c - tests clusters: launches, captured launches, nodes, and changes of them. On the
 * host device or a GPU of sm_90 and newer: $CK_DEVICE. */
#include "both.h"

/* Each block of a cluster sends its index to the first block, which writes the sum. */
static const char source[] =
    "fn sums(y: inout u32[]) {\n"
    "    shared n: u32[1];\n"
    "    n[0] = 0;\n"
    "    cluster.sync();\n"
    "    atomic.add(cluster.map(n, 0)[0], u32(block.rank) + 1);\n"
    "    cluster.sync();\n"
    "    if (cluster.rank == 0) y[block.rank] = n[0];\n"
    "}\n"
    "kernel pairs(b: u32, y: inout u32[b]) launch(block = 1, grid = b, cluster = 2) { sums(y); }\n"
    "kernel dims(out: inout u32[9]) launch(block = 32, grid = 4, cluster = 2) {\n"
    "    if (grid.thread_rank != 0) return;\n"
    "    out[0] = grid.dim.x; out[1] = grid.dim.y; out[2] = grid.dim.z;\n"
    "    out[3] = cluster.dim.x; out[4] = cluster.dim.y; out[5] = cluster.dim.z;\n"
    "    out[6] = block.dim.x; out[7] = block.dim.y; out[8] = block.dim.z;\n"
    "}\n"
    "kernel any(b: u32, y: inout u32[b]) launch(block = 1, grid = b) { sums(y); }\n";

enum { MOST = 12 };

static ck_kernel_t *pairs, *any;

static ck_launch_config_t clusters_of(uint32_t x)
{
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.cluster[0] = x;
  return config;
}

/* Checks the sums of blocks 0..count for clusters of `size`. */
static bool has_sums(const ck_buffer_t *y, int count, int size)
{
  bool is_good = true;
  for (int first = 0; first < count; first += size) {
    int sum = 0;
    for (int i = first; i < first + size; ++i) sum += i + 1;
    is_good = is_good && read_i32(y, (size_t)first) == sum;
  }
  return is_good;
}

TEST(launches)
{
  ck_buffer_t *y = zeros(4 * MOST);
  ck_launch_config_t three = clusters_of(3), five = clusters_of(5);
  CHECK_OK(ck_launch(stream, NULL, pairs, MOST, y));
  CHECK(has_sums(y, MOST, 2));
  CHECK_OK(ck_launch(stream, &three, any, MOST, y));
  CHECK(has_sums(y, MOST, 3));
  CHECK_OK(ck_launch(stream, NULL, any, MOST, y));
  CHECK(has_sums(y, MOST, 1));
  CHECK_FAILS(ck_launch(stream, &three, pairs, MOST, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'pairs': it was compiled for a cluster of (2, 1, 1), got (3, 1, 1)");
  CHECK_FAILS(ck_launch(stream, &five, any, MOST, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("kernel 'any': grid.x is 12, no multiple of the cluster's 5");
  ck_buffer_release(y);
}

/* A grid is counted in blocks, and the kernel sees the launch's shape; written to page-locked
 * memory. */
TEST(thread_block_cluster)
{
  static const uint32_t want[9] = {8, 1, 1, 2, 1, 1, 32, 1, 1};
  ck_launch_config_t config = clusters_of(2);
  ck_memory_resource_t *pinned;
  ck_kernel_t *dims = kernel("dims");
  ck_buffer_t *out;
  config.grid[0] = 8;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, sizeof want, stream, &out));
  CHECK_OK(ck_launch(stream, &config, dims, out));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(!memcmp(ck_buffer_host(out), want, sizeof want));
  ck_buffer_release(out);
  ck_memory_resource_release(pinned);
  ck_kernel_release(dims);
}

/* A captured launch is a node with its clusters. */
TEST(captured)
{
  ck_buffer_t *y = zeros(4 * MOST);
  ck_launch_config_t three = clusters_of(3);
  ck_graph_builder_t *builder;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  size_t count;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), &three, any, MOST, y));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *definition = ck_graph_builder_definition(builder);
  CHECK_OK(ck_graph_definition_get_nodes(definition, &node, 1, &count));
  ck_node_params_t seen = ck_node_empty();
  CHECK(count == 1);
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.config.cluster[0] == 3 && seen.of.kernel.config.cluster[1] == 1);
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(has_sums(y, MOST, 3));
  /* It can be changed like an added node. */
  const ck_arg_t args[] = {ck_u32(6), ck_whole(y)};
  ck_node_params_t six = ck_node_kernel(&three, any, args, 2);
  CHECK_OK(ck_graph_update_node(graph, node, &six));
  CHECK_OK(ck_buffer_fill(y, 0, 4 * MOST, 0, 1, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(has_sums(y, 6, 3) && read_i32(y, 6) == 0);
  ck_graph_release(graph);
  ck_graph_builder_release(builder);
  ck_buffer_release(y);
}

TEST(nodes)
{
  ck_buffer_t *y = zeros(4 * MOST);
  ck_launch_config_t three = clusters_of(3), four = clusters_of(4);
  const ck_arg_t args[] = {ck_u32(MOST), ck_whole(y)}, eight[] = {ck_u32(8), ck_whole(y)};
  ck_node_params_t params = ck_node_kernel(NULL, pairs, args, 2);
  ck_node_params_t in_threes = ck_node_kernel(&three, any, args, 2);
  ck_node_params_t in_fours = ck_node_kernel(&four, any, eight, 2);
  ck_node_params_t alone = ck_node_kernel(NULL, any, eight, 2);
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(has_sums(y, MOST, 2));
  /* In an executable graph the cluster size can't change. */
  CHECK_FAILS(ck_graph_update_node(graph, node, &in_threes), CK_UNSUPPORTED);
  CHECK_ERROR("cluster and cooperative stay as the definition has them");
  ck_graph_release(graph);
  /* In a definition it can, for any grid. */
  CHECK_OK(ck_graph_node_set_params(node, &in_threes));
  CHECK_OK(ck_graph_node_set_params(node, &in_fours));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(has_sums(y, 8, 4));
  ck_graph_release(graph);
  CHECK_OK(ck_graph_node_set_params(node, &alone));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(has_sums(y, 8, 1));
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
  ck_buffer_release(y);
}

/* Without clusters the kernels don't compile. */
static bool has_clusters(void)
{
  ck_device_t *chosen = NULL;
  int value = 0;
  if (ck_device_open_auto(&chosen) == CK_OK)
    ck_device_get_attribute(chosen, CK_DEVICE_CLUSTER_LAUNCH, &value);
  ck_device_release(chosen);
  return value;
}

int main(void)
{
  if (!has_clusters()) return 77;
  int missing = open_both(source);
  if (missing) return missing;
  pairs = kernel("pairs");
  any = kernel("any");
  run_all();
  ck_kernel_release(pairs);
  ck_kernel_release(any);
  return close_both();
}
