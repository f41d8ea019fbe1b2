/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream.c - streams: creation, adoption, waits, host functions.
 *
 * A stream is created here and then owned; or it is adopted from other code; or it stands for one
 * of the driver's two default streams:
 *
 *   created                          owned, in the primary or a green context
 *   adopted (ck_stream_from_native)  owned if the caller says so, in any context
 *   legacy, per-thread default       not owned, in whichever context is current
 */
#include <string.h>

#include "device.h"

const StreamReserve *_Atomic stream_reserve;

/* Destroying a stream that is being captured would invalidate the capture. So when the last
 * reference to such a stream is dropped, the capture takes over the reference, and the stream is
 * destroyed when the capture ends. */
static bool is_left_to_capture(ck_stream_t *stream)
{
  GraphKeep *keep = stream_keep(stream);
  if (LIKELY(!keep) || !stream->is_owned || !stream->native) return false;
  atomic_store(&stream->object.reference_count, 1);
  return graph_keep_hold_stream(keep, stream);
}

/* Destroys the native stream if the object owns it. */
_Atomic(void (*)(ck_stream_t *stream)) stream_kept_end;

static void stream_destroy(ck_stream_t *stream)
{
  if (is_left_to_capture(stream)) return;
  if (stream->has_kept) atomic_load (&stream_kept_end)(stream);
  if (stream->is_owned && stream->native) {
    bool is_entered = device_enter_quietly(stream->device);
    stream->driver->cuStreamDestroy(stream->native);
    if (is_entered) device_leave(stream->device);
  }
  graph_keep_unobserve(stream->keep);
  ck_context_release(stream->context);
  ck_device_release(stream->device);
  object_free(stream);
}

ck_stream_t *ck_stream_retain(ck_stream_t *stream)
{
  if (stream) object_retain(&stream->object);
  return stream;
}

/* Spare buffers of threads (buffer.c) retain the stream, but must not keep it alive. When no more
 * references are left than there can be spares, the spares are dropped. A spare that another thread
 * stores at this very moment can be missed: it is dropped with that thread's end, with its next
 * spare, or when a device is opened. */
void ck_stream_release(ck_stream_t *stream)
{
  if (!stream) return;
  unsigned places = atomic_load_explicit(&stream->spare_places, memory_order_relaxed);
  size_t left = object_release_to(&stream->object);
  if (left) {
    if (left <= places) atomic_load(&stream_reserve)->forget(stream);
    return;
  }
  if (atomic_load(&stream->spare_places)) /* read by the last holder */
    atomic_load(&stream_reserve)->end(stream);
  stream_destroy(stream);
}

static ck_stream_t *stream_new(ck_device_t *device, CUstream native)
{
  ck_stream_t *stream = object_new_in_lines(sizeof *stream);
  if (!stream) return NULL;
  stream->device = ck_device_retain(device);
  stream->driver = device->driver;
  stream->native = native;
  stream->is_default = native == CU_STREAM_LEGACY || native == CU_STREAM_PER_THREAD;
  stream->is_logged = log_wants(LOG_driver);
  if (!stream->is_default && !stream->is_logged) stream->plain_device = device;
  return stream;
}

static ck_status_t make_native(ck_stream_t *stream, const ck_context_t *context, unsigned flags,
                               int priority)
{
  const Driver *driver = stream->driver;
  const ck_context_t *current = context->green ? &context->device->primary : context;
  return IN_CONTEXT(
      current,
      context->green
          ? DRV_STATUS(driver,
                       cuGreenCtxStreamCreate(&stream->native, context->green, flags, priority))
          : DRV_STATUS(driver, cuStreamCreateWithPriority(&stream->native, flags, priority)));
}

ck_status_t ck_context_create_stream(ck_context_t *context, const ck_stream_options_t *options,
                                     ck_stream_t **out_stream)
{
  CK_NEED_OUT(out_stream, NULL, context);
  CK_READ_OPTIONS(ck_stream_options_t, own, options);
  if (own.flags & ~CK_STREAM_BLOCKING)
    return error_argument("stream flags are 0x%x: only CK_STREAM_BLOCKING is known", own.flags);
  if (own.flags & CK_STREAM_BLOCKING && context->green)
    return error_argument("a stream of a green context can't be blocking");
  unsigned flags = own.flags & CK_STREAM_BLOCKING ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
  ck_stream_t *stream = stream_new(context->device, NULL);
  if (!stream) return CK_OUT_OF_MEMORY;
  if (context != &context->device->primary) stream->context = ck_context_retain(context);
  stream->is_owned = true;
  ck_status_t status = make_native(stream, context, flags, own.priority);
  return GIVE(status, stream, out_stream, stream_destroy);
}

ck_status_t ck_stream_create(ck_device_t *device, const ck_stream_options_t *options,
                             ck_stream_t **out_stream)
{
  CK_NEED_OUT(out_stream, NULL, device);
  return ck_context_create_stream(&device->primary, options, out_stream);
}

/* Opens the GPU to which an adopted stream belongs. */
static ck_status_t open_device_of(CUstream native, ck_device_t **out_device)
{
  const Driver *driver;
  CUcontext context, old;
  CUdevice ordinal = 0;
  CK_TRY(driver_open_cuda(&driver));
  DRV(driver, cuStreamGetCtx(native, &context));
  DRV(driver, cuCtxPushCurrent(context));
  ck_status_t status = DRV_STATUS(driver, cuCtxGetDevice(&ordinal));
  driver->cuCtxPopCurrent(&old);
  return status == CK_OK ? ck_device_open(ordinal, out_device) : status;
}

/* Finds the context of an adopted stream, which may be green or not the device's primary one. Older
 * drivers lack the call that reports green contexts; their call reports all others. */
static ck_status_t find_context(ck_stream_t *stream)
{
  CUcontext context = NULL;
  CUgreenCtx green = NULL;
  if (stream->is_default) return CK_OK;
  if (stream->driver->cuStreamGetCtx_v2)
    DRV(stream->driver, cuStreamGetCtx_v2(stream->native, &context, &green));
  else DRV(stream->driver, cuStreamGetCtx(stream->native, &context));
  if (!green && context == stream->device->context) return CK_OK;
  return context_adopt(stream->device, context, green, &stream->context);
}

ck_status_t ck_stream_from_native(ck_device_t *device, void *native, int is_owned,
                                  ck_stream_t **out_stream)
{
  CK_NEED_OUT(out_stream, NULL);
  ck_device_t *found = NULL;
  if (!device) CK_TRY(open_device_of(native, &found));
  ck_stream_t *stream = stream_new(device ? device : found, native ? native : CU_STREAM_LEGACY);
  ck_device_release(found); /* the stream retains it */
  if (!stream) return CK_OUT_OF_MEMORY;
  ck_status_t status = find_context(stream);
  if (status != CK_OK) {
    stream_destroy(stream);
    return status;
  }
  stream->is_owned = is_owned && !stream->is_default;
  *out_stream = stream;
  return CK_OK;
}

ck_status_t ck_stream_open_default(ck_device_t *device, ck_stream_t **out_stream)
{
  CK_NEED_OUT(out_stream, NULL, device);
  return ck_stream_from_native(device, CU_STREAM_LEGACY, 0, out_stream);
}

ck_status_t ck_stream_open_per_thread(ck_device_t *device, ck_stream_t **out_stream)
{
  CK_NEED_OUT(out_stream, NULL, device);
  return ck_stream_from_native(device, CU_STREAM_PER_THREAD, 0, out_stream);
}

ck_context_t *ck_stream_context(ck_stream_t *stream)
{
  return stream->context ? stream->context : &stream->device->primary;
}

GETTER(ck_device_t *, stream, device);
GETTER(void *, stream, native);

ck_status_t stream_check_further(const ck_stream_t *stream, const ck_device_t *device)
{
  if (device_same(stream->device, device)) return CK_OK;
  return error_argument("the stream is of '%s' (%s), the object of '%s' (%s)", stream->device->name,
                        stream->device->target, device->name, device->target);
}

ck_status_t ck_stream_get_priority(ck_stream_t *stream, int *out_priority)
{
  CK_NEED_OUT(out_priority, 0, stream);
  return DEVICE_STATUS(stream->device, cuStreamGetPriority(stream->native, out_priority));
}

ck_status_t ck_stream_get_flags(ck_stream_t *stream, uint32_t *out_flags)
{
  CK_NEED_OUT(out_flags, 0, stream);
  unsigned flags = 0;
  ck_status_t status = DEVICE_STATUS(stream->device, cuStreamGetFlags(stream->native, &flags));
  if (status == CK_OK && !(flags & CU_STREAM_NON_BLOCKING)) *out_flags = CK_STREAM_BLOCKING;
  return status;
}

ck_status_t ck_stream_get_id(ck_stream_t *stream, uint64_t *out_id)
{
  CK_NEED_OUT(out_id, 0, stream);
  unsigned long long id = 0;
  ck_status_t status = DEVICE_STATUS(stream->device, cuStreamGetId(stream->native, &id));
  *out_id = id;
  return status;
}

ck_status_t ck_stream_sync(ck_stream_t *stream)
{
  CK_NEED_ARG(stream);
  ck_status_t status = DEVICE_STATUS(stream->device, cuStreamSynchronize(stream->native));
  graph_collect();
  return status;
}

ck_status_t ck_stream_query(ck_stream_t *stream)
{
  CK_NEED_ARG(stream);
  CK_TRY(device_enter(stream->device));
  CUresult result = stream->driver->cuStreamQuery(stream->native);
  device_leave(stream->device);
  if (result == CUDA_ERROR_NOT_READY) return CK_NOT_READY; /* expected: no failure to record */
  return driver_result(stream->driver, result, "cuStreamQuery(stream->native)", __FILE_NAME__,
                       __LINE__);
}

CUstreamCaptureStatus stream_capture_state(const Driver *driver, CUstream stream)
{
  CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  driver->cuStreamIsCapturing(stream, &state);
  return state;
}

void stream_join_capture(ck_stream_t *stream, GraphKeep *capture)
{
  if (UNLIKELY(capture) && graph_keep_join(&stream->keep, capture)) stream->plain_device = NULL;
}

ck_status_t ck_stream_wait(ck_stream_t *stream, ck_event_t *event)
{
  CK_NEED_ARGS(stream, event);
  CK_TRY(event_check(event, stream->device));
  CK_TRY(stream_enter(stream, stream->device));
  ck_status_t status = STREAM_STATUS(stream, cuStreamWaitEvent(stream->native, event->native, 0));
  stream_leave(stream, stream->device);
  if (status == CK_OK) stream_join_capture(stream, event->keep);
  return status;
}

ck_status_t ck_stream_record(ck_stream_t *stream, ck_event_t *event)
{
  CK_NEED_ARGS(stream, event);
  CK_TRY(event_check(event, stream->device));
  CK_TRY(stream_enter(stream, stream->device));
  ck_status_t status = STREAM_STATUS(stream, cuEventRecord(event->native, stream->native));
  stream_leave(stream, stream->device);
  if (status == CK_OK) event_join_capture(event, stream_keep(stream));
  return status;
}

ck_status_t ck_stream_wait_stream(ck_stream_t *stream, ck_stream_t *other)
{
  CK_NEED_ARGS(stream, other);
  if (stream->driver != other->device->driver)
    return error_argument("a stream of '%s' can't wait for one of '%s'", stream->device->name,
                          other->device->name);
  ck_event_t *event;
  CK_TRY(ck_context_create_event(ck_stream_context(other), NULL, &event));
  ck_status_t status = ck_stream_record(other, event);
  if (status == CK_OK) status = ck_stream_wait(stream, event);
  ck_event_release(event); /* the driver keeps the event as long as a stream waits for it */
  return status;
}

ck_status_t ck_stream_launch_host(ck_stream_t *stream, void (*function)(void *data), void *data)
{
  CK_NEED_ARGS(stream, function);
  return DEVICE_STATUS(stream->device, cuLaunchHostFunc(stream->native, function, data));
}
