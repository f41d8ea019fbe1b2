/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_lifetime.c - what a graph uses lives as long as any launch of it: ck/graph.h's contract,
 * and the cases of cuda.core's test_graph_definition_lifetime.py. Memory is watched through the
 * release function of adopted buffers. On the host device or a GPU: $CK_DEVICE. */
#include <stdatomic.h>
#include <time.h>

#include "both.h"

static const char source[] =
    "kernel add(a: i32, x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + a; }\n"
    "kernel set(c: u64, v: u32) launch(block = 1, grid = 1) { set_condition(c, v); }\n";

/* Memory that says when nobody holds it any more. */
typedef struct Watched {
  ck_buffer_t *memory, *buffer; /* the buffer is a view that is released by hand */
  int released;
} Watched;

static void on_release(void *data)
{
  ++((Watched *)data)->released;
}

/* A view of `memory`, which is given away. */
static void watch(Watched *watched, ck_buffer_t *memory)
{
  *watched = (Watched){.memory = memory};
  CHECK_OK(ck_buffer_from_native(device, ck_buffer_native(watched->memory), 16, on_release, watched,
                                 &watched->buffer));
}

static void open_watched(Watched *watched)
{
  watch(watched, zeros(16));
}

/* Memory operations of a GPU don't reach a pool's memory. */
static void open_pinned(Watched *watched)
{
  ck_memory_resource_t *pinned = NULL;
  ck_buffer_t *memory = NULL;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_buffer_create_from(pinned, 16, stream, &memory));
  ck_memory_resource_release(pinned);
  watch(watched, memory);
}

/* The caller's reference. */
static void let_go(Watched *watched)
{
  ck_buffer_release(watched->buffer);
  CHECK(watched->released == 0); /* somebody else has one */
}

static void close_watched(Watched *watched)
{
  CHECK(becomes_one(&watched->released));
  ck_buffer_release(watched->memory);
}

static void release_definition(ck_graph_definition_t **d)
{
  ck_graph_definition_release(*d);
  *d = NULL;
}

static ck_graph_definition_t *new_definition(void)
{
  ck_graph_definition_t *d = NULL;
  CHECK_OK(ck_graph_definition_create(device, &d));
  return d;
}

/* A gate: a stream waits here until it is opened. Under initcheck none is ever closed: the tool
 * ends no launch of a graph before its stream is through. */
static atomic_int is_open;

static bool has_gates(void)
{
  const char *tool = getenv("CK_SANITIZER");
  return !tool || strcmp(tool, "initcheck") != 0;
}

static void wait_at_gate(void *data)
{
  (void)data;
  while (!atomic_load(&is_open)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void close_gate(void)
{
  atomic_store(&is_open, !has_gates());
  CHECK_OK(ck_stream_launch_host(stream, wait_at_gate, NULL));
}

static void open_gate(void)
{
  atomic_store(&is_open, 1);
}

/* The order that matters: definition, graph, launch under way. Each is let go of in turn. Without a
 * gate the launch may end before the graph is released: of a graph that has conditions, the driver
 * waits there. */
static void check_chain(ck_graph_definition_t *d, Watched *watched, bool is_gated)
{
  ck_graph_t *graph = NULL;
  let_go(watched);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  CHECK(watched->released == 0);
  if (is_gated) close_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  ck_graph_release(graph);
  if (is_gated) {
    CHECK(watched->released == 0 || !has_gates()); /* the launch has it */
    open_gate();
  }
  CHECK_OK(ck_stream_sync(stream));
  close_watched(watched);
}

TEST(captured_buffer_survives)
{
  Watched watched;
  ck_kernel_t *add = kernel("add");
  ck_graph_builder_t *builder;
  open_watched(&watched);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(
      ck_launch(ck_graph_builder_stream(builder), NULL, add, 5, ck_span(watched.buffer, 0, 1)));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  ck_kernel_release(add); /* the graph keeps the kernel and its code too */
  check_chain(d, &watched, true);
}

/* Each kind of node that can hold a buffer. */
TEST(node_buffers_survive)
{
  for (int kind = 0; kind < 6; ++kind) {
    Watched watched;
    ck_kernel_t *add = kernel("add");
    ck_graph_definition_t *d = new_definition(), *child = new_definition();
    ck_buffer_t *other = zeros(16);
    if (kind == 5) open_pinned(&watched);
    else open_watched(&watched);
    const ck_arg_t args[] = {ck_i32(5), ck_span(watched.buffer, 0, 1)};
    const ck_memory_op_t op = {CK_MEMORY_OP_WRITE_32, CK_MEMORY_AT_LEAST, ck_at(watched.buffer, 0),
                               1};
    ck_node_params_t params[] = {ck_node_kernel(NULL, add, args, 2),
                                 ck_node_copy(ck_at(watched.buffer, 0), ck_at(other, 0), 4),
                                 ck_node_copy(ck_at(other, 0), ck_at(watched.buffer, 0), 4),
                                 ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1),
                                 ck_node_child(child),
                                 ck_node_memory_ops(&op, 1)};
    if (kind == 4) CHECK_OK(ck_graph_definition_add(child, NULL, 0, &params[0], NULL));
    ck_status_t status = ck_graph_definition_add(d, NULL, 0, &params[kind], NULL);
    if (kind != 5 || status == CK_OK) CHECK(status == CK_OK);
    else { /* the driver has no memory operations in graphs */
      params[3] = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1);
      CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params[3], NULL));
    }
    ck_graph_definition_release(child);
    ck_kernel_release(add);
    ck_buffer_release(other);
    check_chain(d, &watched, true);
  }
}

/* Host data is given back by its release function, not before the last launch. */
TEST(callback_data_survives)
{
  Watched watched = {NULL, NULL, 0};
  ck_graph_definition_t *d = new_definition();
  ck_graph_t *graph;
  ck_node_params_t params = ck_node_host(wait_at_gate, &watched, on_release);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  atomic_store(&is_open, !has_gates());
  CHECK_OK(ck_graph_launch(graph, stream));
  ck_graph_release(graph);
  CHECK(watched.released == 0 || !has_gates());
  open_gate();
  CHECK_OK(ck_stream_sync(stream));
  CHECK(becomes_one(&watched.released));
}

TEST(failed_add_keeps_nothing)
{
  Watched watched;
  ck_graph_definition_t *d = new_definition();
  ck_kernel_t *add = kernel("add");
  open_watched(&watched);
  const ck_arg_t args[] = {ck_span(watched.buffer, 0, 1), ck_span(watched.buffer, 0, 1)};
  ck_node_params_t wrong = ck_node_kernel(NULL, add, args, 2);
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &wrong, NULL), CK_INVALID_ARGUMENT);
  ck_node_params_t copy = ck_node_copy(ck_at(watched.buffer, 0), ck_at(watched.memory, 8), 16);
  CHECK_FAILS(ck_graph_definition_add(d, NULL, 0, &copy, NULL), CK_INVALID_ARGUMENT);
  ck_buffer_release(watched.buffer);
  close_watched(&watched);
  ck_kernel_release(add);
  release_definition(&d);
}

/* Node by node: changed and destroyed nodes give back what they had, the definition living on. */
TEST(changed_and_destroyed_nodes_let_go)
{
  Watched first, second;
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  open_watched(&first);
  open_watched(&second);
  ck_node_params_t params = ck_node_fill(ck_at(first.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  let_go(&first);
  params = ck_node_fill(ck_at(second.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_node_set_params(node, &params));
  close_watched(&first);
  let_go(&second);
  CHECK_OK(ck_graph_node_destroy(node));
  close_watched(&second);
  release_definition(&d);
}

/* A changed node of an executable graph: the old and the new for as long as launches need them. */
TEST(updated_node_survives)
{
  Watched first, second, third;
  ck_graph_definition_t *d = new_definition();
  ck_graph_node_t *node;
  ck_graph_t *graph;
  open_watched(&first);
  open_watched(&second);
  open_watched(&third);
  ck_node_params_t params = ck_node_fill(ck_at(first.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  params = ck_node_fill(ck_at(second.buffer, 0), 2, 4, 1);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  let_go(&first); /* of the definition */
  let_go(&second);
  close_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  params = ck_node_fill(ck_at(third.buffer, 0), 3, 4, 1);
  CHECK_OK(ck_graph_update_node(graph, node, &params));
  let_go(&third);
  CHECK(second.released == 0 || !has_gates()); /* the launch under way has it */
  open_gate();
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(second.memory, 0) == 2 && read_i32(third.memory, 0) == 3);
  release_definition(&d);
  ck_graph_release(graph);
  close_watched(&first);
  close_watched(&second);
  close_watched(&third);
}

/* An update of the whole brings the other definition's references along. */
TEST(updated_graph_survives)
{
  Watched first, second;
  ck_graph_definition_t *d = new_definition(), *other = new_definition();
  ck_graph_t *graph;
  open_watched(&first);
  open_watched(&second);
  ck_node_params_t params = ck_node_fill(ck_at(first.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  params = ck_node_fill(ck_at(second.buffer, 0), 2, 4, 1);
  CHECK_OK(ck_graph_definition_add(other, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  let_go(&first);
  let_go(&second);
  CHECK_OK(ck_graph_update(graph, other));
  release_definition(&other);
  CHECK(second.released == 0);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(second.memory, 0) == 2);
  release_definition(&d);
  ck_graph_release(graph);
  close_watched(&first);
  close_watched(&second);
}

/* What the body of a condition uses, and a definition that was put into a capture. */
TEST(inner_graphs_survive)
{
  Watched watched;
  ck_kernel_t *add = kernel("add"), *set = kernel("set");
  ck_graph_builder_t *builder, *body;
  uint64_t condition;
  uint32_t one = 1;
  open_watched(&watched);
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_create_condition(builder, &one, &condition));
  CHECK_OK(ck_graph_builder_if_then(builder, condition, &body));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(body), NULL, add, 5, ck_span(watched.buffer, 0, 1)));
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(body);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  check_chain(d, &watched, false);

  open_watched(&watched);
  d = new_definition();
  ck_node_params_t params = ck_node_fill(ck_at(watched.buffer, 0), 1, 4, 1);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_embed(builder, d));
  release_definition(&d);
  CHECK_OK(ck_graph_builder_end(builder));
  d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  check_chain(d, &watched, true);
  ck_kernel_release(add);
  ck_kernel_release(set);
}

/* A capture that is given up, or can't end, lets go of everything at once. */
TEST(abandoned_capture_lets_go)
{
  for (int round = 0; round < 2; ++round) {
    Watched watched;
    ck_kernel_t *add = kernel("add");
    ck_graph_builder_t *builder;
    open_watched(&watched);
    CHECK_OK(ck_graph_builder_create(device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    CHECK_OK(
        ck_launch(ck_graph_builder_stream(builder), NULL, add, 5, ck_span(watched.buffer, 0, 1)));
    let_go(&watched);
    if (round) {
      CHECK_FAILS(ck_stream_query(ck_graph_builder_stream(builder)), CK_DRIVER);
      CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
    }
    ck_graph_builder_release(builder);
    close_watched(&watched);
    ck_kernel_release(add);
  }
}

/* A pool's buffer that is released while its stream is captured goes with the capture. */
TEST(pool_buffer_released_in_capture)
{
  ck_graph_builder_t *builder;
  ck_buffer_t *buffer = zeros(64);
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_buffer_release(buffer);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_graph_release(graph);
}

/* An inner definition holds on to the whole; a graph to its definition. */
TEST(children_hold_parents)
{
  ck_graph_definition_t *d = new_definition(), *child = new_definition(), *inner;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  size_t count;
  ck_node_params_t params = ck_node_empty();
  CHECK_OK(ck_graph_definition_add(child, NULL, 0, &params, NULL));
  params = ck_node_child(child);
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &inner));
  ck_graph_definition_retain(inner);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  ck_graph_definition_release(child);
  CHECK_OK(ck_graph_definition_get_nodes(inner, &node, 1, &count));
  CHECK(count == 1 && ck_graph_node_kind(node) == CK_NODE_EMPTY);
  ck_graph_t *part;
  CHECK_FAILS(ck_graph_create(inner, NULL, &part), CK_INVALID_ARGUMENT);
  CHECK(part == NULL);
  ck_graph_definition_release(inner);
  ck_graph_release(graph);
}

int main(void)
{
  /* A kernel that is loaded late waits for the whole device, which a test here holds up. */
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  int missing = open_both(source);
  if (missing) return missing;
  RUN(captured_buffer_survives);
  RUN(node_buffers_survive);
  RUN(callback_data_survives);
  RUN(failed_add_keeps_nothing);
  RUN(changed_and_destroyed_nodes_let_go);
  RUN(updated_node_survives);
  RUN(updated_graph_survives);
  RUN(inner_graphs_survive);
  RUN(abandoned_capture_lets_go);
  RUN(pool_buffer_released_in_capture);
  RUN(children_hold_parents);
  return close_both();
}
