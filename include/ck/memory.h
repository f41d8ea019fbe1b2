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

/* ---- places -------------------------------------------------------------------------------- */

/* Where memory lies, with the numbers of cuda.h. */
typedef enum ck_place {
  CK_PLACE_NONE = 0,
  CK_PLACE_DEVICE = 1,            /* id is the GPU's ordinal */
  CK_PLACE_HOST = 2,              /* id is ignored */
  CK_PLACE_HOST_NUMA = 3,         /* id is the node's number */
  CK_PLACE_HOST_NUMA_CURRENT = 4, /* the calling thread's node; id is ignored */
  CK_PLACE_FORCE_INT = 0x7fffffff
} ck_place_t;

typedef struct ck_location {
  ck_place_t place;
  int32_t id;
} ck_location_t;

/* ---- memory resources ---------------------------------------------------------------------- */

/* What a resource and its buffers are. */
#define CK_MEMORY_DEVICE  1u  /* kernels can use it */
#define CK_MEMORY_HOST    2u  /* the CPU can use it */
#define CK_MEMORY_MANAGED 4u  /* pages move to where they are used: ck/managed.h */
#define CK_MEMORY_IPC     8u  /* other processes can map it: ck/ipc.h */
#define CK_MEMORY_MAPPED  16u /* it is another process's */
#define CK_MEMORY_CLOSED  32u /* a buffer that was closed */

typedef struct ck_memory_resource_options {
  size_t struct_size;
  size_t max_bytes;         /* a pool of its own that never grows beyond this */
  size_t release_threshold; /* bytes that a pool of its own keeps when they are free */
  uint32_t flags;           /* CK_MEMORY_IPC or 0 */
  ck_location_t location; /* of pinned memory: a node; of managed memory: where it prefers to be */
} ck_memory_resource_options_t;

/* Allocates device memory in stream order, from a pool.
 *
 * options  NULL: the device's current pool, which keeps its free memory from then on. Otherwise a
 *          pool of its own. A device without pools allocates with cuMemAlloc, outside of any order
 * fails    CK_INVALID_ARGUMENT for a location that is not this device; CK_UNSUPPORTED for options
 *          on a device without pools; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_create_device(ck_device_t *device,
                                                    const ck_memory_resource_options_t *options,
                                                    ck_memory_resource_t **out_resource);

/* Allocates page-locked host memory that the device can reach; not in stream order. */
CK_API ck_status_t ck_memory_resource_create_pinned(ck_device_t *device,
                                                    ck_memory_resource_t **out_resource);

/* Allocates page-locked host memory in stream order, from a pool.
 *
 * options  NULL: the system's current pool of the host
 * fails    CK_UNSUPPORTED before CUDA 13.0, and for what the device lacks
 */
CK_API ck_status_t ck_memory_resource_create_pinned_pool(
    ck_device_t *device, const ck_memory_resource_options_t *options,
    ck_memory_resource_t **out_resource);

/* Allocates managed memory in stream order, from a pool.
 *
 * options  NULL: the system's current pool of managed memory, which prefers no place
 * fails    CK_UNSUPPORTED before CUDA 13.0, and for what the device lacks
 */
CK_API ck_status_t ck_memory_resource_create_managed(ck_device_t *device,
                                                     const ck_memory_resource_options_t *options,
                                                     ck_memory_resource_t **out_resource);

/* Allocates managed memory with cuMemAllocManaged, outside of any order; all drivers have it. */
CK_API ck_status_t ck_memory_resource_create_legacy_managed(ck_device_t *device,
                                                            ck_memory_resource_t **out_resource);

/* An allocator of the caller's. */
typedef struct ck_memory_functions {
  size_t struct_size;
  /* Gives `bytes` bytes, not 0, for work in `stream`; NULL is the default stream. Sets the address,
   * and where the CPU finds the memory; left NULL, CK_MEMORY_HOST is found at the address.
   * CK_OUT_OF_MEMORY or another status on failure. */
  ck_status_t (*allocate)(void *data, size_t bytes, ck_stream_t *stream, uint64_t *out_address,
                          void **out_host);
  /* Takes them back, after the work that is in `stream`: NULL if that was a thread's own default
   * stream, and this is another thread. */
  void (*deallocate)(void *data, uint64_t address, size_t bytes, ck_stream_t *stream);
  void (*destroy)(void *data); /* at the last release of the resource; may be NULL */
  void *data;                  /* handed to these */
  uint32_t flags;              /* CK_MEMORY_DEVICE, HOST, MANAGED: what the memory is */
} ck_memory_functions_t;

/* Makes a resource of functions, which may be called on any thread. They are copied.
 *
 * device   whose streams and copies are used; for memory that is the CPU's alone, the host device
 *          (ck_device_open_host): it and its resources open no driver
 * fails    CK_INVALID_ARGUMENT without allocate or deallocate
 */
CK_API ck_status_t ck_memory_resource_from_functions(ck_device_t *device,
                                                     const ck_memory_functions_t *functions,
                                                     ck_memory_resource_t **out_resource);

/* Adopts a CUmemoryPool of the device.
 *
 * flags     CK_MEMORY_DEVICE, HOST, MANAGED, IPC: what the memory is
 * is_owned  nonzero: the last release destroys the pool
 */
CK_API ck_status_t ck_memory_resource_from_native(ck_device_t *device, void *pool, uint32_t flags,
                                                  int is_owned,
                                                  ck_memory_resource_t **out_resource);

/* What ck_buffer_create allocates from: the device's current pool unless another was set. Borrowed.
 * A resource that is set is retained; as it retains the device too, set NULL in the end.
 *
 * threads  any: who allocates meanwhile has the old one or the new one. What is borrowed here may
 *          be gone once another thread sets another
 * fails    CK_DRIVER when the pool is first opened; CK_INVALID_ARGUMENT for another device's
 */
CK_API ck_status_t ck_device_get_memory_resource(ck_device_t *device,
                                                 ck_memory_resource_t **out_resource);
CK_API ck_status_t ck_device_set_memory_resource(ck_device_t *device,
                                                 ck_memory_resource_t *resource);

CK_API ck_memory_resource_t *ck_memory_resource_retain(ck_memory_resource_t *resource);
CK_API void ck_memory_resource_release(ck_memory_resource_t *resource);

CK_API ck_device_t *ck_memory_resource_device(const ck_memory_resource_t *resource); /* borrowed */
CK_API void *
ck_memory_resource_native(const ck_memory_resource_t *resource); /* CUmemoryPool, NULL */

/* Bytes that the pool has in use and that it holds; CK_UNSUPPORTED without a pool. */
CK_API ck_status_t ck_memory_resource_get_usage(ck_memory_resource_t *resource,
                                                size_t *out_used_bytes, size_t *out_held_bytes);

CK_API uint32_t ck_memory_resource_flags(const ck_memory_resource_t *resource); /* CK_MEMORY_* */

/* Where the memory lies; of managed memory, where it prefers to be. Page-locked memory is of
 * CK_PLACE_HOST unless a node was named, or chosen for other processes. CK_PLACE_NONE: nowhere in
 * particular, or not known, as of the caller's own. */
CK_API ck_location_t ck_memory_resource_location(const ck_memory_resource_t *resource);

/* Attributes of pools, with the numbers of cuda.h. The REUSE ones are 0 or 1; others are bytes. */
typedef enum ck_pool_attribute {
  CK_POOL_REUSE_FOLLOW_EVENTS = 1, /* reuse what was freed in a stream that is waited for */
  CK_POOL_REUSE_OPPORTUNISTIC = 2, /* reuse what happens to be free */
  CK_POOL_REUSE_DEPENDENCIES = 3,  /* make the stream wait, to reuse */
  CK_POOL_RELEASE_THRESHOLD = 4,   /* kept when it is free */
  CK_POOL_HELD_BYTES = 5,          /* can't be set */
  CK_POOL_HELD_HIGH_BYTES = 6,     /* can be set to 0 */
  CK_POOL_USED_BYTES = 7,          /* can't be set */
  CK_POOL_USED_HIGH_BYTES = 8,     /* can be set to 0 */
  CK_POOL_FORCE_INT = 0x7fffffff
} ck_pool_attribute_t;

/* fails    CK_UNSUPPORTED without a pool; CK_INVALID_ARGUMENT for what can't be set; CK_DRIVER */
CK_API ck_status_t ck_memory_resource_get_attribute(ck_memory_resource_t *resource,
                                                    ck_pool_attribute_t attribute,
                                                    uint64_t *out_value);
CK_API ck_status_t ck_memory_resource_set_attribute(ck_memory_resource_t *resource,
                                                    ck_pool_attribute_t attribute, uint64_t value);

/* Gives free memory back to the system until the pool holds no more than `keep_bytes`. */
CK_API ck_status_t ck_memory_resource_trim(ck_memory_resource_t *resource, size_t keep_bytes);

/* Who may use a pool's memory, or that of a virtual resource; the numbers are cuda.h's. */
typedef enum ck_permission {
  CK_PERMIT_NONE = 0,
  CK_PERMIT_READ = 1,
  CK_PERMIT_READ_WRITE = 3,
  CK_PERMIT_FORCE_INT = 0x7fffffff
} ck_permission_t;

/* Lets kernels of another device use all memory of a pool, what it gave out before included.
 *
 * fails    CK_UNSUPPORTED without a pool, or if the devices can't; CK_INVALID_ARGUMENT for no
 *          permission of these; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_set_access(ck_memory_resource_t *resource, ck_device_t *peer,
                                                 ck_permission_t permission);
CK_API ck_status_t ck_memory_resource_get_access(ck_memory_resource_t *resource, ck_device_t *peer,
                                                 ck_permission_t *out_permission);

/* ---- virtual memory ------------------------------------------------------------------------ */

#define CK_VIRTUAL_RECOMMENDED 1u /* pieces of the recommended size instead of the smallest */
#define CK_VIRTUAL_RDMA        2u /* other devices on the bus may be let in: GPUDirect RDMA */
#define CK_VIRTUAL_NO_ACCESS                                                                       \
  4u /* not even the device may use it, only its peers: not CK_MEMORY_DEVICE */

typedef struct ck_virtual_options {
  size_t struct_size;
  ck_location_t location;      /* zero: the device */
  size_t alignment;            /* of addresses; 0: the size of a piece */
  uint64_t address;            /* where buffers would like to be; 0: anywhere */
  uint32_t flags;              /* CK_VIRTUAL_*, CK_MEMORY_IPC */
  ck_permission_t access;      /* of the device; zero: to read and write */
  ck_device_t *const *peers;   /* who else may use the memory; read once */
  size_t peer_count;           /* at most 16 */
  ck_permission_t peer_access; /* zero: to read and write */
} ck_virtual_options_t;

/* Allocates by reserving addresses and mapping memory there, so that buffers can grow in place:
 * ck_buffer_resize. Not in stream order: giving memory back waits for the buffer's stream.
 *
 * fails    CK_UNSUPPORTED on a device without virtual memory management, or without
 *          CK_VIRTUAL_RDMA, for CK_VIRTUAL_NO_ACCESS of the host device, for a peer that can't use
 *          the device's memory, and for CK_PLACE_HOST_NUMA_CURRENT; CK_INVALID_ARGUMENT for
 *          CK_MEMORY_IPC at CK_PLACE_HOST: name a node
 */
CK_API ck_status_t ck_memory_resource_create_virtual(ck_device_t *device,
                                                     const ck_virtual_options_t *options,
                                                     ck_memory_resource_t **out_resource);

/* The size of the pieces, which every buffer's memory is a multiple of. */
CK_API ck_status_t ck_memory_resource_get_granularity(ck_memory_resource_t *resource,
                                                      size_t *out_bytes);

/* ---- buffers ------------------------------------------------------------------------------- */

/* Allocates from the device's default resource: its current pool, or cuMemAlloc without pools.
 *
 * bytes    0 is allowed: the buffer's address is 0
 * stream   the memory is there for work in this stream, and is freed in its order when the buffer
 *          is released; the buffer retains the stream. ck_buffer_set_stream changes it. If it is
 *          a thread's own default stream and another thread releases the buffer, that frees it in
 *          the default stream's order, which is behind the work of all threads' default streams;
 *          while a blocking stream is captured that has no order, and the memory stays taken
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

/* Adopts memory that came from a resource, to which it goes back in the end.
 *
 * stream   of the release, as in ck_buffer_create
 * fails    CK_INVALID_ARGUMENT for a virtual resource, or a stream of another device
 */
CK_API ck_status_t ck_buffer_from_resource(ck_memory_resource_t *resource, uint64_t address,
                                           size_t bytes, ck_stream_t *stream,
                                           ck_buffer_t **out_buffer);

/* Looks at a part of a buffer, which it retains; for as long as that stays where it is. */
CK_API ck_status_t ck_buffer_view(ck_buffer_t *buffer, size_t offset, size_t bytes,
                                  ck_buffer_t **out_buffer);

/* Page-locks memory of the caller's, so that copies run at full speed and kernels can use it; the
 * last release unlocks it. It has to outlive the buffer.
 *
 * flags    CK_REGISTER_*
 * fails    CK_UNSUPPORTED; CK_DRIVER, for example if it is locked already
 */
#define CK_REGISTER_READ_ONLY 1u /* kernels only read it */
#define CK_REGISTER_IO        2u /* it is the memory of another device on the bus */
CK_API ck_status_t ck_buffer_from_host(ck_device_t *device, void *start, size_t bytes,
                                       uint32_t flags, ck_buffer_t **out_buffer);

/* Gives the memory back now, in stream order, whoever still has the buffer: it has 0 bytes from
 * then on. Views of it must not be used any more. A closed buffer may be closed again. Memory that
 * a graph uses goes when that graph is gone.
 *
 * stream   of the release; NULL: the buffer's own, as if by its last release
 *          A view gives back nothing, and its buffer's stream stays as it is
 * fails    CK_INVALID_ARGUMENT for a pool's or virtual memory in a captured stream, or a stream of
 *          another device: the buffer is as before
 */
CK_API ck_status_t ck_buffer_close(ck_buffer_t *buffer, ck_stream_t *stream);

/* Makes a buffer of a virtual resource larger or smaller. What is in it stays. It stays where it is
 * if the addresses behind it are free, and else moves: ask for its address again; views, textures
 * and tensor maps that were made of it before must not be used any more. For graphs that use it
 * already it is at its old addresses as well. Memory is given back when the buffer goes. Waits for
 * `stream` and the buffer's own stream if it has to move.
 *
 * fails    CK_UNSUPPORTED for a buffer of another kind; CK_OUT_OF_MEMORY: it is as before;
 *          CK_INVALID_ARGUMENT for a closed buffer, or to grow in a captured stream
 */
CK_API ck_status_t ck_buffer_resize(ck_buffer_t *buffer, size_t bytes, ck_stream_t *stream);

/* Makes a buffer of a virtual resource larger, with options of their own for the memory that is
 * new; what is there stays as it is, and for whom. The same otherwise; one that is large enough is
 * left alone.
 *
 * options  read once, and looked at even if nothing grows; NULL: the resource's. `alignment` and
 *          `address` are for a buffer that moves. CK_MEMORY_IPC is the resource's
 * fails    as ck_buffer_resize; CK_INVALID_ARGUMENT and CK_UNSUPPORTED as
 *          ck_memory_resource_create_virtual, and for another location than the resource's, or
 *          CK_MEMORY_IPC that it has not: the buffer is as before
 */
CK_API ck_status_t ck_buffer_grow(ck_buffer_t *buffer, size_t bytes,
                                  const ck_virtual_options_t *options, ck_stream_t *stream);

CK_API ck_buffer_t *ck_buffer_retain(ck_buffer_t *buffer);
CK_API void ck_buffer_release(ck_buffer_t *buffer);

CK_API ck_device_t *ck_buffer_device(const ck_buffer_t *buffer); /* borrowed */
CK_API size_t ck_buffer_bytes(const ck_buffer_t *buffer);
CK_API uint64_t ck_buffer_native(const ck_buffer_t *buffer); /* the device address */
CK_API void *
ck_buffer_host(const ck_buffer_t *buffer); /* where the CPU finds it; NULL if nowhere */

CK_API uint32_t ck_buffer_flags(const ck_buffer_t *buffer); /* CK_MEMORY_* */

/* The resource that the memory came from, NULL if it is adopted. Borrowed. */
CK_API ck_memory_resource_t *ck_buffer_memory_resource(const ck_buffer_t *buffer);

/* The stream in whose order the memory is freed; of a view, the memory that it looks at. Work that
 * uses it in other streams has to be before that: ck_stream_wait_stream. Fails for a closed buffer.
 */
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

/* Copies between buffers, in stream order. Ranges of one buffer must not overlap.
 *
 * stream   of the device of either; NULL: the default stream of the destination's. Between two GPUs
 *          one has to be allowed the other's memory (ck_memory_resource_set_access)
 */
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
