/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_builder.c - graphs by capture: the cases of cuda.core's test_graph_builder.py by name, and
 * more. On the host device or a GPU: $CK_DEVICE. */
#include "both.h"

static const char source[] =
    "kernel empty_kernel() launch(block = 1, grid = 1) {}\n"
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n"
    "kernel scale(n: u32, a: i32, x: inout i32[n]) launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = grid.thread_rank; if (i < n) x[i] = x[i] * a; }\n";

/* A builder that is building. */
static ck_graph_builder_t *new_builder(void)
{
  ck_graph_builder_t *builder = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  return builder;
}

static void put(ck_graph_builder_t *builder, ck_kernel_t *what, ck_buffer_t *buffer, size_t index)
{
  ck_stream_t *to = ck_graph_builder_stream(builder);
  if (buffer) CHECK_OK(ck_launch(to, NULL, what, ck_span(buffer, index, 1)));
  else CHECK_OK(ck_launch(to, NULL, what));
}

/* Ends, completes and releases a builder. */
static ck_graph_t *finish(ck_graph_builder_t *builder)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  return graph;
}

static void run_graph(ck_graph_t *graph)
{
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
}

TEST(graph_is_building)
{
  ck_graph_builder_t *builder;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK(!ck_graph_builder_is_building(builder));
  CHECK(ck_graph_builder_definition(builder) == NULL);
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK(ck_graph_builder_is_building(builder));
  CHECK(ck_graph_builder_definition(builder) != NULL);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK(!ck_graph_builder_is_building(builder));
  CHECK(ck_graph_builder_device(builder) == device);
  ck_graph_builder_release(builder);
}

TEST(graph_straight)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder = new_builder();
  for (int i = 0; i < 3; ++i) put(builder, add, x, 0);
  ck_graph_t *graph = finish(builder);
  CHECK(read_i32(x, 0) == 0); /* nothing has run yet */
  CHECK_OK(ck_graph_upload(graph, stream));
  run_graph(graph);
  CHECK(read_i32(x, 0) == 3);
  CHECK(ck_graph_device(graph) == device && ck_graph_native(graph));
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(graph_fork_join)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(16);
  ck_graph_builder_t *builder = new_builder(), *right;
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_builder_split(builder, 1, &right));
  put(builder, add, x, 1);
  put(builder, add, x, 1);
  put(right, add, x, 2);
  put(right, add, x, 2);
  CHECK_OK(ck_graph_builder_join(builder, &right, 1));
  put(builder, add, x, 0);
  size_t nodes, edges;
  ck_graph_builder_release(right);
  ck_graph_definition_t *definition =
      ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_t *graph = finish(builder);
  CHECK_OK(ck_graph_definition_get_nodes(definition, NULL, 0, &nodes));
  CHECK_OK(ck_graph_definition_get_edges(definition, NULL, NULL, 0, &edges));
  CHECK(nodes == 6 && edges == 6); /* a diamond whose sides have two nodes */
  run_graph(graph);
  CHECK(read_i32(x, 0) == 2 && read_i32(x, 1) == 2 && read_i32(x, 2) == 2 && read_i32(x, 3) == 0);
  ck_graph_definition_release(definition);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(graph_is_join_required)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_builder_t *builder = new_builder(), *first[2], *second[2];
  CHECK(!ck_graph_builder_is_join_required(builder));
  put(builder, empty, NULL, 0);
  CHECK_OK(ck_graph_builder_split(builder, 2, first));
  CHECK(ck_graph_builder_is_join_required(first[0]) && ck_graph_builder_is_join_required(first[1]));
  CHECK_OK(ck_graph_builder_split(first[1], 2, second));
  for (int i = 0; i < 2; ++i) {
    put(first[i], empty, NULL, 0);
    put(second[i], empty, NULL, 0);
  }
  CHECK_FAILS(ck_graph_builder_end(second[0]), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the builder is a fork");
  CHECK_OK(ck_graph_builder_join(first[1], second, 2));
  CHECK(ck_graph_builder_is_join_required(first[1]));
  CHECK_OK(ck_graph_builder_join(builder, first, 2));
  CHECK(!ck_graph_builder_is_join_required(first[1]));
  CHECK_FAILS(ck_graph_builder_join(builder, first, 1), CK_INVALID_ARGUMENT);
  put(builder, empty, NULL, 0);
  for (int i = 0; i < 2; ++i) {
    ck_graph_builder_release(first[i]);
    ck_graph_builder_release(second[i]);
  }
  ck_graph_release(finish(builder));
  ck_kernel_release(empty);
}

TEST(graph_repeat_capture)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder;
  ck_graph_t *graph, *again;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  run_graph(graph);
  CHECK(read_i32(x, 0) == 1);
  for (int i = 0; i < 3; ++i) CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 4);
  /* The builder begins anew; what it made stays as it is. */
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  put(builder, add, x, 0);
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &again));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_graph_launch(again, stream));
  CHECK(read_i32(x, 0) == 7);
  ck_graph_release(graph);
  ck_graph_release(again);
  ck_graph_builder_release(builder);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(graph_capture_errors)
{
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_FAILS(ck_graph_builder_complete(builder, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the builder is not building");
  CHECK_FAILS(ck_graph_builder_begin(builder, (ck_capture_mode_t)3), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  CHECK_FAILS(ck_graph_builder_complete(builder, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_ERROR("still building");
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  run_graph(graph); /* of nothing */
  ck_graph_release(graph);
  ck_graph_builder_release(builder);
  ck_stream_t *standard;
  CHECK_OK(ck_stream_open_default(device, &standard));
  CHECK_FAILS(ck_graph_builder_from_stream(standard, &builder), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a default stream can't be captured");
  ck_stream_release(standard);
}

TEST(graph_begin_building_twice)
{
  ck_graph_builder_t *builder = new_builder();
  CHECK_FAILS(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  CHECK_ERROR("building already");
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
}

TEST(graph_split_requires_building)
{
  ck_graph_builder_t *builder, *fork;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_FAILS(ck_graph_builder_split(builder, 1, &fork), CK_INVALID_ARGUMENT);
  CHECK(fork == NULL);
  ck_graph_builder_release(builder);
}

TEST(graph_complete_after_close_forked)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_builder_t *builder = new_builder(), *right;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_split(builder, 1, &right));
  put(right, empty, NULL, 0);
  CHECK_OK(ck_graph_builder_join(builder, &right, 1));
  CHECK_FAILS(ck_graph_builder_complete(right, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_begin(right, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  ck_graph_builder_release(right);
  ck_graph_release(finish(builder));
  ck_kernel_release(empty);
}

/* A fork that is not joined: the capture can't end, and leaves nothing behind. */
TEST(graph_unjoined)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_builder_t *builder = new_builder(), *right;
  put(builder, empty, NULL, 0);
  CHECK_OK(ck_graph_builder_split(builder, 1, &right));
  put(right, empty, NULL, 0);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_UNJOINED");
  CHECK(ck_graph_builder_definition(builder) == NULL && !ck_graph_builder_is_building(builder));
  ck_graph_builder_release(right);
  ck_graph_builder_release(builder);
  ck_kernel_release(empty);
}

/* A call that can't be captured ends the capture; the stream is as new. */
TEST(graph_invalidated)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_builder_t *builder;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  put(builder, empty, NULL, 0);
  CHECK_FAILS(ck_stream_sync(stream), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
  CHECK_OK(ck_launch(stream, NULL, empty));
  CHECK_OK(ck_stream_sync(stream));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  put(builder, empty, NULL, 0);
  ck_graph_release(finish(builder));
  ck_kernel_release(empty);
}

TEST(graph_gc_mid_capture)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  put(builder, add, x, 0);
  ck_graph_builder_release(builder);
  CHECK_OK(ck_launch(stream, NULL, add, x));
  CHECK(read_i32(x, 0) == 1);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

typedef struct Called {
  int count, released;
} Called;

static void count_call(void *data)
{
  ++((Called *)data)->count;
}

static void count_release(void *data)
{
  ++((Called *)data)->released;
}

TEST(graph_capture_callback)
{
  Called called = {0, 0};
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_FAILS(ck_graph_builder_launch_host(builder, count_call, &called, NULL),
              CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_launch_host(builder, count_call, &called, count_release));
  CHECK_OK(ck_stream_launch_host(ck_graph_builder_stream(builder), count_call, &called));
  graph = finish(builder);
  CHECK(called.count == 0 && called.released == 0);
  run_graph(graph);
  run_graph(graph);
  CHECK(called.count == 4 && called.released == 0);
  ck_graph_release(graph);
  CHECK(becomes_one(&called.released));
}

TEST(graph_child_graph)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(8);
  ck_graph_builder_t *child = new_builder(), *parent;
  for (int i = 0; i < 3; ++i) put(child, add, x, 1);
  CHECK_OK(ck_graph_builder_end(child));
  parent = new_builder();
  put(parent, add, x, 0);
  CHECK_OK(ck_graph_builder_embed(parent, ck_graph_builder_definition(child)));
  put(parent, add, x, 0);
  CHECK_FAILS(ck_graph_builder_embed(parent, ck_graph_builder_definition(parent)),
              CK_INVALID_ARGUMENT);
  CHECK_ERROR("can't be a node of itself");
  ck_graph_builder_release(child); /* the parent has a copy */
  ck_graph_t *graph = finish(parent);
  CHECK(read_i32(x, 0) == 0 && read_i32(x, 1) == 0);
  run_graph(graph);
  CHECK(read_i32(x, 0) == 2 && read_i32(x, 1) == 3);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(graph_stream_lifetime)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_stream_t *own;
  ck_graph_builder_t *builder = new_builder();
  put(builder, empty, NULL, 0);
  ck_graph_release(finish(builder));
  CHECK_OK(ck_stream_create(device, NULL, &own));
  CHECK_OK(ck_graph_builder_from_stream(own, &builder));
  CHECK(ck_graph_builder_stream(builder) == own);
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_THREAD_LOCAL));
  put(builder, empty, NULL, 0);
  ck_graph_release(finish(builder));
  CHECK_OK(ck_launch(own, NULL, empty));
  CHECK_OK(ck_stream_sync(own));
  ck_stream_release(own);
  ck_kernel_release(empty);
}

/* A stream that joins the capture by an event of its own, copies and fills, an argument's value. */
TEST(graph_captures_all_that_a_stream_takes)
{
  enum { N = 100 };
  ck_kernel_t *scale = kernel("scale");
  ck_buffer_t *x = zeros(4 * N), *y = zeros(4 * N);
  ck_stream_t *side;
  ck_event_t *fork, *join;
  int32_t out[N], one[N];
  for (int i = 0; i < N; ++i) one[i] = i;
  CHECK_OK(ck_stream_create(device, NULL, &side));
  CHECK_OK(ck_event_create(device, NULL, &fork));
  CHECK_OK(ck_event_create(device, NULL, &join));
  ck_graph_builder_t *builder = new_builder();
  ck_stream_t *main = ck_graph_builder_stream(builder);
  CHECK_OK(ck_buffer_write(x, 0, one, sizeof one, main));
  CHECK_OK(ck_stream_record(main, fork));
  CHECK_OK(ck_stream_wait(side, fork));
  CHECK_OK(ck_launch(side, NULL, scale, N, 3, x));
  CHECK_OK(ck_buffer_copy(y, 0, x, 0, 4 * N, side));
  CHECK_OK(ck_stream_record(side, join));
  CHECK_OK(ck_stream_wait(main, join));
  CHECK_OK(ck_buffer_fill(y, 0, 8, 7, 4, main));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, main));
  ck_graph_t *graph = finish(builder);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_kernel_release(scale);
  ck_event_release(fork);
  ck_event_release(join);
  for (int round = 0; round < 2; ++round) {
    memset(out, 0, sizeof out);
    run_graph(graph);
    CHECK(out[0] == 7 && out[1] == 7);
    int wrong = 0;
    for (int i = 2; i < N; ++i) wrong += out[i] != 3 * i;
    CHECK(wrong == 0);
  }
  CHECK_OK(ck_stream_sync(side)); /* it is a plain stream again */
  ck_stream_release(side);
  ck_graph_release(graph);
}

/* An event that is captured has no place in time; asking for it ends the capture. */
TEST(captured_event)
{
  ck_graph_builder_t *builder = new_builder();
  ck_event_t *event;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_stream_record(ck_graph_builder_stream(builder), event));
  CHECK_FAILS(ck_event_query(event), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_CAPTURED_EVENT");
  ck_graph_builder_release(builder);
  ck_event_release(event);
}

/* A captured graph, edited: a node behind the last one. */
TEST(hybrid_capture_then_edit)
{
  ck_kernel_t *add = kernel("add_one"), *scale = kernel("scale");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder = new_builder();
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *definition = ck_graph_builder_definition(builder);
  ck_graph_node_t *node;
  size_t count;
  CHECK_OK(ck_graph_definition_get_nodes(definition, &node, 1, &count));
  CHECK(count == 1 && ck_graph_node_kind(node) == CK_NODE_KERNEL);
  ck_node_params_t seen = ck_node_empty();
  CHECK_OK(ck_graph_node_get_params(node, &seen));
  CHECK(seen.of.kernel.kernel == add && seen.of.kernel.config.grid[0] == 1);
  const ck_arg_t args[] = {ck_u32(1), ck_i32(10), ck_whole(x)};
  ck_node_params_t params = ck_node_kernel(NULL, scale, args, 3);
  CHECK_OK(ck_graph_definition_add(definition, &node, 1, &params, NULL));
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  run_graph(graph);
  run_graph(graph);
  CHECK(read_i32(x, 0) == 110);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
  ck_kernel_release(scale);
}

/* A stream that is captured takes no launch of a graph, and its capture has failed. */
TEST(graph_in_graph)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder = new_builder();
  put(builder, add, x, 0);
  ck_graph_t *inner = finish(builder);
  builder = new_builder();
  CHECK(ck_graph_launch(inner, ck_graph_builder_stream(builder)) == CK_DRIVER);
  CHECK(ck_graph_builder_end(builder) != CK_OK);
  ck_graph_builder_release(builder);
  run_graph(inner);
  CHECK(read_i32(x, 0) == 1);
  ck_graph_release(inner);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(wrong_arguments)
{
  ck_graph_builder_t *builder = new_builder();
  ck_graph_builder_t *fork[1] = {builder};
  uint64_t condition;
  CHECK_FAILS(ck_graph_builder_join(builder, fork, 1), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_create(NULL, &builder), CK_INVALID_ARGUMENT);
  CHECK(builder == NULL);
  CHECK_FAILS(ck_graph_builder_begin(NULL, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_create_condition(NULL, NULL, &condition), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_launch(NULL, stream), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_end(fork[0]));
  CHECK_FAILS(ck_graph_builder_create_condition(fork[0], NULL, &condition), CK_INVALID_ARGUMENT);
  ck_graph_builder_release(fork[0]);
  ck_graph_builder_release(NULL);
  ck_graph_release(NULL);
  ck_graph_definition_release(NULL);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  RUN(graph_is_building);
  RUN(graph_straight);
  RUN(graph_fork_join);
  RUN(graph_is_join_required);
  RUN(graph_repeat_capture);
  RUN(graph_capture_errors);
  RUN(graph_begin_building_twice);
  RUN(graph_split_requires_building);
  RUN(graph_complete_after_close_forked);
  RUN(graph_unjoined);
  RUN(graph_invalidated);
  RUN(graph_gc_mid_capture);
  RUN(graph_capture_callback);
  RUN(graph_child_graph);
  RUN(graph_stream_lifetime);
  RUN(graph_captures_all_that_a_stream_takes);
  RUN(captured_event);
  RUN(hybrid_capture_then_edit);
  RUN(graph_in_graph);
  RUN(wrong_arguments);
  return close_both();
}
