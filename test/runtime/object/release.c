/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* release.c - tests that the last release of an object has the right effects elsewhere: captures of
 * other streams stay valid, a device without references is closed, and memory outlives the work of
 * other threads; on the device that $CK_DEVICE names. */
#include <pthread.h>
#include <unistd.h>

#include "fixture.h"

static Bench bench;

/* captures ------------------------------------------------------------------------------------ */

static const Driver *below;
static unsigned freed, strict; /* calls; and those in a mode that would invalidate a capture */

static void see_mode(void)
{
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  below->cuThreadExchangeStreamCaptureMode(&mode);
  strict += mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  below->cuThreadExchangeStreamCaptureMode(&mode);
  ++freed;
}

/* Wraps a driver function to check the thread's capture mode first. */
#define SEE_MODE(name_, type_)                                                                     \
  static CUresult seen_##name_(type_ it)                                                           \
  {                                                                                                \
    see_mode();                                                                                    \
    return below->name_(it);                                                                       \
  }
SEE_MODE(cuArrayDestroy, CUarray)
SEE_MODE(cuMipmappedArrayDestroy, CUmipmappedArray)
SEE_MODE(cuTexObjectDestroy, CUtexObject)
SEE_MODE(cuSurfObjectDestroy, CUsurfObject)
SEE_MODE(cuMemPoolDestroy, CUmemoryPool)
SEE_MODE(cuMemHostUnregister, void *)

static Driver seeing_driver(void)
{
  Driver driver = *bench.device->driver;
  below = bench.device->driver;
  driver.cuArrayDestroy = seen_cuArrayDestroy;
  driver.cuMipmappedArrayDestroy = seen_cuMipmappedArrayDestroy;
  driver.cuTexObjectDestroy = seen_cuTexObjectDestroy;
  driver.cuSurfObjectDestroy = seen_cuSurfObjectDestroy;
  driver.cuMemPoolDestroy = seen_cuMemPoolDestroy;
  driver.cuMemHostUnregister = seen_cuMemHostUnregister;
  return driver;
}

/* One object of each type whose release calls the driver outside of stream order. */
typedef struct Objects {
  ck_array_t *array;
  ck_mipmap_t *mipmap;
  ck_texture_t *texture;
  ck_surface_t *surface;
  ck_memory_resource_t *pool;
  ck_buffer_t *locked;
} Objects;

static void make_objects(ck_device_t *device, Objects *it)
{
  static char memory[4096];
  ck_memory_resource_options_t own = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  ck_texture_resource_t of = CK_OPTIONS_INIT(ck_texture_resource_t);
  shape.dtype = CK_F32;
  shape.width = shape.height = 8;
  shape.flags = CK_ARRAY_SURFACE;
  CHECK_OK(ck_array_create(device, &shape, &it->array));
  CHECK_OK(ck_mipmap_create(device, &shape, 2, &it->mipmap));
  of.array = it->array;
  CHECK_OK(ck_texture_create(&of, NULL, &it->texture));
  CHECK_OK(ck_surface_create(it->array, &it->surface));
  CHECK_OK(ck_memory_resource_create_device(device, &own, &it->pool));
  CHECK_OK(ck_buffer_from_host(device, memory, sizeof memory, 0, &it->locked));
}

static void release_objects(const Objects *it)
{
  ck_texture_release(it->texture);
  ck_surface_release(it->surface);
  ck_array_release(it->array);
  ck_mipmap_release(it->mipmap);
  ck_memory_resource_release(it->pool);
  ck_buffer_release(it->locked);
}

/* A capture in global mode forbids such calls to all threads, and stays valid. */
TEST(releases_leave_captures_alone)
{
  Driver driver = seeing_driver();
  ck_device_t *device;
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  Objects objects = {0};
  CHECK_OK(device_open(&driver, ck_device_ordinal(bench.device), &device));
  make_objects(device, &objects);
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  freed = strict = 0;
  release_objects(&objects);
  CHECK(freed == 6 && strict == 0);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_release(graph);
  ck_graph_builder_release(builder);
  ck_device_release(device);
}

/* Memory of a pool may be freed at any time in the order of another stream. */
TEST(releases_of_memory_leave_captures_alone)
{
  ck_memory_resource_options_t own = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  uint64_t used = 1;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &own, &pool));
  for (int mode = CK_CAPTURE_RELAXED; mode <= CK_CAPTURE_GLOBAL; ++mode) {
    ck_graph_builder_t *builder;
    ck_buffer_t *buffers[3] = {NULL};
    CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffers[0]));
    CHECK_OK(ck_memory_resource_create_buffer(pool, 64, NULL, &buffers[1]));
    CHECK_OK(ck_buffer_create(bench.device, 64, bench.stream, &buffers[2]));
    CHECK_OK(ck_graph_builder_create(bench.device, &builder));
    CHECK_OK(ck_graph_builder_begin(builder, (ck_capture_mode_t)mode));
    for (int i = 0; i < 3; ++i) ck_buffer_release(buffers[i]);
    CHECK_OK(ck_graph_builder_end(builder));
    ck_graph_builder_release(builder);
    CHECK_OK(ck_device_sync(bench.device));
    CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_BYTES, &used));
    CHECK(used == 0);
  }
  ck_memory_resource_release(pool);
}

/* A capture that was not begun by a builder becomes invalid, as with the driver alone, but the
 * memory is freed. */
TEST(foreign_captures_lose_no_memory)
{
  const Driver *driver = bench.device->driver;
  CUgraph graph = NULL;
  uint64_t used = 1;
  ck_memory_resource_options_t own = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  ck_memory_resource_t *pool;
  ck_buffer_t *buffer;
  ck_stream_t *other;
  CHECK_OK(ck_memory_resource_create_device(bench.device, &own, &pool));
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  CHECK_OK(ck_memory_resource_create_buffer(pool, 64, bench.stream, &buffer));
  CHECK_OK(device_enter(bench.device));
  CHECK(driver->cuStreamBeginCapture(ck_stream_native(other), CU_STREAM_CAPTURE_MODE_GLOBAL) == 0);
  ck_buffer_release(buffer);
  CHECK(driver->cuStreamEndCapture(ck_stream_native(other), &graph) != CUDA_SUCCESS && !graph);
  device_leave(bench.device);
  CHECK_OK(ck_device_sync(bench.device));
  CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_BYTES, &used));
  CHECK(used == 0);
  ck_stream_release(other);
  ck_memory_resource_release(pool);
}

/* A kernel that the GPU has to unload. NULL on the host device, which loads only code of its
 * compiler, and under compute-sanitizer, whose own calls invalidate captures when code is unloaded.
 */
static ck_kernel_t *foreign_kernel(void)
{
  static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                            ".visible .entry nothing() { ret; }\n";
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  if (ck_device_is_host(bench.device) || getenv("CK_SANITIZER")) return NULL;
  CHECK_OK(ck_object_code_from_bytes(ptx, sizeof ptx, &code));
  CHECK_OK(ck_kernel_from_code(code, bench.device, "nothing", &kernel));
  ck_object_code_release(code);
  return kernel;
}

/* The same for code, graphs, and objects created from streams. */
TEST(releases_of_graphs_leave_captures_alone)
{
  ck_kernel_t *kernel = foreign_kernel();
  ck_graph_definition_t *d;
  ck_graph_t *graph;
  ck_stream_t *stream;
  ck_event_t *event;
  ck_graph_builder_t *builder;
  ck_node_params_t params = ck_node_empty();
  CHECK_OK(ck_stream_create(bench.device, NULL, &stream));
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  CHECK_OK(ck_graph_definition_create(bench.device, &d));
  CHECK_OK(ck_graph_definition_add(d, NULL, 0, &params, NULL));
  CHECK_OK(ck_graph_create(d, NULL, &graph));
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  ck_kernel_release(kernel);
  ck_graph_release(graph);
  ck_graph_definition_release(d);
  ck_event_release(event);
  ck_stream_release(stream);
  CHECK_OK(ck_graph_builder_end(builder));
  ck_graph_builder_release(builder);
}

/* Memory that is released while its stream is captured is freed after the capture, whether it came
 * from a pool or was allocated by a graph resource outside of a graph; also if the next capture has
 * begun by then. */
TEST(memory_released_in_captures)
{
  size_t before = atomic_load(&host_live_objects);
  for (int kind = 0; kind < 2; ++kind) {
    ck_device_t *device;
    ck_memory_resource_t *resource;
    ck_graph_builder_t *builder;
    ck_buffer_t *buffer;
    CHECK_OK(ck_device_open_host(&device));
    CHECK_OK(kind ? ck_memory_resource_create_graph(device, &resource)
                  : ck_memory_resource_create_device(device, NULL, &resource));
    CHECK_OK(ck_graph_builder_create(device, &builder));
    CHECK_OK(
        ck_memory_resource_create_buffer(resource, 64, ck_graph_builder_stream(builder), &buffer));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    CHECK_STATUS(ck_buffer_close(buffer, NULL), CK_INVALID_ARGUMENT);
    ck_buffer_release(buffer);
    CHECK_OK(ck_graph_builder_end(builder));
    CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
    ck_graph_builder_release(builder);
    ck_memory_resource_release(resource);
    ck_device_release(device);
  }
  CHECK(atomic_load(&host_live_objects) == before);
}

/* spares of other threads ---------------------------------------------------------------------- */

/* A stream of the host device that threads use during the test. */
typedef struct Shared {
  ck_stream_t *stream;
  pthread_barrier_t meet;
  unsigned rounds;
} Shared;

/* Leaves a spare buffer of the stream in this thread until the second barrier. */
static void *leave_a_spare(void *data)
{
  Shared *shared = data;
  ck_stream_t *own = ck_stream_retain(shared->stream);
  pthread_barrier_wait(&shared->meet); /* all threads have a spare */
  for (unsigned i = 0; i < shared->rounds; ++i) {
    ck_buffer_t *one = NULL, *two = NULL;
    ck_status_t status = ck_buffer_create(ck_stream_device(own), 64, own, &one);
    if (status == CK_OK && i % 3) status = ck_buffer_create(ck_stream_device(own), 64, own, &two);
    if (status != CK_OK) atomic_fetch_add(&thread_failures, 1);
    ck_buffer_release(one);
    ck_buffer_release(two);
  }
  ck_stream_release(own);
  pthread_barrier_wait(&shared->meet); /* all have released the stream */
  pthread_barrier_wait(&shared->meet);
  return NULL;
}

enum { SHARERS = 4 };

static void share(Shared *shared, unsigned rounds, ck_device_t *device, pthread_t *threads)
{
  shared->rounds = rounds;
  pthread_barrier_init(&shared->meet, NULL, SHARERS + 1);
  CHECK_OK(ck_stream_create(device, NULL, &shared->stream));
  for (int i = 0; i < SHARERS; ++i)
    CHECK(pthread_create(&threads[i], NULL, leave_a_spare, shared) == 0);
  pthread_barrier_wait(&shared->meet);
}

static void end_sharing(Shared *shared, pthread_t *threads)
{
  pthread_barrier_wait(&shared->meet);
  for (int i = 0; i < SHARERS; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&shared->meet);
}

/* The last release of a stream, or of a buffer that retains it, destroys the stream and closes its
 * device, although other threads have spares of it. */
TEST(other_threads_keep_no_stream)
{
  for (int with_buffer = 0; with_buffer < 2; ++with_buffer) {
    Shared shared;
    pthread_t threads[SHARERS];
    ck_device_t *device;
    ck_buffer_t *buffer = NULL;
    size_t before = atomic_load(&host_live_objects);
    CHECK_OK(ck_device_open_host(&device));
    share(&shared, 1, device, threads);
    pthread_barrier_wait(&shared.meet);
    if (with_buffer) CHECK_OK(ck_buffer_create(device, 64, shared.stream, &buffer));
    ck_stream_release(shared.stream);
    ck_device_release(device);
    CHECK(!with_buffer || atomic_load(&host_live_objects) > before);
    ck_buffer_release(buffer);
    CHECK(atomic_load(&host_live_objects) == before);
    end_sharing(&shared, threads);
  }
}

/* When threads release a stream at the same time, a spare may remain; opening the next device drops
 * it. */
TEST(threads_release_a_stream_at_once)
{
  for (int i = 0; i < 50; ++i) {
    Shared shared;
    pthread_t threads[SHARERS];
    ck_device_t *device;
    size_t before = atomic_load(&host_live_objects);
    CHECK_OK(ck_device_open_host(&device));
    share(&shared, 20, device, threads);
    ck_stream_release(shared.stream);
    ck_device_release(device);
    pthread_barrier_wait(&shared.meet);
    CHECK_OK(ck_device_open_host(&device));
    ck_device_release(device);
    CHECK(atomic_load(&host_live_objects) == before);
    end_sharing(&shared, threads);
  }
  CHECK(atomic_load(&thread_failures) == 0);
}

/* After a kernel fault, releasing everything of the device gives up the faulty context. */
TEST(fault_is_left_with_other_threads_reserve)
{
  Shared shared;
  pthread_t threads[SHARERS];
  ck_device_t *device;
  ck_stream_t *stream = NULL;
  CHECK_OK(ck_device_open_host(&device));
  share(&shared, 1, device, threads);
  pthread_barrier_wait(&shared.meet);
  host_set_fault(CUDA_ERROR_ASSERT, "a kernel failed an assertion\n");
  CHECK_STATUS(ck_stream_sync(shared.stream), CK_KERNEL_FAULT);
  ck_stream_release(shared.stream);
  ck_device_release(device);
  CHECK_OK(ck_device_open_host(&device));
  CHECK_OK(ck_stream_create(device, NULL, &stream));
  ck_stream_release(stream);
  ck_device_release(device);
  end_sharing(&shared, threads);
}

/* per-thread default streams ------------------------------------------------------------------- */

/* A buffer in one thread's default stream, whose work waits until `goes_on` is set. */
typedef struct Lent {
  ck_memory_resource_t *resource;
  ck_stream_t *stream; /* the per-thread default stream */
  ck_buffer_t *buffer;
  atomic_bool goes_on;
  pthread_barrier_t meet;
} Lent;

static void wait_for_it(void *data)
{
  while (!atomic_load(&((Lent *)data)->goes_on)) usleep(1000);
}

static void *lend(void *data)
{
  Lent *lent = data;
  ck_status_t status =
      ck_memory_resource_create_buffer(lent->resource, 4096, lent->stream, &lent->buffer);
  if (status == CK_OK) status = ck_stream_launch_host(lent->stream, wait_for_it, lent);
  if (status == CK_OK) status = ck_buffer_fill(lent->buffer, 0, 4096, 1, 1, lent->stream);
  pthread_barrier_wait(&lent->meet);
  if (status == CK_OK) status = ck_stream_sync(lent->stream);
  if (status != CK_OK) atomic_fetch_add(&thread_failures, 1);
  return NULL;
}

static size_t used_bytes(ck_memory_resource_t *pool)
{
  uint64_t bytes = 0;
  CHECK_OK(ck_memory_resource_get_attribute(pool, CK_POOL_USED_BYTES, &bytes));
  return bytes;
}

/* Memory in one thread's default stream that another thread releases stays allocated until the work
 * there is done. A GPU's pool may count it as free earlier. */
TEST(memory_outlives_work_in_another_threads_stream)
{
  ck_memory_resource_options_t own = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  Lent lent = {.buffer = NULL};
  pthread_t thread;
  pthread_barrier_init(&lent.meet, NULL, 2);
  CHECK_OK(ck_memory_resource_create_device(bench.device, &own, &lent.resource));
  CHECK_OK(ck_stream_open_per_thread(bench.device, &lent.stream));
  CHECK(pthread_create(&thread, NULL, lend, &lent) == 0);
  pthread_barrier_wait(&lent.meet);
  ck_buffer_release(lent.buffer);
  usleep(20000); /* in this time a stream without work would have freed it */
  CHECK(used_bytes(lent.resource) == 4096 || !ck_device_is_host(bench.device));
  atomic_store(&lent.goes_on, true);
  pthread_join(thread, NULL);
  CHECK_OK(ck_device_sync(bench.device));
  CHECK(used_bytes(lent.resource) == 0);
  CHECK(atomic_load(&thread_failures) == 0);
  ck_stream_release(lent.stream);
  ck_memory_resource_release(lent.resource);
  pthread_barrier_destroy(&lent.meet);
}

static ck_status_t callers_allocate(void *data, size_t bytes, ck_stream_t *stream,
                                    uint64_t *out_address, void **out_host)
{
  (void)data, (void)stream;
  *out_host = memory_new(bytes);
  *out_address = (uintptr_t)*out_host;
  return *out_host ? CK_OK : CK_OUT_OF_MEMORY;
}

static void callers_deallocate(void *data, uint64_t address, size_t bytes, ck_stream_t *stream)
{
  (void)bytes;
  *(ck_stream_t **)data = stream;
  memory_free((void *)(uintptr_t)address);
}

static void *release_it(void *buffer)
{
  ck_buffer_release(buffer);
  return NULL;
}

/* The caller's deallocation function gets the legacy default stream instead; on the stream's own
 * thread it gets the stream itself. */
TEST(deallocation_by_another_thread)
{
  ck_memory_functions_t functions = CK_OPTIONS_INIT(ck_memory_functions_t);
  ck_memory_resource_t *resource;
  ck_stream_t *stream, *seen = NULL;
  ck_buffer_t *buffer;
  pthread_t thread;
  functions.allocate = callers_allocate;
  functions.deallocate = callers_deallocate;
  functions.data = &seen;
  functions.flags = CK_MEMORY_HOST;
  CHECK_OK(ck_stream_open_per_thread(bench.device, &stream));
  CHECK_OK(ck_memory_resource_from_functions(bench.device, &functions, &resource));
  CHECK_OK(ck_memory_resource_create_buffer(resource, 64, stream, &buffer));
  ck_buffer_release(buffer);
  CHECK(seen == stream);
  CHECK_OK(ck_memory_resource_create_buffer(resource, 64, stream, &buffer));
  CHECK(pthread_create(&thread, NULL, release_it, buffer) == 0 && pthread_join(thread, NULL) == 0);
  CHECK(seen == NULL);
  CHECK_OK(ck_memory_resource_create_buffer(resource, 64, NULL, &buffer));
  CHECK_OK(ck_buffer_set_stream(buffer, stream));
  ck_buffer_release(buffer);
  CHECK(seen == stream);
  ck_memory_resource_release(resource);
  ck_stream_release(stream);
}

int main(void)
{
  bench_open_any(&bench);
  RUN(releases_leave_captures_alone);
  RUN(releases_of_memory_leave_captures_alone);
  RUN(foreign_captures_lose_no_memory);
  RUN(releases_of_graphs_leave_captures_alone);
  RUN(memory_released_in_captures);
  RUN(other_threads_keep_no_stream);
  RUN(threads_release_a_stream_at_once);
  RUN(memory_outlives_work_in_another_threads_stream);
  RUN(deallocation_by_another_thread);
  bench_close(&bench);
  RUN(fault_is_left_with_other_threads_reserve); /* while nothing else holds the host device */
  return tests_report();
}
