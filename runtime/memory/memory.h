/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.h - memory resources, buffers, arrays and what describes them to kernels.
 *
 * What an object retains:
 *
 *   memory resource -> device, whose own resource borrows it
 *   buffer -> device, memory resource, stream of its release, the lender of its memory
 *   array -> device, mipmap of which it is a level, the lender of its memory; mipmap -> device
 *   texture -> device, array, mipmap or buffer; surface -> array; tensor map -> device, buffer
 *
 * Pointers without a word are part of the object itself.
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
  MEMORY_graph    /* cuMemAllocAsync: nodes, in captured streams */
} MemoryKind;

struct VirtualPlan; /* how a virtual resource makes memory */

/* What gives back memory that another process's pool lent: of a later folder. */
typedef struct ImportedPool {
  /* The context is current. */
  void (*free)(ck_memory_resource_t *resource, CUdeviceptr address, ck_stream_t *stream);
  void (*destroy)(struct ImportedPool *self); /* the pool goes: what could not be given back */
} ImportedPool;

/* The references of a device's own resource, which the device owns, are the device's. */
struct ck_memory_resource {
  Object object;
  ck_device_t *device; /* retained; borrowed by the device's own */
  MemoryKind kind;
  uint32_t flags;                  /* CK_MEMORY_* */
  ck_location_t location;          /* where the memory lies or prefers to be */
  CUmemoryPool pool;               /* MEMORY_pool */
  bool is_owned;                   /* the pool is ours to destroy */
  atomic_bool is_exported;         /* the driver gives pointers of the pool away from then on */
  atomic_ullong peers;             /* a bit for each of the first 64 GPUs that were let in */
  struct ImportedPool *imported;   /* owned; of another process's pool */
  ck_memory_functions_t functions; /* MEMORY_caller */
  struct VirtualPlan *plan;        /* MEMORY_virtual */
};

/* A new resource; NULL when memory is out. The device is retained. */
ck_memory_resource_t *memory_resource_new(ck_device_t *device, MemoryKind kind, uint32_t flags);

/* The device's own memory resource; NULL before it is first needed, or if the caller has chosen
 * another one, which a thread may set anew while others allocate. */
static inline ck_memory_resource_t *device_memory(ck_device_t *device)
{
  if (UNLIKELY(atomic_load_explicit(&device->chosen, memory_order_relaxed))) return NULL;
  return atomic_load_explicit(&device->memory, memory_order_acquire);
}

ck_status_t memory_allocate(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                            CUdeviceptr *out_address, void **out_host);
/* Records no failure: it is part of clean-up. */
void memory_deallocate(ck_memory_resource_t *resource, CUdeviceptr address, size_t bytes,
                       ck_stream_t *stream);

/* buffer.c ------------------------------------------------------------------------------------- */

/* What lends memory to buffers and arrays for a while, and takes it back: a resource of OpenGL. The
 * first member of an object of a later folder. */
typedef struct Lender {
  Object object;
  uint32_t loan;                                                  /* number of the current loan */
  void (*release)(struct Lender *lender);                         /* one reference */
  void (*take_back)(struct Lender *lender, ck_buffer_t *buffer);  /* its buffer goes: clean-up */
  ck_status_t (*end)(struct Lender *lender, ck_stream_t *stream); /* the caller closes the buffer */
} Lender;

/* CK_INVALID_ARGUMENT for an array whose loan has ended. */
ck_status_t lender_check_array(const ck_array_t *array);

/* Addresses and what is mapped there: a buffer's. */
typedef struct VirtualRange VirtualRange;

/* What most buffers have, and what is looked at when they come and go, comes first. */
struct ck_buffer {
  Object object;
  ck_device_t *device; /* retained, by the resource if there is one */
  CUdeviceptr address; /* with its neighbours, what calls look at: in one line, mostly */
  size_t bytes;
  ck_memory_resource_t *resource; /* retained, maybe by the stream; NULL for adopted memory */
  ck_stream_t *stream;            /* retained; of the release; NULL is the default stream */
  uint32_t flags;                 /* CK_MEMORY_* */
  bool is_registered;             /* `host` is to be unlocked */
  bool is_streams; /* the resource is the own pool of the stream's device: retained by that */
  bool is_graphs;  /* a graph's nodes allocate and free the memory */
  size_t thread;   /* buffer.c's number of the one whose default stream `stream` is; 0: no such */
  atomic_uint graph_count; /* references to it, or to views of it, that graphs keep */
  ck_buffer_t *heir;       /* owned; of a closed one: has the memory that graphs use */
  ck_buffer_t *parent;     /* retained; of a view */
  Lender *lender;          /* retained; whose memory it is while that lends it; or NULL */
  void *host;              /* where the CPU finds it, or NULL */
  VirtualRange *range;     /* of a virtual resource */
  void (*release)(void *data);
  void *data; /* borrowed: the caller's, for release */
};

/* A new buffer, with nothing in it; NULL when memory is out. The device is retained. */
ck_buffer_t *buffer_new(ck_device_t *device);

/* Closes it: the memory is gone. */
void buffer_lose(ck_buffer_t *buffer);

/* A buffer around a range, which it owns then, also on failure. */
ck_status_t buffer_from_range(ck_memory_resource_t *resource, VirtualRange *range,
                              CUdeviceptr address, size_t bytes, ck_stream_t *stream,
                              ck_buffer_t **out_buffer);

/* CK_INVALID_ARGUMENT unless the range lies in the buffer; `function` is the caller's name. */
ck_status_t buffer_check_range(const ck_buffer_t *buffer, size_t offset, size_t bytes,
                               const char *function);

/* graph/ --------------------------------------------------------------------------------------- */

ck_status_t graph_keep_buffer(GraphKeep *keep, const ck_buffer_t *buffer);

/* `buffer` may be NULL. */
static inline ck_status_t stream_keep_buffer(const ck_stream_t *stream, const ck_buffer_t *buffer)
{
  GraphKeep *keep = stream_keep(stream);
  return UNLIKELY(keep) ? graph_keep_buffer(keep, buffer) : CK_OK;
}

/* virtual.c ------------------------------------------------------------------------------------ */

/* A piece of a range as a file descriptor, which is the caller's. */
size_t virtual_piece_count(const VirtualRange *range);
ck_status_t virtual_export(ck_memory_resource_t *resource, const VirtualRange *range, size_t piece,
                           size_t *out_bytes, int *out_fd);
enum { MAX_PIECES = 64 };
/* A range of another process's pieces; the descriptors stay the caller's. */
ck_status_t virtual_import(ck_memory_resource_t *resource, const size_t *bytes, const int *fds,
                           size_t count, VirtualRange **out_range, CUdeviceptr *out_address);

/* array.c, texture.c, tensor_map.c ------------------------------------------------------------- */

struct ck_mipmap {
  Object object;
  ck_device_t *device; /* retained */
  CUmipmappedArray native;
  ck_array_options_t shape; /* of level 0 */
  uint32_t level_count;
};

struct ck_array {
  Object object;
  ck_device_t *device; /* retained */
  ck_mipmap_t *mipmap; /* retained; what it is a level of, or NULL */
  Lender *lender;      /* retained; the image that it is of, or NULL */
  uint32_t loan;       /* the lender's number of it */
  CUarray native;
  ck_array_options_t shape;
  bool is_owned;
};

struct ck_texture {
  Object object;
  ck_device_t *device; /* retained */
  CUtexObject native;
  ck_texture_resource_t resource; /* what it names is retained */
  ck_texture_options_t options;
  ck_array_options_t shape; /* of what is read; a buffer's too */
};

struct ck_surface {
  Object object;
  ck_array_t *array; /* retained */
  CUsurfObject native;
};

/* The map is passed by value, so that only the buffer has to outlive a launch. */
struct ck_tensor_map {
  Object object;
  ck_device_t *device; /* retained */
  ck_buffer_t *buffer; /* retained */
  CUtensorMap *native; /* owned; aligned as the driver wants it */
  ck_tensor_type_t type;
  uint32_t rank;
  size_t alignment;        /* of the tensor's address */
  size_t reach, box_bytes; /* of the whole tensor; of one copy, 0: im2col */
  bool has_gaps;           /* rows of a copy are as wide as the swizzle, its elements are not */
};

/* Whether a map's elements are of a type, CK's name of which may be another. */
const char *tensor_map_type_name(const ck_tensor_map_t *map);
bool tensor_map_is_of(const ck_tensor_map_t *map, ck_dtype_t dtype);

uint32_t array_rank(const ck_array_options_t *shape);

/* What a kernel gets: f32 of floats and of what is read as normalized, else the array's type. */
static inline ck_dtype_t texture_reads(const ck_texture_t *texture)
{
  bool is_f32 =
      texture->shape.dtype == CK_F16 || texture->options.flags & CK_TEXTURE_READ_NORMALIZED;
  return is_f32 ? CK_F32 : texture->shape.dtype;
}

/* The driver's name of a type; `channels` of 0 become 1. */
ck_status_t array_format(ck_dtype_t dtype, uint32_t *channels, CUarray_format *out_format);

#endif
