/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_capture.c - tests captures that fail or end late: on another thread, discarded, of a fork
 * whose capture has ended; streams and events that are made and released during a capture; and what
 * each of them retains. On the host device or a GPU: $CK_DEVICE. */
#include <pthread.h>
#include <stdint.h>

#include "both.h"
#include "watched.h"

static ck_graph_builder_t *begun(ck_capture_mode_t mode)
{
  ck_graph_builder_t *builder = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, mode));
  return builder;
}

static void fill(const ck_graph_builder_t *builder, ck_buffer_t *buffer, uint32_t value)
{
  CHECK_OK(ck_buffer_fill(buffer, 0, 16, value, 4, ck_graph_builder_stream(builder)));
}

static ck_graph_t *complete(ck_graph_builder_t *builder)
{
  ck_graph_t *graph = NULL;
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  return graph;
}

/* Launches a graph that holds the last reference to the watched memory, and releases it. */
static void run_last(ck_graph_t *graph, Watched *watched, int value)
{
  CHECK(watched->released == 0);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(watched->memory, 0) == value);
  ck_graph_release(graph);
  close_watched(watched);
}

static void on_thread(void *(*call)(void *), void *data)
{
  pthread_t thread;
  bool is_through = !pthread_create(&thread, NULL, call, data) && !pthread_join(thread, NULL);
  CHECK(is_through); /* only after the thread has ended, since it counts checks too */
}

static void *end_there(void *builder)
{
  CHECK_FAILS(ck_graph_builder_end(builder), CK_INVALID_ARGUMENT);
  CHECK_ERROR("another thread began the capture");
  return NULL;
}

/* Another thread can't end a capture with a strict mode; the capture continues. */
TEST(end_on_another_thread)
{
  Watched watched;
  watch(&watched, zeros(16));
  ck_graph_builder_t *builder = begun(CK_CAPTURE_THREAD_LOCAL);
  fill(builder, watched.buffer, 7);
  ck_buffer_release(watched.buffer);
  on_thread(end_there, builder);
  CHECK(ck_graph_builder_is_building(builder));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_t *graph = complete(builder);
  ck_graph_builder_release(builder);
  run_last(graph, &watched, 7);
}

static void *release_there(void *builder)
{
  ck_graph_builder_release(builder);
  return NULL;
}

/* A builder released on another thread discards its capture, and frees its stream. */
TEST(release_on_another_thread)
{
  ck_stream_t *own;
  ck_graph_builder_t *builder;
  Watched watched;
  watch(&watched, zeros(16));
  CHECK_OK(ck_stream_create(device, NULL, &own));
  CHECK_OK(ck_graph_builder_from_stream(own, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_THREAD_LOCAL));
  fill(builder, watched.buffer, 7);
  on_thread(release_there, builder);
  CHECK_OK(ck_buffer_fill(watched.buffer, 0, 16, 8, 4, own));
  CHECK_OK(ck_stream_sync(own));
  CHECK(read_i32(watched.memory, 0) == 8);
  ck_buffer_release(watched.buffer);
  close_watched(&watched);
  ck_stream_release(own);
}

/* Nodes that a body captured stay in the graph with what they retain. */
TEST(body_given_up)
{
  Watched watched;
  uint64_t condition;
  const uint32_t one = 1;
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED), *body;
  watch(&watched, zeros(16));
  CHECK_OK(ck_graph_builder_create_condition(builder, &one, &condition));
  CHECK_OK(ck_graph_builder_add_if(builder, condition, &body));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  fill(body, watched.buffer, 7);
  ck_graph_builder_release(body);
  ck_buffer_release(watched.buffer);
  ck_graph_t *graph = complete(builder);
  ck_graph_builder_release(builder);
  run_last(graph, &watched, 7);
}

/* The same for a builder whose definition is retained by others. */
TEST(retained_definition_of_a_capture_given_up)
{
  Watched watched;
  ck_graph_t *graph;
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  watch(&watched, zeros(16));
  fill(builder, watched.buffer, 9);
  ck_graph_definition_t *d = ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_builder_release(builder);
  ck_buffer_release(watched.buffer);
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  ck_graph_definition_release(d);
  run_last(graph, &watched, 9);
}

TEST(definition_under_capture_is_no_child)
{
  ck_graph_builder_t *inner = begun(CK_CAPTURE_RELAXED), *outer = begun(CK_CAPTURE_RELAXED);
  CHECK_FAILS(ck_graph_builder_embed(outer, ck_graph_builder_definition(inner)),
              CK_INVALID_ARGUMENT);
  CHECK_ERROR("the definition is being captured");
  CHECK_OK(ck_graph_builder_end(inner));
  CHECK_OK(ck_graph_builder_embed(outer, ck_graph_builder_definition(inner)));
  CHECK_OK(ck_graph_builder_end(outer));
  ck_graph_builder_release(inner);
  ck_graph_builder_release(outer);
}

static void count_call(void *data)
{
  ++*(int *)data;
}

/* A fork is building as long as the capture that it came from. */
TEST(fork_of_a_capture_that_is_over)
{
  int calls = 0;
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED), *fork, *more;
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  CHECK_OK(ck_graph_builder_launch_host(fork, count_call, &calls, NULL));
  CHECK(ck_graph_builder_is_building(fork) && ck_graph_builder_is_join_required(fork));
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER); /* the fork is not joined */
  CHECK(!ck_graph_builder_is_building(fork) && !ck_graph_builder_is_join_required(fork));
  CHECK_FAILS(ck_graph_builder_launch_host(fork, count_call, &calls, count_call),
              CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_split(fork, 1, &more), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_builder_begin(fork, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the builder is a fork that has ended");
  ck_graph_builder_release(builder);
  ck_graph_builder_release(fork);
  CHECK(calls == 0);
}

/* A failing begin does not change the builder. */
TEST(begin_that_fails)
{
  int calls = 0;
  size_t count = 0;
  ck_graph_builder_t *first, *second;
  CHECK_OK(ck_graph_builder_from_stream(stream, &first));
  CHECK_OK(ck_graph_builder_from_stream(stream, &second));
  CHECK_OK(ck_graph_builder_begin(first, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_launch_host(first, count_call, &calls, NULL));
  CHECK_OK(ck_graph_builder_end(first));
  CHECK_OK(ck_graph_builder_begin(second, CK_CAPTURE_RELAXED));
  CHECK_FAILS(ck_graph_builder_begin(first, CK_CAPTURE_RELAXED), CK_DRIVER);
  CHECK_OK(ck_graph_builder_end(second));
  CHECK_OK(ck_graph_definition_get_nodes(ck_graph_builder_definition(first), NULL, 0, &count));
  CHECK(count == 1);
  ck_graph_t *graph = complete(first);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(calls == 1);
  ck_graph_release(graph);
  ck_graph_builder_release(first);
  ck_graph_builder_release(second);
}

/* A stream that waits for an event joins the capture of its last record only. */
TEST(event_recorded_again_elsewhere)
{
  ck_event_t *event;
  ck_stream_t *there, *waiting;
  ck_buffer_t *buffer;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_stream_create(device, NULL, &there));
  CHECK_OK(ck_stream_create(device, NULL, &waiting));
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  CHECK_OK(ck_stream_record(ck_graph_builder_stream(builder), event));
  CHECK_OK(ck_stream_record(there, event));
  CHECK_OK(ck_stream_wait(waiting, event));
  CHECK_OK(ck_buffer_create(device, 64, waiting, &buffer)); /* a pool can't allocate in a
                                                             * captured stream */
  CHECK_OK(ck_buffer_close(buffer, waiting));
  ck_buffer_release(buffer);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
  ck_event_release(event);
  ck_stream_release(there);
  ck_stream_release(waiting);
}

/* An event whose last record was captured belongs to a launch once a node of a graph has recorded
 * it. */
TEST(event_recorded_by_a_graph_after_a_capture)
{
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  ck_event_t *event;
  CHECK_OK(ck_event_create(device, NULL, &event));
  CHECK_OK(ck_stream_record(ck_graph_builder_stream(builder), event));
  CHECK_OK(ck_graph_builder_end(builder));
  ck_node_params_t params = ck_node_record(event);
  CHECK_OK(ck_graph_definition_create(device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_event_query(event));
  CHECK_OK(ck_stream_wait(stream, event));
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
  ck_event_release(event);
  ck_graph_builder_release(builder);
}

/* A stream that joined a capture can be released before its end. */
TEST(joined_stream_released_in_capture)
{
  Watched watched;
  ck_stream_t *other;
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  ck_stream_t *own = ck_graph_builder_stream(builder);
  watch(&watched, zeros(16));
  CHECK_OK(ck_stream_create(device, NULL, &other));
  CHECK_OK(ck_stream_wait_stream(other, own));
  CHECK_OK(ck_buffer_fill(watched.buffer, 0, 16, 5, 4, other));
  CHECK_OK(ck_stream_wait_stream(own, other));
  ck_stream_release(other);
  ck_buffer_release(watched.buffer);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_t *graph = complete(builder);
  ck_graph_builder_release(builder);
  run_last(graph, &watched, 5);
}

/* Captured value operations retain their buffer. */
TEST(captured_values_keep_their_buffer)
{
  ck_memory_resource_t *pinned;
  ck_buffer_t *memory;
  Watched watched[3];
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  ck_stream_t *own = ck_graph_builder_stream(builder);
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(ck_memory_resource_create_buffer(pinned, 16, stream, &memory));
    CHECK_OK(ck_buffer_fill(memory, 0, 16, 0, 1, stream)); /* so that the wait is satisfied */
    watch(&watched[i], memory);
  }
  const ck_value_op_t op = {.buffer = watched[2].buffer, .value = 6, .value_bytes = 4};
  CHECK_OK(ck_stream_write_value(own, watched[0].buffer, 0, 6, 4));
  CHECK_OK(ck_stream_wait_value(own, watched[1].buffer, 0, 0, 4, CK_WAIT_GREATER_EQUAL));
  CHECK_OK(ck_stream_batch_values(own, &op, 1));
  CHECK_OK(ck_graph_builder_end(builder));
  for (int i = 0; i < 3; ++i) ck_buffer_release(watched[i].buffer);
  ck_graph_t *graph = complete(builder);
  ck_graph_builder_release(builder);
  CHECK(watched[1].released == 0 && watched[2].released == 0);
  run_last(graph, &watched[0], 6);
  close_watched(&watched[1]);
  close_watched(&watched[2]);
  ck_memory_resource_release(pinned);
}

/* Each is a separate memory operation node. */
TEST(captured_values_are_memory_operations)
{
  ck_memory_resource_t *pinned; /* drivers refuse memory of a pool */
  ck_buffer_t *buffer;
  CHECK_OK(ck_memory_resource_create_pinned(device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, 16, stream, &buffer));
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  ck_stream_t *captured = ck_graph_builder_stream(builder);
  ck_graph_node_t *nodes[3];
  size_t count = 0;
  CHECK_OK(ck_stream_write_value(captured, buffer, 0, 5, 4));
  CHECK_OK(ck_stream_wait_value(captured, buffer, 0, 5, 4, CK_WAIT_EQUAL));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_definition_get_nodes(ck_graph_builder_definition(builder), nodes, 3, &count));
  CHECK(count == 2);
  for (size_t i = 0; i < count; ++i) {
    ck_node_params_t params = CK_OPTIONS_INIT(ck_node_params_t);
    CHECK(ck_graph_node_kind(nodes[i]) == CK_NODE_MEMORY_OPS);
    CHECK_OK(ck_graph_node_get_params(nodes[i], &params));
    CHECK(params.of.memory_ops.count == 1);
  }
  ck_graph_t *graph = complete(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(read_i32(buffer, 0) == 5);
  ck_graph_release(graph);
  ck_graph_builder_release(builder);
  ck_buffer_release(buffer);
  ck_memory_resource_release(pinned);
}

/* Outside of a capture, a graph memory resource allocates from the pool, and graphs retain the
 * buffer. */
TEST(memory_of_a_graph_resource_outside)
{
  ck_memory_resource_t *resource;
  ck_buffer_t *buffer, *other;
  ck_status_t status = ck_memory_resource_create_graph(device, &resource);
  if (status == CK_UNSUPPORTED) return;
  CHECK_OK(status);
  CHECK_OK(ck_memory_resource_create_buffer(resource, 4096, stream, &buffer));
  uint64_t address = ck_buffer_native(buffer);
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  fill(builder, buffer, 7);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_buffer_release(buffer);
  CHECK_OK(ck_memory_resource_create_buffer(resource, 4096, stream, &other));
  CHECK(ck_buffer_native(other) != address); /* retained by the capture */
  ck_buffer_release(other);
  ck_graph_builder_release(builder);
  ck_memory_resource_release(resource);
}

/* The streams of forks and bodies have the properties of the builder's. */
TEST(streams_of_forks_and_bodies)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *urgent;
  ck_graph_builder_t *builder, *fork, *body;
  uint64_t condition;
  int wanted = 0, priority = 1;
  options.priority = -1;
  CHECK_OK(ck_stream_create(device, &options, &urgent));
  CHECK_OK(ck_stream_get_priority(urgent, &wanted));
  CHECK_OK(ck_graph_builder_from_stream(urgent, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  CHECK_OK(ck_stream_get_priority(ck_graph_builder_stream(fork), &priority));
  CHECK(priority == wanted);
  CHECK_OK(ck_graph_builder_join(builder, &fork, 1));
  CHECK_OK(ck_graph_builder_create_condition(builder, NULL, &condition));
  CHECK_OK(ck_graph_builder_add_if(builder, condition, &body));
  CHECK_OK(ck_stream_get_priority(ck_graph_builder_stream(body), &priority));
  CHECK(priority == wanted);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(body);
  ck_graph_builder_release(fork);
  ck_graph_builder_release(builder);
  ck_stream_release(urgent);
}

static ck_status_t seen_there;

static void *sync_there(void *other)
{
  seen_there = ck_stream_sync(other);
  return NULL;
}

static void *query_there(void *other)
{
  seen_there = ck_stream_query(other);
  return NULL;
}

static void *allocate_there(void *other)
{
  ck_buffer_t *buffer;
  seen_there = ck_buffer_create(device, 64, other, &buffer);
  ck_buffer_release(buffer);
  return NULL;
}

/* Unrelated calls during a capture, from its own and from another thread. */
static void forbid_calls(void *(*call)(void *other))
{
  for (int mode = CK_CAPTURE_RELAXED; mode <= CK_CAPTURE_GLOBAL; ++mode)
    for (int is_other = 0; is_other < 2; ++is_other) {
      CHECK_OK(ck_stream_sync(stream));
      ck_graph_builder_t *builder = begun((ck_capture_mode_t)mode);
      bool is_forbidden =
          mode == CK_CAPTURE_GLOBAL || (mode == CK_CAPTURE_THREAD_LOCAL && !is_other);
      if (is_other) on_thread(call, stream);
      else call(stream);
      CHECK(seen_there == (is_forbidden ? CK_DRIVER : CK_OK));
      CHECK((ck_graph_builder_end(builder) == CK_OK) == !is_forbidden);
      ck_graph_builder_release(builder);
    }
}

TEST(modes_forbid_calls)
{
  forbid_calls(sync_there);
  forbid_calls(query_there);
  forbid_calls(allocate_there);
}

static void *wait_there(void *data)
{
  CHECK_FAILS(ck_device_sync(device), CK_DRIVER);
  return data;
}

/* Waiting for the device is refused during a capture, without harm to it. */
TEST(device_sync_in_captures)
{
  for (int mode = CK_CAPTURE_RELAXED; mode <= CK_CAPTURE_GLOBAL; ++mode) {
    ck_graph_builder_t *builder = begun((ck_capture_mode_t)mode);
    CHECK_FAILS(ck_device_sync(device), CK_DRIVER);
    CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
    CHECK_FAILS(ck_context_sync(ck_device_context(device)), CK_DRIVER);
    on_thread(wait_there, NULL);
    CHECK_OK(ck_graph_builder_end(builder));
    CHECK_OK(ck_device_sync(device));
    ck_graph_builder_release(builder);
  }
}

/* The same for a capture in a stream of a green context. */
TEST(device_sync_in_a_green_capture)
{
  ck_sm_resource_t all;
  ck_context_t *green;
  ck_stream_t *own;
  ck_graph_builder_t *builder;
  ck_status_t status = ck_device_get_sm_resource(device, &all);
  if (status == CK_UNSUPPORTED) return;
  CHECK_OK(status);
  CHECK_OK(ck_context_create_green(device, &all, 1, NULL, &green));
  CHECK_OK(ck_context_create_stream(green, NULL, &own));
  CHECK_OK(ck_graph_builder_from_stream(own, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_THREAD_LOCAL));
  CHECK_FAILS(ck_device_sync(device), CK_DRIVER);
  CHECK_FAILS(ck_context_sync(green), CK_DRIVER);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_device_sync(device));
  ck_graph_builder_release(builder);
  ck_stream_release(own);
  ck_context_release(green);
}

int main(void)
{
  int missing = open_both("kernel none() launch(block = 1, grid = 1) {}\n");
  if (missing) return missing;
  run_all();
  return close_both();
}
