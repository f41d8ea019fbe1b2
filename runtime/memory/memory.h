/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.h - memory resources, buffers, arrays, and the objects that describe them to kernels.
 *
 * What each object retains (holds a counted reference to):
 *
 *   memory resource -> device (the device's own resource only borrows it)
 *   buffer -> device, memory resource, the stream that it is freed in, the lender of its memory
 *   mipmap -> device
 *   array -> device, the mipmap of which it is a level, the lender of its memory
 *   texture -> device, array, mipmap or buffer;   surface -> array;   tensor map -> device, buffer
 *
 * In the structs below each pointer says whether it is retained (a counted reference), owned (freed
 * with the object) or borrowed.
 */
#ifndef CK_MEMORY_PARTS_H
#define CK_MEMORY_PARTS_H

#include "ck/copy.h"
#include "ck/memory.h"
#include "ck/tensor_map.h"
#include "ck/texture.h"
#include "device/device.h"

/* resource.c ----------------------------------------------------------------------------------- */

typedef enum MemoryKind {
  MEMORY_pool,    /* cuMemAllocFromPoolAsync */
  MEMORY_plain,   /* cuMemAlloc */
  MEMORY_pinned,  /* cuMemHostAlloc */
  MEMORY_managed, /* cuMemAllocManaged */
  MEMORY_virtual, /* cuMemMap */
  MEMORY_caller,  /* the caller's functions */
  MEMORY_graph    /* cuMemAllocAsync: allocation nodes, in captured streams */
} MemoryKind;

struct VirtualPlan; /* how a virtual resource allocates */

/* How a resource whose pool was imported from another process frees memory: interop/ipc.c, which is
 * above this folder in the order of includes, fills this in. */
typedef struct ImportedPool {
  /* Called with the device's context current. */
  void (*free)(ck_memory_resource_t *resource, CUdeviceptr address, ck_stream_t *stream);
  void (*destroy)(struct ImportedPool *self); /* with the pool; frees what is still allocated */
} ImportedPool;

/* A memory resource. The one that a device owns is counted by the device's references, or the two
 * would retain each other. */
struct ck_memory_resource {
  Object object;
  ck_device_t *device; /* retained; borrowed by the device's own resource */
  MemoryKind kind;
  uint32_t flags;                  /* CK_MEMORY_* */
  ck_location_t location;          /* where the memory lies or prefers to be */
  CUmemoryPool pool;               /* MEMORY_pool */
  bool is_owned;                   /* the pool is destroyed with the resource */
  atomic_bool is_exported;         /* the pool has been exported, without which the driver
                                    * exports none of its pointers */
  atomic_ullong peers;             /* bit i: GPU i has been granted access; only the first 64 are
                                    * noted */
  struct ImportedPool *imported;   /* owned; NULL unless the pool is another process's */
  ck_memory_functions_t functions; /* MEMORY_caller */
  struct VirtualPlan *plan;        /* MEMORY_virtual */
};

/* Creates a resource, which retains the device; NULL if there is no host memory. */
ck_memory_resource_t *memory_resource_new(ck_device_t *device, MemoryKind kind, uint32_t flags);

/* The device's own memory resource. NULL before it is first needed, and if the caller has chosen
 * another one: then a thread may replace the choice while others allocate, so device_retain_memory
 * has to take the mutex. */
static inline ck_memory_resource_t *device_memory(ck_device_t *device)
{
  if (UNLIKELY(atomic_load_explicit(&device->chosen, memory_order_relaxed))) return NULL;
  return atomic_load_explicit(&device->memory, memory_order_acquire);
}

ck_status_t memory_allocate(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                            CUdeviceptr *out_address, void **out_host);
/* Frees memory. Records no failure, since it runs in clean-up. */
void memory_deallocate(ck_memory_resource_t *resource, CUdeviceptr address, size_t bytes,
                       ck_stream_t *stream);

/* buffer.c ------------------------------------------------------------------------------------- */

/* An object that lends memory to buffers and arrays for a while and then takes it back: an OpenGL
 * resource that is mapped into CUDA. It is the first member of ck_graphics_t (interop/graphics.c),
 * which is above this folder in the order of includes. Loans are numbered, so an array of an
 * earlier mapping is detected. */
typedef struct Lender {
  Object object;
  uint32_t loan;                          /* number of the current loan */
  void (*release)(struct Lender *lender); /* drops one reference */
  /* Called when the buffer is destroyed; it can't fail. */
  void (*take_back)(struct Lender *lender, ck_buffer_t *buffer);
  ck_status_t (*end)(struct Lender *lender, ck_stream_t *stream); /* the caller closes the buffer */
} Lender;

/* CK_INVALID_ARGUMENT for an array whose loan has ended. */
ck_status_t lender_check_array(const ck_array_t *array);

/* The reserved addresses of a buffer of virtual memory, and the pieces of memory mapped there. */
typedef struct VirtualRange VirtualRange;

/* A buffer. The fields that every allocation and release reads come first, in one cache line if
 * possible. */
struct ck_buffer {
  Object object;
  ck_device_t *device; /* retained; by the resource if there is one */
  CUdeviceptr address; /* this and its neighbours are what calls read */
  size_t bytes;
  ck_memory_resource_t *resource; /* retained, or kept alive by the stream (is_streams); NULL for
                                   * adopted memory */
  ck_stream_t *stream;            /* retained; the memory is freed in it. NULL is the default
                                   * stream */
  uint32_t flags;                 /* CK_MEMORY_* */
  bool is_registered;             /* `host` was page-locked, and has to be unregistered */
  bool is_streams; /* the resource is the own pool of the stream's device, so the stream keeps it
                    * alive */
  bool is_graphs;  /* the memory is allocated and freed by nodes of a graph */
  size_t thread;   /* the thread whose per-thread default stream `stream` is, by buffer.c's
                    * numbers; 0: another stream */
  atomic_uint graph_count; /* references that graphs hold to it or to views of it */
  ck_buffer_t *heir;       /* owned; holds the memory of a closed buffer that graphs still use */
  ck_buffer_t *parent;     /* retained; the buffer of which this is a view */
  Lender *lender;          /* retained; lends the memory; or NULL */
  void *host;              /* address for the CPU, or NULL */
  VirtualRange *range;     /* owned; of virtual memory */
  void (*release)(void *data);
  void *data; /* borrowed: the caller's argument of `release` */
};

/* Creates a buffer without memory, which retains the device; NULL if there is no host memory. */
ck_buffer_t *buffer_new(ck_device_t *device);

/* Marks a buffer as closed; its memory has been freed or is no longer its own. */
void buffer_lose(ck_buffer_t *buffer);

/* Creates a buffer that owns a range; also on failure the caller no longer owns the range. */
ck_status_t buffer_from_range(ck_memory_resource_t *resource, VirtualRange *range,
                              CUdeviceptr address, size_t bytes, ck_stream_t *stream,
                              ck_buffer_t **out_buffer);

/* CK_INVALID_ARGUMENT unless the bytes lie in the buffer; `function` is the API function for the
 * message. */
ck_status_t buffer_check_range(const ck_buffer_t *buffer, size_t offset, size_t bytes,
                               const char *function);

/* boxes ---------------------------------------------------------------------------------------- */

/* The bytes from the first to the last byte of a box of at least one row: rows of `width` bytes, a
 * row every `pitch` bytes, a slice every `height` rows. SIZE_MAX, for which no memory has room, on
 * overflow. */
static inline size_t box_bytes(size_t width, size_t rows, size_t slices, size_t pitch,
                               size_t height)
{
  size_t last, bytes;
  bool is_over = __builtin_mul_overflow(slices - 1, height, &last) ||
                 __builtin_add_overflow(last, rows - 1, &last) ||
                 __builtin_mul_overflow(last, pitch, &last) ||
                 __builtin_add_overflow(last, width, &bytes);
  return is_over ? SIZE_MAX : bytes;
}

/* A reference of a keep to a buffer counts in the buffer that has the memory, too. */
extern const RefKind buffer_ref;
ck_status_t graph_keep_buffer(GraphKeep *keep, const ck_buffer_t *buffer);
/* Adds the buffer that has an address, if `from`, which may be NULL, keeps such a buffer. */
ck_status_t graph_keep_address(GraphKeep *keep, GraphKeep *from, CUdeviceptr address);

/* If the stream is captured, the capture retains the buffer, which may be NULL. */
static inline ck_status_t stream_keep_buffer(const ck_stream_t *stream, const ck_buffer_t *buffer)
{
  GraphKeep *keep = stream_keep(stream);
  return UNLIKELY(keep) ? graph_keep_buffer(keep, buffer) : CK_OK;
}

/* virtual.c ------------------------------------------------------------------------------------ */

/* Exports a piece of memory of a range as a file descriptor, which the caller closes. */
size_t virtual_piece_count(const VirtualRange *range);
ck_status_t virtual_export(ck_memory_resource_t *resource, const VirtualRange *range, size_t piece,
                           size_t *out_bytes, int *out_fd);
enum { MAX_PIECES = 64 };
/* Maps pieces of another process. The file descriptors remain the caller's. */
ck_status_t virtual_import(ck_memory_resource_t *resource, const size_t *bytes, const int *fds,
                           size_t count, VirtualRange **out_range, CUdeviceptr *out_address);

/* array.c, texture.c, tensor_map.c ------------------------------------------------------------- */

struct ck_mipmap {
  Object object;
  ck_device_t *device; /* retained */
  CUmipmappedArray native;
  ck_array_options_t shape; /* shape of level 0 */
  uint32_t level_count;
};

struct ck_array {
  Object object;
  ck_device_t *device; /* retained */
  ck_mipmap_t *mipmap; /* retained; the mipmap of which it is a level, or NULL */
  Lender *lender;      /* retained; the OpenGL image whose memory it is, or NULL */
  uint32_t loan;       /* the lender's number of the loan */
  CUarray native;
  ck_array_options_t shape;
  bool is_owned;
};

struct ck_texture {
  Object object;
  ck_device_t *device; /* retained */
  CUtexObject native;
  ck_texture_resource_t resource; /* the array, mipmap or buffer in it is retained */
  ck_texture_options_t options;
  ck_array_options_t shape; /* the shape that kernels read; set for buffers too */
};

struct ck_surface {
  Object object;
  ck_array_t *array; /* retained */
  CUsurfObject native;
};

/* A tensor map. Kernels get a copy as a parameter, so only the buffer has to outlive a launch. */
struct ck_tensor_map {
  Object object;
  ck_device_t *device; /* retained */
  ck_buffer_t *buffer; /* retained */
  CUtensorMap *native; /* owned; aligned as the driver demands */
  ck_tensor_type_t type;
  uint32_t rank;
  size_t alignment;        /* alignment of the tensor's address */
  size_t reach, box_bytes; /* bytes from the tensor's first element to its end; bytes of one
                            * copy, 0: im2col */
  bool has_gaps;           /* in shared memory a row of a copy is as wide as the swizzle, and its
                            * elements fill only a part of it */
};

/* The name of a map's element type, and whether it is `dtype`, which may have another name in CK's
 * language. */
const char *tensor_map_type_name(const ck_tensor_map_t *map);
bool tensor_map_is_of(const ck_tensor_map_t *map, ck_dtype_t dtype);

extern const RefKind array_ref, texture_ref, surface_ref;

uint32_t array_rank(const ck_array_options_t *shape);

/* The type that a kernel reads: f32 for half floats and for normalised reads, otherwise the
 * array's. */
static inline ck_dtype_t texture_reads(const ck_texture_t *texture)
{
  bool is_f32 =
      texture->shape.dtype == CK_F16 || texture->options.flags & CK_TEXTURE_READ_NORMALIZED;
  return is_f32 ? CK_F32 : texture->shape.dtype;
}

/* Converts an element type to the driver's; 0 channels become 1. */
ck_status_t array_format(ck_dtype_t dtype, uint32_t *channels, CUarray_format *out_format);

#endif
