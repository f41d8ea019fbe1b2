/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream_order.c - tests the order of work when several threads use streams at once, on the device
 * that $CK_DEVICE names: the default stream, blocking streams, and events between them. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "fixture.h"

enum { ROUNDS = 4000, SECONDS = 120 };

static Bench bench;
static ck_stream_t *a, *b; /* blocking */
static ck_event_t *event;
static ck_buffer_t *buffer;
static ck_graph_t *graph; /* records the event */
static atomic_int failures, running, overlaps;
static atomic_bool is_open;

static void need(ck_status_t status)
{
  if (status != CK_OK) ++failures;
}

static ck_stream_t *new_blocking(void)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *stream;
  options.flags = CK_STREAM_BLOCKING;
  CHECK_OK(ck_stream_create(bench.device, &options, &stream));
  return stream;
}

static pthread_key_t key;
static ck_stream_t *own; /* each thread's default stream */

static void use_at_the_end(void *data)
{
  need(ck_buffer_fill(data, 0, 64, 2, 1, own));
  need(ck_stream_sync(own));
}

/* Values of thread-specific keys are destroyed in the order in which the keys were created, and
 * this key was created after the runtime's. */
static void *use_own(void *data)
{
  need(ck_buffer_fill(buffer, 0, 64, 1, 1, own));
  need(ck_stream_sync(own));
  if (pthread_key_create(&key, use_at_the_end) != 0) ++failures;
  pthread_setspecific(key, buffer);
  return data;
}

static void run_two(void *(*first)(void *data), void *(*second)(void *data))
{
  pthread_t threads[2];
  failures = overlaps = 0;
  CHECK(pthread_create(&threads[0], NULL, first, NULL) == 0);
  CHECK(pthread_create(&threads[1], NULL, second, NULL) == 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  CHECK_OK(ck_device_sync(bench.device));
  CHECK(failures == 0);
}

static void *record(void *data)
{
  for (int i = 0; i < ROUNDS; ++i) {
    need(ck_stream_record(a, event));
    if (i % 64 == 0) need(ck_stream_sync(a));
  }
  return data;
}

static void *launch(void *data)
{
  for (int i = 0; i < ROUNDS; ++i) {
    need(ck_graph_launch(graph, a));
    if (i % 64 == 0) need(ck_stream_sync(a));
  }
  return data;
}

/* Submits work to the default stream, which then waits for b. */
static void *wait_and_fill(void *data)
{
  for (int i = 0; i < ROUNDS; ++i) {
    need(ck_stream_wait(b, event));
    need(ck_buffer_fill(buffer, 0, 64, 1, 1, NULL));
    if (i % 64 == 0) need(ck_stream_sync(b));
  }
  return data;
}

static void meet(void *data)
{
  (void)data;
  if (atomic_fetch_add(&running, 1)) ++overlaps;
  for (int i = 0; i < 20; ++i) sched_yield();
  atomic_fetch_sub(&running, 1);
}

static void meet_often(ck_stream_t *stream)
{
  for (int i = 0; i < ROUNDS; ++i) {
    need(ck_stream_launch_host(stream, meet, NULL));
    if (i % 8 == 0) need(ck_stream_sync(stream));
  }
}

static void *meet_in_blocking(void *data)
{
  meet_often(a);
  return data;
}

static void *meet_in_default(void *data)
{
  ck_stream_t *stream;
  need(ck_stream_open_default(bench.device, &stream));
  meet_often(stream);
  ck_stream_release(stream);
  return data;
}

/* When the default stream waits for a stream that waits for an event, the event's record must be
 * submitted already; otherwise this deadlocks. */
TEST(record_has_its_place_with_its_number)
{
  run_two(record, wait_and_fill);
}

/* The same for the record node of a graph launch. */
TEST(launch_has_its_place_with_its_numbers)
{
  ck_graph_definition_t *definition;
  ck_graph_node_t *node;
  ck_node_params_t params = ck_node_record(event);
  CHECK_OK(ck_graph_definition_create(bench.device, &definition));
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  run_two(launch, wait_and_fill);
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
}

/* Work of two threads, in a blocking stream and in the default stream, never runs at the same time.
 */
TEST(default_stream_is_never_beside_a_blocking_one)
{
  run_two(meet_in_blocking, meet_in_default);
  CHECK(overlaps == 0);
}

/* A destructor that runs at a thread's end may still use the thread's default stream. */
TEST(thread_stream_is_there_to_the_end)
{
  pthread_t thread;
  char value = 0;
  if (!ck_device_is_host(bench.device))
    return; /* the driver decides when a GPU's stream is destroyed */
  failures = 0;
  CHECK_OK(ck_stream_open_per_thread(bench.device, &own));
  CHECK(pthread_create(&thread, NULL, use_own, NULL) == 0);
  pthread_join(thread, NULL);
  pthread_key_delete(key);
  CHECK_OK(ck_buffer_read(buffer, 0, &value, 1, own));
  CHECK_OK(ck_stream_sync(own));
  CHECK(failures == 0 && value == 2);
  ck_stream_release(own);
}

static void pass_gate(void *data)
{
  while (!is_open) usleep(100);
  ++*(atomic_int *)data;
}

static void *leave_work(void *data)
{
  need(ck_stream_launch_host(own, pass_gate, data));
  return NULL;
}

/* A thread may end before the work of its default stream; synchronising the device still waits for
 * that work. */
TEST(thread_does_not_wait_for_its_stream)
{
  pthread_t thread;
  atomic_int count = 0;
  if (!ck_device_is_host(bench.device))
    return; /* the driver decides when a GPU's stream is destroyed */
  failures = 0;
  is_open = false;
  CHECK_OK(ck_stream_open_per_thread(bench.device, &own));
  for (int i = 1; i <= 20; ++i) {
    CHECK(pthread_create(&thread, NULL, leave_work, &count) == 0);
    pthread_join(thread, NULL);
  }
  CHECK(failures == 0 && count == 0);
  is_open = true;
  CHECK_OK(ck_device_sync(bench.device));
  CHECK(count == 20);
  ck_stream_release(own);
}

int main(void)
{
  alarm(SECONDS); /* ends a thread that waits for itself */
  bench_open_any(&bench);
  a = new_blocking();
  b = new_blocking();
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  CHECK_OK(ck_buffer_create(bench.device, 64, NULL, &buffer));
  run_all();
  ck_buffer_release(buffer);
  ck_event_release(event);
  ck_stream_release(a);
  ck_stream_release(b);
  bench_close(&bench);
  return tests_report();
}
