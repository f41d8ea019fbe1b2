/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/memory.h - memory resources, which allocate, and buffers, which are ranges of memory. */
#ifndef CK_MEMORY_H
#define CK_MEMORY_H

#include "ck/device.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_memory_resource ck_memory_resource_t;
typedef struct ck_buffer ck_buffer_t;

/* ---- memory resources ---------------------------------------------------------------------- */

typedef struct ck_memory_resource_options {
  size_t struct_size;
  size_t max_bytes;         /* a device pool of its own that never grows beyond this */
  size_t release_threshold; /* bytes that a pool of its own keeps when they are free */
} ck_memory_resource_options_t;

/* Allocates device memory in stream order, from a pool.
 *
 * options  NULL: the device's current pool, which keeps its free memory from then on. Otherwise a
 *          pool of its own. A device without pools allocates with cuMemAlloc, outside of any order
 * fails    CK_UNSUPPORTED for options on a device without pools; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_create_device(ck_device_t *device,
                                                    const ck_memory_resource_options_t *options,
                                                    ck_memory_resource_t **out_resource);

/* Allocates page-locked host memory that the device can reach; not in stream order. */
CK_API ck_status_t ck_memory_resource_create_pinned(ck_device_t *device,
                                                    ck_memory_resource_t **out_resource);

CK_API ck_memory_resource_t *ck_memory_resource_retain(ck_memory_resource_t *resource);
CK_API void ck_memory_resource_release(ck_memory_resource_t *resource);

CK_API ck_device_t *ck_memory_resource_device(const ck_memory_resource_t *resource); /* borrowed */
CK_API void *
ck_memory_resource_native(const ck_memory_resource_t *resource); /* CUmemoryPool, NULL */

/* Bytes that the pool has in use and that it holds; CK_UNSUPPORTED without a pool. */
CK_API ck_status_t ck_memory_resource_get_usage(ck_memory_resource_t *resource,
                                                size_t *out_used_bytes, size_t *out_held_bytes);

/* ---- buffers ------------------------------------------------------------------------------- */

/* Allocates from the device's default resource: its current pool, or cuMemAlloc without pools.
 *
 * bytes    0 is allowed: the buffer's address is 0
 * stream   the memory is there for work in this stream, and is freed in its order when the buffer
 *          is released; the buffer retains the stream. ck_buffer_set_stream changes it
 * fails    CK_OUT_OF_MEMORY; CK_INVALID_ARGUMENT for a stream of another device; CK_DRIVER
 */
CK_API ck_status_t ck_buffer_create(ck_device_t *device, size_t bytes, ck_stream_t *stream,
                                    ck_buffer_t **out_buffer);

/* Allocates from a given resource; the same otherwise. */
CK_API ck_status_t ck_buffer_create_from(ck_memory_resource_t *resource, size_t bytes,
                                         ck_stream_t *stream, ck_buffer_t **out_buffer);

/* Adopts memory that the device can reach.
 *
 * release  called with `data` when the buffer goes; NULL: the memory is only looked at and has to
 *          outlive the buffer
 */
CK_API ck_status_t ck_buffer_from_native(ck_device_t *device, uint64_t address, size_t bytes,
                                         void (*release)(void *data), void *data,
                                         ck_buffer_t **out_buffer);

CK_API ck_buffer_t *ck_buffer_retain(ck_buffer_t *buffer);
CK_API void ck_buffer_release(ck_buffer_t *buffer);

CK_API ck_device_t *ck_buffer_device(const ck_buffer_t *buffer); /* borrowed */
CK_API size_t ck_buffer_bytes(const ck_buffer_t *buffer);
CK_API uint64_t ck_buffer_native(const ck_buffer_t *buffer); /* the device address */
CK_API void *
ck_buffer_host(const ck_buffer_t *buffer); /* where the CPU finds it; NULL if nowhere */

/* The stream in whose order the memory is freed. Work that uses it in other streams has to be
 * before that: ck_stream_wait_stream. */
CK_API ck_status_t ck_buffer_set_stream(ck_buffer_t *buffer, ck_stream_t *stream);

/* Copies `bytes` bytes from host `src` to `dst` at `offset`, in stream order.
 *
 * dst, offset  byte offset; offset + bytes <= ck_buffer_bytes(dst)
 * src          host memory; pageable memory is staged, so the call may block
 * bytes        0 is allowed and does nothing
 * async        returns before the copy is done; `src` must live until the stream gets there
 * threads      any; two calls on one stream need the caller's order
 * fails        CK_INVALID_ARGUMENT out of range; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_buffer_write(ck_buffer_t *dst, size_t offset, const void *src, size_t bytes,
                                   ck_stream_t *stream);

/* Copies `bytes` bytes from `src` at `offset` to host `dst`, in stream order.
 *
 * async    `dst` has the bytes once the stream got there: ck_stream_sync before reading them
 * fails    as ck_buffer_write
 */
CK_API ck_status_t ck_buffer_read(const ck_buffer_t *src, size_t offset, void *dst, size_t bytes,
                                  ck_stream_t *stream);

/* Copies between buffers, in stream order. Ranges of one buffer must not overlap. */
CK_API ck_status_t ck_buffer_copy(ck_buffer_t *dst, size_t dst_offset, const ck_buffer_t *src,
                                  size_t src_offset, size_t bytes, ck_stream_t *stream);

/* Fills a range with a pattern, in stream order.
 *
 * offset, bytes  multiples of value_bytes
 * value          its low value_bytes bytes are repeated
 * value_bytes    1, 2 or 4
 */
CK_API ck_status_t ck_buffer_fill(ck_buffer_t *dst, size_t offset, size_t bytes, uint32_t value,
                                  size_t value_bytes, ck_stream_t *stream);

#ifdef __cplusplus
}
#endif
#endif
