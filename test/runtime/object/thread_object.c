/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* thread_object.c - tests many threads on one device: memory, streams, events, contexts and copies.
 *
 * With ThreadSanitizer (the preset tsan) this shows that the statements about threads in the doc
 * comments hold.
 */
#define _GNU_SOURCE /* setenv */
#include "fixture.h"

enum { ROUNDS = 30, WORDS = 1024 };

static Bench bench;
static ck_memory_resource_t *pool;
static ck_event_t *shared_event;

#define NEED(status) ((status) == CK_OK ? (void)0 : (void)++thread_failures)

/* The device's own resource, created by whichever thread is first; one pool for all; copies. */
static void *use_memory(void *data)
{
  (void)data;
  ck_stream_t *stream;
  uint32_t words[WORDS];
  NEED(ck_stream_create(bench.device, NULL, &stream));
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    ck_buffer_t *a, *b, *view;
    uint64_t used;
    NEED(ck_buffer_create(bench.device, sizeof words, stream, &a));
    NEED(ck_memory_resource_create_buffer(pool, sizeof words, stream, &b));
    NEED(ck_buffer_create_view(b, 0, sizeof words, &view));
    NEED(ck_buffer_fill(a, 0, sizeof words, round, 4, stream));
    NEED(ck_copy_batch(&(ck_copy_range_t){view, 0, a, 0, sizeof words, NULL}, 1, NULL, stream));
    NEED(ck_buffer_read(b, 0, words, sizeof words, stream));
    NEED(ck_memory_resource_get_attribute(pool, CK_POOL_USED_HIGH_BYTES, &used));
    NEED(ck_stream_sync(stream));
    if (words[0] != round || words[WORDS - 1] != round) ++thread_failures;
    NEED(ck_buffer_close(a, NULL));
    ck_buffer_release(a);
    ck_buffer_release(b);
    ck_buffer_release(view);
  }
  ck_stream_release(stream);
  return NULL;
}

/* Per-thread default streams, one event that all threads record and wait for, and values in memory.
 */
static void *use_streams(void *data)
{
  (void)data;
  ck_stream_t *own, *other;
  ck_buffer_t *flag;
  NEED(ck_stream_open_per_thread(bench.device, &own));
  NEED(ck_stream_create(bench.device, NULL, &other));
  NEED(ck_buffer_create(bench.device, 8, own, &flag));
  NEED(ck_buffer_fill(flag, 0, 8, 0, 4, own));
  NEED(ck_stream_wait_stream(other, own));
  for (uint32_t round = 1; round <= ROUNDS; ++round) {
    NEED(ck_stream_record(own, shared_event));
    NEED(ck_stream_wait(other, shared_event));
    NEED(ck_stream_wait_value(other, flag, 0, round, 4, CK_WAIT_EQUAL));
    NEED(ck_stream_write_value(own, flag, 0, round, 4));
    NEED(ck_stream_sync(other));
    NEED(ck_event_sync(shared_event));
  }
  NEED(ck_stream_sync(own));
  ck_buffer_release(flag);
  NEED(ck_stream_sync(own));
  ck_stream_release(other);
  ck_stream_release(own);
  return NULL;
}

/* A current context is a property of a thread; virtual and managed memory of one device. */
static void *use_contexts(void *data)
{
  (void)data;
  ck_sm_resource_t all, group;
  ck_memory_resource_t *pieces, *managed;
  NEED(ck_device_get_sm_resource(bench.device, &all));
  NEED(ck_memory_resource_create_virtual(bench.device, NULL, &pieces));
  NEED(ck_memory_resource_create_legacy_managed(bench.device, &managed));
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    size_t count = 1, piece;
    ck_context_t *green;
    ck_stream_t *stream;
    ck_buffer_t *buffer, *moving;
    NEED(ck_sm_resource_split(bench.device, &all, 1, 0, &group, &count, NULL));
    NEED(ck_context_create_green(bench.device, &group, 1, NULL, &green));
    NEED(ck_context_set_current(bench.device, green));
    NEED(ck_context_create_stream(green, NULL, &stream));
    NEED(ck_memory_resource_get_granularity(pieces, &piece));
    NEED(ck_memory_resource_create_buffer(pieces, piece, stream, &buffer));
    NEED(ck_buffer_fill(buffer, 0, piece, 1, 1, stream));
    NEED(ck_buffer_resize(buffer, 2 * piece, stream));
    NEED(ck_buffer_fill(buffer, piece, piece, 2, 1, stream));
    NEED(ck_memory_resource_create_buffer(managed, 4096, stream, &moving));
    NEED(ck_buffer_prefetch(moving, (ck_location_t){CK_PLACE_HOST, 0}, stream));
    NEED(ck_stream_sync(stream));
    ck_buffer_release(moving);
    ck_buffer_release(buffer);
    NEED(ck_context_set_current(bench.device, NULL));
    ck_stream_release(stream);
    ck_context_release(green);
  }
  ck_memory_resource_release(pieces);
  ck_memory_resource_release(managed);
  return NULL;
}

static ck_graph_definition_t *whole; /* a captured definition whose nodes have not been listed
                                      * yet */
static ck_kernel_t *empty;

/* Calls that only read, and changes of graphs that each belong to one thread. */
static void *read_definition(void *data)
{
  enum { MOST = 64 };
  (void)data;
  ck_graph_t *graph;
  ck_graph_node_t *nodes[MOST], *from[MOST], *to[MOST];
  ck_node_params_t params = ck_node_empty(), same = ck_node_kernel(NULL, empty, NULL, 0);
  size_t count, edge_count;
  NEED(ck_graph_create(whole, NULL, &graph));
  NEED(ck_graph_definition_get_edges(whole, from, to, MOST, &edge_count));
  NEED(ck_graph_definition_get_nodes(whole, nodes, MOST, &count));
  if (count != edge_count + 1) ++thread_failures;
  for (size_t i = 0; i < count; ++i) {
    NEED(ck_graph_node_get_dependents(nodes[i], to, MOST, &edge_count));
    NEED(ck_graph_update_node(graph, nodes[i], &same));
    NEED(ck_graph_node_get_params(nodes[i], &params));
  }
  NEED(ck_graph_update(graph, whole));
  ck_graph_release(graph);
  return NULL;
}

TEST(definitions)
{
  for (int round = 0; round < ROUNDS; ++round) {
    ck_graph_builder_t *builder;
    CHECK_OK(ck_graph_builder_create(bench.device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    for (int i = 0; i < 40; ++i)
      CHECK_OK(ck_launch_args(ck_graph_builder_stream(builder), NULL, empty, NULL, 0));
    CHECK_OK(ck_graph_builder_end(builder));
    whole = ck_graph_builder_definition(builder);
    run_threads(read_definition);
    ck_graph_builder_release(builder);
  }
}

TEST(memory)
{
  run_threads(use_memory);
}

TEST(streams)
{
  run_threads(use_streams);
}

TEST(contexts)
{
  run_threads(use_contexts);
}

int main(void)
{
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.max_bytes = 64 << 20; /* freed memory stays on its list until its stream gets to it */
  setenv("CK_CACHE", "off", 1); /* cached code would stay loaded */
  CHECK_OK(ck_device_open_host(&bench.device));
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  CHECK_OK(ck_event_create(bench.device, NULL, &shared_event));
  RUN(memory);
  RUN(streams);
  RUN(contexts);
  CHECK_OK(compile_stub("any", bench.device, &bench.code));
  empty = bench_kernel(&bench, "empty");
  RUN(definitions);
  ck_kernel_release(empty);
  ck_event_release(shared_event);
  ck_memory_resource_release(pool);
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
