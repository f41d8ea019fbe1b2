/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* runtime.h - what the runtime's objects look like to each other.
 *
 * What an object retains:
 *
 *   green context, stream, event, memory resource -> device
 *   stream, event -> green context
 *   buffer -> device, memory resource, stream of its release
 *   kernel -> object code, device, memory resource of its scratch memory
 *   array -> device, mipmap of which it is a level; mipmap -> device
 *   texture -> device, array, mipmap or buffer; surface -> array; tensor map -> device, buffer
 *   graphics -> device, stream of its mapping; buffer, array -> graphics of which they are
 *
 * Pointers without a word are part of the object itself.
 */
#ifndef CK_RUNTIME_H
#define CK_RUNTIME_H

#include "ck/graphics.h"
#include "code/manifest.h"
#include "core/object.h"
#include "driver/driver.h"

/* graph/keep.c --------------------------------------------------------------------------------- */

/* A list of references to what a graph, a node or a change of a node uses. What is put into a
 * captured stream is added to the keep of the capture. The last user's release gives back what the
 * list refers to; streams and events observe the keep of their capture. */
typedef struct GraphKeep GraphKeep;

typedef enum RefKind {
  REF_keep,
  REF_kernel,
  REF_buffer,
  REF_event,
  REF_array,
  REF_texture,
  REF_surface
} RefKind;

bool graph_keep_is_open(const GraphKeep *keep); /* what is captured still adds to it */
GraphKeep *graph_keep_retain(GraphKeep *keep);
void graph_keep_release(GraphKeep *keep); /* NULL is fine */
GraphKeep *graph_keep_observe(GraphKeep *keep);
void graph_keep_ignore(GraphKeep *keep); /* an observer less; NULL is fine */

/* An event that was recorded in a capture, and a stream that waits for it, are part of it: `*keep`,
 * which they observe, becomes the capture's. Not if that is over, or NULL. Returns whether it is
 * another. */
bool graph_keep_join(GraphKeep **keep, GraphKeep *capture);
/* Hands a stream's last reference over until the capture ends; false: it has ended. */
bool graph_keep_hold_stream(GraphKeep *keep, ck_stream_t *stream);
/* Retains an object of a kind other than a buffer; NULL is fine. */
ck_status_t graph_keep_add(GraphKeep *keep, RefKind kind, const void *object);
ck_status_t graph_keep_buffer(GraphKeep *keep, const ck_buffer_t *buffer);
/* A kernel and what its arguments lead to: addresses by what `from`, which may be NULL, keeps. */
ck_status_t graph_keep_launch(GraphKeep *keep, GraphKeep *from, ck_kernel_t *kernel,
                              const ck_arg_t *args, size_t arg_count);
/* graph.c: gives back what graphs had that were released while launches of them were under way. */
void graph_collect_now(void);
extern atomic_bool graph_has_deferred;
static inline void graph_collect(void)
{
  if (UNLIKELY(atomic_load_explicit(&graph_has_deferred, memory_order_relaxed)))
    graph_collect_now();
}

/* memory resources (memory/resource.c, virtual.c) ---------------------------------------------- */

typedef enum MemoryKind {
  MEMORY_pool,    /* cuMemAllocFromPoolAsync */
  MEMORY_plain,   /* cuMemAlloc */
  MEMORY_pinned,  /* cuMemHostAlloc */
  MEMORY_managed, /* cuMemAllocManaged */
  MEMORY_virtual, /* cuMemMap */
  MEMORY_caller,  /* the caller's functions */
  MEMORY_graph    /* cuMemAllocAsync: nodes, in captured streams */
} MemoryKind;

enum { MAX_VIRTUAL_PEERS = 16, MAX_VIRTUAL_USERS = MAX_VIRTUAL_PEERS + 2 };

/* How a virtual resource makes memory. */
typedef struct VirtualPlan {
  CUmemAllocationProp props;
  size_t granularity, alignment;
  CUdeviceptr address;
  CUmemAccessDesc access[MAX_VIRTUAL_USERS]; /* the peers, the device, the CPU */
  size_t access_count;
} VirtualPlan;

/* A device's own resource is a part of it, and its references are the device's. */
struct ck_memory_resource {
  Object object;
  ck_device_t *device; /* retained; what the device's own resource is part of */
  MemoryKind kind;
  uint32_t flags;                  /* CK_MEMORY_* */
  ck_location_t location;          /* where the memory lies or prefers to be */
  CUmemoryPool pool;               /* MEMORY_pool */
  bool is_owned;                   /* the pool is ours to destroy */
  atomic_bool is_exported;         /* the driver gives pointers of the pool away from then on */
  atomic_ullong peers;             /* a bit for each of the first 64 GPUs that were let in */
  struct Import *imports;          /* of another process's pool: ipc.c */
  ck_memory_functions_t functions; /* MEMORY_caller */
  VirtualPlan *plan;               /* MEMORY_virtual */
};

/* device.c ------------------------------------------------------------------------------------- */

/* What a launch is checked against, asked once. */
typedef struct DeviceLimits {
  int32_t block_threads;
  int32_t block[3];
  int32_t grid[3];
  int32_t shared_bytes;       /* without asking for more */
  int32_t shared_bytes_optin; /* with asking */
  int32_t multiprocessors;
  bool has_clusters, has_cooperative, has_pools;
} DeviceLimits;

/* The primary context is a part of its device, and its references are the device's. */
struct ck_context {
  Object object;       /* of another context */
  ck_device_t *device; /* retained by another context; what the primary one is part of */
  CUcontext native;
  CUgreenCtx green;  /* NULL: the primary context, or an adopted one that is not green */
  uint32_t sm_count; /* of another than the primary one */
  bool is_adopted;   /* of a stream that is: not ours to destroy */
};

struct ck_device {
  Object object;
  const Driver *driver; /* borrowed: lives as long as the process */
  /* retained; the caller's default, or NULL: changed under the mutex of memory/resource.c */
  _Atomic(ck_memory_resource_t *) chosen;
  atomic_bool has_memory;
  bool is_host;
  int ordinal;
  CUdevice native;
  CUcontext context;                /* primary; retained from the driver */
  struct ck_memory_resource memory; /* the current pool, opened when it is first needed */
  ck_context_t primary;
  DeviceLimits limits;
  char name[128];
  char target[CK_TARGET_BYTES];
  CUdeviceptr scratch[2]; /* owned: of graph/switch.c; of the device and page-locked; 0: none yet */
};

/* Opens a device of a given table: how tests put another filling below everything. */
ck_status_t device_open(const Driver *driver, bool is_host, int ordinal, ck_device_t **out_device);
/* Opens the GPU of a driver that has this UUID; CK_NOT_FOUND if none has. */
ck_status_t device_open_uuid(const Driver *driver, const unsigned char uuid[16],
                             ck_device_t **out_device);

/* The one pair that makes a device's context current around driver calls. */
ck_status_t device_enter(const ck_device_t *device);
void device_leave(const ck_device_t *device);

/* The device's own memory resource; NULL before it is first needed, or if the caller has chosen
 * another one, which a thread may set anew while others allocate. */
static inline ck_memory_resource_t *device_memory(ck_device_t *device)
{
  if (UNLIKELY(atomic_load_explicit(&device->chosen, memory_order_relaxed))) return NULL;
  return atomic_load_explicit(&device->has_memory, memory_order_acquire) ? &device->memory : NULL;
}

/* The current one, with a reference. */
ck_status_t device_retain_memory(ck_device_t *device, ck_memory_resource_t **out_resource);

/* The same for clean-up: nothing is recorded, and device_leave only follows `true`. */
bool device_enter_quietly(const ck_device_t *device);

/* The same pair for one very context, be it green (context.c). */
ck_status_t context_enter(const ck_context_t *context);
/* What an adopted stream is of: a green context, or NULL, and a context that is not the device's.
 */
ck_status_t context_adopt(ck_device_t *device, CUcontext native, CUgreenCtx green,
                          ck_context_t **out_context);
void context_leave(const ck_context_t *context);
/* Waits for all work in it; refused while a builder captures there: the driver would spoil that. */
ck_status_t context_sync(const ck_context_t *context);
/* Whether a builder's capture is, or one that stays open (graph/capture.c). */
bool capture_is_under_way(const ck_context_t *context);

/* Whether two objects are of the same driver and device. */
static inline bool device_same(const ck_device_t *a, const ck_device_t *b)
{
  return LIKELY(a == b) || (a->driver == b->driver && a->native == b->native);
}

/* stream.c ------------------------------------------------------------------------------------- */

/* One line of the cache, with all that a call in stream order looks at. */
struct ck_stream {
  Object object;
  ck_device_t *device;  /* retained */
  const Driver *driver; /* the device's */
  CUstream native;
  GraphKeep *keep; /* weakly; of the capture that it was last in; NULL: none */
  bool is_owned;
  bool is_default;          /* of the current context: a launch has to make it current */
  bool is_logged;           /* $CK_LOG wants to see each call of the driver */
  atomic_uint spare_places; /* of buffer.c: so many threads may have a buffer of it in reserve */
  ck_context_t *context;    /* retained; a green one, or NULL for the primary one */

  /* `device` as long as a call needs no more than the driver's: the stream is not a default one, is
   * not logged and was in no capture. Else NULL. */
  union {
    const ck_device_t *plain_device;
    ck_stream_t *next_held; /* in the list of a capture that has the last reference */
  };
};
_Static_assert(sizeof(struct ck_stream) <= CACHE_LINE_BYTES, "what each call looks at");

/* DRV_STATUS for a call of which there are many: all that it looks at is the stream's. */
#define STREAM_STATUS(stream_, call_)                                                              \
  stream_result((stream_), (stream_)->driver->call_, #call_, __FILE__, __LINE__)
static inline ck_status_t stream_result(const ck_stream_t *stream, CUresult result,
                                        const char *call, const char *file, int line)
{
  if (LIKELY(result == CUDA_SUCCESS && !stream->is_logged)) return CK_OK;
  return driver_report(stream->driver, result, call, file, line);
}

/* What the stream's calls use is kept by the capture from now on, as graph_keep_join says. */
void stream_join_capture(ck_stream_t *stream, GraphKeep *capture);

/* What a call adds to that put something into the stream; NULL unless it is captured. */
static inline GraphKeep *stream_keep(const ck_stream_t *stream)
{
  return stream && UNLIKELY(stream->keep) && graph_keep_is_open(stream->keep) ? stream->keep : NULL;
}

/* `buffer` may be NULL. */
static inline ck_status_t stream_keep_buffer(const ck_stream_t *stream, const ck_buffer_t *buffer)
{
  GraphKeep *keep = stream_keep(stream);
  return UNLIKELY(keep) ? graph_keep_buffer(keep, buffer) : CK_OK;
}

/* NULL stands for the default stream. */
static inline CUstream stream_native(const ck_stream_t *stream)
{
  return stream ? stream->native : CU_STREAM_LEGACY;
}

/* device_enter for a call that takes the stream: one of its own knows its context, and the driver
 * asks for no other; the default stream is that of the current one. Saves a fifth of a call that
 * puts little into a stream. */
static inline bool stream_knows_context(const ck_stream_t *stream)
{
  return stream && !stream->is_default;
}

static inline ck_status_t stream_enter(const ck_stream_t *stream, const ck_device_t *device)
{
  return stream_knows_context(stream) ? CK_OK : device_enter(device);
}

static inline void stream_leave(const ck_stream_t *stream, const ck_device_t *device)
{
  if (!stream_knows_context(stream)) device_leave(device);
}

/* CK_INVALID_ARGUMENT if the stream is another device's; the second where they are not the same
 * object. */
ck_status_t stream_check_further(const ck_stream_t *stream, const ck_device_t *device);
static inline ck_status_t stream_check(const ck_stream_t *stream, const ck_device_t *device)
{
  if (LIKELY(stream && stream->device == device)) return CK_OK;
  return stream ? stream_check_further(stream, device) : CK_OK;
}

/* event.c -------------------------------------------------------------------------------------- */

struct ck_event {
  Object object;
  ck_device_t *device;   /* retained */
  ck_context_t *context; /* retained; a green one, or NULL for the primary one */
  CUevent native;
  uint32_t flags; /* CK_EVENT_* */
  bool is_owned;
  GraphKeep *keep; /* weakly; of the capture that it was last recorded in; NULL: none */
};

/* The event was recorded in a capture, or, with NULL, in none: who waits for it joins that. */
static inline void event_join_capture(ck_event_t *event, GraphKeep *capture)
{
  if (LIKELY(event->keep == capture) || graph_keep_join(&event->keep, capture)) return;
  graph_keep_ignore(event->keep);
  event->keep = NULL;
}

/* CK_INVALID_ARGUMENT if the event is of another driver: another GPU's is fine. */
ck_status_t event_check_further(const ck_event_t *event, const ck_device_t *device);
static inline ck_status_t event_check(const ck_event_t *event, const ck_device_t *device)
{
  return LIKELY(event->device == device) ? CK_OK : event_check_further(event, device);
}

/* memory/resource.c ---------------------------------------------------------------------------- */

ck_status_t memory_allocate(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                            CUdeviceptr *out_address, void **out_host);
/* Records no failure: it is part of clean-up. */
void memory_deallocate(ck_memory_resource_t *resource, CUdeviceptr address, size_t bytes,
                       ck_stream_t *stream);

/* The driver's words, and how much was asked for. */
ck_status_t memory_explain(const ck_memory_resource_t *resource, size_t bytes, ck_status_t status);

/* A capture forbids calls to the thread that began it, or to all, which would end it as invalid. In
 * between these two the calling thread may make them. */
CUstreamCaptureMode capture_relax(const Driver *driver);
void capture_restore(const Driver *driver, CUstreamCaptureMode mode);

/* Builders' captures under way that forbid calls. Memory is freed in the order of other streams at
 * any time, and to ask the driver for the mode first costs more than that may. A capture that is
 * not a builder's may end, but no memory is lost. */
extern atomic_uint capture_strict_count;
void free_async_relaxed(const Driver *driver, CUdeviceptr address, CUstream stream);
static inline void free_async(const Driver *driver, CUdeviceptr address, CUstream stream)
{
  if (LIKELY(!atomic_load_explicit(&capture_strict_count, memory_order_relaxed)) &&
      LIKELY(driver->cuMemFreeAsync(address, stream) != CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED))
    return;
  free_async_relaxed(driver, address, stream);
}

/* The pair around the calls of a clean-up: the device's context is current, as far as that can be,
 * and captures of other streams go on. */
typedef struct CleanUp {
  const ck_device_t *device; /* borrowed */
  bool is_entered;
  CUstreamCaptureMode mode;
} CleanUp;

CleanUp clean_up_begin(const ck_device_t *device);
void clean_up_end(const CleanUp *clean_up);

/* ipc.c: gives back memory of another process's pool. The context is current. */
void import_free(ck_memory_resource_t *resource, CUdeviceptr address, ck_stream_t *stream);
/* Of a pool that goes: what could not be given back. */
void imports_forget(ck_memory_resource_t *resource);

/* CK_INVALID_ARGUMENT for a place, a device or a permission that is none. Which nodes the host has,
 * the driver knows: its refusal gets the node's number. */
ck_status_t location_check(const ck_device_t *device, ck_location_t location);
ck_status_t location_explain(ck_location_t location, ck_status_t status);
ck_status_t permission_check(ck_permission_t permission);

/* A new resource; NULL when memory is out. The device is retained. */
ck_memory_resource_t *memory_resource_new(ck_device_t *device, MemoryKind kind, uint32_t flags);

/* virtual.c ------------------------------------------------------------------------------------ */

/* Addresses and what is mapped there: a buffer's. */
typedef struct VirtualRange VirtualRange;

ck_status_t virtual_allocate(ck_memory_resource_t *resource, size_t bytes, VirtualRange **out_range,
                             CUdeviceptr *out_address);
/* Bytes from an offset in the range to the end of the piece that it is in. */
size_t virtual_piece_left(const VirtualRange *range, size_t offset);
/* A piece of a range as a file descriptor, which is the caller's. */
size_t virtual_piece_count(const VirtualRange *range);
ck_status_t virtual_export(ck_memory_resource_t *resource, const VirtualRange *range, size_t piece,
                           size_t *out_bytes, int *out_fd);
enum { MAX_PIECES = 64 };
/* A range of another process's pieces; the descriptors stay the caller's. */
ck_status_t virtual_import(ck_memory_resource_t *resource, const size_t *bytes, const int *fds,
                           size_t count, VirtualRange **out_range, CUdeviceptr *out_address);

/* Waits for the stream, and records no failure. */
void virtual_free(ck_memory_resource_t *resource, VirtualRange *range, ck_stream_t *stream);

/* buffer.c ------------------------------------------------------------------------------------- */

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
  ck_graphics_t *graphics; /* retained; what the memory is mapped of, or NULL */
  void *host;              /* where the CPU finds it, or NULL */
  VirtualRange *range;     /* of a virtual resource */
  void (*release)(void *data);
  void *data; /* borrowed: the caller's, for release */
};

/* A buffer around a range, which it owns then, also on failure. */
ck_status_t buffer_from_range(ck_memory_resource_t *resource, VirtualRange *range,
                              CUdeviceptr address, size_t bytes, ck_stream_t *stream,
                              ck_buffer_t **out_buffer);

/* The stream of the release; NULL, the default stream, which waits for those of all threads, if it
 * is another thread's own default stream. */
ck_stream_t *buffer_stream(const ck_buffer_t *buffer);

/* A new buffer, with nothing in it; NULL when memory is out. The device is retained. */
ck_buffer_t *buffer_new(ck_device_t *device);

/* Closes it: the memory is gone. */
void buffer_lose(ck_buffer_t *buffer);

/* Lets go of the buffers of a stream that threads have in reserve, if nothing else has the stream.
 * That may be gone: it is not looked at unless there are any. */
void buffer_forget_spares(const ck_stream_t *stream);
/* The same for every stream. */
void buffer_forget_all_spares(void);
/* Before a stream goes that had some: another thread may still be counting its references. */
void buffer_end_spares(const ck_stream_t *stream);

/* Whether copies of boxes say that the buffer's memory is the host's, as nodes do (graph/node.c):
 * the driver refuses that of a pool of the host as the device's. */
static inline bool buffer_is_hosts(const ck_buffer_t *buffer)
{
  return (buffer->flags & (CK_MEMORY_HOST | CK_MEMORY_MANAGED)) == CK_MEMORY_HOST &&
         !buffer->device->is_host;
}

enum { MAX_ROW_BYTES = 0x7fffffff }; /* what copy engines take: CK_DEVICE_MAX_PITCH */

/* CK_INVALID_ARGUMENT unless the range lies in the buffer; `function` is the caller's name. */
ck_status_t buffer_check_range(const ck_buffer_t *buffer, size_t offset, size_t bytes,
                               const char *function);

/* copy.c: the same, of ck_copy_strided. Its arguments are there. */
ck_status_t copy_strided(const ck_copy_strided_side_t *dst, const ck_copy_strided_side_t *src,
                         size_t element_bytes, size_t rank, const uint64_t *extents,
                         ck_stream_t *stream, const char *function);

/* array.c, texture.c, tensor_map.c
 * --------------------------------------------------------------------------- */

struct ck_mipmap {
  Object object;
  ck_device_t *device; /* retained */
  CUmipmappedArray native;
  ck_array_options_t shape; /* of level 0 */
  uint32_t level_count;
};

struct ck_array {
  Object object;
  ck_device_t *device;     /* retained */
  ck_mipmap_t *mipmap;     /* retained; what it is a level of, or NULL */
  ck_graphics_t *graphics; /* retained; the image that it is of, or NULL */
  uint32_t mapping;        /* of that image */
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

/* graphics.c ----------------------------------------------------------------------------------- */

/* Unmaps what the buffer is, if it is not another mapping by now. Records no failure. */
void graphics_drop_buffer(ck_buffer_t *buffer);

/* CK_INVALID_ARGUMENT for an array of a mapping that is no more. */
ck_status_t graphics_check_array(const ck_array_t *array);

/* compiler.c ----------------------------------------------------------------------------------- */

/* The functions of libckc, opened when it is first needed. */
typedef struct Compiler {
#define COMPILER_FN(name) __typeof__(name) *name;
#include "code/compiler_fns.def"
} Compiler;

ck_status_t compiler_open(const Compiler **out_compiler);

/* A digest of what decides the compiler's output, by the files' names, sizes, times and inodes:
 * nothing is opened. False if libckc is not found by name. */
bool compiler_identity(bool with_toolkit, Digest *out);

/* The same of the toolkit alone. */
Digest toolkit_identity_now(void);

/* source_file.c -------------------------------------------------------------------------------- */

/* A source in a temporary file that lives as long as its references, and no longer than the
 * process.
 */
typedef struct SourceFile SourceFile;

/* NULL, with a line of the log and no failure recorded, where it can't be written. */
SourceFile *source_file_create(const char *text, size_t bytes);
const char *source_file_path(const SourceFile *file);
SourceFile *source_file_retain(SourceFile *file);
void source_file_release(SourceFile *file); /* NULL is fine */

/* object_code.c -------------------------------------------------------------------------------- */

/* A driver's library of this code. Most processes have one driver, at most two. */
typedef struct LoadedCode {
  struct LoadedCode *next;
  const Driver *driver;
  CUlibrary library;
} LoadedCode;

struct ck_object_code {
  Object object;
  ck_emit_t form;
  size_t bytes;             /* of the data, the manifest included */
  size_t image_bytes;       /* without a manifest that stands behind the image */
  char *data;               /* followed by a NUL */
  const char *json;         /* in data or arena; "" without a manifest */
  const Manifest *manifest; /* in arena; NULL without one */
  Arena arena;
  SourceFile *source; /* retained; what debuggers show lines of; NULL: none of ours */
  LoadedCode *loaded; /* guarded by code_mutex of object_code.c */
};

/* The form that the first bytes say; CK_EMIT_DEFAULT for none. */
ck_emit_t object_code_detect(const void *data, size_t bytes);
/* CK_INVALID_ARGUMENT for an image, without its manifest, of which a part is missing: what reads
 * images of NVIDIA's and of LLVM's is told no length, or trusts the image. So it is if there is no
 * manifest, but bytes behind the image: a part of one would leave launches unchecked. */
ck_status_t object_code_check(const void *image, size_t bytes, bool has_manifest);
/* Where a 64-bit ELF image ends, whose head is there; beyond `bytes` if a part of it is missing. */
uint64_t object_code_elf_end(const void *image, size_t bytes);
ck_status_t object_code_load(ck_object_code_t *code, ck_device_t *device, CUlibrary *out_library);

/* cache.c -------------------------------------------------------------------------------------- */

typedef enum CacheSource { CACHE_memory, CACHE_disk, CACHE_miss, CACHE_caller } CacheSource;

/* Where a program's code is kept, and what of it can fail. */
typedef struct CacheWay {
  ck_cache_functions_t functions; /* the caller's own cache; no `get`: this library's */
  bool is_strict;                 /* what the folder refuses is CK_IO */
  bool is_of_process;             /* in memory alone */
} CacheWay;

/* The code under a key: a new reference, or NULL. */
ck_status_t cache_find(const CacheWay *way, Digest key, CacheSource *out_source,
                       ck_object_code_t **out_code);
ck_status_t cache_keep(const CacheWay *way, Digest key, ck_object_code_t *code);
/* CK_NOT_FOUND: there is none under the key. */
ck_status_t cache_remove(const CacheWay *way, Digest key);
/* Counts how a program's code was found, for ck_cache_get_stats. */
void cache_count(CacheSource source);

/* kernel.c ------------------------------------------------------------------------------------- */

/* What the driver keeps of a kernel on a device, which all objects of that kernel share. */
typedef struct NativeKernel {
  struct NativeKernel *next; /* in its bucket */
  unsigned references;       /* both guarded by kernel.c's mutex */
  const Driver *driver;
  CUdevice device;
  CUkernel kernel;
  atomic_uint_fast64_t resident; /* launch.c's; 0: not known */
  atomic_size_t dynamic_limit;   /* bytes of dynamic shared memory that the driver takes now */
} NativeKernel;

struct ck_kernel {
  Object object;
  ck_object_code_t *code; /* retained */
  ck_device_t *device;    /* retained */
  CUkernel native;
  const char *name;           /* the manifest's, or a copy of the caller's in own_name */
  const ManifestKernel *info; /* of code's manifest; NULL: launches are not checked */
  size_t static_shared_bytes;
  ck_memory_resource_t *scratch;       /* retained; NULL: it has no scratch memory */
  ck_memory_resource_t *graph_scratch; /* retained; of captured launches; NULL: none, or no pools */
  NativeKernel *common;                /* retained */
  size_t driver_param_count;           /* without a manifest; SIZE_MAX if the driver can't say */
  size_t driver_param_bytes[MAX_PARAMS];
  char *own_name; /* NULL with a manifest */
};

/* launch/attribute.c --------------------------------------------------------------------------- */

enum {
  LAUNCH_ATTRIBUTE_COUNT = 0
/* clang-format off */
#define CK_LAUNCH_ATTRIBUTE(name, value, places, text) + 1
#include "ck/launch_attributes.def"
  /* clang-format on */
};
enum { LAUNCH_ATTRIBUTE_KINDS = 32 }; /* their numbers are below it: a bit each */

/* Whether streams ('S'), launches ('L') or nodes ('N') have it. */
bool launch_attribute_has(unsigned kind, char place);
/* Checks a launch's attributes and puts them behind those that it has, where there is room for
 * LAUNCH_ATTRIBUTE_COUNT more. The shape of the launch is known. */
ck_status_t launch_attributes_read(ck_device_t *device, const ck_launch_config_t *config,
                                   CUlaunchConfig *native);
/* What a graph's launch uses by its attributes. */
ck_status_t launch_attributes_keep(const ck_launch_config_t *config, GraphKeep *keep);
/* After the launch: gives out what the driver has written, and keeps for the capture what it uses.
 */
ck_status_t launch_attributes_done(const ck_launch_config_t *config, const CUlaunchConfig *native,
                                   GraphKeep *keep);
/* The way back; false if it is as in a plain launch. */
bool launch_attribute_from(const CUlaunchAttribute *native, ck_launch_attribute_t *out);
/* What a launch has that says nothing of it. */
CUlaunchAttributeValue launch_attribute_plain(CUlaunchAttributeID id);
/* "priority, access window" for a message. */
void launch_attributes_list(const ck_launch_config_t *config, char *text, size_t room);

/* launch.c ------------------------------------------------------------------------------------- */

/* Gets a launch as the driver wants it; its stream is not set. */
typedef ck_status_t LaunchUse(const CUlaunchConfig *config, void **slots, void *data);

/* Checks a launch as ck_launch_args does. A grid without blocks: *out_is_empty, and no use. */
ck_status_t launch_check(const ck_launch_config_t *config, ck_kernel_t *kernel,
                         const ck_arg_t *args, size_t arg_count, LaunchUse *use, void *data,
                         bool *out_is_empty);

/* CK_INVALID_ARGUMENT for a grid, block or cluster that has y or z, and no x. */
ck_status_t launch_check_shapes(const ck_kernel_t *kernel, const ck_launch_config_t *config);

/* kernel.c, again ------------------------------------------------------------------------------ */

/* Raises dynamic_limit. */
ck_status_t kernel_allow_dynamic(ck_kernel_t *kernel, size_t bytes);

#endif
