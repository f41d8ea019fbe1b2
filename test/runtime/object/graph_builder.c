/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_builder.c - tests graphs made by capture: the cases of cuda.core's test_graph_builder.py by
 * name, two of its examples, and more. On the host device or a GPU: $CK_DEVICE. */

#include "both.h"

static const char source[] =
    "kernel empty_kernel() launch(block = 1, grid = 1) {}\n"
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n"
    "kernel scale(n: u32, a: i32, x: inout i32[n]) launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = grid.thread_rank; if (i < n) x[i] = x[i] * a; }\n"
    "kernel sum_of(n: u64, a: in f32[n], b: in f32[n], c: out f32[n])\n"
    "    launch(block = 256, grid = ceil_div(n, 256))\n"
    "{ let i = grid.thread_rank; if (i < n) c[i] = a[i] + b[i]; }\n"
    "kernel product_of(n: u64, a: in f32[n], b: in f32[n], c: out f32[n])\n"
    "    launch(block = 256, grid = ceil_div(n, 256))\n"
    "{ let i = grid.thread_rank; if (i < n) c[i] = a[i] * b[i]; }\n"
    "kernel difference_of(n: u64, a: in f32[n], b: in f32[n], c: out f32[n])\n"
    "    launch(block = 256, grid = ceil_div(n, 256))\n"
    "{ let i = grid.thread_rank; if (i < n) c[i] = a[i] - b[i]; }\n";

/* Makes a builder and begins its capture. */
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
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
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
  CHECK(nodes == 6 && edges == 6); /* a diamond with two nodes on each side */
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
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  run_graph(graph);
  CHECK(read_i32(x, 0) == 1);
  for (int i = 0; i < 3; ++i) CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 4);
  /* The builder begins another capture; its first definition does not change. */
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  put(builder, add, x, 0);
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &again));
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
  CHECK_FAILS(ck_graph_builder_create_graph(builder, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the builder is not building");
  CHECK_FAILS(ck_graph_builder_begin(builder, (ck_capture_mode_t)3), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  CHECK_FAILS(ck_graph_builder_create_graph(builder, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_ERROR("still building");
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  run_graph(graph); /* an empty graph */
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
  CHECK_FAILS(ck_graph_builder_create_graph(right, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_begin(right, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  ck_graph_builder_release(right);
  ck_graph_release(finish(builder));
  ck_kernel_release(empty);
}

/* An unjoined fork: the capture ends with an error and leaves nothing behind. */
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

/* A call that can't be captured ends the capture; the stream is usable again. */
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

/* A stream that joins the capture through an event; copies and fills; the value of an argument. */
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

/* In the stream where the capture began, and in one that joined it. */
TEST(graph_keeps_what_a_copy_uses)
{
  for (int is_joined = 0; is_joined < 2; ++is_joined) {
    Called uses[2] = {{0, 0}, {0, 0}};
    ck_buffer_t *memory[2], *views[2];
    ck_graph_builder_t *builder = new_builder(), *side = NULL;
    for (int i = 0; i < 2; ++i) {
      memory[i] = zeros(16);
      CHECK_OK(ck_buffer_from_native(device, ck_buffer_native(memory[i]), 16, count_release,
                                     &uses[i], &views[i]));
    }
    CHECK_OK(ck_buffer_fill(memory[0], 0, 16, 7, 4, stream));
    if (is_joined) CHECK_OK(ck_graph_builder_split(builder, 1, &side));
    CHECK_OK(ck_buffer_copy(views[1], 0, views[0], 0, 16,
                            ck_graph_builder_stream(is_joined ? side : builder)));
    if (is_joined) CHECK_OK(ck_graph_builder_join(builder, &side, 1));
    ck_graph_builder_release(side);
    ck_graph_t *graph = finish(builder);
    for (int i = 0; i < 2; ++i) ck_buffer_release(views[i]);
    CHECK(uses[0].released == 0 && uses[1].released == 0);
    run_graph(graph);
    CHECK(read_i32(memory[1], 0) == 7 && read_i32(memory[1], 3) == 7);
    ck_graph_release(graph);
    for (int i = 0; i < 2; ++i) {
      CHECK(becomes_one(&uses[i].released));
      ck_buffer_release(memory[i]);
    }
  }
}

/* A captured event can't be queried; trying to invalidates the capture. */
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

/* Adds a node to a captured graph. */
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
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  run_graph(graph);
  run_graph(graph);
  CHECK(read_i32(x, 0) == 110);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
  ck_kernel_release(scale);
}

/* Launching a graph in a captured stream is refused and invalidates the capture. */
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

static size_t count_nodes(ck_graph_definition_t *definition)
{
  size_t count = 99;
  CHECK_OK(ck_graph_definition_get_nodes(definition, NULL, 0, &count));
  return count;
}

/* A definition outlives its builder. A builder whose capture failed has no definition to update
 * with. */
TEST(graph_update_after_source_close)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(8);
  ck_graph_builder_t *first = new_builder(), *second = new_builder(), *unjoined = new_builder();
  ck_graph_builder_t *fork;
  put(first, add, x, 0);
  ck_graph_t *graph = finish(first);
  put(second, add, x, 1);
  CHECK_OK(ck_graph_builder_end(second));
  ck_graph_definition_t *kept = ck_graph_definition_retain(ck_graph_builder_definition(second));
  ck_graph_builder_release(second);
  CHECK_OK(ck_graph_update(graph, kept));
  ck_graph_definition_release(kept);
  CHECK_OK(ck_graph_builder_split(unjoined, 1, &fork));
  put(fork, add, x, 0);
  CHECK_FAILS(ck_graph_builder_end(unjoined), CK_DRIVER);
  CHECK_FAILS(ck_graph_update(graph, ck_graph_builder_definition(unjoined)), CK_INVALID_ARGUMENT);
  ck_graph_builder_release(fork);
  ck_graph_builder_release(unjoined);
  run_graph(graph);
  CHECK(read_i32(x, 0) == 0 && read_i32(x, 1) == 1);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

TEST(graph_embed_non_builder)
{
  ck_graph_builder_t *builder = new_builder(), *fresh;
  CHECK_OK(ck_graph_builder_create(device, &fresh));
  CHECK_FAILS(ck_graph_builder_embed(builder, NULL), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_embed(builder, ck_graph_builder_definition(fresh)),
              CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_end(builder)); /* the capture is not affected */
  CHECK_FAILS(ck_graph_builder_embed(fresh, ck_graph_builder_definition(builder)),
              CK_INVALID_ARGUMENT);
  CHECK_ERROR("the builder is not building");
  ck_graph_builder_release(builder);
  ck_graph_builder_release(fresh);
}

TEST(graph_close_is_idempotent)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder = new_builder();
  put(builder, add, x, 0);
  ck_graph_t *graph = finish(builder);
  CHECK(ck_graph_retain(graph) == graph);
  ck_graph_release(graph);
  run_graph(graph); /* one reference is left */
  CHECK(read_i32(x, 0) == 1);
  ck_graph_release(graph);
  ck_graph_release(NULL);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* The definition outlives the builder, and is the same object until the builder begins again. */
TEST(graph_definition_after_end_building)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_builder_t *builder = new_builder();
  put(builder, empty, NULL, 0);
  put(builder, empty, NULL, 0);
  ck_graph_definition_t *during = ck_graph_builder_definition(builder);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_definition_t *d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  CHECK(d == during && count_nodes(d) == 2 && ck_graph_definition_device(d) == device);
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK(ck_graph_builder_definition(builder) != d && count_nodes(d) == 2);
  ck_graph_builder_release(builder);
  CHECK(count_nodes(d) == 2);
  ck_graph_definition_release(d);
  ck_kernel_release(empty);
}

/* During the capture a definition can be read and added to, and nothing else. */
TEST(graph_definition_during_capture)
{
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(8);
  ck_graph_builder_t *builder = new_builder();
  ck_graph_definition_t *d = ck_graph_builder_definition(builder);
  ck_graph_node_t *node;
  ck_graph_t *graph;
  size_t count;
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_definition_get_nodes(d, &node, 1, &count));
  CHECK(count == 1 && ck_graph_node_kind(node) == CK_NODE_KERNEL);
  CHECK_FAILS(ck_graph_create(d, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition is being captured");
  CHECK(graph == NULL);
  CHECK_FAILS(ck_graph_node_remove(node), CK_INVALID_ARGUMENT);
  const ck_arg_t args[] = {ck_span(x, 1, 1)};
  ck_node_params_t params = ck_node_kernel(NULL, add, args, 1);
  CHECK_OK(ck_graph_definition_add(d, &node, 1, &params, NULL));
  put(builder, add, x, 0);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK(count_nodes(d) == 3);
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  run_graph(graph);
  CHECK(read_i32(x, 0) == 2 && read_i32(x, 1) == 1);
  CHECK_OK(ck_graph_node_remove(node));
  CHECK(count_nodes(d) == 2);
  ck_graph_release(graph);
  /* Discarding a capture leaves the definition to those who retained it. */
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  ck_graph_release(graph);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* A fork's definition is that of the whole capture. */
TEST(graph_definition_of_a_fork)
{
  ck_kernel_t *empty = kernel("empty_kernel");
  ck_graph_builder_t *builder = new_builder(), *fork;
  put(builder, empty, NULL, 0);
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  put(fork, empty, NULL, 0);
  CHECK(ck_graph_builder_definition(fork) == ck_graph_builder_definition(builder));
  CHECK_OK(ck_graph_builder_join(builder, &fork, 1));
  ck_graph_t *graph;
  CHECK_FAILS(ck_graph_create(ck_graph_builder_definition(fork), NULL, &graph),
              CK_INVALID_ARGUMENT);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK(count_nodes(ck_graph_builder_definition(fork)) == 2);
  ck_graph_builder_release(fork);
  ck_graph_builder_release(builder);
  ck_kernel_release(empty);
}

TEST(graph_build_mode)
{
  const ck_capture_mode_t modes[] = {CK_CAPTURE_GLOBAL, CK_CAPTURE_THREAD_LOCAL,
                                     CK_CAPTURE_RELAXED};
  ck_kernel_t *add = kernel("add_one");
  ck_buffer_t *x = zeros(4);
  ck_graph_builder_t *builder;
  for (int m = 0; m < 3; ++m) {
    CHECK_OK(ck_graph_builder_create(device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, modes[m]));
    for (int i = 0; i < 3; ++i) put(builder, add, x, 0);
    ck_graph_t *graph = finish(builder);
    run_graph(graph);
    CHECK(read_i32(x, 0) == 3 * (m + 1));
    ck_graph_release(graph);
  }
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_FAILS(ck_graph_builder_begin(builder, (ck_capture_mode_t)-1), CK_INVALID_ARGUMENT);
  CHECK_ERROR("capture mode -1 is unknown");
  ck_graph_builder_release(builder);
  ck_buffer_release(x);
  ck_kernel_release(add);
}

/* cuda.core's example cuda_graphs.py: three kernels as a graph, then one by one. */
TEST(cuda_graphs)
{
  enum { N = 100000 };
  static const char *const names[3] = {"sum_of", "product_of", "difference_of"};
  static float in[3][N], got[3][N];
  ck_kernel_t *kernels[3];
  ck_buffer_t *inputs[3], *results[3];
  for (int k = 0; k < 3; ++k) {
    kernels[k] = kernel(names[k]);
    inputs[k] = zeros(sizeof in[k]);
    results[k] = zeros(sizeof got[k]);
    for (int i = 0; i < N; ++i) in[k][i] = (float)((i * 7919 + k * 104729) % 1000) / 1000;
    CHECK_OK(ck_buffer_write(inputs[k], 0, in[k], sizeof in[k], stream));
  }
  ck_graph_builder_t *builder;
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  for (int is_single = 0; is_single < 2; ++is_single) {
    if (!is_single) CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    CHECK_OK(ck_launch(stream, NULL, kernels[0], ck_u64(N), inputs[0], inputs[1], results[0]));
    CHECK_OK(ck_launch(stream, NULL, kernels[1], ck_u64(N), results[0], inputs[2], results[1]));
    CHECK_OK(ck_launch(stream, NULL, kernels[2], ck_u64(N), results[1], inputs[0], results[2]));
    if (!is_single) {
      graph = finish(builder);
      CHECK_OK(ck_graph_upload(graph, stream));
      run_graph(graph);
    }
    int wrong = 0;
    for (int k = 0; k < 3; ++k)
      CHECK_OK(ck_buffer_read(results[k], 0, got[k], sizeof got[k], stream));
    CHECK_OK(ck_stream_sync(stream));
    for (int i = 0; i < N; ++i) {
      float sum = in[0][i] + in[1][i], product = sum * in[2][i];
      wrong += got[0][i] != sum || got[1][i] != product || got[2][i] != product - in[0][i];
    }
    CHECK(wrong == 0);
    for (int k = 0; k < 3; ++k)
      CHECK_OK(ck_buffer_fill(results[k], 0, sizeof got[k], 0, 1, stream));
  }
  ck_graph_release(graph);
  for (int k = 0; k < 3; ++k) {
    ck_buffer_release(inputs[k]);
    ck_buffer_release(results[k]);
    ck_kernel_release(kernels[k]);
  }
}

typedef struct Progress {
  volatile int32_t *values;
  int32_t seen[2];
} Progress;

static void capture_progress(void *data)
{
  Progress *progress = data;
  for (int i = 0; i < 2; ++i) progress->seen[i] = progress->values[i];
  ++progress->values[1];
}

/* cuda.core's example host_launch.py: a host function between two kernels reads and changes their
 * data; directly, and captured. */
TEST(host_launch)
{
  ck_kernel_t *add = kernel("add_one");
  ck_memory_resource_t *pinned;
  ck_buffer_t *x;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, 8, stream, &x));
  Progress progress = {ck_buffer_host(x), {-1, -1}};
  ck_graph_builder_t *builder;
  CHECK_OK(ck_graph_builder_from_stream(stream, &builder));
  for (int is_captured = 0; is_captured < 2; ++is_captured) {
    progress.values[0] = progress.values[1] = 0;
    if (is_captured) CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    CHECK_OK(ck_launch(stream, NULL, add, ck_span(x, 0, 1)));
    CHECK_OK(ck_stream_launch_host(stream, capture_progress, &progress));
    CHECK_OK(ck_launch(stream, NULL, add, ck_span(x, 1, 1)));
    if (is_captured) {
      ck_graph_t *graph = finish(builder);
      CHECK(progress.values[0] == 0);
      run_graph(graph);
      ck_graph_release(graph);
    }
    CHECK_OK(ck_stream_sync(stream));
    CHECK(progress.seen[0] == 1 && progress.seen[1] == 0);
    CHECK(progress.values[0] == 1 && progress.values[1] == 2);
  }
  ck_buffer_release(x);
  ck_memory_resource_release(pinned);
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

static void nothing(void *data)
{
  (void)data;
}

static void *capture_long_chain(void *data)
{
  enum { COUNT = 20000 };
  ck_graph_builder_t *builder = new_builder();
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i)
    wrong += ck_stream_launch_host(ck_graph_builder_stream(builder), nothing, NULL) != CK_OK;
  CHECK(wrong == 0);
  ck_graph_release(finish(builder));
  return data;
}

/* A long capture does not overflow a small stack. */
TEST(long_capture)
{
  CHECK(run_on_small_stack(capture_long_chain));
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  run_all();
  return close_both();
}
