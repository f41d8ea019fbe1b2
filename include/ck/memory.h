/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/memory.h - memory resources, which allocate memory, and buffers, which own ranges of it.
 *
 * A buffer is allocated from a memory resource and returns its memory there on its last release.
 * Most resources allocate in stream order: the memory may be used by work in the buffer's stream at
 * once, and it is reused only after the work that is in that stream when the buffer is released.
 *
 *   resource       allocates with                       in stream order   grows in place
 *   device         a pool, or cuMemAlloc without pools  yes, no           no
 *   pinned         cuMemHostAlloc                       no                no
 *   pinned pool    a pool of the host                   yes               no
 *   managed        a pool of managed memory             yes               no
 *   legacy managed cuMemAllocManaged                    no                no
 *   virtual        reserved addresses, mapped memory    no                yes
 *   graph          allocation nodes (ck/graph.h)        yes               no
 *   functions      the caller's own functions           up to the caller  no
 *
 * source  CUDA Driver API, "Memory Management", "Stream Ordered Memory Allocator", "Virtual Memory
 *         Management"
 */
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

/* ---- locations ----------------------------------------------------------------------------- */

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

/* Properties of a resource and of its buffers. */
#define CK_MEMORY_DEVICE  1u  /* kernels can use it */
#define CK_MEMORY_HOST    2u  /* the CPU can use it */
#define CK_MEMORY_MANAGED 4u  /* pages migrate to the processor that uses them: ck/managed.h */
#define CK_MEMORY_IPC     8u  /* can be shared with other processes: ck/ipc.h */
#define CK_MEMORY_MAPPED  16u /* mapped from another process */
#define CK_MEMORY_CLOSED  32u /* the buffer has been closed (ck_buffer_close) */

typedef struct ck_memory_resource_options {
  size_t struct_size;
  size_t max_bytes;         /* the resource makes its own pool, which never grows beyond this */
  size_t release_threshold; /* the resource makes its own pool, which keeps so many free bytes */
  uint32_t flags;           /* CK_MEMORY_IPC or 0 */
  ck_location_t location;   /* NUMA node of pinned memory, preferred place of managed memory */
} ck_memory_resource_options_t;

/* Makes a resource that allocates device memory in stream order, from a pool.
 *
 * options  NULL: the device's current pool, whose release threshold is set so that it keeps its
 *          free memory. Otherwise the resource makes a pool of its own. On a device without pools
 *          it allocates with cuMemAlloc, which is not in stream order
 * fails    CK_INVALID_ARGUMENT for a location that is not this device; CK_UNSUPPORTED for options
 *          on a device without pools; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_create_device(ck_device_t *device,
                                                    const ck_memory_resource_options_t *options,
                                                    ck_memory_resource_t **out_resource);

/* Makes a resource that allocates page-locked host memory that the device can access; not in stream
 * order. */
CK_API ck_status_t ck_memory_resource_create_pinned(ck_device_t *device,
                                                    ck_memory_resource_t **out_resource);

/* Makes a resource that allocates page-locked host memory in stream order, from a pool.
 *
 * options  NULL: the driver's current pool of host memory
 * fails    CK_UNSUPPORTED before CUDA 13.0, and for features that the device lacks
 */
CK_API ck_status_t ck_memory_resource_create_pinned_pool(
    ck_device_t *device, const ck_memory_resource_options_t *options,
    ck_memory_resource_t **out_resource);

/* Makes a resource that allocates managed memory in stream order, from a pool.
 *
 * options  NULL: the driver's current pool of managed memory, which has no preferred place
 * fails    CK_UNSUPPORTED before CUDA 13.0, and for features that the device lacks
 */
CK_API ck_status_t ck_memory_resource_create_managed(ck_device_t *device,
                                                     const ck_memory_resource_options_t *options,
                                                     ck_memory_resource_t **out_resource);

/* Makes a resource that allocates managed memory with cuMemAllocManaged, which every driver has;
 * not in stream order. */
CK_API ck_status_t ck_memory_resource_create_legacy_managed(ck_device_t *device,
                                                            ck_memory_resource_t **out_resource);

/* An allocator that the caller supplies. */
typedef struct ck_memory_functions {
  size_t struct_size;
  /* Allocates `bytes` bytes, never 0, for work in `stream`; NULL is the default stream. It stores
   * the device address, and the host address of the same memory; if it leaves that NULL and flags
   * has CK_MEMORY_HOST, the host address equals the device address. On failure it returns
   * CK_OUT_OF_MEMORY or another status. */
  ck_status_t (*allocate)(void *data, size_t bytes, ck_stream_t *stream, uint64_t *out_address,
                          void **out_host);
  /* Frees the memory after the work that is in `stream`. The stream is NULL if it was a per-thread
   * default stream and the call comes from another thread. */
  void (*deallocate)(void *data, uint64_t address, size_t bytes, ck_stream_t *stream);
  void (*destroy)(void *data); /* at the last release of the resource; may be NULL */
  void *data;                  /* passed to these functions */
  uint32_t flags;              /* CK_MEMORY_DEVICE, HOST, MANAGED: what the memory is */
} ck_memory_functions_t;

/* Makes a resource that calls the caller's functions, on any thread. The struct is copied.
 *
 * device   the device whose streams and copies are used; for memory that only the CPU accesses, the
 *          host device (ck_device_open_host), which opens no CUDA driver
 * fails    CK_INVALID_ARGUMENT without allocate or deallocate
 */
CK_API ck_status_t ck_memory_resource_from_functions(ck_device_t *device,
                                                     const ck_memory_functions_t *functions,
                                                     ck_memory_resource_t **out_resource);

/* Adopts a CUmemoryPool of the device.
 *
 * flags     CK_MEMORY_DEVICE, HOST, MANAGED, IPC: the properties of its memory
 * is_owned  nonzero: the last release destroys the pool
 */
CK_API ck_status_t ck_memory_resource_from_native(ck_device_t *device, void *pool, uint32_t flags,
                                                  int is_owned,
                                                  ck_memory_resource_t **out_resource);

/* The resource that ck_buffer_create uses: one of the device's current pool unless another was set.
 * Get returns a borrowed reference. Set retains the resource; since a resource retains its device,
 * that is a reference cycle, so set NULL before the last release.
 *
 * threads  any. An allocation on another thread uses the old or the new resource. A borrowed
 *          reference may become invalid when another thread sets another resource
 * fails    CK_DRIVER when the pool is first opened; CK_INVALID_ARGUMENT for another device's
 *          resource
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

/* The bytes of the pool that are allocated, and that it holds in total; CK_UNSUPPORTED without a
 * pool. */
CK_API ck_status_t ck_memory_resource_get_usage(ck_memory_resource_t *resource,
                                                size_t *out_used_bytes, size_t *out_held_bytes);

CK_API uint32_t ck_memory_resource_flags(const ck_memory_resource_t *resource); /* CK_MEMORY_* */

/* The place of the memory; of managed memory, its preferred place. Page-locked memory is at
 * CK_PLACE_HOST unless a NUMA node was named, or was chosen because the memory is shared between
 * processes. CK_PLACE_NONE: no particular place, or an unknown one, as for a resource of the
 * caller's functions. */
CK_API ck_location_t ck_memory_resource_location(const ck_memory_resource_t *resource);

/* Attributes of pools, with the numbers of cuda.h. The REUSE attributes are 0 or 1, the others
 * bytes. */
typedef enum ck_pool_attribute {
  CK_POOL_REUSE_FOLLOW_EVENTS = 1, /* reuse memory freed in a stream for which this one waits */
  CK_POOL_REUSE_OPPORTUNISTIC = 2, /* reuse memory whose stream has passed the free already */
  CK_POOL_REUSE_DEPENDENCIES = 3,  /* insert a wait into the stream in order to reuse memory */
  CK_POOL_RELEASE_THRESHOLD = 4,   /* free memory that the pool keeps */
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

/* Returns free memory to the system until the pool holds no more than `keep_bytes`. */
CK_API ck_status_t ck_memory_resource_trim(ck_memory_resource_t *resource, size_t keep_bytes);

/* The access that a device has to the memory of a pool or of a virtual resource; the numbers are
 * cuda.h's. */
typedef enum ck_permission {
  CK_PERMIT_NONE = 0,
  CK_PERMIT_READ = 1,
  CK_PERMIT_READ_WRITE = 3,
  CK_PERMIT_FORCE_INT = 0x7fffffff
} ck_permission_t;

/* Lets kernels of another device access all memory of a pool, including buffers that it allocated
 * before.
 *
 * fails    CK_UNSUPPORTED without a pool, or if the devices can't access each other;
 *          CK_INVALID_ARGUMENT for a number that is no permission; CK_DRIVER
 */
CK_API ck_status_t ck_memory_resource_set_access(ck_memory_resource_t *resource, ck_device_t *peer,
                                                 ck_permission_t permission);
CK_API ck_status_t ck_memory_resource_get_access(ck_memory_resource_t *resource, ck_device_t *peer,
                                                 ck_permission_t *out_permission);

/* ---- virtual memory ------------------------------------------------------------------------ */

#define CK_VIRTUAL_RECOMMENDED 1u /* use the recommended granularity instead of the minimum one */
#define CK_VIRTUAL_RDMA        2u /* allow GPUDirect RDMA by other devices on the bus */
#define CK_VIRTUAL_NO_ACCESS                                                                       \
  4u /* no access by the device itself, only by its peers: without CK_MEMORY_DEVICE */

typedef struct ck_virtual_options {
  size_t struct_size;
  ck_location_t location;      /* zero: the device */
  size_t alignment;            /* of addresses; 0: the granularity */
  uint64_t address;            /* the address to try first; 0: any */
  uint32_t flags;              /* CK_VIRTUAL_*, CK_MEMORY_IPC */
  ck_permission_t access;      /* of the device; zero: read and write */
  ck_device_t *const *peers;   /* other devices with access; read during the call */
  size_t peer_count;           /* at most 16 */
  ck_permission_t peer_access; /* zero: read and write */
} ck_virtual_options_t;

/* Makes a resource that reserves addresses and maps memory there, so that buffers can grow in
 * place: ck_buffer_resize. Not in stream order: freeing memory waits for the buffer's stream.
 *
 * fails    CK_UNSUPPORTED on a device without virtual memory management, for CK_VIRTUAL_RDMA on a
 *          device without it, for CK_VIRTUAL_NO_ACCESS on the host device, for a peer that can't
 *          access the device's memory, and for CK_PLACE_HOST_NUMA_CURRENT; CK_INVALID_ARGUMENT for
 *          CK_MEMORY_IPC at CK_PLACE_HOST, where a NUMA node must be named
 */
CK_API ck_status_t ck_memory_resource_create_virtual(ck_device_t *device,
                                                     const ck_virtual_options_t *options,
                                                     ck_memory_resource_t **out_resource);

/* The allocation granularity: the memory of every buffer is a multiple of it. */
CK_API ck_status_t ck_memory_resource_get_granularity(ck_memory_resource_t *resource,
                                                      size_t *out_bytes);

/* ---- buffers ------------------------------------------------------------------------------- */

/* Allocates a buffer from the device's default resource (ck_device_get_memory_resource).
 *
 * bytes    0 is allowed: the buffer's address is 0
 * stream   the memory is available to work in this stream, and is freed in its order when the
 *          buffer is released; the buffer retains the stream. ck_buffer_set_stream changes it. If
 *          it is a per-thread default stream and another thread releases the buffer, the memory is
 *          freed in the order of the legacy default stream, which comes after the work in the
 *          default streams of all threads. While a blocking stream is being captured the legacy
 *          stream can't be used, and the memory leaks
 * fails    CK_OUT_OF_MEMORY; CK_INVALID_ARGUMENT for a stream of another device; CK_DRIVER
 */
CK_API ck_status_t ck_buffer_create(ck_device_t *device, size_t bytes, ck_stream_t *stream,
                                    ck_buffer_t **out_buffer);

/* Allocates from a given resource; otherwise as ck_buffer_create. */
CK_API ck_status_t ck_memory_resource_create_buffer(ck_memory_resource_t *resource, size_t bytes,
                                                    ck_stream_t *stream, ck_buffer_t **out_buffer);

/* Adopts memory that the device can access.
 *
 * release  called with `data` on the last release of the buffer; NULL: the memory is only referred
 *          to, and must outlive the buffer
 */
CK_API ck_status_t ck_buffer_from_native(ck_device_t *device, uint64_t address, size_t bytes,
                                         void (*release)(void *data), void *data,
                                         ck_buffer_t **out_buffer);

/* Adopts memory that was allocated from a resource, and returns it there on the last release.
 *
 * stream   of the release, as in ck_buffer_create
 * fails    CK_INVALID_ARGUMENT for a virtual resource, or a stream of another device
 */
CK_API ck_status_t ck_buffer_from_resource(ck_memory_resource_t *resource, uint64_t address,
                                           size_t bytes, ck_stream_t *stream,
                                           ck_buffer_t **out_buffer);

/* Makes a view: a buffer that is a part of another one, which it retains. It is invalid once the
 * memory of the other buffer moves or is freed (ck_buffer_resize, ck_buffer_close). */
CK_API ck_status_t ck_buffer_create_view(ck_buffer_t *buffer, size_t offset, size_t bytes,
                                         ck_buffer_t **out_buffer);

/* Page-locks memory of the caller, so that copies run at full speed and kernels can access it; the
 * last release unlocks it. The memory must outlive the buffer.
 *
 * flags    CK_REGISTER_*
 * fails    CK_UNSUPPORTED; CK_DRIVER, for example if the memory is page-locked already
 */
#define CK_REGISTER_READ_ONLY 1u /* kernels only read it */
#define CK_REGISTER_IO        2u /* the memory of another device on the bus */
CK_API ck_status_t ck_buffer_from_host(ck_device_t *device, void *start, size_t bytes,
                                       uint32_t flags, ck_buffer_t **out_buffer);

/* Frees the memory in stream order without waiting for the last release; from then on the buffer
 * has 0 bytes. Views of it must not be used any more. Closing a closed buffer does nothing. Memory
 * that a graph uses is freed when that graph is destroyed. Closing a view frees nothing, and does
 * not change the stream of the buffer that it is a view of.
 *
 * stream   the stream in whose order the memory is freed; NULL: the buffer's own, as for the last
 *          release
 * fails    CK_INVALID_ARGUMENT for memory of a pool or virtual memory in a captured stream, or for
 *          a stream of another device: the buffer does not change
 */
CK_API ck_status_t ck_buffer_close(ck_buffer_t *buffer, ck_stream_t *stream);

/* Makes a buffer of a virtual resource larger or smaller, and keeps its contents. The buffer keeps
 * its address if the addresses behind it are free, and moves otherwise; ask for the address again.
 * After a move, views, textures and tensor maps that were made of it must not be used any more;
 * graphs that use it already still find the memory at the old addresses too. Memory that is cut off
 * is freed with the buffer. The call waits for `stream` and the buffer's own stream if the buffer
 * has to move.
 *
 * fails    CK_UNSUPPORTED for a buffer of another kind; CK_OUT_OF_MEMORY: the buffer does not
 *          change; CK_INVALID_ARGUMENT for a closed buffer, or to grow in a captured stream
 */
CK_API ck_status_t ck_buffer_resize(ck_buffer_t *buffer, size_t bytes, ck_stream_t *stream);

/* Makes a buffer of a virtual resource larger, with separate options for the added memory; the
 * memory that the buffer has keeps its properties and permissions. Otherwise as ck_buffer_resize; a
 * buffer that is large enough does not change.
 *
 * options  read during the call, and checked even if nothing grows; NULL: the resource's.
 *          `alignment` and `address` are used if the buffer moves. CK_MEMORY_IPC must be as in the
 *          resource
 * fails    as ck_buffer_resize; CK_INVALID_ARGUMENT and CK_UNSUPPORTED as
 *          ck_memory_resource_create_virtual, and for another location than the resource's, or for
 *          CK_MEMORY_IPC that the resource lacks: the buffer does not change
 */
CK_API ck_status_t ck_buffer_grow(ck_buffer_t *buffer, size_t bytes,
                                  const ck_virtual_options_t *options, ck_stream_t *stream);

CK_API ck_buffer_t *ck_buffer_retain(ck_buffer_t *buffer);
CK_API void ck_buffer_release(ck_buffer_t *buffer);

CK_API ck_device_t *ck_buffer_device(const ck_buffer_t *buffer); /* borrowed */
CK_API size_t ck_buffer_bytes(const ck_buffer_t *buffer);
CK_API uint64_t ck_buffer_native(const ck_buffer_t *buffer); /* the device address */
CK_API void *
ck_buffer_host(const ck_buffer_t *buffer); /* the host address; NULL if there is none */

CK_API uint32_t ck_buffer_flags(const ck_buffer_t *buffer); /* CK_MEMORY_* */

/* The resource that the memory was allocated from; NULL if it is adopted. Borrowed. */
CK_API ck_memory_resource_t *ck_buffer_memory_resource(const ck_buffer_t *buffer);

/* Sets the stream in whose order the memory is freed; for a view, that of the underlying buffer.
 * Work in other streams that uses the memory must be ordered before the release, for example with
 * ck_stream_wait_stream. Fails for a closed buffer. */
CK_API ck_status_t ck_buffer_set_stream(ck_buffer_t *buffer, ck_stream_t *stream);

/* Copies `bytes` bytes from host `src` to `dst` at `offset`, in stream order.
 *
 * dst, offset  byte offset; offset + bytes <= ck_buffer_bytes(dst)
 * src          host memory; pageable memory is staged, so the call may block
 * bytes        0 is allowed and does nothing
 * async        returns before the copy is done; `src` must live until the copy has run
 * threads      any; the caller orders two calls on one stream
 * fails        CK_INVALID_ARGUMENT out of range; CK_DRIVER otherwise
 */
CK_API ck_status_t ck_buffer_write(ck_buffer_t *dst, size_t offset, const void *src, size_t bytes,
                                   ck_stream_t *stream);

/* Copies `bytes` bytes from `src` at `offset` to host `dst`, in stream order.
 *
 * async    `dst` has the bytes once the copy has run: call ck_stream_sync before reading them
 * fails    as ck_buffer_write
 */
CK_API ck_status_t ck_buffer_read(const ck_buffer_t *src, size_t offset, void *dst, size_t bytes,
                                  ck_stream_t *stream);

/* Copies between buffers, in stream order. Ranges of one buffer must not overlap.
 *
 * stream   of the device of either buffer; NULL: the default stream of the destination's. Between
 *          two GPUs one must have access to the other's memory (ck_memory_resource_set_access)
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
