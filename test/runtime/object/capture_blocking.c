/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* capture_blocking.c - tests that the default stream can't be used while a blocking stream is
 * captured, and that refused calls have no effect. On the device that $CK_DEVICE names. */
#include <pthread.h>
#include <unistd.h>

#include "fixture.h"

static Bench bench;
static ck_stream_t *blocking, *legacy;
static ck_graph_builder_t *builder; /* captures the blocking stream */
static ck_event_t *event;
static atomic_bool is_open;

static void wait_for_gate(void *data)
{
  (void)data;
  while (!is_open) usleep(100);
}

static void begin(void)
{
  CHECK_OK(ck_graph_builder_from_stream(blocking, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
}

static void end(void)
{
  ck_graph_builder_end(builder);
  ck_graph_builder_release(builder);
}

/* Records the event so that the record is pending until the gate is opened. */
static void record_behind_gate(void)
{
  is_open = false;
  CHECK_OK(ck_stream_launch_host(bench.stream, wait_for_gate, NULL));
  CHECK_OK(ck_stream_record(bench.stream, event));
}

static void open_gate(void)
{
  is_open = true;
  CHECK_OK(ck_stream_sync(bench.stream));
}

static ck_graph_t *graph_of(ck_node_params_t *params)
{
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_definition_create(bench.device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, params, &node));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  ck_graph_definition_release(definition);
  return graph;
}

/* A refused record does not change the event. */
TEST(refused_record)
{
  record_behind_gate();
  begin();
  CHECK_STATUS(ck_stream_record(legacy, event), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT");
  CHECK_STATUS(ck_event_query(event), CK_NOT_READY);
  end();
  open_gate();
  CHECK_OK(ck_event_query(event));
}

/* Nor does a refused launch of a graph that would record it. */
TEST(refused_launch)
{
  ck_node_params_t params = ck_node_record(event);
  ck_graph_t *graph = graph_of(&params);
  record_behind_gate();
  begin();
  CHECK_STATUS(ck_graph_launch(graph, legacy), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT");
  CHECK_STATUS(ck_event_query(event), CK_NOT_READY);
  end();
  open_gate();
  ck_graph_release(graph);
}

/* An event recorded in a capture stays in it when a record elsewhere is refused. */
TEST(refused_record_of_a_captured_event)
{
  ck_graph_builder_t *other;
  CHECK_OK(ck_graph_builder_create(bench.device, &other));
  CHECK_OK(ck_graph_builder_begin(other, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_stream_record(ck_graph_builder_stream(other), event));
  begin();
  CHECK_STATUS(ck_stream_record(legacy, event), CK_DRIVER);
  CHECK_STATUS(ck_event_query(event), CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_CAPTURED_EVENT");
  end();
  ck_graph_builder_end(other);
  ck_graph_builder_release(other);
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_event_sync(event));
}

/* A refused launch has allocated nothing: the graph can be launched elsewhere. */
TEST(refused_launch_that_allocates)
{
  ck_node_params_t alloc = ck_node_alloc(4096);
  ck_graph_t *graph = graph_of(&alloc), *freeing;
  ck_node_params_t free_it = ck_node_free(alloc.of.alloc.address);
  size_t used = 1;
  begin();
  CHECK_STATUS(ck_graph_launch(graph, legacy), CK_DRIVER);
  end();
  CHECK_OK(ck_graph_memory_get(bench.device, CK_GRAPH_MEMORY_USED, &used));
  CHECK(used == 0);
  CHECK_OK(ck_graph_launch(graph, bench.stream));
  freeing = graph_of(&free_it);
  CHECK_OK(ck_graph_launch(freeing, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_graph_release(freeing);
  ck_graph_release(graph);
}

static void try_all(int which, ck_buffer_t *buffer)
{
  ck_status_t status = which == 0   ? ck_stream_sync(legacy)
                       : which == 1 ? ck_stream_query(legacy)
                       : which == 2 ? ck_buffer_fill(buffer, 0, 64, 1, 1, NULL)
                       : which == 3 ? ck_stream_record(legacy, event)
                       : which == 4 ? ck_stream_wait(legacy, event)
                                    : ck_stream_launch_host(legacy, wait_for_gate, NULL);
  CHECK_STATUS(status, CK_DRIVER);
  CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT");
}

/* Every use of the default stream is refused, and invalidates the capture. */
TEST(default_stream_ends_the_capture)
{
  ck_buffer_t *buffer = bench_buffer(&bench, 64);
  is_open = true;
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (int which = 0; which < 6; ++which) {
    begin();
    try_all(which, buffer);
    CHECK_STATUS(ck_graph_builder_end(builder), CK_DRIVER);
    CHECK_ERROR("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
    ck_graph_builder_release(builder);
  }
  CHECK_OK(ck_stream_sync(legacy));
  ck_buffer_release(buffer);
}

static void *make_buffer(void *out_buffer)
{
  ck_stream_t *own;
  CHECK_OK(ck_stream_open_per_thread(bench.device, &own));
  CHECK_OK(ck_buffer_create(bench.device, 64, own, out_buffer));
  ck_stream_release(own);
  return NULL;
}

/* A release waits for no other stream. A buffer of a per-thread stream that another thread releases
 * is leaked, and the capture continues. */
TEST(release_does_not_wait)
{
  ck_buffer_t *threads = NULL, *defaults;
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, make_buffer, &threads) && !pthread_join(thread, NULL));
  CHECK_OK(ck_buffer_create(bench.device, 64, NULL, &defaults));
  record_behind_gate();
  begin();
  ck_buffer_release(threads);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
  begin();
  ck_buffer_release(defaults);
  end();
  open_gate();
}

int main(void)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  options.flags = CK_STREAM_BLOCKING;
  alarm(60); /* ends the process in case of a deadlock */
  bench_open_any(&bench);
  CHECK_OK(ck_stream_create(bench.device, &options, &blocking));
  CHECK_OK(ck_stream_open_default(bench.device, &legacy));
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  run_all();
  ck_event_release(event);
  ck_stream_release(legacy);
  ck_stream_release(blocking);
  bench_close(&bench);
  return tests_report();
}
