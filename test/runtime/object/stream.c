/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream.c - tests streams, on the device that $CK_DEVICE names: cuda.core's test_stream.py in C.
 */
#include <unistd.h>

#include "fixture.h"

static Bench bench;

TEST(stream_init_with_options)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *stream;
  uint32_t flags = 1;
  int priority = 1;
  CHECK_OK(ck_stream_create(bench.device, &options, &stream));
  CHECK_OK(ck_stream_get_flags(stream, &flags));
  CHECK_OK(ck_stream_get_priority(stream, &priority));
  CHECK(flags == 0 && priority == 0);
  CHECK(ck_stream_native(stream) != NULL);
  ck_stream_release(stream);
}

TEST(stream_priority)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  int low, high, priority;
  CHECK_OK(ck_context_get_priorities(ck_device_context(bench.device), &low, &high));
  CHECK(high <= low);
  for (int wish = low; wish >= high; --wish) {
    ck_stream_t *stream;
    options.priority = wish;
    CHECK_OK(ck_stream_create(bench.device, &options, &stream));
    CHECK_OK(ck_stream_get_priority(stream, &priority));
    CHECK(priority == wish);
    ck_stream_release(stream);
  }
  /* Priorities out of range are moved into it. */
  for (int i = 0; i < 2; ++i) {
    ck_stream_t *stream;
    options.priority = i ? high - 1 : low + 1;
    CHECK_OK(ck_stream_create(bench.device, &options, &stream));
    CHECK_OK(ck_stream_get_priority(stream, &priority));
    CHECK(priority == (i ? high : low));
    ck_stream_release(stream);
  }
}

TEST(stream_sync)
{
  ck_stream_t *stream;
  CHECK_OK(ck_stream_create(bench.device, NULL, &stream));
  CHECK_OK(ck_stream_sync(stream));
  ck_stream_release(stream);
  CHECK_STATUS(ck_stream_create(NULL, NULL, &stream), CK_INVALID_ARGUMENT);
  CHECK(stream == NULL);
  ck_stream_release(NULL);
}

TEST(stream_is_blocking)
{
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  ck_stream_t *stream;
  uint32_t flags = 0;
  options.flags = CK_STREAM_BLOCKING;
  CHECK_OK(ck_stream_create(bench.device, &options, &stream));
  CHECK_OK(ck_stream_get_flags(stream, &flags));
  CHECK(flags == CK_STREAM_BLOCKING);
  ck_stream_release(stream);
  options.flags = 8;
  CHECK_STATUS(ck_stream_create(bench.device, &options, &stream), CK_INVALID_ARGUMENT);
  CHECK(stream == NULL);
}

TEST(stream_record_and_wait_event)
{
  ck_stream_t *other;
  ck_event_t *event;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  CHECK_OK(ck_stream_record(bench.stream, event));
  CHECK_OK(ck_stream_wait(other, event));
  CHECK_OK(ck_stream_sync(other));
  CHECK_OK(ck_event_query(event));
  ck_event_release(event);
  ck_stream_release(other);
}

TEST(stream_wait_invalid_event)
{
  CHECK_STATUS(ck_stream_wait(bench.stream, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_stream_wait_stream(bench.stream, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_stream_record(bench.stream, NULL), CK_INVALID_ARGUMENT);
}

static void do_nothing(void *data)
{
  (void)data;
}

/* Functions of a stream refuse NULL, since it names no device; as an argument of functions of other
 * objects it means the default stream. */
TEST(stream_null_is_none)
{
  ck_event_t *event;
  ck_buffer_t *buffer;
  ck_stream_t *standard;
  ck_value_op_t op = {.value_bytes = 4};
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  CHECK_OK(ck_buffer_create(bench.device, 64, NULL, &buffer)); /* here NULL is the default stream */
  op.buffer = buffer;
  const ck_status_t statuses[] = {ck_stream_record(NULL, event),
                                  ck_stream_wait(NULL, event),
                                  ck_stream_wait_stream(NULL, bench.stream),
                                  ck_stream_sync(NULL),
                                  ck_stream_query(NULL),
                                  ck_stream_write_value(NULL, buffer, 0, 1, 4),
                                  ck_stream_wait_value(NULL, buffer, 0, 1, 4, CK_WAIT_EQUAL),
                                  ck_stream_batch_values(NULL, &op, 1),
                                  ck_stream_launch_host(NULL, do_nothing, NULL)};
  for (size_t i = 0; i < COUNT_OF(statuses); ++i) CHECK(statuses[i] == CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_stream_launch_host: stream is NULL");
  CHECK_OK(ck_stream_open_default(bench.device, &standard));
  CHECK_OK(ck_stream_record(standard, event));
  CHECK_OK(ck_stream_wait(standard, event));
  CHECK_OK(ck_stream_wait_stream(bench.stream, standard));
  CHECK_OK(ck_stream_sync(standard));
  ck_stream_release(standard);
  ck_buffer_release(buffer);
  ck_event_release(event);
}

TEST(stream_device_and_context)
{
  int is_current = 1;
  CHECK(ck_stream_device(bench.stream) == bench.device);
  CHECK(ck_stream_context(bench.stream) == ck_device_context(bench.device));
  CHECK(ck_context_native(ck_stream_context(bench.stream)) != NULL);
  CHECK_OK(ck_context_get_current(ck_stream_context(bench.stream), &is_current));
  CHECK(!is_current); /* no context was left current */
}

TEST(stream_from_foreign_stream)
{
  ck_stream_t *same;
  uint64_t a, b;
  CHECK_OK(ck_stream_from_native(bench.device, ck_stream_native(bench.stream), 0, &same));
  CHECK(ck_stream_native(same) == ck_stream_native(bench.stream));
  CHECK_OK(ck_stream_get_id(bench.stream, &a));
  CHECK_OK(ck_stream_get_id(same, &b));
  CHECK(a == b);
  ck_stream_release(same);
  CHECK_OK(ck_stream_sync(bench.stream)); /* the native stream still exists */
  if (ck_device_is_host(bench.device)) {  /* a GPU's handle, or one of a stream that is gone */
    int none;
    CHECK_STATUS(ck_stream_from_native(bench.device, &none, 0, &same), CK_DRIVER);
    return;
  }
  /* The driver tells to which device it belongs. */
  CHECK_OK(ck_stream_from_native(NULL, ck_stream_native(bench.stream), 0, &same));
  CHECK(ck_device_ordinal(ck_stream_device(same)) == ck_device_ordinal(bench.device));
  CHECK_OK(ck_stream_sync(same));
  ck_stream_release(same);
}

/* A native handle of NULL is the legacy default stream. */
TEST(stream_from_handle)
{
  ck_stream_t *stream, *legacy;
  CHECK_OK(ck_stream_from_native(bench.device, NULL, 0, &stream));
  CHECK_OK(ck_stream_open_default(bench.device, &legacy));
  CHECK(ck_stream_native(stream) == ck_stream_native(legacy));
  CHECK(ck_stream_device(stream) == bench.device);
  CHECK_OK(ck_stream_sync(stream));
  ck_stream_release(legacy);
  ck_stream_release(stream);
}

TEST(stream_inequality_different_handles)
{
  ck_stream_t *other;
  uint64_t a, b;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK(ck_stream_native(other) != ck_stream_native(bench.stream));
  CHECK_OK(ck_stream_get_id(bench.stream, &a));
  CHECK_OK(ck_stream_get_id(other, &b));
  CHECK(a != b);
  ck_stream_release(other);
}

TEST(default_streams)
{
  ck_stream_t *legacy, *thread, *again;
  uint32_t flags;
  CHECK_OK(ck_stream_open_default(bench.device, &legacy));
  CHECK_OK(ck_stream_open_default(bench.device, &again));
  CHECK_OK(ck_stream_open_per_thread(bench.device, &thread));
  CHECK(ck_stream_native(legacy) == ck_stream_native(again));
  CHECK(ck_stream_native(legacy) != ck_stream_native(thread));
  CHECK_OK(ck_stream_get_flags(legacy, &flags));
  CHECK(flags == CK_STREAM_BLOCKING);
  CHECK_OK(ck_stream_sync(legacy));
  CHECK_OK(ck_stream_sync(thread));
  ck_stream_release(legacy);
  ck_stream_release(again);
  ck_stream_release(thread);
}

static atomic_int release_them;

static void hold(void *data)
{
  (void)data;
  while (!atomic_load(&release_them)) usleep(100);
}

static void *use_own_default(void *data)
{
  ck_stream_t *thread;
  CHECK_OK(ck_stream_open_per_thread(bench.device, &thread));
  CHECK_OK(ck_stream_sync(thread)); /* would hang if it were the other thread's */
  ck_stream_release(thread);
  return data;
}

static void *sync_default(void *is_done)
{
  ck_stream_t *legacy;
  if (ck_stream_open_default(bench.device, &legacy) == CK_OK && ck_stream_sync(legacy) == CK_OK)
    atomic_store((atomic_int *)is_done, 1);
  ck_stream_release(legacy);
  return NULL;
}

/* Synchronising the legacy default stream, or querying it, includes blocking streams and no others.
 */
TEST(default_stream_sync)
{
  pthread_t syncing;
  ck_stream_t *blocking, *legacy;
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  atomic_int is_done = 0;
  CHECK_OK(ck_stream_open_default(bench.device, &legacy));
  options.flags = CK_STREAM_BLOCKING;
  CHECK_OK(ck_stream_create(bench.device, &options, &blocking));
  for (int is_blocking = 0; is_blocking < 2; ++is_blocking) {
    ck_stream_t *held = is_blocking ? blocking : bench.stream;
    atomic_store(&release_them, 0);
    atomic_store(&is_done, 0);
    CHECK_OK(ck_stream_launch_host(held, hold, NULL));
    CHECK_STATUS(ck_stream_query(legacy), is_blocking ? CK_NOT_READY : CK_OK);
    pthread_create(&syncing, NULL, sync_default, &is_done);
    for (int i = 0; i < (is_blocking ? 20 : 2000) && !atomic_load(&is_done); ++i) usleep(1000);
    CHECK(atomic_load(&is_done) == !is_blocking);
    atomic_store(&release_them, 1);
    pthread_join(syncing, NULL);
    CHECK_OK(ck_stream_sync(held));
  }
  ck_stream_release(blocking);
  ck_stream_release(legacy);
}

/* The default streams of two threads do not wait for each other. */
TEST(per_thread_default_stream)
{
  pthread_t other;
  ck_stream_t *thread;
  atomic_store(&release_them, 0);
  CHECK_OK(ck_stream_open_per_thread(bench.device, &thread));
  CHECK_OK(ck_stream_launch_host(thread, hold, NULL));
  CHECK_STATUS(ck_stream_query(thread), CK_NOT_READY);
  pthread_create(&other, NULL, use_own_default, NULL);
  pthread_join(other, NULL);
  atomic_store(&release_them, 1);
  CHECK_OK(ck_stream_sync(thread));
  CHECK_OK(ck_stream_query(thread));
  ck_stream_release(thread);
}

TEST(stream_query)
{
  atomic_store(&release_them, 0);
  CHECK_OK(ck_stream_query(bench.stream));
  CHECK_OK(ck_stream_launch_host(bench.stream, hold, NULL));
  CHECK_STATUS(ck_stream_query(bench.stream), CK_NOT_READY);
  atomic_store(&release_them, 1);
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_stream_query(bench.stream));
}

static void append(void *data)
{
  static atomic_int next;
  *(int *)data = atomic_fetch_add(&next, 1);
}

/* Host functions run in their stream's order. */
TEST(host_functions)
{
  int places[16];
  for (int i = 0; i < 16; ++i) CHECK_OK(ck_stream_launch_host(bench.stream, append, &places[i]));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (int i = 0; i < 16; ++i) CHECK(places[i] == i);
  CHECK_STATUS(ck_stream_launch_host(bench.stream, NULL, NULL), CK_INVALID_ARGUMENT);
}

/* One stream waits for a value that another one writes. The driver accepts no memory of pools for
 * that. */
TEST(values)
{
  ck_memory_resource_t *pinned;
  ck_stream_t *other;
  ck_buffer_t *flags;
  uint64_t words[2] = {0};
  int can = 0;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_CAN_USE_64_BIT_STREAM_MEM_OPS, &can));
  if (!can) return;
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, sizeof words, bench.stream, &flags));
  ck_memory_resource_release(pinned);
  CHECK_OK(ck_buffer_fill(flags, 0, sizeof words, 0, 4, bench.stream));
  CHECK_OK(ck_stream_wait_stream(other, bench.stream));
  CHECK_OK(ck_stream_wait_value(other, flags, 0, 5, 4, CK_WAIT_EQUAL));
  CHECK_OK(ck_stream_write_value(other, flags, 8, 0x123456789abull, 8));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_STATUS(ck_stream_query(other), CK_NOT_READY);
  CHECK_OK(ck_stream_write_value(bench.stream, flags, 0, 5, 4));
  CHECK_OK(ck_stream_wait_value(bench.stream, flags, 8, 0x123456789abull, 8, CK_WAIT_EQUAL));
  CHECK_OK(ck_stream_wait_value(bench.stream, flags, 8, 0x100, 8, CK_WAIT_AND));
  CHECK_OK(
      ck_stream_wait_value(bench.stream, flags, 8, 0x123456789aaull, 8, CK_WAIT_GREATER_EQUAL));
  CHECK_OK(ck_buffer_read(flags, 0, words, sizeof words, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK_OK(ck_stream_sync(other));
  CHECK((uint32_t)words[0] == 5 && words[1] == 0x123456789abull);
  const ck_value_op_t ops[] = {{flags, 0, 1, 4, 0, CK_WAIT_EQUAL},
                               {flags, 0, 1, 4, 1, CK_WAIT_EQUAL},
                               {flags, 8, 2, 8, 0, CK_WAIT_EQUAL},
                               {flags, 8, 1, 8, 1, CK_WAIT_GREATER_EQUAL}};
  CHECK_OK(ck_stream_batch_values(bench.stream, ops, 4));
  CHECK_OK(ck_buffer_read(flags, 0, words, sizeof words, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK((uint32_t)words[0] == 1 && words[1] == 2);
  CHECK_OK(ck_stream_batch_values(bench.stream, NULL, 0));
  CHECK_STATUS(ck_stream_batch_values(bench.stream, ops, 257), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_stream_batch_values(bench.stream, &(ck_value_op_t){flags, 2, 1, 4, 0, 0}, 1),
               CK_INVALID_ARGUMENT);
  const ck_value_op_t second[] = {ops[0], {NULL, 0, 1, 4, 0, CK_WAIT_EQUAL}};
  CHECK_STATUS(ck_stream_batch_values(bench.stream, second, 2), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_stream_batch_values: ops[1].buffer is NULL");
  CHECK_STATUS(ck_stream_write_value(other, flags, 4, 0, 8), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_stream_write_value(other, flags, 16, 0, 4), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_stream_write_value(other, flags, 0, 0, 2), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_stream_wait_value(other, flags, 0, 0, 4, (ck_wait_t)4), CK_INVALID_ARGUMENT);
  ck_buffer_release(flags);
  ck_stream_release(other);
}

TEST(attributes)
{
  ck_sync_policy_t policy;
  ck_buffer_t *buffer;
  CHECK_OK(ck_stream_set_sync_policy(bench.stream, CK_SYNC_SLEEP));
  CHECK_OK(ck_stream_get_sync_policy(bench.stream, &policy));
  CHECK(policy == CK_SYNC_SLEEP);
  CHECK_STATUS(ck_stream_set_sync_policy(bench.stream, (ck_sync_policy_t)7), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_buffer_create(bench.device, 4096, bench.stream, &buffer));
  CHECK_STATUS(
      ck_stream_set_access_window(bench.stream, buffer, 1, 4096, 1, CK_L2_PERSISTING, CK_L2_NORMAL),
      CK_INVALID_ARGUMENT);
  CHECK_STATUS(
      ck_stream_set_access_window(bench.stream, buffer, 0, 4096, 2, CK_L2_PERSISTING, CK_L2_NORMAL),
      CK_INVALID_ARGUMENT);
  int most = 0;
  CHECK_OK(ck_device_get_attribute(bench.device, CK_DEVICE_MAX_ACCESS_POLICY_WINDOW_SIZE, &most));
  if (most >= 4096 || ck_device_is_host(bench.device)) {
    CHECK_OK(ck_stream_set_access_window(bench.stream, buffer, 0, 4096, 1, CK_L2_PERSISTING,
                                         CK_L2_STREAMING));
    CHECK_OK(ck_stream_set_access_window(bench.stream, NULL, 0, 0, 0, CK_L2_NORMAL, CK_L2_NORMAL));
  }
  ck_buffer_release(buffer);
}

int main(void)
{
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
