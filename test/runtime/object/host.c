/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host.c - tests kernels on the host device: grids, barriers, errors, print, shared memory; and the
 * end of its context. */
#define _GNU_SOURCE /* pipe2 */
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

TEST(plain_grid)
{
  Bench bench;
  bench_open(&bench);
  enum { N = 100003 };
  float *x = memory_new(N * sizeof *x), *z = memory_new(N * sizeof *z);
  for (int i = 0; i < N; ++i) x[i] = (float)i;
  ck_buffer_t *a = bench_buffer(&bench, N * sizeof *x), *b = bench_buffer(&bench, N * sizeof *x);
  ck_kernel_t *saxpy = bench_kernel(&bench, "saxpy");
  CHECK_OK(ck_buffer_write(a, 0, x, N * sizeof *x, bench.stream));
  CHECK_OK(ck_launch(bench.stream, NULL, saxpy, N, 2.0f, a, a, b));
  CHECK_OK(ck_buffer_read(b, 0, z, N * sizeof *z, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += z[i] != 3 * x[i];
  CHECK(wrong == 0);
  memory_free(x);
  memory_free(z);
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_kernel_release(saxpy);
  bench_close(&bench);
}

TEST(two_dimensions)
{
  Bench bench;
  bench_open(&bench);
  enum { H = 37, W = 53 };
  uint32_t out[H * W];
  ck_buffer_t *buffer = bench_buffer(&bench, sizeof out);
  ck_kernel_t *kernel = bench_kernel(&bench, "fill2d");
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, H, W, buffer));
  CHECK_OK(ck_buffer_read(buffer, 0, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  int wrong = 0;
  for (uint32_t i = 0; i < H * W; ++i) wrong += out[i] != i / W * 1000 + i % W;
  CHECK(wrong == 0);
  ck_buffer_release(buffer);
  ck_kernel_release(kernel);
  bench_close(&bench);
}

TEST(block_barrier)
{
  Bench bench;
  bench_open(&bench);
  float x[1000], sum;
  for (int i = 0; i < 1000; ++i) x[i] = (float)i;
  ck_buffer_t *in = bench_buffer(&bench, sizeof x), *out = bench_buffer(&bench, sizeof sum);
  ck_kernel_t *kernel = bench_kernel(&bench, "block_sum");
  CHECK_OK(ck_buffer_write(in, 0, x, sizeof x, bench.stream));
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, in, out));
  CHECK_OK(ck_buffer_read(out, 0, &sum, sizeof sum, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(sum == 499500);
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, ck_span(in, 10, 5), out));
  CHECK_OK(ck_buffer_read(out, 0, &sum, sizeof sum, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(sum == 10 + 11 + 12 + 13 + 14);
  CHECK_OK(ck_launch(bench.stream, NULL, kernel, ck_address_span(ck_buffer_native(in), 3), out));
  CHECK_OK(ck_buffer_read(out, 0, &sum, sizeof sum, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(sum == 3);
  ck_buffer_release(in);
  ck_buffer_release(out);
  ck_kernel_release(kernel);
  bench_close(&bench);
}

TEST(warp_barrier_and_early_exit)
{
  Bench bench;
  bench_open(&bench);
  uint32_t sums[32], count = 0;
  ck_buffer_t *out = bench_buffer(&bench, sizeof sums);
  ck_kernel_t *warp_sum = bench_kernel(&bench, "warp_sum");
  ck_kernel_t *early_exit = bench_kernel(&bench, "early_exit");
  CHECK_OK(ck_launch(bench.stream, NULL, warp_sum, out));
  CHECK_OK(ck_buffer_read(out, 0, sums, sizeof sums, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  int wrong = 0;
  for (int i = 0; i < 32; ++i) wrong += sums[i] != 31 * 32 / 2;
  CHECK(wrong == 0);
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = 10;
  CHECK_OK(ck_buffer_fill(out, 0, 4, 0, 4, bench.stream));
  CHECK_OK(ck_launch(bench.stream, &config, early_exit, out));
  CHECK_OK(ck_buffer_read(out, 0, &count, sizeof count, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(count == 640);
  ck_buffer_release(out);
  ck_kernel_release(warp_sum);
  ck_kernel_release(early_exit);
  bench_close(&bench);
}

TEST(large_frames)
{
  Bench bench;
  bench_open(&bench);
  uint32_t last[128];
  ck_buffer_t *out = bench_buffer(&bench, sizeof last);
  ck_kernel_t *kernel = bench_kernel(&bench, "large_frame");
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = 5;
  CHECK_OK(ck_launch(bench.stream, &config, kernel, out));
  CHECK_OK(ck_buffer_read(out, 0, last, sizeof last, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  int wrong = 0;
  for (uint32_t i = 0; i < 128; ++i) wrong += last[i] != i + 999;
  CHECK(wrong == 0);
  ck_buffer_release(out);
  ck_kernel_release(kernel);
  bench_close(&bench);
}

/* Opening the device after everything was released makes a new context. */
TEST(context_is_fresh)
{
  uint64_t ids[2], in_green;
  size_t first, limit;
  for (int i = 0; i < 2; ++i) {
    ck_device_t *device;
    ck_sm_resource_t all;
    ck_context_t *green;
    CHECK_OK(ck_device_open_host(&device));
    ck_context_t *context = ck_device_context(device);
    CHECK_OK(ck_context_get_id(context, &ids[i]));
    CHECK_OK(ck_context_get_limit(context, CK_LIMIT_STACK, &limit));
    if (!i) first = limit;
    CHECK(limit == first);
    CHECK_OK(ck_context_set_limit(context, CK_LIMIT_STACK, first + 16));
    CHECK_OK(ck_context_get_limit(context, CK_LIMIT_STACK, &limit));
    CHECK(limit == first + 16);
    CHECK_OK(ck_device_get_sm_resource(device, &all));
    CHECK_OK(ck_context_create_green(device, &all, 1, NULL, &green));
    CHECK_OK(ck_context_get_id(green, &in_green));
    CHECK(in_green != ids[0] && in_green != ids[i]);
    ck_context_release(green);
    ck_device_release(device);
  }
  CHECK(ids[0] != ids[1]);
}

/* After a kernel's error all calls fail until everything is released; then the device works again.
 */
static void check_fault(const char *name, uint32_t grid, CUresult want, const char *message)
{
  Bench bench;
  bench_open(&bench);
  ck_kernel_t *kernel = bench_kernel(&bench, name);
  ck_buffer_t *buffer = bench_buffer(&bench, 64), *later;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = grid;
  if (ck_kernel_param_count(kernel)) CHECK_OK(ck_launch(bench.stream, &config, kernel, 20));
  else CHECK_OK(ck_launch(bench.stream, &config, kernel));
  CHECK_STATUS(ck_stream_sync(bench.stream), CK_KERNEL_FAULT);
  CHECK(ck_last_driver_error() == (int)want);
  CHECK_ERROR(message);
  CHECK_STATUS(ck_buffer_fill(buffer, 0, 64, 0, 1, bench.stream), CK_KERNEL_FAULT);
  CHECK_STATUS(ck_buffer_create(bench.device, 64, bench.stream, &later), CK_KERNEL_FAULT);
  CHECK_STATUS(ck_device_sync(bench.device), CK_KERNEL_FAULT);
  ck_buffer_release(buffer);
  ck_kernel_release(kernel);
  bench_close(&bench);
  CHECK_OK(ck_device_open_host(&bench.device));
  CHECK_OK(ck_device_sync(bench.device));
  ck_device_release(bench.device);
}

TEST(faults)
{
  check_fault("check_less", 3, CUDA_ERROR_ASSERT, "stub.ck:7: check_less: block: [");
  check_fault("check_less", 1, CUDA_ERROR_ASSERT, "thread: [20,0,0] Assertion `i < limit` failed.");
  check_fault("always_trap", 100, CUDA_ERROR_LAUNCH_FAILED, "stub.ck:9: always_trap: block: [");
  check_fault("divergent", 1, CUDA_ERROR_LAUNCH_FAILED,
              "deadlock: thread [0,0,0] (of 1) waits for its block at line 50; thread [1,0,0] (of "
              "31) waits for lanes 0xffffffff at line 52;");
}

TEST(print)
{
  Bench bench;
  bench_open(&bench);
  ck_kernel_t *kernel = bench_kernel(&bench, "hello");
  int ends[2], old = dup(STDOUT_FILENO);
  char text[256] = "";
  fflush(stdout);
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  dup2(ends[1], STDOUT_FILENO);
  CHECK_OK(ck_launch(bench.stream, NULL, kernel));
  CHECK_OK(ck_stream_sync(bench.stream));
  dup2(old, STDOUT_FILENO);
  close(ends[1]);
  CHECK(read(ends[0], text, sizeof text - 1) > 0);
  close(ends[0]);
  close(old);
  CHECK(!strcmp(text, "-5 7 2.50 text -1234567890123 z 0xabc 0.1 [   9] 77 100%\n"));
  ck_kernel_release(kernel);
  bench_close(&bench);
}

TEST(dynamic_shared)
{
  Bench bench;
  bench_open(&bench);
  uint32_t sum = 0;
  ck_kernel_t *kernel = bench_kernel(&bench, "dynamic_sum");
  ck_buffer_t *out = bench_buffer(&bench, sizeof sum);
  const uint32_t sizes[] = {0, 100, 12 << 10, 50000, 58112};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    CHECK_OK(ck_launch(bench.stream, NULL, kernel, sizes[i], out));
    CHECK_OK(ck_buffer_read(out, 0, &sum, sizeof sum, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(sum == (uint32_t)((uint64_t)sizes[i] * (sizes[i] - (uint64_t)(sizes[i] > 0)) / 2));
  }
  CHECK_STATUS(ck_launch(bench.stream, NULL, kernel, 58113, out), CK_INVALID_ARGUMENT);
  CHECK_ERROR("232452 bytes of dynamic and 0 of static shared memory per block, 'host device' has "
              "232448");
  ck_buffer_release(out);
  ck_kernel_release(kernel);
  bench_close(&bench);
}

/* More than 2^31 elements; only one page is ever accessed. */
TEST(beyond_2_to_the_31)
{
  Bench bench;
  bench_open(&bench);
  uint64_t n = ((uint64_t)1 << 31) + 5;
  uint8_t last = 0;
  ck_buffer_t *buffer;
  if (ck_buffer_create(bench.device, n, bench.stream, &buffer) == CK_OK) {
    ck_kernel_t *kernel = bench_kernel(&bench, "last_byte");
    CHECK_OK(ck_launch(bench.stream, NULL, kernel, n, buffer));
    CHECK_OK(ck_buffer_read(buffer, n - 1, &last, 1, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(last == 42);
    CHECK_STATUS(ck_launch(bench.stream, NULL, kernel, n + 1, buffer), CK_INVALID_ARGUMENT);
    CHECK_ERROR("2147483654");
    ck_kernel_release(kernel);
    ck_buffer_release(buffer);
  }
  bench_close(&bench);
}

/* the context's end: no other device is open ------------------------------------------------- */

static atomic_int may_go_on, count;

static void hold(void *data)
{
  (void)data;
  while (!atomic_load(&may_go_on)) usleep(100);
}

/* Opens a device whose default stream, which retains nothing, has pending work. */
static ck_device_t *open_busy(void (*then)(void *data))
{
  ck_device_t *device;
  ck_stream_t *stream;
  atomic_store(&may_go_on, 0);
  atomic_store(&count, 0);
  CHECK_OK(ck_device_open_host(&device));
  CHECK_OK(ck_stream_open_default(device, &stream));
  CHECK_OK(ck_stream_launch_host(stream, hold, NULL));
  CHECK_OK(ck_stream_launch_host(stream, then, device));
  ck_stream_release(stream);
  return device;
}

static void *release_device(void *device)
{
  ck_device_release(device);
  return NULL;
}

static void *open_device(void *out_device)
{
  if (ck_device_open_host(out_device) == CK_OK) atomic_fetch_add(&count, 1);
  return NULL;
}

static void fail_late(void *device)
{
  (void)device;
  host_set_fault(CUDA_ERROR_ASSERT, "a fault of a context that is about to end");
}

/* A thread that opens the device during its last release gets a new context. */
TEST(open_waits_for_the_last_release)
{
  pthread_t releasing, opening;
  ck_device_t *device = open_busy(fail_late), *next = NULL;
  pthread_create(&releasing, NULL, release_device, device);
  usleep(20000);
  pthread_create(&opening, NULL, open_device, &next);
  usleep(20000);
  CHECK(atomic_load(&count) == 0);
  atomic_store(&may_go_on, 1);
  pthread_join(releasing, NULL);
  pthread_join(opening, NULL);
  CHECK(atomic_load(&count) == 1);
  CHECK_OK(ck_device_sync(next));
  ck_device_release(next);
}

static void open_within(void *old)
{
  ck_device_t *device = NULL;
  ck_stream_t *stream;
  (void)old;
  if (ck_device_open_host(&device) != CK_OK) return;
  if (ck_stream_open_default(device, &stream) == CK_OK &&
      ck_stream_launch_host(stream, hold, NULL) == CK_OK)
    atomic_fetch_add(&count, 1);
  ck_stream_release(stream);
  ck_device_release(device);
}

/* A host function that opens the device does not wait for a release that waits for the function. */
TEST(host_function_opens_a_device)
{
  pthread_t releasing;
  size_t live_before = atomic_load(&host_live_objects);
  pthread_create(&releasing, NULL, release_device, open_busy(open_within));
  usleep(20000);
  atomic_store(&may_go_on, 1);
  pthread_join(releasing, NULL);
  CHECK(atomic_load(&count) == 1 && atomic_load(&host_live_objects) == live_before);
}

static void release_within(void *device)
{
  ck_device_release(device);
  atomic_fetch_add(&count, 1);
}

/* The last release inside a default stream does not wait for that stream. */
TEST(host_function_releases_the_device)
{
  size_t live_before = atomic_load(&host_live_objects);
  open_busy(release_within);
  atomic_store(&may_go_on, 1);
  while (!atomic_load(&count)) usleep(100);
  CHECK(atomic_load(&host_live_objects) == live_before);
}

/* Graphs can be nested up to a limit, which the last add reports. */
static unsigned nest_bodies(ck_graph_definition_t *definition)
{
  const uint32_t start = 1;
  uint64_t condition;
  unsigned levels = 0;
  ck_graph_node_t *node;
  CHECK_OK(ck_graph_definition_create_condition(definition, &start, &condition));
  for (; levels < 10000; ++levels) {
    ck_node_params_t params = ck_node_condition(CK_CONDITION_IF, condition, 1);
    if (ck_graph_definition_add(definition, NULL, 0, &params, &node) != CK_OK) break;
    CHECK_OK(ck_graph_node_get_graph(node, 0, &definition));
  }
  return levels;
}

static unsigned nest_children(ck_graph_definition_t *definition)
{
  ck_graph_definition_t *empty;
  ck_graph_node_t *node;
  unsigned levels = 0;
  CHECK_OK(ck_graph_definition_create(ck_graph_definition_device(definition), &empty));
  for (; levels < 10000; ++levels) {
    ck_node_params_t params = ck_node_child(empty);
    if (ck_graph_definition_add(definition, NULL, 0, &params, &node) != CK_OK) break;
    CHECK_OK(ck_graph_node_get_graph(node, 0, &definition));
  }
  ck_graph_definition_release(empty);
  return levels;
}

TEST(nested_graphs)
{
  Bench bench;
  bench_open(&bench);
  for (int way = 0; way < 2; ++way) {
    ck_graph_definition_t *definition, *around;
    ck_graph_t *graph;
    CHECK_OK(ck_graph_definition_create(bench.device, &definition));
    CHECK((way ? nest_children : nest_bodies)(definition) == 255);
    CHECK(error_is_of(CK_UNSUPPORTED));
    CHECK_OK(ck_graph_create(definition, NULL, &graph));
    CHECK_OK(ck_graph_launch(graph, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK_OK(ck_graph_update(graph, definition));
    /* As a child it would exceed the limit by one. */
    ck_node_params_t params = ck_node_child(definition);
    CHECK_OK(ck_graph_definition_create(bench.device, &around));
    CHECK_STATUS(ck_graph_definition_add(around, NULL, 0, &params, NULL), CK_UNSUPPORTED);
    ck_graph_definition_release(around);
    ck_graph_release(graph);
    ck_graph_definition_release(definition);
  }
  bench_close(&bench);
}

/* As in the driver, a condition needs a node. */
TEST(condition_without_a_node)
{
  Bench bench;
  ck_graph_definition_t *definition, *body;
  ck_graph_node_t *node;
  ck_graph_t *graph;
  uint64_t first, second;
  bench_open(&bench);
  CHECK_OK(ck_graph_definition_create(bench.device, &definition));
  CHECK_OK(ck_graph_definition_create_condition(definition, NULL, &first));
  CHECK_STATUS(ck_graph_create(definition, NULL, &graph), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a condition has no node");
  ck_node_params_t params = ck_node_condition(CK_CONDITION_IF, first, 1);
  CHECK_OK(ck_graph_definition_add(definition, NULL, 0, &params, &node));
  CHECK_OK(ck_graph_node_get_graph(node, 0, &body));
  CHECK_OK(ck_graph_definition_create_condition(definition, NULL, &second));
  CHECK_STATUS(ck_graph_create(definition, NULL, &graph), CK_INVALID_ARGUMENT);
  params = ck_node_condition(CK_CONDITION_WHILE, second, 1);
  CHECK_OK(ck_graph_definition_add(body, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
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
