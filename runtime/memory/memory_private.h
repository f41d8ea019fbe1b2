/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory_private.h - what the files of memory/ share, and no other folder sees. */
#ifndef CK_MEMORY_PRIVATE_H
#define CK_MEMORY_PRIVATE_H

#include "memory.h"

/* resource.c ----------------------------------------------------------------------------------- */

/* The current one, with a reference. */
ck_status_t device_retain_memory(ck_device_t *device, ck_memory_resource_t **out_resource);

/* The driver's words, and how much was asked for. */
ck_status_t memory_explain(const ck_memory_resource_t *resource, size_t bytes, ck_status_t status);

/* CK_INVALID_ARGUMENT for a place, a device or a permission that is none. Which nodes the host has,
 * the driver knows: its refusal gets the node's number. */
ck_status_t location_check(const ck_device_t *device, ck_location_t location);
ck_status_t location_explain(ck_location_t location, ck_status_t status);
ck_status_t permission_check(ck_permission_t permission);

/* virtual.c ------------------------------------------------------------------------------------ */

enum { MAX_VIRTUAL_PEERS = 16, MAX_VIRTUAL_USERS = MAX_VIRTUAL_PEERS + 2 };

/* How a virtual resource makes memory. */
typedef struct VirtualPlan {
  CUmemAllocationProp props;
  size_t granularity, alignment;
  CUdeviceptr address;
  CUmemAccessDesc access[MAX_VIRTUAL_USERS]; /* the peers, the device, the CPU */
  size_t access_count;
} VirtualPlan;

ck_status_t virtual_allocate(ck_memory_resource_t *resource, size_t bytes, VirtualRange **out_range,
                             CUdeviceptr *out_address);
/* Bytes from an offset in the range to the end of the piece that it is in. */
size_t virtual_piece_left(const VirtualRange *range, size_t offset);
/* Waits for the stream, and records no failure. */
void virtual_free(ck_memory_resource_t *resource, VirtualRange *range, ck_stream_t *stream);

/* buffer.c, copy.c ----------------------------------------------------------------------------- */

/* The stream of the release; NULL, the default stream, which waits for those of all threads, if it
 * is another thread's own default stream. */
ck_stream_t *buffer_stream(const ck_buffer_t *buffer);

/* Whether copies of boxes say that the buffer's memory is the host's, as nodes do (graph/node.c):
 * the driver refuses that of a pool of the host as the device's. */
static inline bool buffer_is_hosts(const ck_buffer_t *buffer)
{
  return (buffer->flags & (CK_MEMORY_HOST | CK_MEMORY_MANAGED)) == CK_MEMORY_HOST &&
         !buffer->device->is_host;
}

enum { MAX_ROW_BYTES = 0x7fffffff }; /* what copy engines take: CK_DEVICE_MAX_PITCH */

/* copy.c: the same, of ck_copy_strided. Its arguments are there. */
ck_status_t copy_strided(const ck_copy_strided_side_t *dst, const ck_copy_strided_side_t *src,
                         size_t element_bytes, size_t rank, const uint64_t *extents,
                         ck_stream_t *stream, const char *function);

#endif
