/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.h - devices, contexts, streams and events: what work runs on.
 *
 * What an object retains:
 *
 *   context -> device; a device's primary context is a part of it
 *   stream, event -> device, green context
 *
 * Pointers without a word are part of the object itself.
 */
#ifndef CK_DEVICE_PARTS_H
#define CK_DEVICE_PARTS_H

#include "ck/context.h"
#include "ck/memory.h"
#include "core/keep.h"
#include "core/object.h"
#include "driver/driver.h"

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
  /* retained; the caller's default, or NULL: changed under a mutex of memory/ */
  _Atomic(ck_memory_resource_t *) chosen;
  _Atomic(ck_memory_resource_t *) memory; /* owned; the current pool; NULL before it is needed */
  bool is_host;
  int ordinal;
  CUdevice native;
  CUcontext context; /* primary; retained from the driver */
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

/* device_enter for clean-up: nothing is recorded, and device_leave only follows `true`. */
bool device_enter_quietly(const ck_device_t *device);

/* context.c ------------------------------------------------------------------------------------ */

/* device_enter and device_leave for one very context, be it green. */
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

/* clean_up.c ----------------------------------------------------------------------------------- */

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
  atomic_uint spare_places; /* so many threads may have something of it in reserve */
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

/* What keeps objects that were released in reserve, and with them their streams: of a later folder,
 * set before it keeps the first one. */
typedef struct StreamReserve {
  void (*forget)(const ck_stream_t *stream); /* lets go of those of a stream if nothing else has it.
                                              * That may be gone: it is not looked at unless there
                                              * are any */
  void (*forget_all)(void);                  /* the same for every stream */
  void (*end)(const ck_stream_t *stream);    /* before a stream goes that had some: another thread
                                              * may still be counting its references */
} StreamReserve;
extern const StreamReserve *_Atomic stream_reserve;

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
  graph_keep_unobserve(event->keep);
  event->keep = NULL;
}

/* CK_INVALID_ARGUMENT if the event is of another driver: another GPU's is fine. */
ck_status_t event_check_further(const ck_event_t *event, const ck_device_t *device);
static inline ck_status_t event_check(const ck_event_t *event, const ck_device_t *device)
{
  return LIKELY(event->device == device) ? CK_OK : event_check_further(event, device);
}

/* graph/ --------------------------------------------------------------------------------------- */

/* Hands a stream's last reference over until the capture ends; false: it has ended. */
bool graph_keep_hold_stream(GraphKeep *keep, ck_stream_t *stream);
/* Gives back what graphs had that were released while launches of them were under way. */
void graph_collect_now(void);
extern atomic_bool graph_has_deferred;
static inline void graph_collect(void)
{
  if (UNLIKELY(atomic_load_explicit(&graph_has_deferred, memory_order_relaxed)))
    graph_collect_now();
}

#endif
