/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buffer.c - buffers: owned and adopted ranges of memory, and copies in stream order. */
#include "runtime.h"

static void buffer_destroy(ck_buffer_t *buffer)
{
  if (buffer->release) buffer->release(buffer->data);
  if (buffer->resource && buffer->address)
    memory_deallocate(buffer->resource, buffer->address, buffer->host, buffer->stream);
  ck_stream_release(buffer->stream);
  ck_memory_resource_release(buffer->resource);
  ck_device_release(buffer->device);
  object_free(buffer);
}

OBJECT(buffer, ck_buffer_t);

ck_status_t ck_buffer_create_from(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                                  ck_buffer_t **out_buffer)
{
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(resource);
  CK_TRY(stream_check(stream, resource->device));
  ck_buffer_t *buffer = object_new(sizeof *buffer);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->device = ck_device_retain(resource->device);
  buffer->resource = ck_memory_resource_retain(resource);
  buffer->stream = ck_stream_retain(stream);
  buffer->bytes = bytes;
  if (bytes) {
    ck_status_t status = memory_allocate(resource, bytes, stream, &buffer->address, &buffer->host);
    if (status != CK_OK) {
      buffer->address = 0;
      buffer_destroy(buffer);
      return status;
    }
  }
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_buffer_create(ck_device_t *device, size_t bytes, ck_stream_t *stream,
                             ck_buffer_t **out_buffer)
{
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  ck_memory_resource_t *resource;
  CK_TRY(ck_memory_resource_create_device(device, NULL, &resource));
  ck_status_t status = ck_buffer_create_from(resource, bytes, stream, out_buffer);
  ck_memory_resource_release(resource); /* the buffer keeps it */
  return status;
}

ck_status_t ck_buffer_from_native(ck_device_t *device, uint64_t address, size_t bytes,
                                  void (*release)(void *data), void *data, ck_buffer_t **out_buffer)
{
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(device);
  if (bytes && !address)
    return error_set(CK_INVALID_ARGUMENT, "a buffer of %zu bytes at the address 0", bytes);
  ck_buffer_t *buffer = object_new(sizeof *buffer);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->device = ck_device_retain(device);
  buffer->address = address;
  buffer->bytes = bytes;
  ck_status_t status = device_enter(device);
  if (status != CK_OK) {
    buffer_destroy(buffer);
    return status;
  }
  /* A foreign pointer that the driver does not know has no host address; that is no failure. */
  if (device->is_host) buffer->host = (void *)(uintptr_t)address;
  else if (device->driver->cuPointerGetAttribute(&buffer->host, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                                 address) != CUDA_SUCCESS)
    buffer->host = NULL;
  device_leave(device);
  buffer->release = release; /* only now: a failure leaves the memory with the caller */
  buffer->data = data;
  *out_buffer = buffer;
  return CK_OK;
}

ck_device_t *ck_buffer_device(const ck_buffer_t *buffer)
{
  return buffer->device;
}

size_t ck_buffer_bytes(const ck_buffer_t *buffer)
{
  return buffer->bytes;
}

uint64_t ck_buffer_native(const ck_buffer_t *buffer)
{
  return buffer->address;
}

void *ck_buffer_host(const ck_buffer_t *buffer)
{
  return buffer->host;
}

ck_status_t ck_buffer_set_stream(ck_buffer_t *buffer, ck_stream_t *stream)
{
  CK_NEED_ARG(buffer);
  CK_TRY(stream_check(stream, buffer->device));
  ck_stream_t *old = buffer->stream;
  buffer->stream = ck_stream_retain(stream);
  ck_stream_release(old);
  return CK_OK;
}

/* Whether a range lies in a buffer, without overflow. */
ck_status_t buffer_check_range(const ck_buffer_t *buffer, size_t offset, size_t bytes,
                               const char *function)
{
  if (offset <= buffer->bytes && bytes <= buffer->bytes - offset) return CK_OK;
  return error_set(CK_INVALID_ARGUMENT, "%s: %zu bytes at offset %zu, the buffer has %zu bytes",
                   function, bytes, offset, buffer->bytes);
}

ck_status_t ck_buffer_write(ck_buffer_t *dst, size_t offset, const void *src, size_t bytes,
                            ck_stream_t *stream)
{
  CK_NEED_ARG(dst);
  CK_TRY(buffer_check_range(dst, offset, bytes, __func__));
  CK_TRY(stream_check(stream, dst->device));
  if (!bytes) return CK_OK;
  CK_NEED_ARG(src);
  CK_TRY(device_enter(dst->device));
  ck_status_t status =
      DRV_STATUS(dst->device->driver,
                 cuMemcpyHtoDAsync(dst->address + offset, src, bytes, stream_native(stream)));
  device_leave(dst->device);
  return status;
}

ck_status_t ck_buffer_read(const ck_buffer_t *src, size_t offset, void *dst, size_t bytes,
                           ck_stream_t *stream)
{
  CK_NEED_ARG(src);
  CK_TRY(buffer_check_range(src, offset, bytes, __func__));
  CK_TRY(stream_check(stream, src->device));
  if (!bytes) return CK_OK;
  CK_NEED_ARG(dst);
  CK_TRY(device_enter(src->device));
  ck_status_t status =
      DRV_STATUS(src->device->driver,
                 cuMemcpyDtoHAsync(dst, src->address + offset, bytes, stream_native(stream)));
  device_leave(src->device);
  return status;
}

ck_status_t ck_buffer_copy(ck_buffer_t *dst, size_t dst_offset, const ck_buffer_t *src,
                           size_t src_offset, size_t bytes, ck_stream_t *stream)
{
  CK_NEED_ARG(dst);
  CK_NEED_ARG(src);
  CK_TRY(buffer_check_range(dst, dst_offset, bytes, __func__));
  CK_TRY(buffer_check_range(src, src_offset, bytes, __func__));
  CK_TRY(stream_check(stream, dst->device));
  if (dst->device->driver != src->device->driver)
    return error_set(CK_INVALID_ARGUMENT,
                     "%s: from '%s' to '%s': read and write through host memory", __func__,
                     src->device->name, dst->device->name);
  CUdeviceptr to = dst->address + dst_offset, from = src->address + src_offset;
  if (!bytes || to == from) return CK_OK;
  if (to < from + bytes && from < to + bytes)
    return error_set(CK_INVALID_ARGUMENT, "%s: %zu bytes from %zu to %zu overlap", __func__, bytes,
                     src_offset, dst_offset);
  CK_TRY(device_enter(dst->device));
  ck_status_t status =
      DRV_STATUS(dst->device->driver, cuMemcpyAsync(to, from, bytes, stream_native(stream)));
  device_leave(dst->device);
  return status;
}

ck_status_t ck_buffer_fill(ck_buffer_t *dst, size_t offset, size_t bytes, uint32_t value,
                           size_t value_bytes, ck_stream_t *stream)
{
  CK_NEED_ARG(dst);
  CK_TRY(buffer_check_range(dst, offset, bytes, __func__));
  CK_TRY(stream_check(stream, dst->device));
  if (value_bytes != 1 && value_bytes != 2 && value_bytes != 4)
    return error_set(CK_INVALID_ARGUMENT, "%s: a value has 1, 2 or 4 bytes, not %zu", __func__,
                     value_bytes);
  if (offset % value_bytes || bytes % value_bytes)
    return error_set(CK_INVALID_ARGUMENT, "%s: offset %zu and size %zu are to be multiples of %zu",
                     __func__, offset, bytes, value_bytes);
  if (!bytes) return CK_OK;
  const Driver *driver = dst->device->driver;
  CUdeviceptr to = dst->address + offset;
  CUstream native = stream_native(stream);
  CK_TRY(device_enter(dst->device));
  ck_status_t status;
  if (value_bytes == 1)
    status = DRV_STATUS(driver, cuMemsetD8Async(to, (unsigned char)value, bytes, native));
  else if (value_bytes == 2)
    status = DRV_STATUS(driver, cuMemsetD16Async(to, (unsigned short)value, bytes / 2, native));
  else status = DRV_STATUS(driver, cuMemsetD32Async(to, value, bytes / 4, native));
  device_leave(dst->device);
  return status;
}
