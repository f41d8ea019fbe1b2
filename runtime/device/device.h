/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.h - devices, contexts, streams and events: the objects that work runs on.
 *
 * What each object retains (holds a counted reference to):
 *
 *   context -> device; the primary context is a member of its device
 *   stream, event -> device, green context
 *
 * In the structs below each pointer says whether it is retained (a counted reference), owned (freed
 * with the object) or borrowed.
 */
#ifndef CK_DEVICE_PARTS_H
#define CK_DEVICE_PARTS_H

#include "ck/context.h"
#include "ck/memory.h"
#include "keep.h"

/* device.c ------------------------------------------------------------------------------------- */

/* The limits that a launch is checked against, read from the driver when the device is opened. */
typedef struct DeviceLimits {
  int32_t block_threads;
  int32_t block[3];
  int32_t grid[3];
  int32_t shared_bytes;       /* shared memory per block that every kernel may use */
  int32_t shared_bytes_optin; /* the most after cuKernelSetAttribute */
  int32_t multiprocessors;
  bool has_clusters, has_cooperative, has_pools;
} DeviceLimits;

/* A context. The primary one is a member of its device, and its references count as the device's.
 */
struct ck_context {
  Object object;       /* unused in the primary context */
  ck_device_t *device; /* retained, except by the primary context, which is a member of it */
  CUcontext native;
  CUgreenCtx green;  /* NULL: the primary context, or an adopted one that is not green */
  uint32_t sm_count; /* multiprocessors; not set in the primary context */
  bool is_adopted;   /* belongs to an adopted stream: never destroyed here */
};

struct ck_device {
  Object object;
  const Driver *driver; /* borrowed: lives as long as the process */
  /* retained; the resource set by ck_device_set_memory_resource, or NULL. Changed under the mutex
   * in memory/resource.c. */
  _Atomic(ck_memory_resource_t *) chosen;
  _Atomic(ck_memory_resource_t *) memory; /* owned; the current pool; created when first needed,
                                           * NULL before */
  int ordinal;
  CUdevice native;
  CUcontext context; /* the primary context, which the driver counts */
  ck_context_t primary;
  DeviceLimits limits;
  char name[128];
  char target[CK_TARGET_BYTES];
  CUdeviceptr scratch[2]; /* owned: device memory and page-locked memory; 0: not allocated yet */
  CUdeviceptr slots;      /* owned; DEVICE_SLOTS of DEVICE_SLOT_BYTES; 0: not allocated yet */
  uint32_t slots_taken;
};

/* Opens a device with a given driver table. Tests use it to put another implementation of the
 * driver below the library. */
ck_status_t device_open(const Driver *driver, int ordinal, ck_device_t **out_device);
/* Opens the GPU with this UUID; CK_NOT_FOUND if the driver has none. */
ck_status_t device_open_uuid(const Driver *driver, const unsigned char uuid[16],
                             ck_device_t **out_device);

/* The name of a row of a table, in a buffer of this thread. Such names are asked for rarely. */
const char *name_in_lower_case(const char *name);

/* Four bytes that anything may be written to, of device memory or of page-locked memory. They are
 * freed with the device, because freeing memory may wait for all work under way. */
ck_status_t device_scratch(ck_device_t *device, bool is_hosts, CUdeviceptr *out_address);

/* A piece of device memory, DEVICE_SLOT_BYTES long, that is the caller's as long as the device
 * exists; 0: all DEVICE_SLOTS of them are taken, or there is no memory for them. They are for small
 * memory that is needed soon: the first allocation from the driver's pool takes a process 8 to 11
 * ms (driver 580, H200). */
enum { DEVICE_SLOTS = 16, DEVICE_SLOT_BYTES = 1 << 15 };
CUdeviceptr device_slot(ck_device_t *device);

/* Makes the device's primary context current around driver calls, and restores the previous one. */
ck_status_t device_enter(const ck_device_t *device);
void device_leave(const ck_device_t *device);

/* device_leave that returns `status`, of what was done in the context. */
static inline ck_status_t device_leave_with(const ck_device_t *device, ck_status_t status)
{
  device_leave(device);
  return status;
}

/* The status of an expression that is evaluated in the device's context, or of entering that. */
#define IN_DEVICE(device_, status_)                                                                \
  (device_enter(device_) ?: device_leave_with((device_), (status_)))

/* DRV_STATUS in the device's context. */
#define DEVICE_STATUS(device_, call_) IN_DEVICE(device_, DRV_STATUS((device_)->driver, call_))

/* device_enter for clean-up code: records no failure. device_leave may be called only if it
 * returned true. */
bool device_enter_quietly(const ck_device_t *device);

/* context.c ------------------------------------------------------------------------------------ */

/* device_enter and device_leave_with for a given context, which may be a green one. */
ck_status_t context_enter(const ck_context_t *context);
ck_status_t context_leave(const ck_context_t *context, ck_status_t status);
/* The same as IN_DEVICE for a given context. */
#define IN_CONTEXT(context_, status_)                                                              \
  (context_enter(context_) ?: context_leave((context_), (status_)))
/* Creates the context object of an adopted stream: a green context, or, if `green` is NULL, a
 * context that is not the device's primary one. */
ck_status_t context_adopt(ck_device_t *device, CUcontext native, CUgreenCtx green,
                          ck_context_t **out_context);
/* Waits for all work in the context. Refused while a builder captures a stream of it, since the
 * driver would invalidate the capture. */
ck_status_t context_sync(const ck_context_t *context);

/* Whether two device objects stand for the same device of the same driver. */
static inline bool device_same(const ck_device_t *a, const ck_device_t *b)
{
  return LIKELY(a == b) || (a->driver == b->driver && a->native == b->native);
}

/* clean_up.c ----------------------------------------------------------------------------------- */

/* Stream capture forbids calls such as cuMemFree on the thread that began it, or on all threads;
 * such a call would invalidate the capture. Between these two functions the calling thread may make
 * them. */
CUstreamCaptureMode capture_relax(const Driver *driver);
void capture_restore(const Driver *driver, CUstreamCaptureMode mode);

/* The number of captures by builders that forbid such calls. free_async reads it because memory is
 * freed at any time in the order of other streams, and asking the driver for the capture mode first
 * would cost more than the free. A capture that was not begun by a builder is not counted: the
 * driver then refuses the free, and free_async_relaxed repeats it. That capture may become invalid,
 * but no memory is lost. */
extern atomic_uint capture_strict_count;
void free_async_relaxed(const Driver *driver, CUdeviceptr address, CUstream stream);
static inline void free_async(const Driver *driver, CUdeviceptr address, CUstream stream)
{
  if (LIKELY(!atomic_load_explicit(&capture_strict_count, memory_order_relaxed)) &&
      LIKELY(driver->cuMemFreeAsync(address, stream) != CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED))
    return;
  free_async_relaxed(driver, address, stream);
}

/* Clean-up code runs between these two functions: the device's context is current, if that is
 * possible, captures of other streams are not invalidated, and no failure is recorded. */
typedef struct CleanUp {
  const ck_device_t *device; /* borrowed */
  bool is_entered;
  CUstreamCaptureMode mode;
} CleanUp;

CleanUp clean_up_begin(const ck_device_t *device);
void clean_up_end(const CleanUp *clean_up);

/* Runs one statement between them. */
#define CLEAN_UP(device_, statement_)                                                              \
  do {                                                                                             \
    CleanUp clean_up_ = clean_up_begin(device_);                                                   \
    statement_;                                                                                    \
    clean_up_end(&clean_up_);                                                                      \
  } while (0)

/* stream.c ------------------------------------------------------------------------------------- */

/* The fields that every call in stream order reads. They fit in one cache line. */
struct ck_stream {
  Object object;
  ck_device_t *device;  /* retained */
  const Driver *driver; /* `device->driver`, to save a load */
  CUstream native;
  GraphKeep *keep; /* observed: the keep of the capture that it was last in; NULL: none */
  bool is_owned;
  bool is_default;          /* the legacy or per-thread default stream, which belongs to the
                             * current context: a launch first has to make the device's context
                             * current */
  bool has_kept;            /* persistent memory of algorithms: stream_kept_end has to be called */
  bool is_logged;           /* $CK_LOG requests a line for each driver call */
  atomic_uint spare_places; /* slots of buffer.c that may hold a spare buffer of this stream */
  ck_context_t *context;    /* retained; a green one, or NULL for the primary one */

  /* `device` while calls need no checks of the stream: it is not a default stream, is not logged
   * and has not been in a capture. Otherwise NULL. */
  union {
    const ck_device_t *plain_device;
    ck_stream_t *next_held; /* in the list of streams whose last reference a capture holds */
  };
};
_Static_assert(sizeof(struct ck_stream) <= CACHE_LINE_BYTES, "what each call looks at");

/* DRV_STATUS for calls that are made very often: it reads only the stream's cache line. */
#define STREAM_STATUS(stream_, call_)                                                              \
  stream_result((stream_), (stream_)->driver->call_, #call_, __FILE_NAME__, __LINE__)
static inline ck_status_t stream_result(const ck_stream_t *stream, CUresult result,
                                        const char *call, const char *file, int line)
{
  if (LIKELY(result == CUDA_SUCCESS && !stream->is_logged)) return CK_OK;
  return driver_report(stream->driver, result, call, file, line);
}

/* Whether a stream is captured; active also if the driver doesn't tell, as of the default stream
 * while a blocking stream is captured. */
CUstreamCaptureStatus stream_capture_state(const Driver *driver, CUstream stream);

/* Set by launch/kept.c: frees the persistent memory of a stream that is about to end. */
extern _Atomic(void (*)(ck_stream_t *stream)) stream_kept_end;

/* From now on the capture retains what calls with the stream use; see graph_keep_join. */
void stream_join_capture(ck_stream_t *stream, GraphKeep *capture);

/* The keep to which a call has to add what it uses; NULL unless the stream is being captured. */
static inline GraphKeep *stream_keep(const ck_stream_t *stream)
{
  return stream && UNLIKELY(stream->keep) && graph_keep_is_open(stream->keep) ? stream->keep : NULL;
}

/* NULL means the legacy default stream. */
static inline CUstream stream_native(const ck_stream_t *stream)
{
  return stream ? stream->native : CU_STREAM_LEGACY;
}

/* device_enter and device_leave for a call that takes a stream. A stream that was created belongs
 * to a context, and the driver uses that one whatever context is current. Only for the default
 * streams, which belong to the current context, does the device's context have to be made current.
 * Omitting it saves a fifth of the time of a call that submits little work. */
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

/* CK_INVALID_ARGUMENT if the stream belongs to another device. The inline function handles the
 * common case of identical objects. */
ck_status_t stream_check_further(const ck_stream_t *stream, const ck_device_t *device);
static inline ck_status_t stream_check(const ck_stream_t *stream, const ck_device_t *device)
{
  if (LIKELY(stream && stream->device == device)) return CK_OK;
  return stream ? stream_check_further(stream, device) : CK_OK;
}

/* How streams call memory/buffer.c, which is above this folder in the order of includes. That file
 * keeps released buffer objects for reuse (spares), and each retains its stream, although it must
 * not keep the stream alive. The table is set before the first spare is kept. */
typedef struct StreamReserve {
  void (*forget)(const ck_stream_t *stream); /* drops the spares of a stream if these hold its
                                              * only references. The stream may have been
                                              * destroyed: it is read only while spares of it
                                              * exist */
  void (*forget_all)(void);                  /* the same for all streams */
  void (*end)(const ck_stream_t *stream);    /* called before a stream is destroyed that had
                                              * spares: another thread may still be counting its
                                              * references */
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
  GraphKeep *keep; /* observed: the keep of the capture that it was last recorded in; NULL: none */
};

/* Notes that the event was recorded in a capture, or, with NULL, in none. A stream that waits for
 * the event becomes part of that capture. */
static inline void event_join_capture(ck_event_t *event, GraphKeep *capture)
{
  if (LIKELY(event->keep == capture) || graph_keep_join(&event->keep, capture)) return;
  graph_keep_unobserve(event->keep);
  event->keep = NULL;
}

extern const RefKind event_ref;

/* CK_INVALID_ARGUMENT if the event belongs to another driver. An event of another GPU is allowed.
 */
ck_status_t event_check_further(const ck_event_t *event, const ck_device_t *device);
static inline ck_status_t event_check(const ck_event_t *event, const ck_device_t *device)
{
  return LIKELY(event->device == device) ? CK_OK : event_check_further(event, device);
}

/* Implemented in memory/: ck_memory_resource_release, for the resource that a device was told to
 * use and releases with itself. */

/* Implemented in graph/: what streams and devices owe to released graphs. A table that graph/ fills
 * would have the same function in each process, and cost each call an indirect jump. */

/* Frees what released graphs own whose launches were still running when they were released. */
void graph_collect_now(void);
extern atomic_bool graph_has_deferred;
static inline void graph_collect(void)
{
  if (UNLIKELY(atomic_load_explicit(&graph_has_deferred, memory_order_relaxed)))
    graph_collect_now();
}

#endif
