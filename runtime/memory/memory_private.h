/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory_private.h - declarations shared by the files of memory/ only. */
#ifndef CK_MEMORY_PRIVATE_H
#define CK_MEMORY_PRIVATE_H

#include "memory.h"

/* resource.c ----------------------------------------------------------------------------------- */

/* Gets the device's current memory resource, and retains it. */
ck_status_t device_retain_memory(ck_device_t *device, ck_memory_resource_t **out_resource);

/* Adds to an out-of-memory error how much was requested, and of what. */
ck_status_t memory_explain(const ck_memory_resource_t *resource, size_t bytes, ck_status_t status);

/* CK_INVALID_ARGUMENT for an invalid location or permission. Only the driver knows which NUMA nodes
 * the host has, so location_explain adds the node's number to its error. */
ck_status_t location_check(const ck_device_t *device, ck_location_t location);
ck_status_t location_explain(ck_location_t location, ck_status_t status);
ck_status_t permission_check(ck_permission_t permission);

/* virtual.c ------------------------------------------------------------------------------------ */

enum { MAX_VIRTUAL_PEERS = 16, MAX_VIRTUAL_USERS = MAX_VIRTUAL_PEERS + 2 };

/* How a virtual resource allocates: the driver's options for one piece of memory. */
typedef struct VirtualPlan {
  CUmemAllocationProp props;
  size_t granularity, alignment;
  CUdeviceptr address;
  CUmemAccessDesc access[MAX_VIRTUAL_USERS]; /* for the peers, the device and the CPU */
  size_t access_count;
} VirtualPlan;

ck_status_t virtual_allocate(ck_memory_resource_t *resource, size_t bytes, VirtualRange **out_range,
                             CUdeviceptr *out_address);
/* The bytes from an offset in the range to the end of the piece of memory that contains it. */
size_t virtual_piece_left(const VirtualRange *range, size_t offset);
/* Unmaps and frees a range after waiting for the stream. Records no failure. */
void virtual_free(ck_memory_resource_t *resource, VirtualRange *range, ck_stream_t *stream);

/* buffer.c, copy.c ----------------------------------------------------------------------------- */

/* The stream in which the memory is freed. If that is another thread's per-thread default stream,
 * NULL, the legacy default stream: it waits for the per-thread streams of all threads. */
ck_stream_t *buffer_stream(const ck_buffer_t *buffer);

/* Whether a buffer counts as host memory in the driver's descriptions of 2-D and 3-D copies, as in
 * copy nodes (graph/kind.c). The driver refuses memory from a pool of the host that is described as
 * device memory. */
static inline bool buffer_is_hosts(const ck_buffer_t *buffer)
{
  return (buffer->flags & (CK_MEMORY_HOST | CK_MEMORY_MANAGED)) == CK_MEMORY_HOST &&
         !buffer->device->driver->traits->has_cpu_memory;
}

enum { MAX_ROW_BYTES = 0x7fffffff }; /* limit of the copy engines: CK_DEVICE_MAX_PITCH */

/* ck_copy_strided without the checks of its scalar arguments; `function` is the API function for
 * messages. */
ck_status_t copy_strided(const ck_copy_strided_side_t *dst, const ck_copy_strided_side_t *src,
                         size_t element_bytes, size_t rank, const uint64_t *extents,
                         ck_stream_t *stream, const char *function);

#endif
