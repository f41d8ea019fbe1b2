/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* keep.c - what graphs keep alive.
 *
 * A keep is a list of references. It is filled while a stream is captured or a node is added, and
 * then belongs to a definition and to the graphs that were made while the definition had it. The
 * driver could count these by user objects, but a graph that has one is enqueued twenty times more
 * slowly, and runs more slowly too: docs/performance.md.
 */
#include <pthread.h>

#include "graph.h"

typedef struct KeepRef {
  void *object;
  void (*release)(void *object);
  CUgraphNode node;  /* of a part that is to be this node's; or NULL */
  CUdeviceptr start; /* of a buffer, where its memory was when it was added */
  size_t bytes;
} KeepRef;

struct GraphKeep {
  atomic_size_t user_count; /* of those who need the contents */
  atomic_size_t weak_count; /* of those who have the object: one for all users */
  pthread_mutex_t mutex;    /* guards refs: forks are captured on several threads */
  KeepRef *refs;
  size_t count, room;
  ck_stream_t *streams; /* by next_held: whose last reference the capture has */
  atomic_bool is_open;
};

GraphKeep *graph_keep_new(void)
{
  GraphKeep *keep = memory_new(sizeof *keep);
  if (!keep || pthread_mutex_init(&keep->mutex, NULL) != 0) {
    memory_free(keep);
    error_set(CK_OUT_OF_MEMORY, "host memory is out: what a graph keeps");
    return NULL;
  }
  atomic_init(&keep->user_count, 1);
  atomic_init(&keep->weak_count, 1);
  atomic_init(&keep->is_open, true);
  return keep;
}

GraphKeep *graph_keep_retain(GraphKeep *keep)
{
  if (keep) atomic_fetch_add_explicit(&keep->user_count, 1, memory_order_relaxed);
  return keep;
}

GraphKeep *graph_keep_retain_weak(GraphKeep *keep)
{
  if (keep) atomic_fetch_add_explicit(&keep->weak_count, 1, memory_order_relaxed);
  return keep;
}

void graph_keep_release_weak(GraphKeep *keep)
{
  if (!keep || atomic_fetch_sub(&keep->weak_count, 1) != 1) return;
  pthread_mutex_destroy(&keep->mutex);
  memory_free(keep);
}

bool graph_keep_join(GraphKeep **keep, GraphKeep *capture)
{
  if (capture == *keep || !capture || !graph_keep_is_open(capture)) return false;
  graph_keep_release_weak(*keep);
  *keep = graph_keep_retain_weak(capture);
  return true;
}

static void give_back(GraphKeep *keep)
{
  pthread_mutex_lock(&keep->mutex);
  KeepRef *refs = keep->refs;
  size_t count = keep->count;
  keep->refs = NULL;
  keep->count = keep->room = 0;
  pthread_mutex_unlock(&keep->mutex);
  for (size_t i = count; i > 0; --i) refs[i - 1].release(refs[i - 1].object);
  memory_free(refs);
}

void graph_keep_release(GraphKeep *keep)
{
  if (!keep || atomic_fetch_sub(&keep->user_count, 1) != 1) return;
  graph_keep_close(keep);
  give_back(keep);
  graph_keep_release_weak(keep);
}

bool graph_keep_is_open(const GraphKeep *keep)
{
  return atomic_load_explicit(&keep->is_open, memory_order_acquire);
}

bool graph_keep_hold_stream(GraphKeep *keep, ck_stream_t *stream)
{
  pthread_mutex_lock(&keep->mutex);
  bool is_open = graph_keep_is_open(keep);
  if (is_open) {
    stream->next_held = keep->streams;
    keep->streams = stream;
  }
  pthread_mutex_unlock(&keep->mutex);
  return is_open;
}

void graph_keep_close(GraphKeep *keep)
{
  pthread_mutex_lock(&keep->mutex);
  atomic_store(&keep->is_open, false);
  ck_stream_t *stream = keep->streams;
  keep->streams = NULL;
  pthread_mutex_unlock(&keep->mutex);
  while (stream) {
    ck_stream_t *next = stream->next_held;
    ck_stream_release(stream);
    stream = next;
  }
}

static bool make_room(GraphKeep *keep)
{
  if (keep->count < keep->room) return true;
  size_t room = keep->room ? 2 * keep->room : 8;
  KeepRef *refs = memory_new(room * sizeof *refs);
  if (!refs) return false;
  for (size_t i = 0; i < keep->count; ++i) refs[i] = keep->refs[i];
  memory_free(keep->refs);
  keep->refs = refs;
  keep->room = room;
  return true;
}

static bool is_same(const KeepRef *a, const KeepRef *b)
{
  return a->object == b->object && a->release == b->release && a->start == b->start &&
         a->bytes == b->bytes;
}

static ck_status_t add(GraphKeep *keep, KeepRef ref)
{
  pthread_mutex_lock(&keep->mutex);
  /* Launches in a row use the same objects: the last few need no second reference. */
  bool is_there = false;
  for (size_t i = keep->count; i > 0 && keep->count - i < 8; --i)
    is_there |= is_same(&keep->refs[i - 1], &ref);
  bool is_kept = is_there || make_room(keep);
  if (is_kept && !is_there) keep->refs[keep->count++] = ref;
  pthread_mutex_unlock(&keep->mutex);
  if (!is_kept || is_there) ref.release(ref.object);
  return is_kept ? CK_OK : error_set(CK_OUT_OF_MEMORY, "host memory is out: what a graph keeps");
}

ck_status_t graph_keep_add(GraphKeep *keep, void *object, void (*release)(void *object))
{
  return add(keep, (KeepRef){.object = object, .release = release});
}

static void release_keep(void *object)
{
  graph_keep_release(object);
}

static void release_kernel(void *object)
{
  ck_kernel_release(object);
}

/* Whose memory it is. */
static ck_buffer_t *owner_of(const ck_buffer_t *buffer)
{
  while (buffer && buffer->parent) buffer = buffer->parent;
  return (ck_buffer_t *)(uintptr_t)buffer;
}

static void release_buffer(void *object)
{
  atomic_fetch_sub(&owner_of(object)->graph_count, 1);
  ck_buffer_release(object);
}

static void release_event(void *object)
{
  ck_event_release(object);
}

/* One more reference to a buffer, for memory that is, or was, its own. */
static ck_status_t add_buffer(GraphKeep *keep, const ck_buffer_t *buffer, CUdeviceptr start,
                              size_t bytes)
{
  atomic_fetch_add(&owner_of(buffer)->graph_count, 1);
  return add(keep, (KeepRef){.object = ck_buffer_retain((ck_buffer_t *)(uintptr_t)buffer),
                             .release = release_buffer,
                             .start = start,
                             .bytes = bytes});
}

ck_status_t graph_keep_buffer(GraphKeep *keep, const ck_buffer_t *buffer)
{
  /* Memory of a graph is the graph's already, and releasing its buffer is what frees it. */
  ck_buffer_t *owner = owner_of(buffer);
  if (!owner || owner->is_graphs) return CK_OK;
  return add_buffer(keep, buffer, buffer->address, buffer->bytes);
}

/* The reference to a buffer that had an address when it was added; `*out` is without an object if
 * there is none. It may be closed since, or have moved. */
static void find_buffer(GraphKeep *keep, CUdeviceptr address, KeepRef *out)
{
  pthread_mutex_lock(&keep->mutex);
  for (size_t i = 0; i < keep->count && !out->object; ++i) {
    const KeepRef *ref = &keep->refs[i];
    if (ref->release == release_keep) find_buffer(ref->object, address, out);
    else if (ref->release == release_buffer && address >= ref->start &&
             address - ref->start < ref->bytes)
      *out = *ref;
  }
  pthread_mutex_unlock(&keep->mutex);
}

ck_status_t graph_keep_address(GraphKeep *keep, GraphKeep *from, CUdeviceptr address)
{
  KeepRef found = {.object = NULL};
  if (from) find_buffer(from, address, &found);
  return found.object ? add_buffer(keep, found.object, found.start, found.bytes) : CK_OK;
}

static void release_array(void *object)
{
  ck_array_release(object);
}

ck_status_t graph_keep_array(GraphKeep *keep, ck_array_t *array)
{
  return graph_keep_add(keep, ck_array_retain(array), release_array);
}

static void release_texture(void *object)
{
  ck_texture_release(object);
}

static void release_surface(void *object)
{
  ck_surface_release(object);
}

/* What an argument leads to, an address by what `from` keeps; nothing of a number. */
static ck_status_t keep_argument(GraphKeep *keep, GraphKeep *from, const ck_arg_t *arg)
{
  switch ((ck_arg_kind_t)arg->kind) {
  case CK_ARG_BUFFER:
  case CK_ARG_SPAN: return graph_keep_buffer(keep, arg->value.buffer);
  case CK_ARG_TEXTURE: /* its buffer as well, which may be closed or moved otherwise */
    if (arg->value.texture) CK_TRY(graph_keep_buffer(keep, arg->value.texture->resource.buffer));
    return graph_keep_add(keep, ck_texture_retain((ck_texture_t *)(uintptr_t)arg->value.texture),
                          release_texture);
  case CK_ARG_SURFACE:
    return graph_keep_add(keep, ck_surface_retain((ck_surface_t *)(uintptr_t)arg->value.surface),
                          release_surface);
  case CK_ARG_TENSOR_MAP:
    return arg->value.tensor_map ? graph_keep_buffer(keep, arg->value.tensor_map->buffer) : CK_OK;
  case CK_ARG_ADDRESS: return graph_keep_address(keep, from, arg->value.u);
  case CK_ARG_SCALAR:
  case CK_ARG_BYTES: break;
  }
  return CK_OK;
}

ck_status_t graph_keep_event(GraphKeep *keep, ck_event_t *event)
{
  return graph_keep_add(keep, ck_event_retain(event), release_event);
}

/* A caller's data, and what gives it back. */
struct KeepData {
  void *data;
  void (*release)(void *data); /* NULL until it is ours */
};

static void release_data(void *object)
{
  KeepData *data = object;
  if (data->release) data->release(data->data);
  memory_free(data);
}

ck_status_t graph_keep_data(GraphKeep *keep, KeepData **out_data)
{
  *out_data = memory_new(sizeof **out_data);
  if (!*out_data) return error_set(CK_OUT_OF_MEMORY, "host memory is out: a host function");
  return graph_keep_add(keep, *out_data, release_data);
}

void graph_keep_own_data(KeepData *own, void *data, void (*release)(void *data))
{
  if (own) *own = (KeepData){data, release};
}

ck_status_t graph_keep_keep(GraphKeep *keep, GraphKeep *inner)
{
  return graph_keep_add(keep, graph_keep_retain(inner), release_keep);
}

void graph_keep_tell_part(GraphKeep *keep, const GraphKeep *part, CUgraphNode node)
{
  pthread_mutex_lock(&keep->mutex);
  for (size_t i = keep->count; i > 0; --i) {
    if (keep->refs[i - 1].object != part) continue;
    keep->refs[i - 1].node = node;
    break;
  }
  pthread_mutex_unlock(&keep->mutex);
}

GraphKeep *graph_keep_take_part(GraphKeep *keep, CUgraphNode *out_node)
{
  GraphKeep *part = NULL;
  pthread_mutex_lock(&keep->mutex);
  for (size_t i = keep->count; i > 0 && !part; --i) {
    if (!keep->refs[i - 1].node) continue;
    part = keep->refs[i - 1].object;
    *out_node = keep->refs[i - 1].node;
    keep->refs[i - 1] = keep->refs[--keep->count];
  }
  pthread_mutex_unlock(&keep->mutex);
  return part;
}

ck_status_t graph_keep_args(GraphKeep *keep, GraphKeep *from, ck_kernel_t *kernel,
                            const ck_arg_t *args, size_t arg_count)
{
  CK_TRY(graph_keep_add(keep, ck_kernel_retain(kernel), release_kernel));
  for (size_t i = 0; i < arg_count; ++i) CK_TRY(keep_argument(keep, from, &args[i]));
  return CK_OK;
}

ck_status_t graph_keep_launch(GraphKeep *keep, ck_kernel_t *kernel, const ck_arg_t *args,
                              size_t arg_count)
{
  return graph_keep_args(keep, NULL, kernel, args, arg_count);
}

/* The driver names a kernel by itself, or by its function in the context. */
static bool is_kernel(const ck_kernel_t *kernel, const void *native)
{
  CUfunction function = NULL;
  if (kernel->native == native) return true;
  return kernel->device->driver->cuKernelGetFunction(&function, kernel->native) == CUDA_SUCCESS &&
         function == native;
}

ck_kernel_t *graph_keep_find_kernel(GraphKeep *keep, const void *native)
{
  ck_kernel_t *found = NULL;
  pthread_mutex_lock(&keep->mutex);
  for (size_t i = 0; i < keep->count && !found; ++i)
    if (keep->refs[i].release == release_keep)
      found = graph_keep_find_kernel(keep->refs[i].object, native);
    else if (keep->refs[i].release == release_kernel && is_kernel(keep->refs[i].object, native))
      found = keep->refs[i].object;
  pthread_mutex_unlock(&keep->mutex);
  return found;
}

ck_event_t *graph_keep_find_event(GraphKeep *keep, const void *native)
{
  ck_event_t *found = NULL;
  pthread_mutex_lock(&keep->mutex);
  for (size_t i = 0; i < keep->count && !found; ++i)
    if (keep->refs[i].release == release_keep)
      found = graph_keep_find_event(keep->refs[i].object, native);
    else if (keep->refs[i].release == release_event &&
             ck_event_native(keep->refs[i].object) == native)
      found = keep->refs[i].object;
  pthread_mutex_unlock(&keep->mutex);
  return found;
}
