/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* keep.h - the list of references that a stream capture and the graphs made from it share.
 *
 * Work that is captured runs later, and perhaps often, so whatever it uses has to live as long as
 * the graph: kernels, buffers, events, arrays. A keep is the list of those references. A stream
 * that is being captured points at the keep of its capture, and each call that uses the stream adds
 * to it. A keep knows nothing of the objects in it but what their RefKind says.
 */
#ifndef CK_KEEP_H
#define CK_KEEP_H

#include <pthread.h>

#include "ck/context.h"
#include "core/error.h"
#include "core/object.h"
#include "driver/driver.h"

/* A kind of objects whose structs begin with an Object. */
typedef struct RefKind {
  void (*retain)(void *object); /* what is to do beside counting the reference; or NULL */
  void (*release)(void *object);
  /* Whether it is the object of a driver's handle. NULL: it is found by addresses in its memory. */
  bool (*has_native)(const void *object, const void *native);
} RefKind;

/* Defines the RefKind of objects that the API releases: REF_KIND(event, has_native). */
#define REF_KIND(name_, has_native_)                                                               \
  static void drop_##name_(void *object)                                                           \
  {                                                                                                \
    ck_##name_##_release(object);                                                                  \
  }                                                                                                \
  const RefKind name_##_ref = {.release = drop_##name_, .has_native = (has_native_)}

typedef struct Ref {
  const RefKind *kind;
  void *object;      /* retained */
  CUdeviceptr start; /* of a buffer: where its memory was when it was added */
  size_t bytes;
} Ref;

/* A keep has two reference counts. When the last user (a graph, or a changed node) releases it, the
 * references in the list are released. Observers (streams and events) keep only the empty object
 * alive, and ask graph_keep_is_open before each use. */
typedef struct GraphKeep GraphKeep;
struct GraphKeep {
  Object users;                 /* users: they need the contents */
  atomic_size_t observer_count; /* they need the struct alone; all users together count as one */
  pthread_mutex_t mutex;        /* for refs: threads capture forks at once */
  Ref *refs;
  size_t count, room;
  GraphKeep *next; /* a user, or NULL */
  void *data;      /* of a host function of the caller's */
  void (*release_data)(void *data);
  /* Of a capture: */
  atomic_bool is_open;     /* it still runs and adds to the keep */
  ck_stream_t *stream;     /* where it began; valid while it is open */
  ck_stream_t *streams;    /* linked by next_held; the capture has their last reference */
  GraphKeep *next_capture; /* in the list of open ones */
};

GraphKeep *graph_keep_new(void); /* with one user; NULL with the failure recorded */
GraphKeep *graph_keep_retain(GraphKeep *keep);
void graph_keep_release(GraphKeep *keep); /* NULL is allowed */
GraphKeep *graph_keep_observe(GraphKeep *keep);
void graph_keep_unobserve(GraphKeep *keep); /* drops an observer; NULL is allowed */

/* Adds a reference to an object, which may be NULL. One to another keep is of the kind keep_ref,
 * one to a buffer is added by graph_keep_buffer (memory/memory.h). */
ck_status_t graph_keep_add(GraphKeep *keep, const RefKind *kind, const void *object);
ck_status_t graph_keep_add_ref(GraphKeep *keep, Ref ref);
extern const RefKind keep_ref;
/* The first reference of a kind with a key: a handle of the driver's, or an address in the memory
 * that a buffer had when it was added. If there is none, its object is NULL. */
Ref graph_keep_find(GraphKeep *keep, const RefKind *kind, CUdeviceptr key);

/* captures ------------------------------------------------------------------------------------- */

/* Makes it the keep of a capture of the stream, from now on until it is closed. */
void graph_keep_open(GraphKeep *keep, ck_stream_t *stream);
/* Ends a capture: its streams and events are no longer in it. Releases streams whose last reference
 * the capture had. */
void graph_keep_close(GraphKeep *keep);
bool graph_keep_is_open(const GraphKeep *keep); /* the capture still runs and adds to the list */

/* Makes a stream or event part of a capture: `*keep` becomes an observed reference to the capture's
 * keep. This happens when an event is recorded in a captured stream, and when a stream waits for
 * such an event. Returns false, and changes nothing, if the capture is NULL, has ended or is the
 * one there already. */
bool graph_keep_join(GraphKeep **keep, GraphKeep *capture);

/* The capture takes over the last reference of a stream until it ends; false: it has ended. */
bool graph_keep_hold_stream(GraphKeep *keep, ck_stream_t *stream);
/* Whether a stream of the context is being captured by a builder, or by a capture that stays open.
 */
bool capture_is_under_way(const ck_context_t *context);

#endif
