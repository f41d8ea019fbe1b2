/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault.c - makes each driver call fail in turn (memory, kernels, events), and checks messages. */
#define _GNU_SOURCE /* setenv */
#include "faults.h"

static void do_nothing(void *data)
{
  (void)data;
}

static ck_status_t use_memory(ck_device_t *device, ck_stream_t *stream)
{
  char host[256] = {0};
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.release_threshold = 1;
  ck_memory_resource_t *pool = NULL, *pinned = NULL;
  ck_buffer_t *a = NULL, *b = NULL, *c = NULL, *d = NULL;
  size_t used, held;
  ck_status_t status;
  STEP(ck_memory_resource_create_device(device, &options, &pool));
  STEP(ck_memory_resource_create_pinned(device, &pinned));
  STEP(ck_buffer_create(device, 256, stream, &a));
  STEP(ck_memory_resource_create_buffer(pool, 256, stream, &b));
  STEP(ck_memory_resource_create_buffer(pinned, 256, stream, &c));
  device->limits.has_pools = false;
  status = ck_buffer_create(device, 256, stream, &d);
  device->limits.has_pools = true;
  STEP(status);
  STEP(ck_memory_resource_get_usage(pool, &used, &held));
  STEP(ck_device_get_memory(device, &used, &held));
  STEP(ck_buffer_write(a, 0, host, sizeof host, stream));
  STEP(ck_buffer_copy(b, 0, a, 0, 256, stream));
  STEP(ck_buffer_fill(d, 0, 256, 1, 1, stream));
  STEP(ck_buffer_fill(d, 0, 256, 1, 2, stream));
  STEP(ck_buffer_fill(d, 0, 256, 1, 4, stream));
  STEP(ck_buffer_read(b, 0, host, sizeof host, stream));
  status = ck_stream_sync(stream);
done:
  if (status != CK_OK) ck_stream_sync(stream); /* `host` may still be in use */
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_buffer_release(c);
  ck_buffer_release(d);
  ck_memory_resource_release(pool);
  ck_memory_resource_release(pinned);
  return status;
}

static ck_status_t use_kernels(ck_device_t *device, ck_stream_t *stream)
{
  ck_buffer_t *a = NULL, *b = NULL, *c = NULL, *d = NULL; /* the last two in the default stream */
  ck_object_code_t *code = NULL;
  ck_kernel_t *saxpy = NULL, *dynamic = NULL;
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  uint32_t blocks;
  size_t bytes;
  int value;
  ck_status_t status;
  STEP(ck_buffer_create(device, 256, stream, &a));
  STEP(ck_buffer_create(device, 256, stream, &b));
  STEP(compile_stub("any", device, &code));
  STEP(ck_kernel_from_code(code, device, "saxpy", &saxpy));
  STEP(ck_kernel_from_code(code, device, "dynamic_sum", &dynamic));
  STEP(ck_kernel_get_attribute(saxpy, CK_KERNEL_LOCAL_BYTES, &value));
  STEP(ck_kernel_get_occupancy(saxpy, 256, 0, &value));
  STEP(ck_kernel_set_attribute(saxpy, CK_KERNEL_PREFERRED_SHARED_CARVEOUT, 50));
  STEP(ck_kernel_get_best_block(saxpy, 0, NULL, 0, &blocks, NULL));
  STEP(ck_kernel_get_available_shared(saxpy, 1, 256, &bytes));
  STEP(ck_kernel_get_largest_cluster(saxpy, NULL, &blocks));
  config.cluster[0] = 2;
  STEP(ck_kernel_get_active_clusters(saxpy, &config, &blocks));
  STEP(ck_launch(stream, NULL, saxpy, 64, 1.0f, a, a, b));
  STEP(ck_stream_sync(stream));
  STEP(ck_buffer_create(device, 256, NULL, &c));
  STEP(ck_buffer_create(device, 256, NULL, &d));
  STEP(ck_launch(NULL, NULL, saxpy, 64, 1.0f, c, c, d));
  STEP(ck_device_sync(device));
  STEP(ck_launch(stream, NULL, dynamic, 20000, b));
  STEP(ck_stream_sync(stream));
done:
  ck_kernel_release(saxpy);
  ck_kernel_release(dynamic);
  ck_object_code_release(code);
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_buffer_release(c);
  ck_buffer_release(d);
  return status;
}

static ck_status_t use_events(ck_device_t *device, ck_stream_t *stream)
{
  ck_event_options_t options = CK_OPTIONS_INIT(ck_event_options_t);
  options.flags = CK_EVENT_TIMING;
  ck_event_t *start = NULL, *end = NULL;
  ck_stream_t *other = NULL;
  double seconds;
  int priority;
  uint32_t flags;
  ck_status_t status;
  STEP(ck_event_create(device, &options, &start));
  STEP(ck_event_create(device, &options, &end));
  STEP(ck_stream_create(device, NULL, &other));
  STEP(ck_stream_get_priority(other, &priority));
  STEP(ck_stream_get_flags(other, &flags));
  STEP(ck_stream_record(stream, start));
  STEP(ck_stream_launch_host(stream, do_nothing, NULL));
  STEP(ck_stream_wait_stream(other, stream));
  STEP(ck_stream_record(stream, end));
  STEP(ck_event_sync(end));
  STEP(ck_event_query(end));
  STEP(ck_event_get_elapsed(start, end, &seconds));
  STEP(ck_device_sync(device));
  STEP(ck_stream_query(stream));
done:
  ck_event_release(start);
  ck_event_release(end);
  ck_stream_release(other);
  return status;
}

static const Scenario scenarios[] = {
    {"memory", .run = use_memory}, {"kernels", .run = use_kernels}, {"events", .run = use_events}};

TEST(every_call_fails_in_turn)
{
  CHECK(faults_try(scenarios, COUNT_OF(scenarios)) > 60);
}

TEST(every_allocation_fails_in_turn)
{
  CHECK(faults_try_allocations(scenarios, COUNT_OF(scenarios)) > 30);
}

/* Each error code is mapped to the right status. */
TEST(statuses)
{
  static const struct {
    CUresult result;
    ck_status_t status;
  } rows[] = {
      {CUDA_ERROR_OUT_OF_MEMORY, CK_OUT_OF_MEMORY}, {CUDA_ERROR_NOT_SUPPORTED, CK_UNSUPPORTED},
      {CUDA_ERROR_NO_DEVICE, CK_UNAVAILABLE},       {CUDA_ERROR_ILLEGAL_ADDRESS, CK_KERNEL_FAULT},
      {CUDA_ERROR_INVALID_VALUE, CK_DRIVER},        {(CUresult)12345, CK_DRIVER}};
  const Driver *driver = fault_driver(driver_host());
  ck_device_t *device;
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    fault_arm(DRIVER_cuDeviceGet, 1, rows[i].result);
    CHECK_STATUS(device_open(driver, 0, &device), rows[i].status);
    CHECK_ERROR("from cuDeviceGet(&device->native, ordinal) at device.c:");
  }
}

/* Messages have the driver's name of a code, or its number if it has none; the code is kept. */
TEST(check_driver_error)
{
  const Driver *driver = fault_driver(driver_host());
  ck_device_t *device;
  unsigned named = 0;
  for (int code = 1; code < 1000; ++code) {
    const char *name = NULL;
    char number[32];
    driver->cuGetErrorName((CUresult)code, &name);
    named += name != NULL;
    snprintf(number, sizeof number, "CUDA error %d (", code);
    fault_arm(DRIVER_cuDeviceGet, 1, (CUresult)code);
    CHECK(device_open(driver, 0, &device) != CK_OK && !device);
    CHECK(ck_last_driver_error() == code);
    CHECK_ERROR(name ? name : number);
  }
  CHECK(named >= 20);
}

/* A failure during clean-up does not replace the first one. */
TEST(first_cause_stays)
{
  const Driver *driver = fault_driver(driver_host());
  ck_device_t *device;
  ck_buffer_t *buffer;
  CHECK_OK(device_open(driver, 0, &device));
  fault_arm(DRIVER_cuCtxPushCurrent, 1, CUDA_ERROR_INVALID_CONTEXT);
  CHECK_STATUS(ck_buffer_create(device, 64, NULL, &buffer), CK_DRIVER);
  CHECK_ERROR("CK_DRIVER: CUDA_ERROR_INVALID_CONTEXT (no context is current) from "
              "cuCtxPushCurrent(device->context) at device.c:");
  ck_device_release(device);
}

int main(void)
{
  setenv("CK_CACHE", "off", 1); /* cached code would stay loaded */
  RUN(every_call_fails_in_turn);
  RUN(every_allocation_fails_in_turn);
  RUN(statuses);
  RUN(check_driver_error);
  RUN(first_cause_stays);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
