/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/stream.h - streams, in which work runs in order, and events, which mark places in them. */
#ifndef CK_STREAM_H
#define CK_STREAM_H

#include "ck/device.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_stream ck_stream_t;
typedef struct ck_event ck_event_t;
struct ck_buffer; /* ck/memory.h */

/* ---- streams ------------------------------------------------------------------------------- */

/* No function ck_stream_* takes NULL for a stream but the two that retain and release. */

#define CK_STREAM_BLOCKING 1u /* waits for the legacy default stream, and it for this one */

typedef struct ck_stream_options {
  size_t struct_size;
  int32_t priority; /* lower numbers run first; out of range is moved into it */
  uint32_t flags;   /* CK_STREAM_* */
} ck_stream_options_t;

/* Makes a stream.
 *
 * options  NULL: priority 0, independent of the default stream
 * fails    CK_INVALID_ARGUMENT for options; CK_OUT_OF_MEMORY; CK_DRIVER
 */
CK_API ck_status_t ck_stream_create(ck_device_t *device, const ck_stream_options_t *options,
                                    ck_stream_t **out_stream);

/* Opens the device's legacy default stream. */
CK_API ck_status_t ck_stream_open_default(ck_device_t *device, ck_stream_t **out_stream);

/* Opens the default stream of the calling thread: of each thread that uses it, its own. It is a
 * blocking stream. Memory that a thread allocates there is freed in its order by this thread alone,
 * and by others in the default stream's: ck_buffer_create. */
CK_API ck_status_t ck_stream_open_per_thread(ck_device_t *device, ck_stream_t **out_stream);

/* Adopts a CUstream or cudaStream_t, such as PyTorch's or CuPy's.
 *
 * device    what the stream is of; NULL: asks the CUDA driver, which also settles default streams
 *           by the current context
 * native    NULL is the legacy default stream
 * is_owned  nonzero: releasing the object destroys the stream
 * fails     CK_INVALID_ARGUMENT for another GPU's stream; the stream stays the caller's
 *
 * ck_stream_context() is the stream's own; a green one is told by drivers of CUDA 12.5 and newer
 * alone. What is not the device's primary one has to outlive the stream and all that has an event
 * of it: what is made of its context, graphs that were last launched in it, and buffers of other
 * processes, received more than once, of which one was released in it.
 */
CK_API ck_status_t ck_stream_from_native(ck_device_t *device, void *native, int is_owned,
                                         ck_stream_t **out_stream);

CK_API ck_stream_t *ck_stream_retain(ck_stream_t *stream);

/* Work that is under way still finishes. */
CK_API void ck_stream_release(ck_stream_t *stream);

CK_API ck_device_t *ck_stream_device(const ck_stream_t *stream); /* borrowed */
CK_API void *ck_stream_native(const ck_stream_t *stream);        /* the CUstream */
CK_API ck_status_t ck_stream_get_priority(ck_stream_t *stream, int *out_priority);
CK_API ck_status_t ck_stream_get_id(ck_stream_t *stream, uint64_t *out_id); /* never used twice */
CK_API ck_status_t ck_stream_get_flags(ck_stream_t *stream, uint32_t *out_flags); /* CK_STREAM_* */

/* Waits for all work in the stream.
 *
 * fails    CK_KERNEL_FAULT and others of the work
 */
CK_API ck_status_t ck_stream_sync(ck_stream_t *stream);

/* CK_OK if all work is done, CK_NOT_READY if some is under way; never waits. CK_NOT_READY leaves
 * ck_last_error() as it was. */
CK_API ck_status_t ck_stream_query(ck_stream_t *stream);

/* Work that is put into `stream` from now on starts after `event`, as last recorded. */
CK_API ck_status_t ck_stream_wait(ck_stream_t *stream, ck_event_t *event);

/* Work that is put into `stream` from now on starts after what is in `other` now. */
CK_API ck_status_t ck_stream_wait_stream(ck_stream_t *stream, ck_stream_t *other);

/* Marks the place after the work that is in `stream` now. */
CK_API ck_status_t ck_stream_record(ck_stream_t *stream, ck_event_t *event);

/* Calls `function(data)` on a thread of the driver's after the work that is in the stream now.
 * The function must not call this library or the driver. */
CK_API ck_status_t ck_stream_launch_host(ck_stream_t *stream, void (*function)(void *data),
                                         void *data);

/* ---- values in memory, in stream order ------------------------------------------------------ */

/* Writes a value once the work that is in the stream now is done, and seen by all.
 *
 * offset       bytes, a multiple of value_bytes
 * value_bytes  4 or 8
 * buffer       pinned, or of another resource that is no pool: drivers refuse a pool's memory here
 * fails        CK_INVALID_ARGUMENT out of range; CK_UNSUPPORTED; CK_DRIVER
 */
CK_API ck_status_t ck_stream_write_value(ck_stream_t *stream, struct ck_buffer *buffer,
                                         size_t offset, uint64_t value, size_t value_bytes);

/* What work waits for; the numbers are cuda.h's. */
typedef enum ck_wait {
  CK_WAIT_GREATER_EQUAL = 0, /* (signed)(memory - value) >= 0 */
  CK_WAIT_EQUAL = 1,
  CK_WAIT_AND = 2, /* memory & value is not 0 */
  CK_WAIT_NOR = 3, /* ~(memory | value) is not 0 */
  CK_WAIT_FORCE_INT = 0x7fffffff
} ck_wait_t;

/* Work that is put into the stream from now on starts once the memory fits the condition. Nobody
 * sees a wait that never ends: it is the caller's that somebody writes. */
CK_API ck_status_t ck_stream_wait_value(ck_stream_t *stream, const struct ck_buffer *buffer,
                                        size_t offset, uint64_t value, size_t value_bytes,
                                        ck_wait_t condition);

/* One of several operations: a write, or a wait if `is_wait` is not 0. */
typedef struct ck_value_op {
  struct ck_buffer *buffer;
  size_t offset;
  uint64_t value;
  size_t value_bytes;
  int is_wait;
  ck_wait_t condition; /* of a wait */
} ck_value_op_t;

/* Puts many of them into the stream in one call; they run in their order.
 *
 * count    at most 256
 * fails    CK_INVALID_ARGUMENT if one of them is at fault: then none is put
 */
CK_API ck_status_t ck_stream_batch_values(ck_stream_t *stream, const ck_value_op_t *ops,
                                          size_t count);

/* ---- attributes ---------------------------------------------------------------------------- */

/* How ck_stream_sync waits; the numbers are cuda.h's. */
typedef enum ck_sync_policy {
  CK_SYNC_AUTO = 1,
  CK_SYNC_SPIN = 2,
  CK_SYNC_YIELD = 3,
  CK_SYNC_SLEEP = 4,
  CK_SYNC_FORCE_INT = 0x7fffffff
} ck_sync_policy_t;

CK_API ck_status_t ck_stream_set_sync_policy(ck_stream_t *stream, ck_sync_policy_t policy);
CK_API ck_status_t ck_stream_get_sync_policy(ck_stream_t *stream, ck_sync_policy_t *out_policy);

/* How the L2 cache keeps a window; the numbers are cuda.h's. */
typedef enum ck_l2_use {
  CK_L2_NORMAL = 0,
  CK_L2_STREAMING = 1,  /* leaves soon */
  CK_L2_PERSISTING = 2, /* stays: CK_LIMIT_PERSISTING_L2 says how much may */
  CK_L2_FORCE_INT = 0x7fffffff
} ck_l2_use_t;

/* Says how kernels that are launched into the stream from now on cache a range of memory.
 *
 * buffer     NULL: no window any more
 * bytes      at most CK_DEVICE_MAX_ACCESS_POLICY_WINDOW_SIZE
 * hit_ratio  0 to 1: the share of the range that gets `hit`; the rest gets `miss`
 * miss       CK_L2_NORMAL or CK_L2_STREAMING
 */
CK_API ck_status_t ck_stream_set_access_window(ck_stream_t *stream, const struct ck_buffer *buffer,
                                               size_t offset, size_t bytes, float hit_ratio,
                                               ck_l2_use_t hit, ck_l2_use_t miss);

/* ---- events -------------------------------------------------------------------------------- */

#define CK_EVENT_TIMING        1u /* keeps the time, for ck_event_get_elapsed */
#define CK_EVENT_BLOCKING_SYNC 2u /* ck_event_sync sleeps instead of spinning */
#define CK_EVENT_IPC           4u /* for other processes; not with CK_EVENT_TIMING */

typedef struct ck_event_options {
  size_t struct_size;
  uint32_t flags; /* CK_EVENT_* */
} ck_event_options_t;

/* Makes an event that is not recorded; waiting for it returns at once. NULL: no timing. */
CK_API ck_status_t ck_event_create(ck_device_t *device, const ck_event_options_t *options,
                                   ck_event_t **out_event);

/* Adopts a CUevent or cudaEvent_t.
 *
 * flags     CK_EVENT_* that it was made with: the driver does not tell
 * is_owned  nonzero: releasing the object destroys the event
 */
CK_API ck_status_t ck_event_from_native(ck_device_t *device, void *native, uint32_t flags,
                                        int is_owned, ck_event_t **out_event);

CK_API ck_event_t *ck_event_retain(ck_event_t *event);
CK_API void ck_event_release(ck_event_t *event);

CK_API ck_device_t *ck_event_device(const ck_event_t *event); /* borrowed */
CK_API void *ck_event_native(const ck_event_t *event);        /* the CUevent */
CK_API uint32_t ck_event_flags(const ck_event_t *event);      /* CK_EVENT_* */

/* Waits until the work before the event is done. */
CK_API ck_status_t ck_event_sync(ck_event_t *event);

/* CK_OK if the work before the event is done, CK_NOT_READY otherwise, as ck_stream_query. */
CK_API ck_status_t ck_event_query(ck_event_t *event);

/* The time from one event to another.
 *
 * start, end  both made with CK_EVENT_TIMING and recorded
 * out_seconds resolution about 0.5 microseconds on a GPU
 * fails       CK_INVALID_ARGUMENT without timing or record; CK_NOT_READY before both are done
 */
CK_API ck_status_t ck_event_get_elapsed(ck_event_t *start, ck_event_t *end, double *out_seconds);

/* What another process opens the event with; bytes to be sent as they are. */
typedef struct ck_ipc_event {
  unsigned char bytes[64];
} ck_ipc_event_t;

/* Names an event for another process. It has to live until that has opened it.
 *
 * fails    CK_INVALID_ARGUMENT without CK_EVENT_IPC; CK_UNSUPPORTED; CK_DRIVER
 */
CK_API ck_status_t ck_event_export(ck_event_t *event, ck_ipc_event_t *out_handle);

/* Opens another process's event. What either process records, both can wait for.
 *
 * fails    CK_DRIVER for bytes that name no event
 */
CK_API ck_status_t ck_event_from_ipc(ck_device_t *device, const ck_ipc_event_t *handle,
                                     ck_event_t **out_event);

#ifdef __cplusplus
}
#endif
#endif
