/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buffer.c - buffers: owned and adopted ranges of memory, and their copies in stream order.
 *
 * Creating and releasing a buffer should cost little more than the two driver calls. So each thread
 * keeps the buffer object that it released last as its spare: the next buffer of the same stream
 * reuses it, without malloc and without changing a reference count.
 *
 *   thread --hash--> spares[i] { owner = thread, stream, buffer } --> buffer object --> stream
 *
 * A spare retains its stream. It must not keep a stream alive that the program has released, so
 * ck_stream_release drops all spares of a stream when these are its only references (spare_forget).
 */
#include <pthread.h>
#include <string.h>

#include "memory_private.h"

/* spares ------------------------------------------------------------------------------------- */

/* A spare is a buffer object without memory but with its stream. After the driver's call, malloc,
 * free and two locked additions would cost more than everything else. With AddressSanitizer there
 * are no spares, so that it sees each object. */
#ifdef CK_SANITIZE
enum { HAS_SPARE = 0 };
#else
enum { HAS_SPARE = 1 };
#endif

/* A power of two, for the hash of threads. Threads with the same slot share it: only the first has
 * spares. */
enum { SPARE_COUNT = 128 };

/* A slot for a spare. It belongs to one thread from its first buffer to its end; a thread whose
 * slot is taken by another has no spare.
 *
 * The owner takes and stores the spare without a lock. Any thread that holds spare_mutex may empty
 * a slot if nobody else holds the stream: without a reference to the stream, no buffer of it can be
 * requested.
 */
typedef struct Spare {
  _Alignas(CACHE_LINE_BYTES) atomic_uintptr_t owner; /* 0: free */
  atomic_uintptr_t stream;                           /* stream of the buffer; 0: no spare */
  ck_buffer_t *buffer;   /* no memory, no references; retains the stream */
  atomic_uintptr_t last; /* the stream whose spare_places counts this slot; 0: none */
  /* How often the owner took the spare: a thread that counts references detects changes by it. */
  atomic_size_t takes;
} Spare;

static Spare spares[SPARE_COUNT];
static pthread_mutex_t spare_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t spare_once = PTHREAD_ONCE_INIT;
static pthread_key_t spare_key;
static bool has_spare_key;

/* A value that identifies a running thread. A thread-local variable would do, but access to one is
 * slow in a library that is opened at run time, unless it uses the small static TLS area. */
static inline uintptr_t thread_now(void)
{
#ifdef __x86_64__
  uintptr_t thread;
  __asm__("movq %%fs:0, %0" : "=r"(thread)); /* the thread pointer of the System V ABI */
  return thread;
#else
  return (uintptr_t)pthread_self();
#endif
}

/* The slot of a thread, by Fibonacci hashing. */
static inline Spare *spare_of(uintptr_t thread)
{
  return &spares[(uint64_t)thread * 0x9E3779B97F4A7C15u >> 57];
}
_Static_assert(SPARE_COUNT == 1 << (64 - 57), "the top bits are the place");

static inline bool spare_is_own(const Spare *spare, uintptr_t thread)
{
  return atomic_load_explicit(&spare->owner, memory_order_relaxed) == thread;
}

static inline uintptr_t spare_stream(const Spare *spare)
{
  return atomic_load_explicit(&spare->stream, memory_order_acquire);
}

static inline uintptr_t spare_last(const Spare *spare)
{
  return atomic_load_explicit(&spare->last, memory_order_relaxed);
}

/* Empties a slot, under the mutex. The result, or NULL, is passed to spare_drop after unlocking. */
static ck_buffer_t *spare_detach(Spare *spare)
{
  ck_buffer_t *buffer = spare_stream(spare) ? spare->buffer : NULL;
  atomic_store_explicit(&spare->stream, 0, memory_order_release);
  return buffer;
}

static void spare_drop(ck_buffer_t *buffer)
{
  if (!buffer) return;
  ck_stream_release(buffer->stream);
  object_free(buffer);
}

/* Empties a slot and assigns it to another stream; NULL: to none. The previous stream still exists,
 * since end_spares removes it from all slots before it is destroyed. */
static void spare_empty(Spare *spare, ck_stream_t *next)
{
  pthread_mutex_lock(&spare_mutex);
  ck_buffer_t *buffer = spare_detach(spare);
  ck_stream_t *last = (ck_stream_t *)spare_last(spare);
  if (next) atomic_fetch_add(&next->spare_places, 1);
  if (last) atomic_fetch_sub(&last->spare_places, 1);
  atomic_store_explicit(&spare->last, (uintptr_t)next, memory_order_relaxed);
  pthread_mutex_unlock(&spare_mutex);
  spare_drop(buffer);
}

/* Called at the end of a thread. */
static void spare_end(void *value)
{
  Spare *spare = value;
  spare_empty(spare, NULL);
  atomic_store_explicit(&spare->owner, 0, memory_order_release);
}

static void spare_make_key(void)
{
  has_spare_key = pthread_key_create(&spare_key, spare_end) == 0;
}

/* Threads can outlive the library if it is closed. */
__attribute__((destructor)) static void spare_forget_key(void)
{
  if (has_spare_key) pthread_key_delete(spare_key);
}

static bool spare_claim(Spare *spare, uintptr_t thread)
{
  uintptr_t nobody = 0;
  pthread_once(&spare_once, spare_make_key);
  if (!has_spare_key || !atomic_compare_exchange_strong(&spare->owner, &nobody, thread))
    return false;
  if (pthread_setspecific(spare_key, spare) == 0) return true;
  atomic_store(&spare->owner, 0);
  return false;
}

COLD static bool spare_make_room(Spare *spare, uintptr_t thread, const ck_buffer_t *buffer);

/* Keeps a buffer without memory as a spare; false if it should be freed. It is not kept if all
 * other references of the stream may be spares of other threads: then it is freed, and they are
 * dropped. */
static inline bool spare_give(ck_buffer_t *buffer)
{
  uintptr_t thread = thread_now();
  Spare *spare = spare_of(thread);
  ck_stream_t *stream = buffer->stream;
  bool has_place =
      LIKELY(spare_is_own(spare, thread)) && LIKELY(spare_last(spare) == (uintptr_t)stream);
  unsigned places = atomic_load_explicit(&stream->spare_places, memory_order_relaxed);
  if (UNLIKELY(object_count(&stream->object) <= (size_t)places + !has_place)) return false;
  if (UNLIKELY(!has_place || spare_stream(spare)) && !spare_make_room(spare, thread, buffer))
    return false;
  spare->buffer = buffer;
  atomic_store_explicit(&spare->stream, (uintptr_t)stream, memory_order_release);
  return true;
}

static inline ck_buffer_t *spare_take(const ck_memory_resource_t *resource,
                                      const ck_stream_t *stream)
{
  uintptr_t thread = thread_now();
  Spare *spare = spare_of(thread);
  if (UNLIKELY(!spare_is_own(spare, thread))) return NULL;
  if (UNLIKELY(!stream || spare_stream(spare) != (uintptr_t)stream)) return NULL;
  ck_buffer_t *buffer = spare->buffer;
  if (UNLIKELY(buffer->resource != resource)) return NULL;
  /* Only the owner writes it. */
  size_t takes = atomic_load_explicit(&spare->takes, memory_order_relaxed);
  atomic_store_explicit(&spare->takes, takes + 1, memory_order_relaxed);
  atomic_store_explicit(&spare->stream, 0, memory_order_release);
  buffer->flags = resource->flags;
  if (UNLIKELY(buffer->flags & CK_MEMORY_HOST)) buffer->host = NULL;
  buffer->address = 0;
  atomic_init(&buffer->object.reference_count, 1);
  return buffer;
}

/* dropping spares of unused streams ----------------------------------------------------------- */

/* The number of slots with a spare of a stream, which need not exist any more; *out_takes is the
 * sum of their `takes`. */
static size_t spare_count(uintptr_t stream, size_t *out_takes)
{
  size_t count = 0;
  *out_takes = 0;
  for (size_t i = 0; i < SPARE_COUNT; ++i) {
    if (spare_stream(&spares[i]) != stream) continue;
    *out_takes += atomic_load_explicit(&spares[i].takes, memory_order_relaxed);
    ++count;
  }
  return count;
}

/* Whether all references of a stream are those of its spares, and will stay so. The mutex is held,
 * and a slot has a spare of the stream. A spare that was taken after it was counted shows in
 * `takes`, and a thread without a reference can't get one. */
static bool spare_is_alone(uintptr_t stream)
{
  size_t takes, takes_then;
  size_t count = spare_count(stream, &takes);
  if (!count) return false;
  size_t references =
      atomic_load_explicit(&((ck_stream_t *)stream)->object.reference_count, memory_order_acquire);
  return references == count && spare_count(stream, &takes_then) == count && takes_then == takes;
}

/* Drops all spares of a stream if nobody else holds the stream. */
static void spare_forget(uintptr_t stream)
{
  ck_buffer_t *dropped[SPARE_COUNT];
  size_t count = 0;
  pthread_mutex_lock(&spare_mutex);
  if (spare_is_alone(stream))
    for (size_t i = 0; i < SPARE_COUNT; ++i)
      if (spare_stream(&spares[i]) == stream) dropped[count++] = spare_detach(&spares[i]);
  pthread_mutex_unlock(&spare_mutex);
  for (size_t i = 0; i < count; ++i) spare_drop(dropped[i]);
}

static void forget_spares(const ck_stream_t *stream)
{
  spare_forget((uintptr_t)stream);
}

static void forget_all_spares(void)
{
  for (size_t i = 0; i < SPARE_COUNT; ++i) {
    uintptr_t stream = spare_stream(&spares[i]);
    if (stream) spare_forget(stream);
  }
}

static void end_spares(const ck_stream_t *stream)
{
  pthread_mutex_lock(&spare_mutex);
  for (size_t i = 0; i < SPARE_COUNT; ++i)
    if (spare_last(&spares[i]) == (uintptr_t)stream)
      atomic_store_explicit(&spares[i].last, 0, memory_order_relaxed);
  pthread_mutex_unlock(&spare_mutex);
}

static const StreamReserve spare_reserve = {forget_spares, forget_all_spares, end_spares};

/* Makes room for another spare; false if that is not possible. A spare of another stream is
 * dropped. */
COLD static bool spare_make_room(Spare *spare, uintptr_t thread, const ck_buffer_t *buffer)
{
  if (!HAS_SPARE || !(spare_is_own(spare, thread) || spare_claim(spare, thread))) return false;
  if (spare_stream(spare) == (uintptr_t)buffer->stream) return false;
  atomic_store(&stream_reserve, &spare_reserve); /* before the stream has a slot */
  spare_empty(spare, buffer->stream);
  return true;
}

/* per-thread default streams ----------------------------------------------------------------- */

/* A number of the calling thread that is never reused. */
static size_t thread_number(void)
{
  static atomic_size_t last;
  static _Thread_local size_t number;
  if (!number) number = atomic_fetch_add(&last, 1) + 1;
  return number;
}

/* Remembers the thread of a buffer whose stream is the per-thread default stream, which is a
 * different one on every thread. */
static void note_thread(ck_buffer_t *buffer)
{
  bool is_threads = buffer->stream && buffer->stream->native == CU_STREAM_PER_THREAD;
  buffer->thread = is_threads ? thread_number() : 0;
}

ck_stream_t *buffer_stream(const ck_buffer_t *buffer)
{
  return UNLIKELY(buffer->thread) && buffer->thread != thread_number() ? NULL : buffer->stream;
}

/* Whether the default stream can't be used because a blocking stream is captured, whose capture
 * would become invalid. */
static bool is_default_blocked(const ck_device_t *device)
{
  CUstreamCaptureStatus status;
  bool is_entered = device_enter_quietly(device);
  CUresult result = device->driver->cuStreamIsCapturing(CU_STREAM_LEGACY, &status);
  if (is_entered) device_leave(device);
  return result != CUDA_SUCCESS;
}

/* Whether memory must be leaked because there is no stream order in which to free it: leaking is
 * better than memory with two owners. Kinds of memory that are not freed in stream order are freed
 * by the driver after all work. */
static bool has_no_order(const ck_buffer_t *buffer)
{
  MemoryKind kind = buffer->resource->kind;
  bool is_ordered = kind == MEMORY_pool || kind == MEMORY_graph || kind == MEMORY_virtual;
  return UNLIKELY(buffer_stream(buffer) != buffer->stream) && is_ordered &&
         is_default_blocked(buffer->device);
}

/* buffers that own memory -------------------------------------------------------------------- */

/* Frees memory that does not come from its stream's pool. */
__attribute__((noinline)) static void free_others(ck_buffer_t *buffer)
{
  buffer->flags |= CK_MEMORY_CLOSED; /* a callback may look at the buffer, or close it again */
  if (buffer->release) buffer->release(buffer->data);
  if (buffer->is_registered) {
    CLEAN_UP(buffer->device, buffer->device->driver->cuMemHostUnregister(buffer->host));
  }
  if (buffer->lender) buffer->lender->take_back(buffer->lender, buffer);
  if (!buffer->resource || !buffer->address || has_no_order(buffer)) return;
  ck_stream_t *stream = buffer_stream(buffer);
  if (buffer->range) virtual_free(buffer->resource, buffer->range, stream);
  else memory_deallocate(buffer->resource, buffer->address, buffer->bytes, stream);
}

/* Frees the memory, not the object. */
static inline void free_memory(ck_buffer_t *buffer)
{
  if (UNLIKELY(!buffer->is_streams)) free_others(buffer);
  else if (LIKELY(buffer->address))
    free_async(buffer->stream->driver, buffer->address, buffer->stream->native);
}

/* The capture in which the memory can't be freed: if it is a pool's, virtual or OpenGL's and the
 * stream is captured; else NULL. */
static GraphKeep *captured(const ck_buffer_t *buffer, const ck_stream_t *stream)
{
  GraphKeep *keep = stream_keep(stream);
  const ck_memory_resource_t *resource = buffer->resource;
  bool is_resources = resource && (resource->kind == MEMORY_pool || buffer->range ||
                                   /* Allocated outside of the capture, so from a pool. */
                                   (resource->kind == MEMORY_graph && !buffer->is_graphs));
  return buffer->address && (is_resources || buffer->lender) ? keep : NULL;
}

/* Defers the destruction of such a buffer to the end of the capture; false if that fails. */
static bool defer_destruction(ck_buffer_t *buffer)
{
  GraphKeep *keep = captured(buffer, buffer->stream);
  if (!keep) return false;
  atomic_store(&buffer->object.reference_count, 1); /* graph_keep_buffer retains it */
  ck_status_t status = graph_keep_buffer(keep, buffer);
  atomic_fetch_sub(&buffer->object.reference_count, 1);
  return status == CK_OK;
}

/* Releases what a buffer has whose memory does not come from its stream's pool. */
static void release_parts(ck_buffer_t *buffer)
{
  if (buffer->resource) ck_memory_resource_release(buffer->resource);
  else ck_device_release(buffer->device);
  ck_buffer_release(buffer->parent);
  if (buffer->lender) buffer->lender->release(buffer->lender);
}

static void buffer_destroy(ck_buffer_t *buffer)
{
  if (UNLIKELY(stream_keep(buffer->stream)) && defer_destruction(buffer)) return;
  free_memory(buffer);
  if (LIKELY(buffer->is_streams && !buffer->heir) && spare_give(buffer)) return;
  if (!buffer->is_streams) release_parts(buffer);
  ck_stream_release(buffer->stream);
  ck_buffer_release(buffer->heir);
  object_free(buffer);
}

OBJECT(buffer, ck_buffer_t);

/* in keeps ------------------------------------------------------------------------------------- */

/* The buffer that a view is a view of. */
static ck_buffer_t *owner_of(const ck_buffer_t *buffer)
{
  while (buffer && buffer->parent) buffer = buffer->parent;
  return (ck_buffer_t *)(uintptr_t)buffer;
}

static void count_keep(void *buffer)
{
  atomic_fetch_add(&owner_of(buffer)->graph_count, 1);
}

static void drop_buffer(void *buffer)
{
  atomic_fetch_sub(&owner_of(buffer)->graph_count, 1);
  ck_buffer_release(buffer);
}

const RefKind buffer_ref = {.retain = count_keep, .release = drop_buffer};

ck_status_t graph_keep_buffer(GraphKeep *keep, const ck_buffer_t *buffer)
{
  /* Nodes of the graph allocate such memory, and the release of its buffer frees it. */
  ck_buffer_t *owner = owner_of(buffer);
  if (!owner || owner->is_graphs) return CK_OK;
  return graph_keep_add_ref(keep, (Ref){.kind = &buffer_ref,
                                        .object = (void *)(uintptr_t)buffer,
                                        .start = buffer->address,
                                        .bytes = buffer->bytes});
}

ck_status_t graph_keep_address(GraphKeep *keep, GraphKeep *from, CUdeviceptr address)
{
  return graph_keep_add_ref(keep, graph_keep_find(from, &buffer_ref, address));
}

ck_buffer_t *buffer_new(ck_device_t *device)
{
  ck_buffer_t *buffer = object_new(sizeof *buffer);
  if (buffer) buffer->device = ck_device_retain(device);
  return buffer;
}

/* Allocates a buffer object for a resource. */
__attribute__((noinline)) static ck_buffer_t *object_from(ck_memory_resource_t *resource,
                                                          ck_stream_t *stream)
{
  ck_buffer_t *buffer = object_new(sizeof *buffer);
  if (!buffer) return NULL;
  buffer->device = resource->device;
  buffer->resource = resource;
  buffer->stream = ck_stream_retain(stream);
  /* Most buffers come from the device's own pool and have a stream of that device. Such a buffer
   * does not retain the resource, and needs no checks when memory is allocated and freed. */
  buffer->is_streams =
      stream_knows_context(stream) && stream->device == resource->device &&
      resource == atomic_load_explicit(&resource->device->memory, memory_order_relaxed) &&
      resource->kind == MEMORY_pool;
  if (!buffer->is_streams) ck_memory_resource_retain(resource);
  buffer->flags = resource->flags;
  note_thread(buffer);
  return buffer;
}

/* Makes a buffer without memory: a spare, or a new object. */
static inline ck_buffer_t *new_from(ck_memory_resource_t *resource, size_t bytes,
                                    ck_stream_t *stream)
{
  ck_buffer_t *buffer = spare_take(resource, stream);
  if (UNLIKELY(!buffer)) buffer = object_from(resource, stream);
  if (LIKELY(buffer)) buffer->bytes = bytes;
  return buffer;
}

/* Allocates memory that does not come from the stream's pool, or is captured. */
__attribute__((noinline)) static ck_status_t allocate_others(ck_buffer_t *buffer)
{
  buffer->is_graphs = buffer->resource->kind == MEMORY_graph && stream_keep(buffer->stream);
  if (buffer->resource->kind != MEMORY_virtual)
    return memory_allocate(buffer->resource, buffer->bytes, buffer->stream, &buffer->address,
                           &buffer->host);
  CK_TRY(virtual_allocate(buffer->resource, buffer->bytes, &buffer->range, &buffer->address));
  if (buffer->flags & CK_MEMORY_HOST) buffer->host = (void *)(uintptr_t)buffer->address;
  return CK_OK;
}

/* Allocates the buffer's memory. */
static inline ck_status_t allocate(ck_buffer_t *buffer)
{
  if (UNLIKELY(!buffer->is_streams || buffer->stream->keep)) return allocate_others(buffer);
  ck_status_t status = STREAM_STATUS(
      buffer->stream, cuMemAllocFromPoolAsync(&buffer->address, buffer->bytes,
                                              buffer->resource->pool, buffer->stream->native));
  if (UNLIKELY(buffer->flags & CK_MEMORY_HOST)) buffer->host = (void *)(uintptr_t)buffer->address;
  return UNLIKELY(status != CK_OK) ? memory_explain(buffer->resource, buffer->bytes, status)
                                   : CK_OK;
}

__attribute__((noinline)) static ck_status_t create(ck_memory_resource_t *resource, size_t bytes,
                                                    ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  CK_TRY(stream_check(stream, resource->device));
  ck_buffer_t *buffer = new_from(resource, bytes, stream);
  if (UNLIKELY(!buffer)) return CK_OUT_OF_MEMORY;
  ck_status_t status = LIKELY(bytes) ? allocate(buffer) : CK_OK;
  if (UNLIKELY(status != CK_OK)) {
    buffer->address = 0;
    buffer_destroy(buffer);
    return status;
  }
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_memory_resource_create_buffer(ck_memory_resource_t *resource, size_t bytes,
                                             ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, resource);
  return create(resource, bytes, stream, out_buffer);
}

/* The slow path: the device's memory resource is not open yet, or another one was set. */
__attribute__((noinline)) static ck_status_t
create_further(ck_device_t *device, size_t bytes, ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  ck_memory_resource_t *resource;
  CK_TRY(device_retain_memory(device, &resource));
  ck_status_t status = create(resource, bytes, stream, out_buffer);
  ck_memory_resource_release(resource);
  return status;
}

ck_status_t ck_buffer_create(ck_device_t *device, size_t bytes, ck_stream_t *stream,
                             ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, device);
  ck_memory_resource_t *resource = device_memory(device);
  return LIKELY(resource) ? create(resource, bytes, stream, out_buffer)
                          : create_further(device, bytes, stream, out_buffer);
}

/* adopted memory and views ------------------------------------------------------------------- */

/* Determines the properties of an adopted address. An address that the driver does not know is the
 * CPU's only, unless the device can access all of the CPU's memory. */
static ck_status_t look_at(ck_buffer_t *buffer)
{
  const Driver *driver = buffer->device->driver;
  unsigned type = 0, is_managed = 0;
  int reaches_all = 1;
  void *host = NULL;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                 CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void *out[] = {&host, &type, &is_managed};
  ck_status_t status = DEVICE_STATUS(
      buffer->device, cuPointerGetAttributes(COUNT_OF(which), which, out, buffer->address));
  if (driver->traits->has_cpu_memory) host = (void *)(uintptr_t)buffer->address;
  bool is_unknown = !type && !driver->traits->has_cpu_memory;
  if ((is_managed || is_unknown) && !host) host = (void *)(uintptr_t)buffer->address;
  if (is_unknown && status == CK_OK)
    status =
        ck_device_get_attribute(buffer->device, CK_DEVICE_PAGEABLE_MEMORY_ACCESS, &reaches_all);
  buffer->host = host;
  buffer->flags = (reaches_all ? CK_MEMORY_DEVICE : 0) | (host ? CK_MEMORY_HOST : 0) |
                  (is_managed ? CK_MEMORY_MANAGED : 0);
  return status;
}

ck_status_t ck_buffer_from_native(ck_device_t *device, uint64_t address, size_t bytes,
                                  void (*release)(void *data), void *data, ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, device);
  if (bytes && !address) return error_argument("a buffer of %zu bytes at the address 0", bytes);
  ck_buffer_t *buffer = buffer_new(device);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->address = address;
  buffer->bytes = bytes;
  /* For an address of 0. */
  buffer->flags = CK_MEMORY_DEVICE | (device->driver->traits->has_cpu_memory ? CK_MEMORY_HOST : 0);
  ck_status_t status = address ? look_at(buffer) : CK_OK;
  if (status != CK_OK) {
    buffer_destroy(buffer);
    return status;
  }
  buffer->release = release; /* set last: after a failure the caller keeps the memory */
  buffer->data = data;
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_buffer_from_resource(ck_memory_resource_t *resource, uint64_t address, size_t bytes,
                                    ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, resource);
  CK_TRY(stream_check(stream, resource->device));
  if (resource->kind == MEMORY_virtual)
    return error_argument("%s: a virtual memory resource knows its own alone", __func__);
  if (bytes && !address) return error_argument("a buffer of %zu bytes at the address 0", bytes);
  ck_buffer_t *buffer = new_from(resource, bytes, stream);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->address = address;
  buffer->is_graphs = resource->kind == MEMORY_graph;
  if (buffer->flags & CK_MEMORY_HOST) buffer->host = (void *)(uintptr_t)address;
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t buffer_from_range(ck_memory_resource_t *resource, VirtualRange *range,
                              CUdeviceptr address, size_t bytes, ck_stream_t *stream,
                              ck_buffer_t **out_buffer)
{
  ck_buffer_t *buffer = new_from(resource, bytes, stream);
  if (!buffer) {
    virtual_free(resource, range, stream);
    return CK_OUT_OF_MEMORY;
  }
  buffer->range = range;
  buffer->address = address;
  buffer->flags |= CK_MEMORY_MAPPED;
  if (buffer->flags & CK_MEMORY_HOST) buffer->host = (void *)(uintptr_t)address;
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_buffer_create_view(ck_buffer_t *parent, size_t offset, size_t bytes,
                                  ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, parent);
  CK_TRY(buffer_check_range(parent, offset, bytes, __func__));
  ck_buffer_t *buffer = buffer_new(parent->device);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->parent = ck_buffer_retain(parent);
  buffer->stream = ck_stream_retain(parent->stream);
  buffer->address = parent->address + offset;
  buffer->bytes = bytes;
  buffer->host = parent->host ? (char *)parent->host + offset : NULL;
  buffer->flags = parent->flags;
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_buffer_from_host(ck_device_t *device, void *start, size_t bytes, uint32_t flags,
                                ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, device, start);
  if (flags & ~(CK_REGISTER_READ_ONLY | CK_REGISTER_IO))
    return error_argument("%s: flags are 0x%x: unknown bits are set", __func__, flags);
  unsigned native = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                    (flags & CK_REGISTER_READ_ONLY ? CU_MEMHOSTREGISTER_READ_ONLY : 0) |
                    (flags & CK_REGISTER_IO ? CU_MEMHOSTREGISTER_IOMEMORY : 0);
  const Driver *driver = device->driver;
  ck_buffer_t *buffer = buffer_new(device);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->bytes = bytes;
  buffer->host = start;
  buffer->flags = CK_MEMORY_DEVICE | CK_MEMORY_HOST;
  ck_status_t status = device_enter(device);
  if (status == CK_OK) {
    status = DRV_STATUS(driver, cuMemHostRegister(start, bytes, native));
    buffer->is_registered = status == CK_OK;
    if (status == CK_OK)
      status = DRV_STATUS(driver, cuMemHostGetDevicePointer(&buffer->address, start, 0));
    device_leave(device);
  }
  return GIVE(status, buffer, out_buffer, buffer_destroy);
}

/* Moves the memory of a closed buffer that graphs use into a second buffer object (heir), which the
 * closed one holds. It is freed with the last reference to the closed buffer, which are those of
 * the graphs. */
static ck_status_t leave_to_heir(ck_buffer_t *buffer)
{
  ck_buffer_t *heir = buffer->resource ? new_from(buffer->resource, buffer->bytes, buffer->stream)
                                       : buffer_new(buffer->device);
  if (!heir) return CK_OUT_OF_MEMORY;
  if (!buffer->resource) heir->stream = ck_stream_retain(buffer->stream);
  heir->thread = buffer->thread;
  heir->address = buffer->address;
  heir->bytes = buffer->bytes;
  heir->host = buffer->host;
  heir->range = buffer->range;
  heir->release = buffer->release;
  heir->data = buffer->data;
  heir->is_registered = buffer->is_registered;
  buffer->heir = heir;
  return CK_OK;
}

void buffer_lose(ck_buffer_t *buffer)
{
  buffer->release = NULL;
  buffer->is_registered = false;
  buffer->range = NULL;
  buffer->address = 0;
  buffer->bytes = 0;
  buffer->host = NULL;
  buffer->flags |= CK_MEMORY_CLOSED;
}

static void set_stream(ck_buffer_t *buffer, ck_stream_t *stream)
{
  ck_stream_t *old = buffer->stream;
  if (buffer->is_streams) ck_memory_resource_retain(buffer->resource);
  buffer->is_streams = false;
  buffer->stream = ck_stream_retain(stream);
  note_thread(buffer);
  ck_stream_release(old);
}

ck_status_t ck_buffer_close(ck_buffer_t *buffer, ck_stream_t *stream)
{
  CK_NEED_ARG(buffer);
  if (buffer->flags & CK_MEMORY_CLOSED) return CK_OK;
  if (buffer->lender) return buffer->lender->end(buffer->lender, stream);
  if (captured(buffer, stream ? stream : buffer->stream))
    return error_argument("%s memory is not freed in a captured stream",
                          buffer->range ? "virtual" : "a pool's");
  if (stream) CK_TRY(stream_check(stream, buffer->device));
  bool has_graphs = atomic_load(&buffer->graph_count) != 0;
  if (has_graphs) CK_TRY(leave_to_heir(buffer)); /* the buffer does not change on failure */
  if (stream) set_stream(buffer, stream);        /* closing a view frees no memory */
  if (stream && has_graphs) set_stream(buffer->heir, stream);
  if (!has_graphs) free_memory(buffer);
  buffer_lose(buffer);
  return CK_OK;
}

GETTER(uint32_t, buffer, flags);

ck_memory_resource_t *ck_buffer_memory_resource(const ck_buffer_t *buffer)
{
  return buffer->resource;
}

GETTER(ck_device_t *, buffer, device);
GETTER(size_t, buffer, bytes);

uint64_t ck_buffer_native(const ck_buffer_t *buffer)
{
  return buffer->address;
}

GETTER(void *, buffer, host);

ck_status_t ck_buffer_set_stream(ck_buffer_t *buffer, ck_stream_t *stream)
{
  CK_NEED_ARG(buffer);
  CK_TRY(stream_check(stream, buffer->device));
  if (buffer->flags & CK_MEMORY_CLOSED) return error_argument("%s: the buffer is closed", __func__);
  for (; buffer; buffer = buffer->parent) set_stream(buffer, stream);
  return CK_OK;
}

/* Whether a range lies in a buffer, without overflow. */
ck_status_t buffer_check_range(const ck_buffer_t *buffer, size_t offset, size_t bytes,
                               const char *function)
{
  if (offset <= buffer->bytes && bytes <= buffer->bytes - offset) return CK_OK;
  return error_argument("%s: %zu bytes at offset %zu, the buffer has %zu bytes", function, bytes,
                        offset, buffer->bytes);
}

/* Whether copies must be of unspecified direction: the driver does not take memory from a host pool
 * as device memory, but detects the kind of both sides of a plain cuMemcpyAsync. */
static bool on_host(const ck_buffer_t *buffer)
{
  return (ck_buffer_flags(buffer) & CK_MEMORY_HOST) != 0;
}

typedef enum Way { WAY_any, WAY_from_host, WAY_to_host } Way;

typedef struct Transfer {
  Way way;
  CUdeviceptr to, from;
  size_t bytes;
} Transfer;

static ck_status_t transfer_now(const Driver *driver, const Transfer *it, CUstream native)
{
  void *host = (void *)(uintptr_t)(it->way == WAY_to_host ? it->to : it->from);
  switch (it->way) {
  case WAY_from_host: return DRV_STATUS(driver, cuMemcpyHtoDAsync(it->to, host, it->bytes, native));
  case WAY_to_host: return DRV_STATUS(driver, cuMemcpyDtoHAsync(host, it->from, it->bytes, native));
  case WAY_any: break;
  }
  return DRV_STATUS(driver, cuMemcpyAsync(it->to, it->from, it->bytes, native));
}

static ck_status_t transfer_within(const ck_device_t *place, const ck_stream_t *stream,
                                   const Transfer *it)
{
  return IN_DEVICE(place, transfer_now(place->driver, it, stream_native(stream)));
}

/* The driver checks that the current context may access the memory. Usually the device's context is
 * current, or none, and making sure of it costs more than the rest of the call. So it is tried as
 * it is first, and repeated in the device's context if the driver refuses. Two cases must not be
 * tried: in a captured stream a refused call invalidates the capture, and without a current context
 * driver 580 crashes on inaccessible memory of another GPU. */
static ck_status_t transfer(const ck_device_t *place, const ck_stream_t *stream, const Transfer *it)
{
  if (UNLIKELY(!stream_knows_context(stream) || stream->keep))
    return transfer_within(place, stream, it);
  ck_status_t status = transfer_now(stream->driver, it, stream->native);
  bool is_refused = status == CK_DRIVER && ck_last_driver_error() == CUDA_ERROR_INVALID_VALUE;
  return UNLIKELY(is_refused) ? transfer_within(place, stream, it) : status;
}

ck_status_t ck_buffer_write(ck_buffer_t *dst, size_t offset, const void *src, size_t bytes,
                            ck_stream_t *stream)
{
  CK_NEED_ARG(dst);
  CK_TRY(buffer_check_range(dst, offset, bytes, __func__));
  CK_TRY(stream_check(stream, dst->device));
  if (!bytes) return CK_OK;
  CK_NEED_ARG(src);
  const Transfer it = {on_host(dst) ? WAY_any : WAY_from_host, dst->address + offset,
                       (uintptr_t)src, bytes};
  ck_status_t status = transfer(dst->device, stream, &it);
  if (status == CK_OK) status = stream_keep_buffer(stream, dst);
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
  const Transfer it = {on_host(src) ? WAY_any : WAY_to_host, (uintptr_t)dst, src->address + offset,
                       bytes};
  ck_status_t status = transfer(src->device, stream, &it);
  if (status == CK_OK) status = stream_keep_buffer(stream, src);
  return status;
}

/* The general case of a copy. */
__attribute__((noinline)) static ck_status_t copy_any(ck_buffer_t *dst, size_t dst_offset,
                                                      const ck_buffer_t *src, size_t src_offset,
                                                      size_t bytes, ck_stream_t *stream)
{
  static const char name[] = "ck_buffer_copy";
  CK_NEED_ARG_OF(name, dst);
  CK_NEED_ARG_OF(name, src);
  CK_TRY(buffer_check_range(dst, dst_offset, bytes, name));
  CK_TRY(buffer_check_range(src, src_offset, bytes, name));
  bool is_pushed = stream && device_same(stream->device, src->device);
  const ck_device_t *place = is_pushed ? src->device : dst->device;
  CK_TRY(stream_check(stream, place));
  if (dst->device->driver != src->device->driver)
    return error_argument("%s: from '%s' to '%s': read and write through host memory", name,
                          src->device->name, dst->device->name);
  CUdeviceptr to = dst->address + dst_offset, from = src->address + src_offset;
  if (!bytes || to == from) return CK_OK;
  if (to < from + bytes && from < to + bytes)
    return error_argument("%s: %zu bytes from %zu to %zu overlap", name, bytes, src_offset,
                          dst_offset);
  ck_status_t status = transfer_within(place, stream, &(Transfer){WAY_any, to, from, bytes});
  if (status == CK_OK) status = stream_keep_buffer(stream, dst);
  if (status == CK_OK) status = stream_keep_buffer(stream, src);
  return status;
}

/* Handles the failure of the direct call in ck_buffer_copy. */
__attribute__((noinline, cold)) static ck_status_t
copy_again(CUdeviceptr to, CUdeviceptr from, size_t bytes, ck_stream_t *stream, CUresult result)
{
  if (result == CUDA_ERROR_INVALID_VALUE) /* perhaps another context is current */
    return transfer_within(stream->device, stream, &(Transfer){WAY_any, to, from, bytes});
  return driver_report(stream->driver, result, "cuMemcpyAsync(to, from, bytes, stream->native)",
                       __FILE_NAME__, __LINE__);
}

/* Not past the end; of an offset below 2^63. 2^63 bytes have room as well: they overlap. */
static inline bool has_room(const ck_buffer_t *buffer, size_t offset, size_t bytes)
{
  return (int64_t)bytes <= (int64_t)(buffer->bytes - offset);
}

/* Nearly all copies are of one device in a stream of its own: these are few lines of the cache, of
 * code and of data, which after a driver's call have to be fetched. The rest is for copy_any. */
__attribute__((aligned(CACHE_LINE_BYTES))) ck_status_t
ck_buffer_copy(ck_buffer_t *dst, size_t dst_offset, const ck_buffer_t *src, size_t src_offset,
               size_t bytes, ck_stream_t *stream)
{
  if (UNLIKELY(!dst || !src || !stream || stream->plain_device != dst->device ||
               stream->plain_device != src->device ||
               (int64_t)(dst_offset | src_offset | (bytes - 1)) < 0 ||
               !has_room(dst, dst_offset, bytes) || !has_room(src, src_offset, bytes)))
    return copy_any(dst, dst_offset, src, src_offset, bytes, stream);
  CUdeviceptr to = dst->address + dst_offset, from = src->address + src_offset;
  if (UNLIKELY(to - from < bytes || from - to < bytes)) /* they overlap */
    return copy_any(dst, dst_offset, src, src_offset, bytes, stream);
  CUresult result = stream->driver->cuMemcpyAsync(to, from, bytes, stream->native);
  return LIKELY(result == CUDA_SUCCESS) ? CK_OK : copy_again(to, from, bytes, stream, result);
}
