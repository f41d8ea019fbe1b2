/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_lost.c - tests captures that end with an error: definitions and nodes that the driver
 * destroys with them are not used again, and what can be saved is. On the host device or a GPU:
 * $CK_DEVICE. */
#include <pthread.h>

#include "both.h"

static const char source[] =
    "kernel add_one(x: inout i32[1]) launch(block = 1, grid = 1) { x[0] = x[0] + 1; }\n";

static const char lost[] = "the definition is lost: a capture into it failed";
static ck_kernel_t *add;
static ck_buffer_t *x;

static ck_graph_builder_t *begun(ck_capture_mode_t mode)
{
  ck_graph_builder_t *builder = NULL;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, mode));
  return builder;
}

static void put(ck_graph_builder_t *builder, size_t index)
{
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, index, 1)));
}

/* Begins a capture, with a builder for a body that always runs. */
static ck_graph_builder_t *begun_with_body(ck_capture_mode_t mode, ck_graph_builder_t **out_body)
{
  const uint32_t start = 1;
  uint64_t condition;
  ck_graph_builder_t *builder = begun(mode);
  put(builder, 0);
  CHECK_OK(ck_graph_builder_create_condition(builder, &start, &condition));
  CHECK_OK(ck_graph_builder_add_if(builder, condition, out_body));
  CHECK_OK(ck_graph_builder_begin(*out_body, mode));
  put(*out_body, 1);
  return builder;
}

/* Makes a forbidden call, which invalidates the capture. */
static void spoil(ck_graph_builder_t *builder)
{
  CHECK_FAILS(ck_stream_query(ck_graph_builder_stream(builder)), CK_DRIVER);
}

static void end_is_lost(ck_graph_builder_t *builder)
{
  CHECK_FAILS(ck_graph_builder_end(builder), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
}

static void clear(void)
{
  CHECK_OK(ck_buffer_fill(x, 0, 16, 0, 1, stream));
}

/* Checks that captures and launches still work. */
static void check_rest(void)
{
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  ck_graph_t *graph;
  clear();
  put(builder, 2);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 2) == 1);
  ck_graph_release(graph);
}

/* Functions of the definition or of its nodes report that it is destroyed. */
TEST(definition_is_lost)
{
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  put(builder, 0);
  ck_graph_definition_t *definition =
      ck_graph_definition_retain(ck_graph_builder_definition(builder));
  ck_graph_node_t *node, *more;
  ck_graph_t *graph;
  size_t count;
  ck_node_params_t params = ck_node_empty();
  CHECK_OK(ck_graph_definition_get_nodes(definition, &node, 1, &count));
  CHECK_OK(ck_graph_node_get_params(node, &params));
  spoil(builder);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
  CHECK(!ck_graph_builder_definition(builder));
  CHECK_FAILS(ck_graph_definition_get_nodes(definition, &node, 1, &count), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  CHECK_FAILS(ck_graph_create(definition, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_add(definition, NULL, 0, &params, &more), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_definition_save_dot(definition, "lost.dot", 0), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_node_get_params(node, &params), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_node_set_params(node, &params), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_node_get_dependents(node, NULL, 0, &count), CK_INVALID_ARGUMENT);
  CHECK_FAILS(ck_graph_node_remove(node), CK_INVALID_ARGUMENT);
  CHECK(!ck_graph_node_native(node) && !ck_graph_definition_native(definition));
  ck_graph_definition_release(definition);
  ck_graph_builder_release(builder);
  check_rest();
}

/* A capture that was invalid and is discarded. */
TEST(definition_of_a_released_builder)
{
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED);
  put(builder, 0);
  ck_graph_definition_t *definition =
      ck_graph_definition_retain(ck_graph_builder_definition(builder));
  spoil(builder);
  ck_graph_builder_release(builder);
  size_t count;
  CHECK_FAILS(ck_graph_definition_get_nodes(definition, NULL, 0, &count), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  ck_graph_definition_release(definition);
  check_rest();
}

/* An invalid body destroys the whole definition; the capture around it continues until its end. */
TEST(body_is_lost)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
  spoil(body);
  CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
  CHECK_FAILS(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  put(builder, 0);
  uint64_t condition;
  CHECK_FAILS(ck_graph_builder_create_condition(builder, NULL, &condition), CK_INVALID_ARGUMENT);
  ck_graph_definition_t *child;
  CHECK_OK(ck_graph_definition_create(device, &child));
  CHECK_FAILS(ck_graph_builder_embed(builder, child), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  ck_graph_definition_release(child);
  end_is_lost(builder);
  CHECK(!ck_graph_builder_definition(builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED)); /* again */
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
  check_rest();
}

/* Ends both captures and launches: each of three elements is incremented. */
static void run_both(ck_graph_builder_t *builder, ck_graph_builder_t *body)
{
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_end(body));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
  clear();
  CHECK_OK(ck_graph_launch(graph, stream));
  for (size_t i = 0; i < 3; ++i) CHECK(read_i32(x, i) == 1);
  ck_graph_release(graph);
}

/* Forks of a body need not be joined: its end joins them. */
TEST(body_is_not_joined)
{
  ck_graph_builder_t *fork, *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
  CHECK_OK(ck_graph_builder_split(body, 1, &fork));
  put(fork, 2);
  run_both(builder, body);
  ck_graph_builder_release(fork);
}

/* Streams that wait for a body's stream are joined at its end. */
TEST(body_joins_streams)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
  ck_stream_t *other;
  CHECK_OK(ck_stream_create(device, NULL, &other));
  CHECK_OK(ck_stream_wait_stream(other, ck_graph_builder_stream(body)));
  CHECK_OK(ck_launch(other, NULL, add, ck_span(x, 2, 1)));
  run_both(builder, body);
  ck_stream_release(other);
}

static void *query_there(void *data)
{
  CHECK_OK(ck_stream_query(stream));
  return data;
}

/* A capture with a strict mode that stays open for ever forbids nothing. */
TEST(strict_capture_stays)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_GLOBAL, &body);
  pthread_t thread;
  spoil(body);
  spoil(builder);
  CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
  CHECK_OK(ck_stream_sync(stream));
  if (!pthread_create(&thread, NULL, query_there, NULL)) pthread_join(thread, NULL);
  CHECK_FAILS(ck_device_sync(device), CK_DRIVER);
  check_rest();
}

/* After a refused call the capture accepts further work; the error is reported at its end. */
TEST(refused_call_is_told_at_the_end)
{
  ck_graph_builder_t *builder = begun(CK_CAPTURE_THREAD_LOCAL);
  ck_graph_definition_t *definition =
      ck_graph_definition_retain(ck_graph_builder_definition(builder));
  size_t count;
  CHECK_FAILS(ck_stream_query(stream), CK_DRIVER);
  put(builder, 0);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
  CHECK_FAILS(ck_graph_definition_get_nodes(definition, NULL, 0, &count), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  ck_graph_definition_release(definition);
  ck_graph_builder_release(builder);
  check_rest();
}

/* Both captures are invalid; they end in either order, or are released. No call is forbidden
 * afterwards. */
static void spoil_both(ck_capture_mode_t mode, bool is_body_first, bool is_ended)
{
  ck_graph_builder_t *body, *builder = begun_with_body(mode, &body);
  ck_graph_builder_t *first = is_body_first ? body : builder;
  ck_graph_builder_t *second = is_body_first ? builder : body;
  ck_graph_definition_t *definition =
      ck_graph_definition_retain(ck_graph_builder_definition(builder));
  spoil(body);
  spoil(builder);
  if (is_ended) {
    CHECK_FAILS(ck_graph_builder_end(first), CK_DRIVER);
    CHECK_FAILS(ck_graph_builder_end(second), CK_DRIVER);
  }
  ck_graph_builder_release(first);
  ck_graph_builder_release(second);
  size_t count;
  CHECK_FAILS(ck_graph_definition_get_nodes(definition, NULL, 0, &count), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  ck_graph_definition_release(definition);
  check_rest();
}

TEST(body_and_whole_are_spoilt)
{
  for (int mode = CK_CAPTURE_RELAXED; mode <= CK_CAPTURE_GLOBAL; ++mode)
    for (int way = 0; way < 4; ++way) spoil_both((ck_capture_mode_t)mode, way & 1, way & 2);
}

/* The outer capture becomes invalid while a body is captured, which then ends validly, or is
 * discarded. */
TEST(whole_is_spoilt_around_a_body)
{
  for (int mode = CK_CAPTURE_RELAXED; mode <= CK_CAPTURE_GLOBAL; ++mode)
    for (int is_released = 0; is_released < 2; ++is_released) {
      ck_graph_builder_t *body, *builder = begun_with_body((ck_capture_mode_t)mode, &body);
      spoil(builder);
      if (is_released) ck_graph_builder_release(builder);
      else CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
      if (!is_released) end_is_lost(body);
      ck_graph_builder_release(body);
      if (!is_released) ck_graph_builder_release(builder);
      check_rest();
    }
}

/* A forbidden call in a body invalidates the outer capture, and everything is destroyed. */
TEST(forbidden_call_in_a_body)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_GLOBAL, &body);
  CHECK_FAILS(ck_stream_sync(stream), CK_DRIVER);
  CHECK_OK(ck_graph_builder_end(body));
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
  check_rest();
}

/* A body in a body: the inner one, the outer one and the whole become invalid, one after the other.
 */
TEST(bodies_in_bodies)
{
  for (int spoilt = 1; spoilt < 4; ++spoilt) {
    ck_graph_builder_t *inner, *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
    uint64_t condition;
    CHECK_OK(ck_graph_builder_create_condition(body, NULL, &condition));
    CHECK_OK(ck_graph_builder_add_if(body, condition, &inner));
    CHECK_OK(ck_graph_builder_begin(inner, CK_CAPTURE_RELAXED));
    put(inner, 2);
    spoil(inner);
    CHECK_FAILS(ck_graph_builder_end(inner), CK_DRIVER);
    if (spoilt & 1) spoil(body);
    if (spoilt & 1) CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
    else end_is_lost(body);
    if (spoilt & 2) spoil(builder);
    if (spoilt & 2) CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
    else end_is_lost(builder);
    ck_graph_builder_release(inner);
    ck_graph_builder_release(body);
    ck_graph_builder_release(builder);
    check_rest();
  }
}

/* An invalid body ends around one that continues and ends validly. */
static ck_graph_builder_t *end_around_a_body(void)
{
  ck_graph_builder_t *inner, *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
  uint64_t condition;
  CHECK_OK(ck_graph_builder_create_condition(body, NULL, &condition));
  CHECK_OK(ck_graph_builder_add_if(body, condition, &inner));
  CHECK_OK(ck_graph_builder_begin(inner, CK_CAPTURE_RELAXED));
  spoil(body);
  CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
  end_is_lost(inner);
  ck_graph_builder_release(inner);
  ck_graph_builder_release(body);
  return builder;
}

/* All of them end, including the one that waited. */
TEST(body_around_a_body)
{
  ck_graph_builder_t *builder = end_around_a_body();
  end_is_lost(builder);
  ck_graph_builder_release(builder);
  check_rest();
  CHECK_OK(ck_device_sync(device));
}

/* The whole is invalid too: its stream stays captured. */
TEST(whole_around_bodies)
{
  ck_graph_builder_t *builder = end_around_a_body();
  spoil(builder);
  CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
  ck_graph_builder_release(builder);
  CHECK_FAILS(ck_device_sync(device), CK_DRIVER); /* the whole device is checked */
  check_rest();
}

/* Two bodies of one capture, both invalid. */
TEST(two_bodies)
{
  const uint32_t start = 1;
  uint64_t condition;
  ck_graph_builder_t *builder = begun(CK_CAPTURE_RELAXED), *bodies[2];
  CHECK_OK(ck_graph_builder_create_condition(builder, &start, &condition));
  CHECK_OK(ck_graph_builder_add_if_else(builder, condition, &bodies[0], &bodies[1]));
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(ck_graph_builder_begin(bodies[i], CK_CAPTURE_RELAXED));
    put(bodies[i], 1);
    spoil(bodies[i]);
  }
  for (int i = 0; i < 2; ++i) CHECK_FAILS(ck_graph_builder_end(bodies[i]), CK_DRIVER);
  end_is_lost(builder);
  for (int i = 0; i < 2; ++i) ck_graph_builder_release(bodies[i]);
  ck_graph_builder_release(builder);
  check_rest();
  CHECK_OK(ck_device_sync(device)); /* no capture remains */
}

/* The outer capture ends with an unjoined fork, around a body that continues: the fork is joined.
 */
TEST(whole_is_not_joined_around_a_body)
{
  ck_graph_builder_t *fork, *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
  CHECK_OK(ck_graph_builder_split(builder, 1, &fork));
  put(fork, 2);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(fork);
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
  check_rest();
}

static void *end_there(void *builder)
{
  CHECK_FAILS(ck_graph_builder_end(builder), CK_INVALID_ARGUMENT);
  CHECK_ERROR("another thread began the capture");
  return NULL;
}

/* Another thread can't end the capture around a body; it continues. */
TEST(another_thread_around_a_body)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_THREAD_LOCAL, &body);
  ck_graph_t *graph;
  pthread_t thread;
  if (!pthread_create(&thread, NULL, end_there, builder)) pthread_join(thread, NULL);
  CHECK(ck_graph_builder_is_building(builder));
  CHECK_OK(ck_graph_builder_end(body));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_release(graph);
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
}

static void *release_there(void *builder)
{
  ck_graph_builder_release(builder);
  return NULL;
}

/* Another thread releases the builder around a body, which then ends validly: nothing was refused.
 */
TEST(released_around_a_body)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_GLOBAL, &body);
  pthread_t thread;
  if (!pthread_create(&thread, NULL, release_there, builder)) pthread_join(thread, NULL);
  CHECK_OK(ck_graph_builder_end(body));
  ck_graph_builder_release(body);
  CHECK_OK(ck_device_sync(device));
  check_rest();
}

/* After a refused call the outer capture ends at once, with or without a body, and no stream stays
 * captured. */
TEST(refused_around_a_body)
{
  for (int is_body_first = 0; is_body_first < 2; ++is_body_first) {
    ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_THREAD_LOCAL, &body);
    CHECK_FAILS(ck_stream_query(stream), CK_DRIVER);
    spoil(body);
    if (is_body_first) CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
    CHECK_FAILS(ck_graph_builder_end(builder), CK_DRIVER);
    CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, add, ck_span(x, 0, 1)));
    CHECK_OK(ck_stream_sync(ck_graph_builder_stream(builder)));
    if (!is_body_first) CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_THREAD_LOCAL)); /* again */
    CHECK_OK(ck_graph_builder_end(builder));
    ck_graph_builder_release(body);
    ck_graph_builder_release(builder);
    CHECK_OK(ck_device_sync(device));
  }
}

/* An executable graph of a destroyed definition still runs; changes of its nodes are refused. */
TEST(graph_of_what_is_lost)
{
  ck_graph_builder_t *body, *builder = begun_with_body(CK_CAPTURE_RELAXED, &body);
  ck_graph_t *graph;
  ck_graph_node_t *node;
  size_t count;
  int is_on;
  clear();
  CHECK_OK(ck_graph_builder_end(body));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  CHECK_OK(ck_graph_definition_get_nodes(ck_graph_builder_definition(builder), &node, 1, &count));
  CHECK_OK(ck_graph_builder_begin(body, CK_CAPTURE_RELAXED));
  spoil(body);
  CHECK_FAILS(ck_graph_builder_end(body), CK_DRIVER);
  CHECK_FAILS(ck_graph_get_enabled(graph, node, &is_on), CK_INVALID_ARGUMENT);
  CHECK_ERROR(lost);
  CHECK_FAILS(ck_graph_update(graph, ck_graph_builder_definition(builder)), CK_INVALID_ARGUMENT);
  ck_graph_builder_release(body);
  ck_graph_builder_release(builder);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK(read_i32(x, 0) == 1 && read_i32(x, 1) == 1);
  ck_graph_release(graph);
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  add = kernel("add_one");
  x = zeros(16);
  RUN(definition_is_lost);
  RUN(definition_of_a_released_builder);
  RUN(body_is_lost);
  RUN(body_is_not_joined);
  RUN(body_joins_streams);
  RUN(whole_is_spoilt_around_a_body);
  RUN(forbidden_call_in_a_body);
  RUN(whole_is_not_joined_around_a_body);
  RUN(another_thread_around_a_body);
  RUN(released_around_a_body);
  RUN(refused_around_a_body);
  RUN(graph_of_what_is_lost);
  RUN(two_bodies);
  RUN(body_around_a_body);
  RUN(refused_call_is_told_at_the_end);
  RUN(whole_around_bodies); /* from here on some captures stay open */
  RUN(bodies_in_bodies);
  RUN(body_and_whole_are_spoilt);
  RUN(strict_capture_stays);
  ck_buffer_release(x);
  ck_kernel_release(add);
  return close_both();
}
