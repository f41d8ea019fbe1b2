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

int main(void)
{
  bench_open_any(&bench);
  RUN(releases_leave_captures_alone);
  bench_close(&bench);
  return tests_report();
}
