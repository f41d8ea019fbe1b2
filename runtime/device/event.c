/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* event.c - events: points in streams, and the time between two of them.
 *
 * An event belongs to the context that it was created in. It can be recorded in streams of that
 * context only, but streams of any GPU of the same driver can wait for it. Recording it again
 * replaces the point; waits that were submitted before still refer to the old one. An event that is
 * recorded in a stream under capture becomes part of the capture (keep.h).
 */
#include <string.h>

#include "device.h"

static void event_destroy(ck_event_t *event)
{
  if (event->native && event->is_owned) {
    bool is_entered = device_enter_quietly(event->device);
    event->device->driver->cuEventDestroy(event->native);
    if (is_entered) device_leave(event->device);
  }
  graph_keep_unobserve(event->keep);
  ck_context_release(event->context);
  ck_device_release(event->device);
  object_free(event);
}

OBJECT(event, ck_event_t);

static bool has_native(const void *event, const void *native)
{
  return ck_event_native(event) == native;
}

REF_KIND(event, has_native);

static ck_event_t *event_new(ck_device_t *device, uint32_t flags)
{
  ck_event_t *event = object_new(sizeof *event);
  if (!event) return NULL;
  event->device = ck_device_retain(device);
  event->flags = flags;
  event->is_owned = true;
  return event;
}

static ck_status_t check_flags(uint32_t flags)
{
  if (flags & ~(CK_EVENT_TIMING | CK_EVENT_BLOCKING_SYNC | CK_EVENT_IPC))
    return error_argument("event flags are 0x%x: unknown bits are set", flags);
  if (flags & CK_EVENT_IPC && flags & CK_EVENT_TIMING)
    return error_argument("an event for other processes can't keep the time");
  return CK_OK;
}

ck_status_t ck_context_create_event(ck_context_t *context, const ck_event_options_t *options,
                                    ck_event_t **out_event)
{
  CK_NEED_OUT(out_event, NULL, context);
  CK_READ_OPTIONS(ck_event_options_t, own, options);
  CK_TRY(check_flags(own.flags));
  unsigned flags = (own.flags & CK_EVENT_TIMING ? 0 : CU_EVENT_DISABLE_TIMING) |
                   (own.flags & CK_EVENT_BLOCKING_SYNC ? CU_EVENT_BLOCKING_SYNC : 0) |
                   (own.flags & CK_EVENT_IPC ? CU_EVENT_INTERPROCESS : 0);
  ck_event_t *event = event_new(context->device, own.flags);
  if (!event) return CK_OUT_OF_MEMORY;
  if (context != &context->device->primary) event->context = ck_context_retain(context);
  ck_status_t status =
      IN_CONTEXT(context, DRV_STATUS(event->device->driver, cuEventCreate(&event->native, flags)));
  return GIVE(status, event, out_event, event_destroy);
}

ck_status_t ck_event_create(ck_device_t *device, const ck_event_options_t *options,
                            ck_event_t **out_event)
{
  CK_NEED_OUT(out_event, NULL, device);
  return ck_context_create_event(&device->primary, options, out_event);
}

ck_status_t ck_event_from_native(ck_device_t *device, void *native, uint32_t flags, int is_owned,
                                 ck_event_t **out_event)
{
  CK_NEED_OUT(out_event, NULL, device, native);
  CK_TRY(check_flags(flags));
  ck_event_t *event = event_new(device, flags);
  if (!event) return CK_OUT_OF_MEMORY;
  event->native = native;
  event->is_owned = is_owned;
  *out_event = event;
  return CK_OK;
}

ck_status_t event_check_further(const ck_event_t *event, const ck_device_t *device)
{
  if (event->device->driver == device->driver) return CK_OK;
  return error_argument("the event is of '%s', the stream of '%s'", event->device->name,
                        device->name);
}

GETTER(ck_device_t *, event, device);
GETTER(void *, event, native);

ck_context_t *ck_event_context(ck_event_t *event)
{
  return event->context ? event->context : &event->device->primary;
}

GETTER(uint32_t, event, flags);

ck_status_t ck_event_sync(ck_event_t *event)
{
  CK_NEED_ARG(event);
  ck_status_t status = DEVICE_STATUS(event->device, cuEventSynchronize(event->native));
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
  return driver_result(event->device->driver, result, "cuEventQuery(event->native)", __FILE_NAME__,
                       __LINE__);
}

/* Explains why the driver can't compute the time between two events with timing. */
static ck_status_t explain_elapsed(const Driver *driver, ck_event_t *end)
{
  int error = ck_last_driver_error();
  if (error == CUDA_ERROR_NOT_READY)
    return error_within(CK_NOT_READY, "the work before the %s event is under way",
                        driver->cuEventQuery(end->native) == CUDA_ERROR_NOT_READY ? "second"
                                                                                  : "first");
  if (error == CUDA_ERROR_INVALID_HANDLE)
    return error_within(CK_INVALID_ARGUMENT, "an event is not recorded, or of another device");
  return CK_DRIVER;
}

ck_status_t ck_event_get_elapsed(ck_event_t *start, ck_event_t *end, double *out_seconds)
{
  CK_NEED_OUT(out_seconds, 0, start, end);
  const Driver *driver = start->device->driver;
  if (!(start->flags & end->flags & CK_EVENT_TIMING))
    return error_argument("the %s event was made without CK_EVENT_TIMING",
                          start->flags & CK_EVENT_TIMING ? "second" : "first");
  CK_TRY(event_check(end, start->device));
  float milliseconds = 0;
  CK_TRY(device_enter(start->device));
  ck_status_t status =
      DRV_STATUS(driver, cuEventElapsedTime(&milliseconds, start->native, end->native));
  if (status == CK_DRIVER || status == CK_NOT_READY) status = explain_elapsed(driver, end);
  device_leave(start->device);
  *out_seconds = 1e-3 * milliseconds;
  return status;
}

/* other processes ---------------------------------------------------------------------------- */

_Static_assert(sizeof(CUipcEventHandle) == sizeof(ck_ipc_event_t), "it is the driver's handle");

ck_status_t ck_event_export(ck_event_t *event, ck_ipc_event_t *out_handle)
{
  CK_NEED_ARG(out_handle);
  memset(out_handle, 0, sizeof *out_handle);
  CK_NEED_ARG(event);
  if (!(event->flags & CK_EVENT_IPC))
    return error_argument("the event was made without CK_EVENT_IPC");
  CUipcEventHandle handle;
  ck_status_t status = DEVICE_STATUS(event->device, cuIpcGetEventHandle(&handle, event->native));
  if (status == CK_OK) memcpy(out_handle, &handle, sizeof handle);
  return status;
}

ck_status_t ck_event_from_ipc(ck_device_t *device, const ck_ipc_event_t *handle,
                              ck_event_t **out_event)
{
  CK_NEED_OUT(out_event, NULL, device, handle);
  CUipcEventHandle native;
  memcpy(&native, handle, sizeof native);
  ck_event_t *event = event_new(device, CK_EVENT_IPC);
  if (!event) return CK_OUT_OF_MEMORY;
  ck_status_t status = DEVICE_STATUS(device, cuIpcOpenEventHandle(&event->native, native));
  return GIVE(status, event, out_event, event_destroy);
}
