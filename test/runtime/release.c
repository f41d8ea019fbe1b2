/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* release.c - what the last release of an object does to others: captures go on, a device that
 * nobody has any more is closed, memory outlives the work of another thread; on the device that
 * $CK_DEVICE names. */
#include <pthread.h>
#include <unistd.h>

#include "fixture.h"

static Bench bench;

/* captures ------------------------------------------------------------------------------------ */

static const Driver *below;
static unsigned freed, strict; /* calls; those that a capture would not survive */

static void see_mode(void)
{
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  below->cuThreadExchangeStreamCaptureMode(&mode);
  strict += mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  below->cuThreadExchangeStreamCaptureMode(&mode);
  ++freed;
}

/* The driver's function, which first looks at the thread's mode. */
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

/* One of each whose release calls the driver outside of any stream. */
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

/* Another stream's capture, which forbids such calls to all threads, ends well. */
TEST(releases_leave_captures_alone)
{
  Driver driver = seeing_driver();
  ck_device_t *device;
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  Objects objects = {0};
  CHECK_OK(device_open(&driver, ck_device_is_host(bench.device), ck_device_ordinal(bench.device),
                       &device));
  make_objects(device, &objects);
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_GLOBAL));
  freed = strict = 0;
  release_objects(&objects);
  CHECK(freed == 6 && strict == 0);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_complete(builder, NULL, &graph));
  ck_graph_release(graph);
  ck_graph_builder_release(builder);
  ck_device_release(device);
}

/* what other threads have in reserve ----------------------------------------------------------- */

/* A stream of the host device, which threads use while the test goes on. */
typedef struct Shared {
  ck_stream_t *stream;
  pthread_barrier_t meet;
  unsigned rounds;
} Shared;

/* Leaves a buffer of the stream in this thread's reserve until the second meeting. */
static void *leave_a_spare(void *data)
{
  Shared *shared = data;
  ck_stream_t *own = ck_stream_retain(shared->stream);
  pthread_barrier_wait(&shared->meet); /* all have it */
  for (unsigned i = 0; i < shared->rounds; ++i) {
    ck_buffer_t *one = NULL, *two = NULL;
    ck_status_t status = ck_buffer_create(ck_stream_device(own), 64, own, &one);
    if (status == CK_OK && i % 3) status = ck_buffer_create(ck_stream_device(own), 64, own, &two);
    if (status != CK_OK) atomic_fetch_add(&thread_failures, 1);
    ck_buffer_release(one);
    ck_buffer_release(two);
  }
  ck_stream_release(own);
  pthread_barrier_wait(&shared->meet); /* all have released it */
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

/* The last release of a stream closes it, and its device, whatever other threads have in reserve.
 */
TEST(other_threads_keep_no_stream)
{
  Shared shared;
  pthread_t threads[SHARERS];
  ck_device_t *device;
  size_t before = atomic_load(&host_live_objects);
  CHECK_OK(ck_device_open_host(&device));
  share(&shared, 1, device, threads);
  pthread_barrier_wait(&shared.meet);
  ck_stream_release(shared.stream);
  ck_device_release(device);
  CHECK(atomic_load(&host_live_objects) == before);
  end_sharing(&shared, threads);
}

/* Threads that release a stream at once: the next device that is opened finds what they left. */
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

/* A context with a kernel's fault is left by releasing all that is the device's. */
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

int main(void)
{
  bench_open_any(&bench);
  RUN(releases_leave_captures_alone);
  RUN(other_threads_keep_no_stream);
  RUN(threads_release_a_stream_at_once);
  bench_close(&bench);
  RUN(fault_is_left_with_other_threads_reserve); /* while nobody has the host device */
  return tests_report();
}
