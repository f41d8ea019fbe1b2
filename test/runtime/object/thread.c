/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* thread.c - tests many threads that each have a stream, and share one kernel, one program and one
 * cache. */
#include "fixture.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 40, N = 5000 };

static Bench bench;
static ck_kernel_t *saxpy, *sum;

/* Launches y = x + x and its sum many times, in a stream of its own. */
static void *launch_many(void *data)
{
  (void)data;
  float *x = memory_new(N * sizeof *x), total = 0;
  for (int i = 0; i < N; ++i) x[i] = 1;
  ck_stream_t *stream;
  if (ck_stream_create(bench.device, NULL, &stream) != CK_OK) ++thread_failures;
  for (int round = 0; round < ROUNDS; ++round) {
    ck_buffer_t *a = NULL, *b = NULL, *c = NULL;
    total = 0;
    bool is_good = ck_buffer_create(bench.device, N * sizeof *x, stream, &a) == CK_OK &&
                   ck_buffer_create(bench.device, N * sizeof *x, stream, &b) == CK_OK &&
                   ck_buffer_create(bench.device, sizeof total, stream, &c) == CK_OK &&
                   ck_buffer_write(a, 0, x, N * sizeof *x, stream) == CK_OK &&
                   ck_launch(stream, NULL, saxpy, N, 1.0f, a, a, b) == CK_OK &&
                   ck_launch(stream, NULL, sum, b, c) == CK_OK &&
                   ck_buffer_read(c, 0, &total, sizeof total, stream) == CK_OK;
    ck_buffer_release(a);
    ck_buffer_release(b);
    ck_buffer_release(c);
    is_good = ck_stream_sync(stream) == CK_OK && is_good && total == 2 * N;
    if (!is_good) ++thread_failures;
  }
  ck_stream_release(stream);
  memory_free(x);
  return NULL;
}

static void *compile_many(void *data)
{
  (void)data;
  for (int round = 0; round < ROUNDS; ++round) {
    char source[32];
    ck_object_code_t *code;
    ck_kernel_t *kernel;
    snprintf(source, sizeof source, "program %d", round % 10);
    if (round == 20) ck_cache_clear();
    if (compile_stub(source, bench.device, &code) != CK_OK) {
      ++thread_failures;
      continue;
    }
    if (ck_kernel_from_code(code, bench.device, "empty", &kernel) != CK_OK) ++thread_failures;
    ck_object_code_release(code);
    if (ck_launch(NULL, NULL, kernel) != CK_OK) ++thread_failures;
    ck_kernel_release(kernel);
  }
  return NULL;
}

/* Replaces the C library's umask. Reading the mask means changing it for all threads, so the
 * runtime must not call it. */
static int mask_calls;
mode_t umask(mode_t mask)
{
  ++mask_calls;
  return (mode_t)syscall(SYS_umask, mask);
}

/* Each thread has its own last error. */
static void *fail_here(void *data)
{
  (void)data;
  ck_device_t *device;
  if (ck_last_error()[0]) ++thread_failures;
  if (ck_device_open_host(NULL) != CK_INVALID_ARGUMENT || !ck_last_error()[0]) ++thread_failures;
  if (ck_device_open_host(&device) != CK_OK) ++thread_failures;
  ck_device_release(device);
  return NULL;
}

static ck_device_t *watched; /* with a driver that detects two allocations at once */
static atomic_int allocating;

static CUresult allocate_slowly(CUdeviceptr *out_address, size_t bytes, CUstream stream)
{
  if (atomic_fetch_add(&allocating, 1) > 0) ++thread_failures;
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  CUresult result = driver_host()->cuMemAllocAsync(out_address, bytes, stream);
  atomic_fetch_sub(&allocating, 1);
  return result;
}

static void *capture_memory(void *data)
{
  (void)data;
  ck_graph_builder_t *builder = NULL;
  ck_memory_resource_t *memory = NULL;
  ck_buffer_t *buffer = NULL;
  bool is_good = ck_memory_resource_create_graph(watched, &memory) == CK_OK &&
                 ck_graph_builder_create(watched, &builder) == CK_OK &&
                 ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED) == CK_OK &&
                 ck_memory_resource_create_buffer(memory, 64, ck_graph_builder_stream(builder),
                                                  &buffer) == CK_OK;
  ck_buffer_release(buffer);
  if (!is_good || ck_graph_builder_end(builder) != CK_OK) ++thread_failures;
  ck_graph_builder_release(builder);
  ck_memory_resource_release(memory);
  return NULL;
}

static atomic_bool is_over;

static void *allocate_meanwhile(void *data)
{
  (void)data;
  while (!atomic_load(&is_over)) {
    ck_buffer_t *buffer;
    if (ck_buffer_create(bench.device, 64, bench.stream, &buffer) != CK_OK) ++thread_failures;
    ck_buffer_release(buffer);
  }
  return NULL;
}

/* The current resource is released while other threads allocate from it. */
static void *choose_others(void *data)
{
  (void)data;
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  for (int round = 0; round < 100 * ROUNDS; ++round) {
    ck_memory_resource_t *resource;
    bool is_good = ck_memory_resource_create_device(bench.device, &options, &resource) == CK_OK &&
                   ck_device_set_memory_resource(bench.device, resource) == CK_OK;
    ck_memory_resource_release(resource);
    if (ck_device_set_memory_resource(bench.device, NULL) != CK_OK || !is_good) ++thread_failures;
  }
  atomic_store(&is_over, true);
  return NULL;
}

static void *choose_or_allocate(void *data)
{
  static atomic_int count;
  return atomic_fetch_add(&count, 1) ? allocate_meanwhile(data) : choose_others(data);
}

TEST(launches)
{
  run_threads(launch_many);
}

TEST(compilations)
{
  run_threads(compile_many);
}

TEST(files_have_the_mask)
{
  char path[600];
  struct stat info = {0};
  snprintf(path, sizeof path, "%s/saved.code", getenv("CK_CACHE_DIR"));
  mode_t before = umask(027);
  mask_calls = 0;
  CHECK_OK(ck_object_code_save(bench.code, path));
  CHECK(mask_calls == 0);
  CHECK(umask(before) == 027);
  CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0640);
}

/* The same as threads_allocate_at_once in graph_memory.c, which needs a GPU. */
TEST(graphs_allocate_one_at_a_time)
{
  static Driver slow;
  slow = *driver_host();
  slow.cuMemAllocAsync = allocate_slowly;
  CHECK_OK(device_open(&slow, 0, &watched));
  run_threads(capture_memory);
  ck_device_release(watched);
}

TEST(another_resource_is_chosen)
{
  run_threads(choose_or_allocate);
}

TEST(errors)
{
  run_threads(fail_here);
}

int main(void)
{
  use_private_cache();
  bench_open(&bench);
  saxpy = bench_kernel(&bench, "saxpy");
  sum = bench_kernel(&bench, "block_sum");
  run_all();
  ck_kernel_release(saxpy);
  ck_kernel_release(sum);
  bench_close(&bench);
  ck_cache_clear();
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
