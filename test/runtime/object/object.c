/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* object.c - tests devices, streams, events, memory and buffers on the host device. */
#define _GNU_SOURCE /* setenv, usleep */
#include "fixture.h"

#include <unistd.h>

TEST(status_and_types)
{
  CHECK(!strcmp(ck_status_name(CK_KERNEL_FAULT), "CK_KERNEL_FAULT"));
  CHECK(!strcmp(ck_status_name((ck_status_t)99), "CK_?"));
  CHECK(ck_dtype_bytes(CK_BF16) == 2 && !strcmp(ck_dtype_name(CK_BF16), "bf16"));
  CHECK(ck_dtype_bytes((ck_dtype_t)77) == 0);
  CHECK(!strcmp(ck_version(), CK_VERSION_TEXT));
}

TEST(device_without_driver)
{
  ck_device_t *device;
  unsetenv("CK_DEVICE");
  setenv("CK_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
  CHECK(ck_device_count() == 0);
  CHECK_STATUS(ck_device_open(0, &device), CK_UNAVAILABLE);
  CHECK(device == NULL);
  CHECK_ERROR(
      "CK_UNAVAILABLE: the CUDA driver is not installed: /nonexistent/libcuda.so.1: cannot");
  CHECK_OK(ck_device_open_auto(&device));
  CHECK(ck_device_is_host(device) && !strcmp(ck_device_target(device), "host"));
  ck_device_release(device);
  setenv("CK_DEVICE", "cuda:0", 1);
  CHECK_STATUS(ck_device_open_auto(&device), CK_UNAVAILABLE);
  setenv("CK_DEVICE", "cuda:0x", 1);
  CHECK_STATUS(ck_device_open_auto(&device), CK_INVALID_ARGUMENT);
  CHECK_ERROR("use host, cuda:N or auto");
  setenv("CK_DEVICE", "host", 1);
  CHECK_OK(ck_device_open_auto(&device));
  ck_device_release(device);
  unsetenv("CK_DEVICE");
}

/* Finds the device without making a context. */
TEST(device_find)
{
  char target[CK_TARGET_BYTES];
  int ordinal = 99;
  unsetenv("CK_DEVICE");
  CHECK_OK(ck_device_find_auto(&ordinal, target)); /* no driver, as the previous test arranged */
  CHECK(ordinal == -1 && !strcmp(target, "host"));
  CHECK_OK(ck_device_find_auto(NULL, NULL));
  setenv("CK_DEVICE", "cuda:0", 1);
  CHECK_STATUS(ck_device_find_auto(&ordinal, target), CK_UNAVAILABLE);
  CHECK(ordinal == -1 && !*target);
  setenv("CK_DEVICE", "cuda:-1", 1);
  CHECK_STATUS(ck_device_find_auto(&ordinal, target), CK_INVALID_ARGUMENT);
  CHECK_ERROR("CK_DEVICE is 'cuda:-1': use host, cuda:N or auto");
  static const char *const others[] = {"cuda:",   "cuda:4294967296", "cuda: 1", "cuda:+0",
                                       "cuda:0 ", "cuda:2147483648", "cuda",    " cuda:0"};
  for (size_t i = 0; i < COUNT_OF(others); ++i) {
    setenv("CK_DEVICE", others[i], 1);
    CHECK_STATUS(ck_device_find_auto(&ordinal, target), CK_INVALID_ARGUMENT);
  }
  setenv("CK_DEVICE", "cuda:2147483647", 1);
  CHECK_STATUS(ck_device_find_auto(&ordinal, target), CK_UNAVAILABLE);
  unsetenv("CK_DEVICE");
}

TEST(device_queries)
{
  ck_device_t *device;
  int value;
  size_t free_bytes, total_bytes;
  unsigned char uuid[16];
  CHECK_OK(ck_device_open_host(&device));
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_WARP_SIZE, &value));
  CHECK(value == 32);
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_MULTIPROCESSOR_COUNT, &value));
  CHECK(value >= 1);
  CHECK_STATUS(ck_device_get_attribute(device, (ck_device_attribute_t)9999, &value),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("does not know attribute 9999");
  CHECK(!strcmp(ck_device_attribute_name(CK_DEVICE_MAX_GRID_DIM_X), "max_grid_dim_x"));
  CHECK(ck_device_attribute_name((ck_device_attribute_t)9999) == NULL);
  CHECK_OK(ck_device_get_memory(device, &free_bytes, &total_bytes));
  CHECK(free_bytes > 0 && free_bytes <= total_bytes);
  CHECK_OK(ck_device_get_uuid(device, uuid));
  CHECK_STATUS(ck_device_get_memory(NULL, NULL, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_device_get_memory: device is NULL");
  ck_device_release(device);
}

#define REFUSED(function, arguments, what)                                                         \
  CHECK_STATUS(function arguments, CK_INVALID_ARGUMENT);                                           \
  CHECK_ERROR("CK_INVALID_ARGUMENT: " #function ": " what " is NULL")

/* A NULL argument is reported with its name and the called function, wherever it is found. */
TEST(what_is_null)
{
  Bench bench;
  ck_context_t *context;
  ck_graph_definition_t *definition;
  ck_graph_builder_t *bodies[2];
  ck_sync_policy_t policy;
  uint32_t count;
  int number;
  bench_open(&bench);
  ck_buffer_t *buffer = bench_buffer(&bench, 16);
  CHECK_OK(ck_graph_definition_create(bench.device, &definition));
  REFUSED(ck_buffer_copy, (NULL, 0, buffer, 0, 4, NULL), "dst");
  REFUSED(ck_buffer_copy, (buffer, 0, NULL, 0, 4, NULL), "src");
  REFUSED(ck_graph_definition_add, (NULL, NULL, 0, NULL, NULL), "definition");
  REFUSED(ck_graph_definition_add, (definition, NULL, 0, NULL, NULL), "params");
  REFUSED(ck_graph_builder_add_if, (NULL, 1, bodies), "builder");
  REFUSED(ck_graph_builder_add_if_else, (NULL, 1, bodies, bodies + 1), "builder");
  REFUSED(ck_graph_builder_add_while, (NULL, 1, bodies), "builder");
  REFUSED(ck_graph_builder_add_switch, (NULL, 1, 2, bodies), "builder");
  REFUSED(ck_kernel_get_largest_cluster, (NULL, NULL, NULL), "out_blocks");
  REFUSED(ck_kernel_get_active_clusters, (NULL, NULL, &count), "kernel");
  REFUSED(ck_stream_set_sync_policy, (NULL, CK_SYNC_SPIN), "stream");
  REFUSED(ck_stream_get_sync_policy, (NULL, &policy), "stream");
  REFUSED(ck_stream_set_access_window, (NULL, NULL, 0, 0, 0, CK_L2_NORMAL, CK_L2_NORMAL), "stream");
  REFUSED(ck_device_get_compute_capability, (NULL, &number, &number), "device");
  REFUSED(ck_memory_resource_send, (NULL, -1), "resource");
  REFUSED(ck_event_send, (NULL, -1), "event");
  REFUSED(ck_context_create_green, (bench.device, NULL, 1, NULL, &context), "resources");
  ck_graph_definition_release(definition);
  ck_buffer_release(buffer);
  bench_close(&bench);
}

/* Objects can be released in any order: children retain their parents. */
TEST(ownership)
{
  size_t before = atomic_load(&host_live_objects);
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *buffer;
  CHECK_OK(ck_device_open_host(&device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  ck_device_release(device);
  CHECK_OK(ck_buffer_create(ck_stream_device(stream), 1000, stream, &buffer));
  ck_stream_release(stream);
  CHECK_OK(ck_buffer_fill(buffer, 0, 1000, 7, 1, NULL));
  CHECK_OK(ck_device_sync(ck_buffer_device(buffer))); /* freed in the order of its own stream */
  CHECK(ck_buffer_retain(buffer) == buffer);
  ck_buffer_release(buffer);
  ck_buffer_release(buffer);
  ck_buffer_release(NULL);
  CHECK(atomic_load(&host_live_objects) == before);
}

TEST(options)
{
  ck_device_t *device;
  ck_stream_t *stream;
  CHECK_OK(ck_device_open_host(&device));
  struct {
    ck_stream_options_t known;
    uint64_t newer;
  } options = {.known = CK_OPTIONS_INIT(ck_stream_options_t)};
  options.known.struct_size = sizeof options;
  options.known.flags = CK_STREAM_BLOCKING;
  options.known.priority = -3;
  CHECK_OK(ck_stream_create(device, &options.known, &stream));
  int priority;
  uint32_t flags;
  CHECK_OK(ck_stream_get_priority(stream, &priority));
  CHECK_OK(ck_stream_get_flags(stream, &flags));
  CHECK(priority == -3 && flags == CK_STREAM_BLOCKING);
  ck_stream_release(stream);
  options.newer = 1;
  CHECK_STATUS(ck_stream_create(device, &options.known, &stream), CK_INVALID_ARGUMENT);
  CHECK(stream == NULL);
  CHECK_ERROR("this library");
  options.known.struct_size = 0;
  CHECK_STATUS(ck_stream_create(device, &options.known, &stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("CK_OPTIONS_INIT");
  ck_device_release(device);
}

TEST(buffers)
{
  Bench bench;
  bench_open(&bench);
  uint32_t in[64], out[64] = {0};
  for (uint32_t i = 0; i < 64; ++i) in[i] = i * i;
  ck_buffer_t *a = bench_buffer(&bench, sizeof in), *b = bench_buffer(&bench, sizeof in), *empty;
  CHECK_OK(ck_buffer_write(a, 0, in, sizeof in, bench.stream));
  CHECK_OK(ck_buffer_copy(b, 0, a, 0, sizeof in, bench.stream));
  CHECK_OK(ck_buffer_fill(b, 4, 8, 0xabcd1234, 4, bench.stream));
  CHECK_OK(ck_buffer_fill(b, 12, 2, 0xffff, 2, bench.stream));
  CHECK_OK(ck_buffer_read(b, 0, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(out[0] == 0 && out[1] == 0xabcd1234 && out[2] == 0xabcd1234 && out[3] == 0xffff);
  CHECK(!memcmp(out + 4, in + 4, sizeof in - 16));

  CHECK_STATUS(ck_buffer_write(a, 1, in, sizeof in, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_buffer_write: 256 bytes at offset 1, the buffer has 256 bytes");
  CHECK_STATUS(ck_buffer_read(a, SIZE_MAX, out, 2, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_fill(a, 2, 4, 0, 4, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("multiples of 4");
  CHECK_STATUS(ck_buffer_fill(a, 0, 3, 0, 3, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_buffer_copy(a, 0, a, 8, 16, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("overlap");
  CHECK_OK(ck_buffer_write(a, sizeof in, NULL, 0, bench.stream));

  CHECK_OK(ck_buffer_create(bench.device, 0, NULL, &empty));
  CHECK(ck_buffer_native(empty) == 0 && ck_buffer_bytes(empty) == 0);
  ck_buffer_release(empty);
  ck_buffer_t *huge;
  CHECK_STATUS(ck_buffer_create(bench.device, (size_t)1 << 50, NULL, &huge), CK_OUT_OF_MEMORY);
  CHECK(huge == NULL);
  CHECK_ERROR("1125899906842624 bytes of device memory of 'host device'");
  CHECK(ck_last_driver_error() == CUDA_ERROR_OUT_OF_MEMORY);
  ck_buffer_release(a);
  ck_buffer_release(b);
  bench_close(&bench);
}

static void count_release(void *data)
{
  ++*(int *)data;
}

TEST(adopted_memory)
{
  Bench bench;
  bench_open(&bench);
  int release_count = 0;
  uint32_t words[4] = {1, 2, 3, 4};
  ck_buffer_t *buffer;
  CHECK_OK(ck_buffer_from_native(bench.device, (uintptr_t)words, sizeof words, count_release,
                                 &release_count, &buffer));
  CHECK(ck_buffer_host(buffer) == words);
  CHECK_OK(ck_buffer_fill(buffer, 0, sizeof words, 9, 4, NULL));
  CHECK_OK(ck_device_sync(bench.device));
  CHECK(words[3] == 9);
  ck_buffer_release(buffer);
  CHECK(release_count == 1);
  CHECK_STATUS(ck_buffer_from_native(bench.device, 0, 4, NULL, NULL, &buffer), CK_INVALID_ARGUMENT);
  ck_stream_t *adopted;
  CHECK_OK(ck_stream_from_native(bench.device, ck_stream_native(bench.stream), 0, &adopted));
  CHECK_OK(ck_stream_sync(adopted));
  ck_stream_release(adopted);
  CHECK_OK(ck_stream_sync(bench.stream));
  bench_close(&bench);
}

TEST(memory_resources)
{
  Bench bench;
  bench_open(&bench);
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.max_bytes = 4096;
  ck_memory_resource_t *pool, *pinned;
  ck_buffer_t *a, *b, *c;
  size_t used, held;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &options, &pool));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 3000, bench.stream, &a));
  CHECK_STATUS(ck_memory_resource_create_buffer(pool, 3000, bench.stream, &b), CK_OUT_OF_MEMORY);
  CHECK_OK(ck_memory_resource_get_usage(pool, &used, &held));
  CHECK(used == 3000 && held >= used);
  ck_memory_resource_release(pool); /* retained by the buffer */
  CHECK_OK(ck_buffer_fill(a, 0, 3000, 1, 1, bench.stream));
  ck_buffer_release(a);
  CHECK_OK(ck_memory_resource_create_pinned(bench.device, &pinned));
  CHECK_OK(ck_memory_resource_create_buffer(pinned, 100, NULL, &c));
  CHECK(ck_buffer_host(c) && (uintptr_t)ck_buffer_host(c) == ck_buffer_native(c));
  CHECK_STATUS(ck_memory_resource_get_usage(pinned, &used, &held), CK_UNSUPPORTED);
  ck_memory_resource_release(pinned);
  ck_buffer_release(c);
  bench_close(&bench);
}

static void sleep_5ms(void *data)
{
  usleep(5000);
  *(volatile int *)data = 1;
}

TEST(streams_and_events)
{
  Bench bench;
  bench_open(&bench);
  volatile int is_done = 0;
  int seen = 0;
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  options.flags = CK_EVENT_TIMING;
  ck_event_t *start, *end, *plain;
  ck_stream_t *other;
  double seconds;
  CHECK_OK(ck_event_create(bench.device, &options, &start));
  CHECK_OK(ck_event_create(bench.device, &options, &end));
  CHECK_OK(ck_event_create(bench.device, NULL, &plain));
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_event_query(plain));
  CHECK_STATUS(ck_event_get_elapsed(start, end, &seconds), CK_INVALID_ARGUMENT);
  CHECK_ERROR("not recorded");
  CHECK_OK(ck_stream_record(bench.stream, start));
  CHECK_OK(ck_stream_launch_host(bench.stream, sleep_5ms, (void *)&is_done));
  CHECK_OK(ck_stream_record(bench.stream, end));
  CHECK_STATUS(ck_event_query(end), CK_NOT_READY);
  CHECK_STATUS(ck_stream_query(bench.stream), CK_NOT_READY);
  CHECK_OK(ck_stream_query(other)); /* streams run concurrently */
  CHECK_OK(ck_stream_wait(other, end));
  ck_buffer_t *flag;
  CHECK_OK(
      ck_buffer_from_native(bench.device, (uintptr_t)&is_done, sizeof is_done, NULL, NULL, &flag));
  CHECK_OK(ck_buffer_read(flag, 0, &seen, sizeof seen, other));
  CHECK_OK(ck_stream_sync(other));
  CHECK(seen == 1);
  CHECK_OK(ck_event_sync(end));
  CHECK_OK(ck_event_get_elapsed(start, end, &seconds));
  CHECK(seconds >= 0.004 && seconds < 5);
  CHECK_STATUS(ck_event_get_elapsed(start, plain, &seconds), CK_INVALID_ARGUMENT);
  CHECK_ERROR("CK_EVENT_TIMING");

  is_done = seen = 0;
  CHECK_OK(ck_stream_launch_host(bench.stream, sleep_5ms, (void *)&is_done));
  CHECK_OK(ck_stream_wait_stream(other, bench.stream));
  CHECK_OK(ck_buffer_read(flag, 0, &seen, sizeof seen, other));
  CHECK_OK(ck_stream_sync(other));
  CHECK(seen == 1);
  ck_buffer_release(flag);
  ck_event_release(start);
  ck_event_release(end);
  ck_event_release(plain);
  ck_stream_release(other);
  bench_close(&bench);
}

/* The default stream waits for blocking streams and they for it; others run on. */
TEST(default_stream)
{
  Bench bench;
  bench_open(&bench);
  volatile int is_done = 0;
  int seen = 0;
  ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t);
  options.flags = CK_STREAM_BLOCKING;
  ck_stream_t *blocking, *standard;
  ck_buffer_t *flag;
  CHECK_OK(ck_stream_create(bench.device, &options, &blocking));
  CHECK_OK(ck_stream_open_default(bench.device, &standard));
  CHECK_OK(
      ck_buffer_from_native(bench.device, (uintptr_t)&is_done, sizeof is_done, NULL, NULL, &flag));
  CHECK_OK(ck_stream_launch_host(blocking, sleep_5ms, (void *)&is_done));
  CHECK_OK(ck_buffer_read(flag, 0, &seen, sizeof seen, standard));
  CHECK_OK(ck_stream_sync(standard));
  CHECK(seen == 1);
  is_done = seen = 0;
  CHECK_OK(ck_stream_launch_host(standard, sleep_5ms, (void *)&is_done));
  CHECK_OK(ck_stream_query(bench.stream));
  CHECK_OK(ck_buffer_read(flag, 0, &seen, sizeof seen, blocking));
  CHECK_OK(ck_stream_sync(blocking));
  CHECK(seen == 1);
  ck_buffer_release(flag);
  ck_stream_release(blocking);
  ck_stream_release(standard);
  bench_close(&bench);
}

int main(void)
{
  use_private_cache();
  run_all();
  ck_cache_clear();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
