/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* keep.c - keeps: lists of counted references to what captures, nodes and graphs use.
 *
 * The driver could count these references by its user objects, but a graph that has one takes
 * twenty times as long to enqueue, and runs more slowly too (docs/performance.md). So the library
 * counts them itself. A keep is an array of references, and may have a next keep:
 *
 *   definition, graph, node ===> keep { kernel, buffer, keep, ... } ===> next keep { ... }
 *   stream, event ............>  keep of the capture that they were in
 *
 * The last user of a keep releases what is in it; the last observer frees the keep itself. An
 * observer must ask graph_keep_is_open before each use. Nothing is released with a mutex held,
 * because a release may call this library.
 *
 * The keeps of captures that are under way form a list, in which other threads look for the streams
 * that are captured.
 */
#include "device.h"

GraphKeep *graph_keep_new(void)
{
  GraphKeep *keep = memory_take(sizeof *keep);
  if (!keep) return NULL;
  atomic_init(&keep->users.reference_count, 1);
  atomic_init(&keep->observer_count, 1);
  keep->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  return keep;
}

GraphKeep *graph_keep_retain(GraphKeep *keep)
{
  if (keep) object_retain(&keep->users);
  return keep;
}

GraphKeep *graph_keep_observe(GraphKeep *keep)
{
  if (keep) atomic_fetch_add_explicit(&keep->observer_count, 1, memory_order_relaxed);
  return keep;
}

void graph_keep_unobserve(GraphKeep *keep)
{
  if (!keep || atomic_fetch_sub(&keep->observer_count, 1) != 1) return;
  pthread_mutex_destroy(&keep->mutex);
  memory_free(keep);
}

void graph_keep_release(GraphKeep *keep)
{
  while (keep && object_release(&keep->users)) {
    GraphKeep *next = keep->next;
    graph_keep_close(keep);
    while (keep->count) {
      const Ref *ref = &keep->refs[--keep->count];
      ref->kind->release(ref->object);
    }
    memory_free(keep->refs);
    if (keep->release_data) keep->release_data(keep->data);
    graph_keep_unobserve(keep);
    keep = next;
  }
}

static void release_keep(void *keep)
{
  graph_keep_release(keep);
}

const RefKind keep_ref = {.release = release_keep};

/* captures ------------------------------------------------------------------------------------- */

bool graph_keep_is_open(const GraphKeep *keep)
{
  return atomic_load_explicit(&keep->is_open, memory_order_acquire);
}

bool graph_keep_join(GraphKeep **keep, GraphKeep *capture)
{
  if (capture == *keep || !capture || !graph_keep_is_open(capture)) return false;
  graph_keep_unobserve(*keep);
  *keep = graph_keep_observe(capture);
  return true;
}

/* Guards the list, and is_open and the held streams of all keeps. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static GraphKeep *captures; /* by next_capture */
static atomic_uint capture_count;

void graph_keep_open(GraphKeep *keep, ck_stream_t *stream)
{
  keep->stream = stream;
  pthread_mutex_lock(&mutex);
  atomic_store(&keep->is_open, true);
  keep->next_capture = captures;
  captures = keep;
  atomic_fetch_add(&capture_count, 1);
  pthread_mutex_unlock(&mutex);
}

void graph_keep_close(GraphKeep *keep)
{
  if (!graph_keep_is_open(keep)) return;
  pthread_mutex_lock(&mutex);
  atomic_store(&keep->is_open, false);
  GraphKeep **link = &captures;
  while (*link != keep) link = &(*link)->next_capture;
  *link = keep->next_capture;
  atomic_fetch_sub(&capture_count, 1);
  pthread_mutex_unlock(&mutex);
  for (ck_stream_t *stream; (stream = keep->streams);) {
    keep->streams = stream->next_held;
    ck_stream_release(stream);
  }
}

bool graph_keep_hold_stream(GraphKeep *keep, ck_stream_t *stream)
{
  pthread_mutex_lock(&mutex);
  bool is_open = graph_keep_is_open(keep);
  if (is_open) {
    stream->next_held = keep->streams;
    keep->streams = stream;
  }
  pthread_mutex_unlock(&mutex);
  return is_open;
}

bool capture_is_under_way(const ck_context_t *context)
{
  bool is_found = false,
       is_primary = context == &context->device->primary; /* the guards' streams belong to it */
  if (LIKELY(!atomic_load(&capture_count))) return false;
  pthread_mutex_lock(&mutex);
  for (const GraphKeep *keep = captures; keep && !is_found; keep = keep->next_capture)
    is_found = device_same(keep->stream->device, context->device) &&
               (is_primary || ck_stream_context(keep->stream)->native == context->native);
  pthread_mutex_unlock(&mutex);
  return is_found;
}

/* adding --------------------------------------------------------------------------------------- */

static bool make_room(GraphKeep *keep)
{
  if (keep->count < keep->room) return true;
  size_t room = keep->room ? 2 * keep->room : 8;
  Ref *refs = memory_take(room * sizeof *refs);
  if (!refs) return false;
  for (size_t i = 0; i < keep->count; ++i) refs[i] = keep->refs[i];
  memory_free(keep->refs);
  keep->refs = refs;
  keep->room = room;
  return true;
}

static bool is_same(const Ref *a, const Ref *b)
{
  return a->object == b->object && a->kind == b->kind && a->start == b->start &&
         a->bytes == b->bytes;
}

/* Consecutive launches use the same objects, so one of the last eight is not added again. */
ck_status_t graph_keep_add_ref(GraphKeep *keep, Ref ref)
{
  if (!ref.object) return CK_OK;
  pthread_mutex_lock(&keep->mutex);
  bool is_there = false;
  for (size_t i = keep->count; i > 0 && keep->count - i < 8; --i)
    is_there |= is_same(&keep->refs[i - 1], &ref);
  bool is_kept = is_there || make_room(keep);
  if (is_kept && !is_there) {
    object_retain(ref.object); /* the structs of all kinds begin with an Object */
    if (ref.kind->retain) ref.kind->retain(ref.object);
    keep->refs[keep->count++] = ref;
  }
  pthread_mutex_unlock(&keep->mutex);
  return is_kept ? CK_OK : CK_OUT_OF_MEMORY;
}

ck_status_t graph_keep_add(GraphKeep *keep, const RefKind *kind, const void *object)
{
  return graph_keep_add_ref(keep, (Ref){.kind = kind, .object = (void *)(uintptr_t)object});
}

/* searching ------------------------------------------------------------------------------------ */

/* A buffer may have been closed or have moved since it was added. */
static bool has_key(const Ref *ref, CUdeviceptr key)
{
  if (ref->kind->has_native)
    return ref->kind->has_native(ref->object, (const void *)(uintptr_t)key);
  return key >= ref->start && key - ref->start < ref->bytes;
}

Ref graph_keep_find(GraphKeep *keep, const RefKind *kind, CUdeviceptr key)
{
  Ref found = {.object = NULL};
  for (; keep && !found.object; keep = keep->next) {
    pthread_mutex_lock(&keep->mutex);
    for (size_t i = 0; i < keep->count && !found.object; ++i) {
      const Ref *ref = &keep->refs[i];
      if (ref->kind == &keep_ref) found = graph_keep_find(ref->object, kind, key);
      else if (ref->kind == kind && has_key(ref, key)) found = *ref;
    }
    pthread_mutex_unlock(&keep->mutex);
  }
  return found;
}
