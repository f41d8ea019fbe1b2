/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buffer.c - buffers: owned and adopted ranges of memory, and copies in stream order.
 *
 * Allocating and freeing cost little more than the driver's calls: each thread has the buffer in
 * reserve that it released last ("spare").
 */
#include <pthread.h>
#include <string.h>

#include "runtime.h"

/* spare -------------------------------------------------------------------------------------- */

/* The buffer that a thread released last, without its memory but with its stream: the next one of
 * that stream needs no other object, and no count is changed. After a driver's call malloc, free
 * and two locked additions cost more than all the rest. The address sanitizer wants to see each. */
#ifdef CK_SANITIZE
enum { HAS_SPARE = 0 };
#else
enum { HAS_SPARE = 1 };
#endif

enum { SPARE_COUNT = 128 };

/* A place belongs to one thread, from its first buffer to its end; who finds his taken has none.
 *
 * The owner takes and gives without a lock. Any thread with the mutex may empty a place whose
 * stream nobody else has: without a reference to a stream no buffer of it can be taken. */
typedef struct Spare {
  _Alignas(CACHE_LINE_BYTES) atomic_uintptr_t owner; /* 0: nobody's */
  atomic_uintptr_t stream;                           /* of the buffer; 0: there is none */
  ck_buffer_t *buffer;   /* of its stream's memory, held by nobody; retains the stream */
  atomic_uintptr_t last; /* stream that was given here, counted in its spare_places; 0: none */
  atomic_size_t takes; /* how often the owner took one: who counts references sees if they moved */
} Spare;

static Spare spares[SPARE_COUNT];
static pthread_mutex_t spare_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t spare_once = PTHREAD_ONCE_INIT;
static pthread_key_t spare_key;
static bool has_spare_key;

/* What tells threads that run apart. Thread-local memory would do as well, but is slow to find in a
 * library that is opened at run time, or has to lie where there is little room for such ones. */
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

/* The place of a thread by Fibonacci hashing. */
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

/* Empties a place; the mutex is held. The buffer, or NULL, is for spare_drop, without the mutex. */
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

/* Empties a place, which is for buffers of a stream from now on, or for none if that is NULL. The
 * last stream is there: buffer_end_spares takes it out of all places before it goes. */
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

/* At the thread's end. */
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

/* A thread outlives the library that is closed. */
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

/* False: there is no place for another. One of another stream gives way. */
COLD static bool spare_make_room(Spare *spare, uintptr_t thread, const ck_buffer_t *buffer)
{
  if (!HAS_SPARE || !(spare_is_own(spare, thread) || spare_claim(spare, thread))) return false;
  if (spare_stream(spare) == (uintptr_t)buffer->stream) return false;
  spare_empty(spare, buffer->stream);
  return true;
}

/* Takes a buffer that is its stream's, without memory. Not if all others that have the stream may
 * be spares of other threads: then it is released, and they go with it. */
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
  size_t takes = atomic_load_explicit(&spare->takes, memory_order_relaxed); /* the owner's alone */
  atomic_store_explicit(&spare->takes, takes + 1, memory_order_relaxed);
  atomic_store_explicit(&spare->stream, 0, memory_order_release);
  buffer->flags = resource->flags;
  if (UNLIKELY(buffer->flags & CK_MEMORY_HOST)) buffer->host = NULL;
  buffer->address = 0;
  atomic_init(&buffer->object.reference_count, 1);
  return buffer;
}

/* spares of a stream that nobody has ---------------------------------------------------------- */

/* How many places have a buffer of a stream, which is only compared; *out_takes adds up how often
 * these were taken from. */
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

/* Whether the stream's references are those of its spares, and stay so. The mutex is held and a
 * place has a spare of it. What was taken from a place since it was counted shows by `takes`, and
 * whoever has no reference can't get one. */
static bool spare_is_alone(uintptr_t stream)
{
  size_t takes, takes_then;
  size_t count = spare_count(stream, &takes);
  if (!count) return false;
  size_t references =
      atomic_load_explicit(&((ck_stream_t *)stream)->object.reference_count, memory_order_acquire);
  return references == count && spare_count(stream, &takes_then) == count && takes_then == takes;
}

/* Empties all places that have the stream, if nobody else has it. */
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

void buffer_forget_spares(const ck_stream_t *stream)
{
  spare_forget((uintptr_t)stream);
}

void buffer_forget_all_spares(void)
{
  for (size_t i = 0; i < SPARE_COUNT; ++i) {
    uintptr_t stream = spare_stream(&spares[i]);
    if (stream) spare_forget(stream);
  }
}

void buffer_end_spares(const ck_stream_t *stream)
{
  pthread_mutex_lock(&spare_mutex);
  for (size_t i = 0; i < SPARE_COUNT; ++i)
    if (spare_last(&spares[i]) == (uintptr_t)stream)
      atomic_store_explicit(&spares[i].last, 0, memory_order_relaxed);
  pthread_mutex_unlock(&spare_mutex);
}

/* streams of threads ------------------------------------------------------------------------- */

/* A number of the calling thread that no other ever has. */
static size_t thread_number(void)
{
  static atomic_size_t last;
  static _Thread_local size_t number;
  if (!number) number = atomic_fetch_add(&last, 1) + 1;
  return number;
}

/* The default stream of a thread means another one on another thread. */
static void note_thread(ck_buffer_t *buffer)
{
  bool is_threads = buffer->stream && buffer->stream->native == CU_STREAM_PER_THREAD;
  buffer->thread = is_threads ? thread_number() : 0;
}

ck_stream_t *buffer_stream(const ck_buffer_t *buffer)
{
  return UNLIKELY(buffer->thread) && buffer->thread != thread_number() ? NULL : buffer->stream;
}

/* Whether nothing can be put into the default stream: a blocking stream is captured, whose capture
 * that would end. */
static bool is_default_blocked(const ck_device_t *device)
{
  CUstreamCaptureStatus status;
  bool is_entered = device_enter_quietly(device);
  CUresult result = device->driver->cuStreamIsCapturing(CU_STREAM_LEGACY, &status);
  if (is_entered) device_leave(device);
  return result != CUDA_SUCCESS;
}

/* Memory whose order can't be told is not given back: better lost than two buffers'. The driver
 * waits for all work by itself where it frees in no order. */
static bool has_no_order(const ck_buffer_t *buffer)
{
  MemoryKind kind = buffer->resource->kind;
  bool is_ordered = kind == MEMORY_pool || kind == MEMORY_graph || kind == MEMORY_virtual;
  return UNLIKELY(buffer_stream(buffer) != buffer->stream) && is_ordered &&
         is_default_blocked(buffer->device);
}

/* owned -------------------------------------------------------------------------------------- */

/* Gives back memory that is not its stream's. */
__attribute__((noinline)) static void free_others(ck_buffer_t *buffer)
{
  buffer->flags |= CK_MEMORY_CLOSED; /* what is called here may look at it, or close it again */
  if (buffer->release) buffer->release(buffer->data);
  if (buffer->is_registered) {
    CleanUp clean_up = clean_up_begin(buffer->device);
    buffer->device->driver->cuMemHostUnregister(buffer->host);
    clean_up_end(&clean_up);
  }
  if (buffer->graphics) graphics_drop_buffer(buffer);
  if (!buffer->resource || !buffer->address || has_no_order(buffer)) return;
  ck_stream_t *stream = buffer_stream(buffer);
  if (buffer->range) virtual_free(buffer->resource, buffer->range, stream);
  else memory_deallocate(buffer->resource, buffer->address, buffer->bytes, stream);
}

/* Gives the memory back, not the object. */
static inline void free_memory(ck_buffer_t *buffer)
{
  if (UNLIKELY(!buffer->is_streams)) free_others(buffer);
  else if (LIKELY(buffer->address))
    free_async(buffer->stream->driver, buffer->address, buffer->stream->native);
}

/* Whether the memory is a pool's, virtual or OpenGL's and a stream is captured, in which it can't
 * be given back. */
static GraphKeep *captured(const ck_buffer_t *buffer, const ck_stream_t *stream)
{
  GraphKeep *keep = stream_keep(stream);
  const ck_memory_resource_t *resource = buffer->resource;
  bool is_resources =
      resource && (resource->kind == MEMORY_pool || buffer->range ||
                   (resource->kind == MEMORY_graph && !buffer->is_graphs)); /* a pool's as well */
  return buffer->address && (is_resources || buffer->graphics) ? keep : NULL;
}

/* Such a buffer goes with the capture. */
static bool put_off(ck_buffer_t *buffer)
{
  GraphKeep *keep = captured(buffer, buffer->stream);
  if (!keep) return false;
  atomic_store(&buffer->object.reference_count, 1); /* until it is decided */
  ck_status_t status = graph_keep_buffer(keep, buffer);
  atomic_fetch_sub(&buffer->object.reference_count, 1);
  return status == CK_OK;
}

/* What the usual buffer has not: one whose memory is its stream's. */
static void release_parts(ck_buffer_t *buffer)
{
  if (buffer->resource) ck_memory_resource_release(buffer->resource);
  else ck_device_release(buffer->device);
  ck_buffer_release(buffer->parent);
  ck_graphics_release(buffer->graphics);
}

static void buffer_destroy(ck_buffer_t *buffer)
{
  if (UNLIKELY(stream_keep(buffer->stream)) && put_off(buffer)) return;
  free_memory(buffer);
  if (LIKELY(buffer->is_streams && !buffer->heir) && spare_give(buffer)) return;
  if (!buffer->is_streams) release_parts(buffer);
  ck_stream_release(buffer->stream);
  ck_buffer_release(buffer->heir);
  object_free(buffer);
}

OBJECT(buffer, ck_buffer_t);

ck_buffer_t *buffer_new(ck_device_t *device)
{
  ck_buffer_t *buffer = object_new(sizeof *buffer);
  if (buffer) buffer->device = ck_device_retain(device);
  return buffer;
}

/* A new object for a buffer of a resource. */
__attribute__((noinline)) static ck_buffer_t *object_from(ck_memory_resource_t *resource,
                                                          ck_stream_t *stream)
{
  ck_buffer_t *buffer = object_new(sizeof *buffer);
  if (!buffer) return NULL;
  buffer->device = resource->device;
  buffer->resource = resource;
  buffer->stream = ck_stream_retain(stream);
  /* Most buffers are of the device's own pool and have a stream of it: one count less to change,
   * and nothing to find out when the memory is asked for and given back. */
  buffer->is_streams = stream_knows_context(stream) && stream->device == resource->device &&
                       resource == &resource->device->memory && resource->kind == MEMORY_pool;
  if (!buffer->is_streams) ck_memory_resource_retain(resource);
  buffer->flags = resource->flags;
  note_thread(buffer);
  return buffer;
}

/* A new buffer of a resource, without memory. */
static inline ck_buffer_t *new_from(ck_memory_resource_t *resource, size_t bytes,
                                    ck_stream_t *stream)
{
  ck_buffer_t *buffer = spare_take(resource, stream);
  if (UNLIKELY(!buffer)) buffer = object_from(resource, stream);
  if (LIKELY(buffer)) buffer->bytes = bytes;
  return buffer;
}

/* Asks the resource for memory that is not its stream's, or is captured. */
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

/* Asks the resource for the buffer's memory. */
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

ck_status_t ck_buffer_create_from(ck_memory_resource_t *resource, size_t bytes, ck_stream_t *stream,
                                  ck_buffer_t **out_buffer)
{
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(resource);
  return create(resource, bytes, stream, out_buffer);
}

/* The device's memory is not open yet, or the caller has chosen another resource. */
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
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(device);
  ck_memory_resource_t *resource = device_memory(device);
  return LIKELY(resource) ? create(resource, bytes, stream, out_buffer)
                          : create_further(device, bytes, stream, out_buffer);
}

/* adopted and viewed ------------------------------------------------------------------------- */

/* What a foreign address is. One that the driver does not know is the CPU's alone, unless the
 * device reaches all of the CPU's memory. */
static ck_status_t look_at(ck_buffer_t *buffer)
{
  const Driver *driver = buffer->device->driver;
  unsigned type = 0, is_managed = 0;
  int reaches_all = 1;
  void *host = NULL;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                 CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void *out[] = {&host, &type, &is_managed};
  CK_TRY(device_enter(buffer->device));
  ck_status_t status =
      DRV_STATUS(driver, cuPointerGetAttributes(COUNT_OF(which), which, out, buffer->address));
  device_leave(buffer->device);
  if (buffer->device->is_host) host = (void *)(uintptr_t)buffer->address;
  bool is_unknown = !type && !buffer->device->is_host;
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
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(device);
  if (bytes && !address)
    return error_set(CK_INVALID_ARGUMENT, "a buffer of %zu bytes at the address 0", bytes);
  ck_buffer_t *buffer = buffer_new(device);
  if (!buffer) return CK_OUT_OF_MEMORY;
  buffer->address = address;
  buffer->bytes = bytes;
  buffer->flags = CK_MEMORY_DEVICE | (device->is_host ? CK_MEMORY_HOST : 0); /* of no memory */
  ck_status_t status = address ? look_at(buffer) : CK_OK;
  if (status != CK_OK) {
    buffer_destroy(buffer);
    return status;
  }
  buffer->release = release; /* only now: a failure leaves the memory with the caller */
  buffer->data = data;
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_buffer_from_resource(ck_memory_resource_t *resource, uint64_t address, size_t bytes,
                                    ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(resource);
  CK_TRY(stream_check(stream, resource->device));
  if (resource->kind == MEMORY_virtual)
    return error_set(CK_INVALID_ARGUMENT, "%s: a virtual memory resource knows its own alone",
                     __func__);
  if (bytes && !address)
    return error_set(CK_INVALID_ARGUMENT, "a buffer of %zu bytes at the address 0", bytes);
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

ck_status_t ck_buffer_view(ck_buffer_t *parent, size_t offset, size_t bytes,
                           ck_buffer_t **out_buffer)
{
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(parent);
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
  CK_NEED_ARG(out_buffer);
  *out_buffer = NULL;
  CK_NEED_ARG(device);
  CK_NEED_ARG(start);
  if (flags & ~(CK_REGISTER_READ_ONLY | CK_REGISTER_IO))
    return error_set(CK_INVALID_ARGUMENT, "%s: flags are 0x%x: unknown bits are set", __func__,
                     flags);
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
  if (status != CK_OK) {
    buffer_destroy(buffer);
    return status;
  }
  *out_buffer = buffer;
  return CK_OK;
}

/* Memory that graphs use goes with the last reference to the closed buffer, which theirs are. */
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
  if (buffer->graphics) return ck_graphics_unmap(buffer->graphics, stream);
  if (captured(buffer, stream ? stream : buffer->stream))
    return error_set(CK_INVALID_ARGUMENT, "%s memory is not freed in a captured stream",
                     buffer->range ? "virtual" : "a pool's");
  if (stream) CK_TRY(stream_check(stream, buffer->device));
  bool has_graphs = atomic_load(&buffer->graph_count) != 0;
  if (has_graphs) CK_TRY(leave_to_heir(buffer)); /* a failure leaves it as it was */
  if (stream) set_stream(buffer, stream);        /* a view's memory is not given back */
  if (stream && has_graphs) set_stream(buffer->heir, stream);
  if (!has_graphs) free_memory(buffer);
  buffer_lose(buffer);
  return CK_OK;
}

uint32_t ck_buffer_flags(const ck_buffer_t *buffer)
{
  return buffer->flags;
}

ck_memory_resource_t *ck_buffer_memory_resource(const ck_buffer_t *buffer)
{
  return buffer->resource;
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
  if (buffer->flags & CK_MEMORY_CLOSED)
    return error_set(CK_INVALID_ARGUMENT, "%s: the buffer is closed", __func__);
  for (; buffer; buffer = buffer->parent) set_stream(buffer, stream);
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

/* Memory of a pool of the host is no device memory for the driver: it takes copies of either end.
 */
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
  CK_TRY(device_enter(place));
  ck_status_t status = transfer_now(place->driver, it, stream_native(stream));
  device_leave(place);
  return status;
}

/* The driver asks whether the current context may use the memory. That is nearly always the
 * device's own, or none, and to see to it costs more than all the rest: it is seen to when the
 * driver refuses. A refusal ends a capture, though; and with no context a driver (580) dies of
 * another GPU's memory that is out of reach. */
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

/* A copy in all its forms. */
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
    return error_set(CK_INVALID_ARGUMENT,
                     "%s: from '%s' to '%s': read and write through host memory", name,
                     src->device->name, dst->device->name);
  CUdeviceptr to = dst->address + dst_offset, from = src->address + src_offset;
  if (!bytes || to == from) return CK_OK;
  if (to < from + bytes && from < to + bytes)
    return error_set(CK_INVALID_ARGUMENT, "%s: %zu bytes from %zu to %zu overlap", name, bytes,
                     src_offset, dst_offset);
  ck_status_t status = transfer_within(place, stream, &(Transfer){WAY_any, to, from, bytes});
  if (status == CK_OK) status = stream_keep_buffer(stream, dst);
  if (status == CK_OK) status = stream_keep_buffer(stream, src);
  return status;
}

/* When the driver refused what copy_any would have asked for in the same way. */
__attribute__((noinline, cold)) static ck_status_t
copy_again(CUdeviceptr to, CUdeviceptr from, size_t bytes, ck_stream_t *stream, CUresult result)
{
  if (result == CUDA_ERROR_INVALID_VALUE) /* another context is current, perhaps */
    return transfer_within(stream->device, stream, &(Transfer){WAY_any, to, from, bytes});
  return driver_report(stream->driver, result, "cuMemcpyAsync(to, from, bytes, stream->native)",
                       __FILE__, __LINE__);
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
