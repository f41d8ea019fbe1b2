/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fault.c - every driver call of a scenario is made to fail in turn.
 *
 * Then the scenario's first failure must be that call's: the status is not CK_OK, the message names
 * the function, the code is the driver's, and no driver object is left over.
 */
#define _GNU_SOURCE /* setenv */
#include "fixture.h"

static const Driver *driver;

static void do_nothing(void *data)
{
  (void)data;
}

#define STEP(call)                                                                                 \
  if ((status = (call))) goto done

static ck_status_t use_memory(ck_device_t *device, ck_stream_t *stream, ck_buffer_t **a,
                              ck_buffer_t **b)
{
  char host[256] = {0};
  ck_memory_resource_options_t options = CK_OPTIONS_INIT(ck_memory_resource_options_t);
  options.release_threshold = 1;
  ck_memory_resource_t *pool = NULL, *pinned = NULL;
  ck_buffer_t *c = NULL, *d = NULL;
  size_t used, held;
  ck_status_t status;
  STEP(ck_memory_resource_create_device(device, &options, &pool));
  STEP(ck_memory_resource_create_pinned(device, &pinned));
  STEP(ck_buffer_create(device, 256, stream, a));
  STEP(ck_buffer_create_from(pool, 256, stream, b));
  STEP(ck_buffer_create_from(pinned, 256, stream, &c));
  device->limits.has_pools = false;
  status = ck_buffer_create(device, 256, stream, &d);
  device->limits.has_pools = true;
  STEP(status);
  STEP(ck_memory_resource_get_usage(pool, &used, &held));
  STEP(ck_device_get_memory(device, &used, &held));
  STEP(ck_buffer_write(*a, 0, host, sizeof host, stream));
  STEP(ck_buffer_copy(*b, 0, *a, 0, 256, stream));
  STEP(ck_buffer_fill(d, 0, 256, 1, 1, stream));
  STEP(ck_buffer_fill(d, 0, 256, 1, 2, stream));
  STEP(ck_buffer_fill(d, 0, 256, 1, 4, stream));
  STEP(ck_buffer_read(*b, 0, host, sizeof host, stream));
  status = ck_stream_sync(stream);
done:
  if (status != CK_OK) ck_stream_sync(stream); /* `host` may still be in use */
  ck_buffer_release(c);
  ck_buffer_release(d);
  ck_memory_resource_release(pool);
  ck_memory_resource_release(pinned);
  return status;
}

static ck_status_t use_kernels(ck_device_t *device, ck_stream_t *stream, ck_buffer_t *a,
                               ck_buffer_t *b)
{
  ck_object_code_t *code = NULL;
  ck_kernel_t *saxpy = NULL, *dynamic = NULL;
  int value;
  ck_status_t status;
  STEP(compile_stub("any", device, &code));
  STEP(ck_kernel_from_code(code, device, "saxpy", &saxpy));
  STEP(ck_kernel_from_code(code, device, "dynamic_sum", &dynamic));
  STEP(ck_kernel_get_attribute(saxpy, CK_KERNEL_LOCAL_BYTES, &value));
  STEP(ck_kernel_get_occupancy(saxpy, 256, 0, &value));
  STEP(ck_launch(stream, NULL, saxpy, 64, 1.0f, a, a, b));
  STEP(ck_launch(NULL, NULL, saxpy, 64, 1.0f, a, a, b));
  STEP(ck_launch(stream, NULL, dynamic, 20000, b));
  STEP(ck_stream_sync(stream));
done:
  ck_kernel_release(saxpy);
  ck_kernel_release(dynamic);
  ck_object_code_release(code);
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

static ck_status_t scenario(void)
{
  ck_device_t *device = NULL;
  ck_stream_t *stream = NULL;
  ck_buffer_t *a = NULL, *b = NULL;
  unsigned char uuid[16];
  ck_status_t status;
  STEP(device_open(driver, true, 0, &device));
  STEP(ck_device_get_uuid(device, uuid));
  STEP(ck_stream_create(device, NULL, &stream));
  STEP(use_memory(device, stream, &a, &b));
  STEP(use_kernels(device, stream, a, b));
  STEP(use_events(device, stream));
done:
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_stream_release(stream);
  ck_device_release(device);
  return status;
}

/* A call that gives something back can't be undone, and its failure is not reported. */
static bool is_cleanup(const char *name)
{
  static const char *const words[] = {"Destroy", "Free", "Release", "Unload", "PopCurrent"};
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (strstr(name, words[i])) return true;
  return false;
}

TEST(every_call_fails_in_turn)
{
  driver = fault_driver(driver_host());
  CHECK_OK(scenario()); /* sets the current pool's threshold for good */
  driver = fault_driver(driver_host());
  CHECK_OK(scenario());
  CHECK(atomic_load(&host_live_objects) == 0);
  unsigned calls[DRIVER_FN_COUNT], tried = 0;
  for (int f = 0; f < DRIVER_FN_COUNT; ++f) calls[f] = fault_count(f);
  for (int f = 0; f < DRIVER_FN_COUNT; ++f) {
    for (unsigned nth = 1; nth <= calls[f] && !is_cleanup(fault_name(f)); ++nth, ++tried) {
      fault_arm(f, nth, CUDA_ERROR_UNKNOWN);
      ck_status_t status = scenario();
      bool is_reported = status == CK_DRIVER && strstr(ck_last_error(), fault_name(f)) &&
                         ck_last_driver_error() == CUDA_ERROR_UNKNOWN;
      /* The context is pushed in clean-up as well, and without an answer it is pushed. */
      if (f == DRIVER_cuCtxPushCurrent && status == CK_OK) is_reported = true;
      if (f == DRIVER_cuCtxGetCurrent && status == CK_OK) is_reported = true;
      if (!CHECK(fault_fired() && is_reported && atomic_load(&host_live_objects) == 0))
        fprintf(stderr, "%s, call %u: %s, '%s', %zu objects are left\n", fault_name(f), nth,
                ck_status_name(status), ck_last_error(), atomic_load(&host_live_objects));
    }
  }
  fault_arm(FAULT_ANY, 0, CUDA_SUCCESS);
  CHECK_OK(scenario());
  CHECK(tried > 60);
  printf("%u calls failed in turn\n", tried);
}

/* Each code becomes the status that says what the caller can do. */
TEST(statuses)
{
  static const struct {
    CUresult result;
    ck_status_t status;
  } rows[] = {
      {CUDA_ERROR_OUT_OF_MEMORY, CK_OUT_OF_MEMORY}, {CUDA_ERROR_NOT_SUPPORTED, CK_UNSUPPORTED},
      {CUDA_ERROR_NO_DEVICE, CK_UNAVAILABLE},       {CUDA_ERROR_ILLEGAL_ADDRESS, CK_KERNEL_FAULT},
      {CUDA_ERROR_INVALID_VALUE, CK_DRIVER},        {(CUresult)12345, CK_DRIVER}};
  driver = fault_driver(driver_host());
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    fault_arm(DRIVER_cuDeviceGet, 1, rows[i].result);
    CHECK_STATUS(scenario(), rows[i].status);
    CHECK_ERROR("from cuDeviceGet(&device->native, ordinal) at device.c:");
  }
}

/* A failure during clean-up does not hide the one that led there. */
TEST(first_cause_stays)
{
  driver = fault_driver(driver_host());
  ck_device_t *device;
  ck_buffer_t *buffer;
  CHECK_OK(device_open(driver, true, 0, &device));
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
  RUN(statuses);
  RUN(first_cause_stays);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
