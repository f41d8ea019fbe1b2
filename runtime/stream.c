/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream.c - streams: creation, adoption, waiting, host functions. */
#include "runtime.h"

/* Gives back the native stream of an object that owns one. */
static void stream_destroy(ck_stream_t *stream)
{
  if (stream->is_owned && stream->native) {
    bool is_entered = device_enter_quietly(stream->device);
    stream->device->driver->cuStreamDestroy(stream->native);
    if (is_entered) device_leave(stream->device);
  }
  graph_keep_release(stream->keep);
  ck_device_release(stream->device);
  object_free(stream);
}

OBJECT(stream, ck_stream_t);

static ck_stream_t *stream_new(ck_device_t *device)
{
  ck_stream_t *stream = object_new(sizeof *stream);
  if (stream) stream->device = ck_device_retain(device);
  return stream;
}

ck_status_t ck_stream_create(ck_device_t *device, const ck_stream_options_t *options,
                             ck_stream_t **out_stream)
{
  CK_NEED_ARG(out_stream);
  *out_stream = NULL;
  CK_NEED_ARG(device);
  ck_stream_options_t own = CK_OPTIONS_INIT(ck_stream_options_t);
  CK_TRY(options_read(&own, sizeof own, options, "ck_stream_options_t"));
  if (own.flags & ~CK_STREAM_BLOCKING)
    return error_set(CK_INVALID_ARGUMENT, "stream flags are 0x%x: only CK_STREAM_BLOCKING is known",
                     own.flags);
  unsigned flags = own.flags & CK_STREAM_BLOCKING ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
  ck_stream_t *stream = stream_new(device);
  if (!stream) return CK_OUT_OF_MEMORY;
  stream->is_owned = true;
  ck_status_t status = device_enter(device);
  if (status == CK_OK) {
    status = DRV_STATUS(device->driver,
                        cuStreamCreateWithPriority(&stream->native, flags, own.priority));
    device_leave(device);
  }
  if (status != CK_OK) {
    stream_destroy(stream);
    return status;
  }
  *out_stream = stream;
  return CK_OK;
}

ck_status_t ck_stream_from_native(ck_device_t *device, void *native, int is_owned,
                                  ck_stream_t **out_stream)
{
  CK_NEED_ARG(out_stream);
  *out_stream = NULL;
  CK_NEED_ARG(device);
  ck_stream_t *stream = stream_new(device);
  if (!stream) return CK_OUT_OF_MEMORY;
  stream->native = native ? native : CU_STREAM_LEGACY;
  stream->is_default = stream->native == CU_STREAM_LEGACY || native == CU_STREAM_PER_THREAD;
  stream->is_owned = is_owned && !stream->is_default;
  *out_stream = stream;
  return CK_OK;
}

ck_status_t ck_stream_open_default(ck_device_t *device, ck_stream_t **out_stream)
{
  return ck_stream_from_native(device, CU_STREAM_LEGACY, 0, out_stream);
}

ck_device_t *ck_stream_device(const ck_stream_t *stream)
{
  return stream->device;
}

void *ck_stream_native(const ck_stream_t *stream)
{
  return stream->native;
}

ck_status_t stream_check(const ck_stream_t *stream, const ck_device_t *device)
{
  if (!stream || device_same(stream->device, device)) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "the stream is of '%s' (%s), the object of '%s' (%s)",
                   stream->device->name, stream->device->target, device->name, device->target);
}

ck_status_t ck_stream_get_priority(ck_stream_t *stream, int *out_priority)
{
  CK_NEED_ARG(stream);
  CK_NEED_ARG(out_priority);
  *out_priority = 0;
  CK_TRY(device_enter(stream->device));
  ck_status_t status =
      DRV_STATUS(stream->device->driver, cuStreamGetPriority(stream->native, out_priority));
  device_leave(stream->device);
  return status;
}

ck_status_t ck_stream_get_flags(ck_stream_t *stream, uint32_t *out_flags)
{
  CK_NEED_ARG(stream);
  CK_NEED_ARG(out_flags);
  *out_flags = 0;
  unsigned flags = 0;
  CK_TRY(device_enter(stream->device));
  ck_status_t status = DRV_STATUS(stream->device->driver, cuStreamGetFlags(stream->native, &flags));
  device_leave(stream->device);
  if (status == CK_OK && !(flags & CU_STREAM_NON_BLOCKING)) *out_flags = CK_STREAM_BLOCKING;
  return status;
}

ck_status_t ck_stream_sync(ck_stream_t *stream)
{
  CK_NEED_ARG(stream);
  CK_TRY(device_enter(stream->device));
  ck_status_t status = DRV_STATUS(stream->device->driver, cuStreamSynchronize(stream->native));
  device_leave(stream->device);
  graph_collect();
  return status;
}

ck_status_t ck_stream_query(ck_stream_t *stream)
{
  CK_NEED_ARG(stream);
  CK_TRY(device_enter(stream->device));
  CUresult result = stream->device->driver->cuStreamQuery(stream->native);
  device_leave(stream->device);
  if (result == CUDA_ERROR_NOT_READY) return CK_NOT_READY; /* expected: no failure to record */
  return driver_result(stream->device->driver, result, "cuStreamQuery(stream->native)", __FILE__,
                       __LINE__);
}

/* An event that was recorded in a capture, and a stream that waits for it, are part of it. */
static void join_capture(GraphKeep **keep, GraphKeep *capture)
{
  if (capture == *keep || !capture || !graph_keep_is_open(capture)) return;
  graph_keep_release(*keep);
  *keep = graph_keep_retain(capture);
}

ck_status_t ck_stream_wait(ck_stream_t *stream, ck_event_t *event)
{
  CK_NEED_ARG(stream);
  CK_NEED_ARG(event);
  CK_TRY(device_enter(stream->device));
  ck_status_t status = DRV_STATUS(stream->device->driver,
                                  cuStreamWaitEvent(stream->native, ck_event_native(event), 0));
  device_leave(stream->device);
  if (status == CK_OK) join_capture(&stream->keep, *event_keep(event));
  return status;
}

ck_status_t ck_stream_record(ck_stream_t *stream, ck_event_t *event)
{
  CK_NEED_ARG(stream);
  CK_NEED_ARG(event);
  CK_TRY(device_enter(stream->device));
  ck_status_t status =
      DRV_STATUS(stream->device->driver, cuEventRecord(ck_event_native(event), stream->native));
  device_leave(stream->device);
  if (status == CK_OK) join_capture(event_keep(event), stream->keep);
  return status;
}

ck_status_t ck_stream_wait_stream(ck_stream_t *stream, ck_stream_t *other)
{
  CK_NEED_ARG(stream);
  CK_NEED_ARG(other);
  ck_event_t *event;
  CK_TRY(ck_event_create(other->device, NULL, &event));
  ck_status_t status = ck_stream_record(other, event);
  if (status == CK_OK) status = ck_stream_wait(stream, event);
  ck_event_release(event); /* the driver keeps what is still waited for */
  return status;
}

ck_status_t ck_stream_launch_host(ck_stream_t *stream, void (*function)(void *data), void *data)
{
  CK_NEED_ARG(stream);
  CK_NEED_ARG(function);
  CK_TRY(device_enter(stream->device));
  ck_status_t status =
      DRV_STATUS(stream->device->driver, cuLaunchHostFunc(stream->native, function, data));
  device_leave(stream->device);
  return status;
}
