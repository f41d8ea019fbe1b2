/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* event.c - events: places in streams, and the time between two of them. */
#include "runtime.h"

struct ck_event {
  Object object;
  ck_device_t *device; /* retained */
  CUevent native;
  bool has_timing;
  GraphKeep *keep; /* retained; of the capture that it was last recorded in; NULL: none */
};

static void event_destroy(ck_event_t *event)
{
  if (event->native) {
    bool is_entered = device_enter_quietly(event->device);
    event->device->driver->cuEventDestroy(event->native);
    if (is_entered) device_leave(event->device);
  }
  graph_keep_release(event->keep);
  ck_device_release(event->device);
  object_free(event);
}

OBJECT(event, ck_event_t);

GraphKeep **event_keep(ck_event_t *event)
{
  return &event->keep;
}

ck_status_t ck_event_create(ck_device_t *device, const ck_event_options_t *options,
                            ck_event_t **out_event)
{
  CK_NEED_ARG(out_event);
  *out_event = NULL;
  CK_NEED_ARG(device);
  ck_event_options_t own = CK_OPTIONS_INIT(ck_event_options_t);
  CK_TRY(options_read(&own, sizeof own, options, "ck_event_options_t"));
  if (own.flags & ~(CK_EVENT_TIMING | CK_EVENT_BLOCKING_SYNC))
    return error_set(CK_INVALID_ARGUMENT, "event flags are 0x%x: unknown bits are set", own.flags);
  unsigned flags = (own.flags & CK_EVENT_TIMING ? 0 : CU_EVENT_DISABLE_TIMING) |
                   (own.flags & CK_EVENT_BLOCKING_SYNC ? CU_EVENT_BLOCKING_SYNC : 0);
  ck_event_t *event = object_new(sizeof *event);
  if (!event) return CK_OUT_OF_MEMORY;
  event->device = ck_device_retain(device);
  event->has_timing = own.flags & CK_EVENT_TIMING;
  ck_status_t status = device_enter(device);
  if (status == CK_OK) {
    status = DRV_STATUS(device->driver, cuEventCreate(&event->native, flags));
    device_leave(device);
  }
  if (status != CK_OK) {
    event_destroy(event);
    return status;
  }
  *out_event = event;
  return CK_OK;
}

ck_device_t *ck_event_device(const ck_event_t *event)
{
  return event->device;
}

void *ck_event_native(const ck_event_t *event)
{
  return event->native;
}

ck_status_t ck_event_sync(ck_event_t *event)
{
  CK_NEED_ARG(event);
  CK_TRY(device_enter(event->device));
  ck_status_t status = DRV_STATUS(event->device->driver, cuEventSynchronize(event->native));
  device_leave(event->device);
  graph_collect();
  return status;
}

ck_status_t ck_event_query(ck_event_t *event)
{
  CK_NEED_ARG(event);
  CK_TRY(device_enter(event->device));
  CUresult result = event->device->driver->cuEventQuery(event->native);
  device_leave(event->device);
  if (result == CUDA_ERROR_NOT_READY) return CK_NOT_READY; /* expected: no failure to record */
  return driver_result(event->device->driver, result, "cuEventQuery(event->native)", __FILE__,
                       __LINE__);
}

ck_status_t ck_event_get_elapsed(ck_event_t *start, ck_event_t *end, double *out_seconds)
{
  CK_NEED_ARG(out_seconds);
  *out_seconds = 0;
  CK_NEED_ARG(start);
  CK_NEED_ARG(end);
  if (!start->has_timing || !end->has_timing)
    return error_set(CK_INVALID_ARGUMENT, "the %s event was made without CK_EVENT_TIMING",
                     start->has_timing ? "second" : "first");
  float milliseconds = 0;
  CK_TRY(device_enter(start->device));
  ck_status_t status = DRV_STATUS(start->device->driver,
                                  cuEventElapsedTime(&milliseconds, start->native, end->native));
  device_leave(start->device);
  if (status == CK_DRIVER && ck_last_driver_error() == CUDA_ERROR_INVALID_HANDLE)
    return error_within(CK_INVALID_ARGUMENT, "an event is not recorded, or of another device");
  *out_seconds = 1e-3 * milliseconds;
  return status;
}
