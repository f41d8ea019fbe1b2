/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_switch.c - tests fills of executable graphs that are disabled the way it is done on GPUs,
 * whose driver must not do it: on the host device taken for a GPU, and on the device that
 * $CK_DEVICE names. */
#include "fixture.h"

static Bench bench;
static ck_device_t *device; /* the library takes it for a GPU */
static ck_stream_t *stream;
static ck_buffer_t *x;

enum { WORDS = 16 };

static ck_graph_node_t *add(ck_graph_definition_t *d, ck_graph_node_t *after,
                            ck_node_params_t params)
{
  ck_graph_node_t *node = NULL;
  CHECK_OK(ck_graph_definition_add(d, after ? &after : NULL, after != NULL, &params, &node));
  return node;
}

static ck_node_params_t fill(size_t at, uint32_t value)
{
  return ck_node_fill(ck_at(x, 4 * at), value, 4, 1);
}

/* Whether a launch leaves these values at the start of the buffer. */
static bool gives(ck_graph_t *graph, uint32_t first, uint32_t second)
{
  uint32_t out[2] = {0};
  CHECK_OK(ck_buffer_fill(x, 0, 4 * WORDS, 0, 4, stream));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_read(x, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  if (out[0] != first || out[1] != second) printf("%u, %u\n", out[0], out[1]);
  return out[0] == first && out[1] == second;
}

static int enabled(ck_graph_t *graph, ck_graph_node_t *node)
{
  int is_enabled = -1;
  CHECK_OK(ck_graph_get_enabled(graph, node, &is_enabled));
  return is_enabled;
}

static ck_graph_t *created(ck_graph_definition_t *d)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  return graph;
}

/* Disabled, enabled, and changed in both states. */
TEST(fills_off_and_on)
{
  ck_graph_definition_t *d;
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_graph_node_t *first = add(d, NULL, fill(0, 1)), *second = add(d, first, fill(1, 2));
  add(d, second, ck_node_fill(ck_at(x, 8), 3, 4, 1));
  ck_graph_t *graph = created(d);
  ck_node_params_t changed = fill(1, 5);
  CHECK(gives(graph, 1, 2) && enabled(graph, second) == 1);
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_graph_set_enabled(graph, second, 0));
    CHECK(gives(graph, 1, 0) && enabled(graph, second) == 0 && enabled(graph, first) == 1);
  }
  CHECK_OK(ck_graph_update_node(graph, second, &changed));
  CHECK(gives(graph, 1, 0) && enabled(graph, second) == 0);
  CHECK_OK(ck_graph_set_enabled(graph, second, 1));
  CHECK(gives(graph, 1, 5) && enabled(graph, second) == 1);
  CHECK_OK(ck_graph_set_enabled(graph, second, 1));
  CHECK_OK(ck_graph_set_enabled(graph, second, 0));
  CHECK_OK(ck_graph_set_enabled(graph, first, 0));
  CHECK(gives(graph, 0, 0));
  ck_graph_release(graph);
  ck_graph_definition_release(d);
}

/* An update of the whole would enable the fill again; one from another definition makes its
 * parameters unknown. */
TEST(fills_off_and_updates)
{
  ck_graph_definition_t *d, *other;
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_create(device, &other));
  ck_graph_node_t *node = add(d, NULL, fill(0, 1));
  add(other, NULL, fill(0, 9));
  ck_graph_t *graph = created(d);
  ck_node_params_t changed = fill(0, 5);
  CHECK_OK(ck_graph_set_enabled(graph, node, 0));
  CHECK_STATUS(ck_graph_update(graph, d), CK_UNSUPPORTED);
  CHECK_ERROR("a fill is switched off, which the update would switch on");
  CHECK_OK(ck_graph_set_enabled(graph, node, 1));
  CHECK_OK(ck_graph_update(graph, other));
  CHECK(gives(graph, 9, 0));
  CHECK_STATUS(ck_graph_set_enabled(graph, node, 0), CK_UNSUPPORTED);
  CHECK_ERROR("ck_graph_update_node says first what it is");
  CHECK_OK(ck_graph_node_set_params(node, &changed));
  CHECK_OK(ck_graph_update(graph, d));
  CHECK_OK(ck_graph_set_enabled(graph, node, 0));
  CHECK(gives(graph, 0, 0));
  CHECK_OK(ck_graph_set_enabled(graph, node, 1));
  CHECK(gives(graph, 5, 0));
  CHECK_OK(ck_graph_node_set_params(node, &changed)); /* the graph's parameters are unknown now */
  CHECK_OK(ck_graph_set_enabled(graph, node, 0));     /* already known */
  ck_graph_release(graph);
  graph = created(d);
  CHECK_OK(ck_graph_node_set_params(node, &changed));
  CHECK_STATUS(ck_graph_set_enabled(graph, node, 0), CK_UNSUPPORTED);
  CHECK_OK(ck_graph_update_node(graph, node, &changed));
  CHECK_OK(ck_graph_set_enabled(graph, node, 0));
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_graph_definition_release(other);
}

/* Parameters of row fills can't be changed, so they can't be disabled. */
TEST(fills_of_rows)
{
  ck_graph_definition_t *d;
  ck_node_params_t rows = ck_node_fill(ck_at(x, 0), 7, 4, 1);
  rows.of.fill.rows = 2;
  rows.of.fill.pitch = 4;
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_graph_node_t *node = add(d, NULL, rows), *other = add(d, node, fill(0, 1));
  ck_graph_t *graph = created(d);
  CHECK_STATUS(ck_graph_set_enabled(graph, node, 0), CK_UNSUPPORTED);
  CHECK_ERROR("a fill of 2 rows can't be off");
  CHECK_OK(ck_graph_set_enabled(graph, node, 1));
  CHECK(gives(graph, 1, 7) && enabled(graph, node) == 1);
  CHECK_OK(ck_graph_set_enabled(graph, other, 0));
  CHECK_STATUS(ck_graph_update_node(graph, other, &rows), CK_UNSUPPORTED);
  CHECK(gives(graph, 7, 7) && enabled(graph, other) == 0);
  CHECK_OK(ck_graph_set_enabled(graph, other, 1));
  CHECK(gives(graph, 1, 7));
  ck_graph_release(graph);
  ck_graph_definition_release(d);
}

/* The same in a child, whose nodes correspond to those of another child after an update. */
TEST(fills_in_children)
{
  ck_graph_definition_t *d, *child, *inner = NULL;
  ck_graph_node_t *in = NULL;
  size_t count = 0;
  CHECK_OK(ck_graph_definition_create(device, &d));
  CHECK_OK(ck_graph_definition_create(device, &child));
  add(child, add(child, NULL, fill(0, 1)), fill(1, 2));
  ck_graph_node_t *node = add(d, NULL, ck_node_child(child));
  ck_node_params_t params = ck_node_child(child), changed = fill(0, 4);
  ck_graph_t *graph = created(d);
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  CHECK_OK(ck_graph_definition_get_nodes(inner, &in, 1, &count));
  CHECK_OK(ck_graph_set_enabled(graph, in, 0));
  CHECK(gives(graph, 0, 2) && enabled(graph, in) == 0);
  CHECK_STATUS(ck_graph_update_node(graph, node, &params), CK_UNSUPPORTED);
  CHECK_OK(ck_graph_set_enabled(graph, in, 1));
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  CHECK(gives(graph, 1, 2));
  /* It belongs to another child. */
  CHECK_STATUS(ck_graph_set_enabled(graph, in, 0), CK_UNSUPPORTED);
  CHECK_OK(ck_graph_update_node(graph, in, &changed));
  CHECK_OK(ck_graph_set_enabled(graph, in, 0));
  CHECK(gives(graph, 0, 2));
  ck_graph_release(graph);
  ck_graph_definition_release(child);
  ck_graph_definition_release(d);
}

/* A strict capture forbids allocations, except internal ones. */
TEST(fills_off_in_captures)
{
  ck_graph_definition_t *d;
  ck_graph_builder_t *builder;
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_graph_node_t *node = add(d, NULL, fill(0, 1));
  ck_graph_t *graph = created(d);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  CHECK_OK(ck_graph_set_enabled(graph, node, 0));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
  CHECK(gives(graph, 0, 0));
  ck_graph_release(graph);
  ck_graph_definition_release(d);
}

static atomic_bool is_open, gave_up;

static void wait_at_gate(void *data)
{
  (void)data;
  for (int i = 0; i < 2000 && !atomic_load(&is_open); ++i)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  if (!atomic_load(&is_open)) atomic_store(&gave_up, true);
}

/* Releases don't wait for unrelated work. */
TEST(releases_do_not_wait)
{
  ck_graph_definition_t *d;
  ck_stream_t *beside;
  CHECK_OK(ck_stream_create(device, NULL, &beside));
  CHECK_OK(ck_graph_definition_create(device, &d));
  ck_graph_node_t *node = add(d, NULL, fill(0, 1));
  ck_graph_t *graph = created(d);
  CHECK_OK(ck_graph_set_enabled(graph, node, 0));
  CHECK(gives(graph, 0, 0));
  atomic_store(&is_open, false);
  CHECK_OK(ck_stream_launch_host(beside, wait_at_gate, NULL));
  ck_graph_release(graph);
  atomic_store(&is_open, true);
  CHECK_OK(ck_stream_sync(beside));
  CHECK(!gave_up);
  ck_stream_release(beside);
  ck_graph_definition_release(d);
}

static void run_in_order(void)
{
  RUN(fills_off_in_captures); /* first, since later ones reuse the scratch memory */
  RUN(fills_off_and_on);
  RUN(fills_off_and_updates);
  RUN(fills_of_rows);
  RUN(fills_in_children);
  RUN(releases_do_not_wait);
}

int main(void)
{
  bench_open_any(&bench);
  bool is_host = ck_device_is_host(bench.device);
  CHECK_OK(
      device_open(driver_of_gpu(bench.device->driver), ck_device_ordinal(bench.device), &device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  ck_memory_resource_t *pinned;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  for (int i = 0; i < 2; ++i) { /* device memory, and page-locked memory */
    CHECK_OK(i ? ck_memory_resource_create_buffer(pinned, 4 * WORDS, stream, &x)
               : ck_buffer_create(device, 4 * WORDS, stream, &x));
    run_in_order();
    ck_buffer_release(x);
  }
  ck_memory_resource_release(pinned);
  ck_stream_release(stream);
  ck_device_release(device);
  bench_close(&bench);
  if (is_host) CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
