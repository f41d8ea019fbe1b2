/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* event.c - tests events on the device that $CK_DEVICE names: cuda.core's test_event.py in C. */
#include <unistd.h>

#include "fixture.h"

static Bench bench;
static atomic_int release_it;

static ck_event_t *make(uint32_t flags)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  ck_event_t *event = NULL;
  options.flags = flags;
  CHECK_OK(ck_event_create(bench.device, &options, &event));
  return event;
}

static void hold(void *data)
{
  (void)data;
  while (!atomic_load(&release_it)) usleep(100);
}

TEST(timing_success)
{
  ck_event_t *start = make(CK_EVENT_TIMING), *end = make(CK_EVENT_TIMING);
  double seconds = 0;
  CHECK_OK(ck_stream_record(bench.stream, start));
  CHECK_OK(ck_stream_sync(bench.stream));
  usleep(50000);
  CHECK_OK(ck_stream_record(bench.stream, end));
  CHECK_OK(ck_event_sync(end));
  CHECK_OK(ck_event_get_elapsed(start, end, &seconds));
  CHECK(seconds > 0.04 && seconds < 1);
  ck_event_release(start);
  ck_event_release(end);
}

TEST(flags)
{
  ck_event_t *event = make(CK_EVENT_BLOCKING_SYNC | CK_EVENT_TIMING);
  CHECK(ck_event_flags(event) == (CK_EVENT_BLOCKING_SYNC | CK_EVENT_TIMING));
  CHECK(ck_event_device(event) == bench.device);
  CHECK(ck_event_context(event) == ck_device_context(bench.device));
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_event_sync(event));
  ck_event_release(event);
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  options.flags = 16;
  CHECK_STATUS(ck_event_create(bench.device, &options, &event), CK_INVALID_ARGUMENT);
  options.flags = CK_EVENT_IPC | CK_EVENT_TIMING;
  CHECK_STATUS(ck_event_create(bench.device, &options, &event), CK_INVALID_ARGUMENT);
  CHECK_ERROR("can't keep the time");
}

TEST(sync)
{
  ck_event_t *event = make(0);
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_event_query(event));
  ck_event_release(event);
}

/* Waiting spins unless it is told to sleep; both work. */
TEST(is_sync_busy_waited)
{
  ck_event_t *spins = make(0), *sleeps = make(CK_EVENT_BLOCKING_SYNC);
  CHECK(!(ck_event_flags(spins) & CK_EVENT_BLOCKING_SYNC));
  CHECK(ck_event_flags(sleeps) & CK_EVENT_BLOCKING_SYNC);
  CHECK_OK(ck_stream_record(bench.stream, spins));
  CHECK_OK(ck_stream_record(bench.stream, sleeps));
  CHECK_OK(ck_event_sync(spins));
  CHECK_OK(ck_event_sync(sleeps));
  ck_event_release(spins);
  ck_event_release(sleeps);
}

TEST(event_device_and_context)
{
  ck_event_t *event = make(0);
  CHECK(ck_event_device(event) == bench.device);
  CHECK(ck_event_context(event) == ck_device_context(bench.device));
  CHECK(ck_context_native(ck_event_context(event)) != NULL);
  ck_event_release(event);
}

TEST(event_inequality_different_events)
{
  ck_event_t *one = make(0), *two = make(0);
  CHECK(ck_event_native(one) && ck_event_native(one) != ck_event_native(two));
  ck_event_release(one);
  ck_event_release(two);
}

TEST(is_done)
{
  ck_event_t *event = make(0);
  CHECK_OK(ck_event_query(event)); /* it was never recorded */
  atomic_store(&release_it, 0);
  CHECK_OK(ck_stream_launch_host(bench.stream, hold, NULL));
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_STATUS(ck_event_query(event), CK_NOT_READY);
  atomic_store(&release_it, 1);
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_event_query(event));
  ck_event_release(event);
}

TEST(error_timing_disabled)
{
  ck_event_t *timed = make(CK_EVENT_TIMING), *plain = make(0);
  double seconds = 1;
  CHECK_OK(ck_stream_record(bench.stream, timed));
  CHECK_OK(ck_stream_record(bench.stream, plain));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_STATUS(ck_event_get_elapsed(timed, plain, &seconds), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the second event was made without CK_EVENT_TIMING");
  CHECK_STATUS(ck_event_get_elapsed(plain, timed, &seconds), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the first event was made without CK_EVENT_TIMING");
  CHECK(seconds == 0);
  CHECK_STATUS(ck_event_get_elapsed(plain, plain, &seconds), CK_INVALID_ARGUMENT);
  ck_event_release(timed);
  ck_event_release(plain);
}

TEST(error_timing_recorded)
{
  if (getenv("CK_NO_FAULTS")) return; /* compute-sanitizer counts these errors */
  ck_event_t *recorded = make(CK_EVENT_TIMING), *other = make(CK_EVENT_TIMING);
  double seconds;
  CHECK_OK(ck_stream_record(bench.stream, recorded));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_STATUS(ck_event_get_elapsed(recorded, other, &seconds), CK_INVALID_ARGUMENT);
  CHECK_ERROR("an event is not recorded");
  CHECK_STATUS(ck_event_get_elapsed(other, recorded, &seconds), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_event_get_elapsed(other, other, &seconds), CK_INVALID_ARGUMENT);
  CHECK_ERROR("an event is not recorded");
  ck_event_release(recorded);
  ck_event_release(other);
}

TEST(error_timing_incomplete)
{
  ck_event_t *start = make(CK_EVENT_TIMING), *end = make(CK_EVENT_TIMING),
             *never = make(CK_EVENT_TIMING);
  double seconds;
  atomic_store(&release_it, 0);
  CHECK_OK(ck_stream_record(bench.stream, start));
  CHECK_OK(ck_event_sync(start));
  CHECK_OK(ck_stream_launch_host(bench.stream, hold, NULL));
  CHECK_OK(ck_stream_record(bench.stream, end));
  CHECK_STATUS(ck_event_get_elapsed(start, end, &seconds), CK_NOT_READY);
  CHECK_ERROR("the work before the second event is under way");
  CHECK_STATUS(ck_event_get_elapsed(end, never, &seconds), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_event_get_elapsed(never, end, &seconds), CK_INVALID_ARGUMENT);
  atomic_store(&release_it, 1);
  CHECK_OK(ck_event_sync(end));
  CHECK_OK(ck_event_get_elapsed(start, end, &seconds));
  ck_event_release(start);
  ck_event_release(never);
  ck_event_release(end);
}

/* A wait is for the record before it, not for a later one that another stream reaches first. The
 * time is that of the last record, whichever is reached last. */
static void record_elsewhere(uint32_t flags)
{
  ck_event_t *event = make(flags), *start = make(CK_EVENT_TIMING);
  ck_stream_t *other = NULL, *waiting = NULL;
  double seconds = 1;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_stream_create(bench.device, NULL, &waiting));
  atomic_store(&release_it, 0);
  CHECK_OK(ck_stream_record(other, start));
  CHECK_OK(ck_stream_launch_host(bench.stream, hold, NULL));
  for (int i = 0; i < 9; ++i) CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_stream_wait(waiting, event));
  CHECK_OK(ck_stream_record(other, event));
  CHECK_OK(ck_event_sync(event));
  CHECK_OK(ck_event_query(event));
  usleep(50000);
  CHECK_STATUS(ck_stream_query(waiting), CK_NOT_READY);
  atomic_store(&release_it, 1);
  CHECK_OK(ck_stream_sync(waiting));
  CHECK_OK(ck_stream_sync(bench.stream));
  if (flags & CK_EVENT_TIMING && ck_device_is_host(bench.device)) {
    CHECK_OK(ck_event_get_elapsed(start, event, &seconds));
    CHECK(seconds < 0.04);
  }
  ck_event_release(start);
  ck_event_release(event);
  ck_stream_release(other);
  ck_stream_release(waiting);
}

TEST(recorded_again_elsewhere)
{
  record_elsewhere(CK_EVENT_TIMING);
  if (ck_device_is_host(bench.device)) record_elsewhere(CK_EVENT_IPC);
}

static void wait_for_none(uint32_t flags)
{
  ck_event_t *event = make(flags);
  ck_graph_definition_t *definition = NULL;
  ck_graph_t *graph = NULL;
  ck_node_params_t wait = ck_node_wait(event);
  if (CHECK_OK(ck_event_query(event))) { /* otherwise the wait would not end */
    CHECK_OK(ck_event_sync(event));
    CHECK_OK(ck_stream_wait(bench.stream, event));
    CHECK_OK(ck_graph_definition_create(bench.device, &definition));
    CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &wait, NULL));
    CHECK_OK(ck_graph_create(definition, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
  }
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
  ck_event_release(event);
}

/* An event that was never recorded is not waited for, by whatever waits. */
TEST(never_recorded)
{
  wait_for_none(CK_EVENT_TIMING);
  if (ck_device_is_host(bench.device)) wait_for_none(CK_EVENT_IPC);
}

TEST(from_native)
{
  ck_event_t *event = make(CK_EVENT_TIMING), *same;
  CHECK_OK(ck_event_from_native(bench.device, ck_event_native(event), CK_EVENT_TIMING, 0, &same));
  CHECK_OK(ck_stream_record(bench.stream, same));
  ck_event_release(same);
  CHECK_OK(ck_event_sync(event));
  ck_event_release(event);
  CHECK_STATUS(ck_event_from_native(bench.device, NULL, 0, 0, &same), CK_INVALID_ARGUMENT);
}

/* Bytes of event handles are checked; ipc.c tests two processes. */
TEST(ipc_descriptor)
{
  ck_event_t *plain = make(0), *other;
  ck_ipc_event_t handle;
  CHECK_STATUS(ck_event_export(plain, &handle), CK_INVALID_ARGUMENT);
  CHECK_ERROR("CK_EVENT_IPC");
  ck_event_release(plain);
  memset(&handle, 0, sizeof handle);
  if (getenv("CK_NO_FAULTS")) return;
  CHECK(ck_event_from_ipc(bench.device, &handle, &other) != CK_OK && !other);
}

int main(void)
{
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
