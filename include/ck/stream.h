/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/stream.h - streams, in which work runs in order, and events, which mark points in that order.
 */
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

/* ck_stream_retain and ck_stream_release accept NULL; the other functions ck_stream_* do not. */

#define CK_STREAM_BLOCKING 1u /* orders itself with the legacy default stream */

typedef struct ck_stream_options {
  size_t struct_size;
  int32_t priority; /* lower numbers have precedence; clamped to the device's range */
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

/* Opens the per-thread default stream. The object stands for a different CUDA stream on each thread
 * that uses it, and each of them is a blocking stream. Memory that a thread allocates in it is
 * freed in the order of that stream if the same thread releases it; another thread frees it in the
 * order of the legacy default stream (ck_buffer_create). */
CK_API ck_status_t ck_stream_open_per_thread(ck_device_t *device, ck_stream_t **out_stream);

/* Adopts a CUstream or cudaStream_t, such as a stream of PyTorch or CuPy.
 *
 * device    the device of the stream; NULL: found by asking the CUDA driver, which takes a default
 *           stream for one of the current context
 * native    NULL is the legacy default stream
 * is_owned  nonzero: releasing the object destroys the stream
 * fails     CK_INVALID_ARGUMENT for another GPU's stream; the stream stays the caller's
 *
 * ck_stream_context() returns the context that the stream was made in; a green context is
 * recognised with a driver of CUDA 12.5 or newer only. If that is not the primary context, it must
 * outlive the stream and everything that holds an event recorded there: objects made in the
 * context, graphs whose last launch was in the stream, and buffers of another process that were
 * received more than once and of which one was released in the stream.
 */
CK_API ck_status_t ck_stream_from_native(ck_device_t *device, void *native, int is_owned,
                                         ck_stream_t **out_stream);

CK_API ck_stream_t *ck_stream_retain(ck_stream_t *stream);

/* Gives up a reference. The last one destroys the stream; work that was submitted to it still
 * finishes. */
CK_API void ck_stream_release(ck_stream_t *stream);

CK_API ck_device_t *ck_stream_device(const ck_stream_t *stream); /* borrowed */
CK_API void *ck_stream_native(const ck_stream_t *stream);        /* the CUstream */
CK_API ck_status_t ck_stream_get_priority(ck_stream_t *stream, int *out_priority);
/* unique in the process */
CK_API ck_status_t ck_stream_get_id(ck_stream_t *stream, uint64_t *out_id);
CK_API ck_status_t ck_stream_get_flags(ck_stream_t *stream, uint32_t *out_flags); /* CK_STREAM_* */

/* Waits for all work in the stream.
 *
 * fails    CK_KERNEL_FAULT and other errors of that work
 */
CK_API ck_status_t ck_stream_sync(ck_stream_t *stream);

/* Returns CK_OK if all work in the stream has finished and CK_NOT_READY otherwise; never waits.
 * CK_NOT_READY leaves ck_last_error() unchanged. */
CK_API ck_status_t ck_stream_query(ck_stream_t *stream);

/* Work that is submitted to `stream` after this call starts after the work that `event` marks, as
 * of its last record. */
CK_API ck_status_t ck_stream_wait(ck_stream_t *stream, ck_event_t *event);

/* Work that is submitted to `stream` after this call starts after all work that is in `other` now.
 */
CK_API ck_status_t ck_stream_wait_stream(ck_stream_t *stream, ck_stream_t *other);

/* Records the event: it marks the end of the work that is in `stream` now. */
CK_API ck_status_t ck_stream_record(ck_stream_t *stream, ck_event_t *event);

/* Calls `function(data)` on a thread of the driver after the work that is in the stream now has
 * finished. The function must not call this library or the driver. */
CK_API ck_status_t ck_stream_launch_host(ck_stream_t *stream, void (*function)(void *data),
                                         void *data);

/* ---- values in memory, in stream order ------------------------------------------------------ */

/* Writes a value to memory after the work that is in the stream now; the results of that work are
 * visible to everyone who sees the value.
 *
 * offset       bytes, a multiple of value_bytes
 * value_bytes  4 or 8
 * buffer       not from a memory pool, whose memory drivers refuse here: pinned, or of any other
 *              resource
 * fails        CK_INVALID_ARGUMENT out of range; CK_UNSUPPORTED; CK_DRIVER
 */
CK_API ck_status_t ck_stream_write_value(ck_stream_t *stream, struct ck_buffer *buffer,
                                         size_t offset, uint64_t value, size_t value_bytes);

/* The condition of a wait; the numbers are cuda.h's. */
typedef enum ck_wait {
  CK_WAIT_GREATER_EQUAL = 0, /* (signed)(memory - value) >= 0 */
  CK_WAIT_EQUAL = 1,
  CK_WAIT_AND = 2, /* memory & value is not 0 */
  CK_WAIT_NOR = 3, /* ~(memory | value) is not 0 */
  CK_WAIT_FORCE_INT = 0x7fffffff
} ck_wait_t;

/* Work that is submitted to the stream after this call starts once the memory satisfies the
 * condition. A wait whose value is never written blocks the stream for ever, and nothing detects
 * it. */
CK_API ck_status_t ck_stream_wait_value(ck_stream_t *stream, const struct ck_buffer *buffer,
                                        size_t offset, uint64_t value, size_t value_bytes,
                                        ck_wait_t condition);

/* One operation of a batch: a wait if `is_wait` is not 0, else a write. */
typedef struct ck_value_op {
  struct ck_buffer *buffer;
  size_t offset;
  uint64_t value;
  size_t value_bytes;
  int is_wait;
  ck_wait_t condition; /* of a wait */
} ck_value_op_t;

/* Submits many of these operations in one call; they run in the given order.
 *
 * count    at most 256
 * fails    CK_INVALID_ARGUMENT if one of them is wrong: then none is submitted
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

/* How long the L2 cache keeps the lines of an access window; the numbers are cuda.h's. */
typedef enum ck_l2_use {
  CK_L2_NORMAL = 0,
  CK_L2_STREAMING = 1,  /* evicted first */
  CK_L2_PERSISTING = 2, /* evicted last, up to CK_LIMIT_PERSISTING_L2 bytes */
  CK_L2_FORCE_INT = 0x7fffffff
} ck_l2_use_t;

/* Sets how kernels that are launched into the stream after this call cache a range of memory.
 *
 * buffer     NULL: removes the window
 * bytes      at most CK_DEVICE_MAX_ACCESS_POLICY_WINDOW_SIZE
 * hit_ratio  0 to 1: the fraction of the range's accesses that get `hit`; the rest get `miss`
 * miss       CK_L2_NORMAL or CK_L2_STREAMING
 */
CK_API ck_status_t ck_stream_set_access_window(ck_stream_t *stream, const struct ck_buffer *buffer,
                                               size_t offset, size_t bytes, float hit_ratio,
                                               ck_l2_use_t hit, ck_l2_use_t miss);

/* ---- events -------------------------------------------------------------------------------- */

#define CK_EVENT_TIMING        1u /* records the time, for ck_event_get_elapsed */
#define CK_EVENT_BLOCKING_SYNC 2u /* ck_event_sync sleeps instead of spinning */
#define CK_EVENT_IPC           4u /* can be shared with other processes; not with CK_EVENT_TIMING */

typedef struct ck_event_options {
  size_t struct_size;
  uint32_t flags; /* CK_EVENT_* */
} ck_event_options_t;

/* Makes an event. Until it is recorded, waiting for it returns at once. options NULL: no timing. */
CK_API ck_status_t ck_event_create(ck_device_t *device, const ck_event_options_t *options,
                                   ck_event_t **out_event);

/* Adopts a CUevent or cudaEvent_t.
 *
 * flags     the CK_EVENT_* that it was made with, since the driver has no call that tells
 * is_owned  nonzero: releasing the object destroys the event
 */
CK_API ck_status_t ck_event_from_native(ck_device_t *device, void *native, uint32_t flags,
                                        int is_owned, ck_event_t **out_event);

CK_API ck_event_t *ck_event_retain(ck_event_t *event);
CK_API void ck_event_release(ck_event_t *event);

CK_API ck_device_t *ck_event_device(const ck_event_t *event); /* borrowed */
CK_API void *ck_event_native(const ck_event_t *event);        /* the CUevent */
CK_API uint32_t ck_event_flags(const ck_event_t *event);      /* CK_EVENT_* */

/* Waits until the work that the event marks has finished. */
CK_API ck_status_t ck_event_sync(ck_event_t *event);

/* Returns CK_OK if the work that the event marks has finished, CK_NOT_READY otherwise, as
 * ck_stream_query does. */
CK_API ck_status_t ck_event_query(ck_event_t *event);

/* The time from one event to another.
 *
 * start, end  both made with CK_EVENT_TIMING and recorded
 * out_seconds resolution about 0.5 microseconds on a GPU
 * fails       CK_INVALID_ARGUMENT without timing or record; CK_NOT_READY before both are done
 */
CK_API ck_status_t ck_event_get_elapsed(ck_event_t *start, ck_event_t *end, double *out_seconds);

/* A handle with which another process opens the event; the bytes are sent as they are. */
typedef struct ck_ipc_event {
  unsigned char bytes[64];
} ck_ipc_event_t;

/* Makes a handle of an event for another process. The event must live until that process has opened
 * it.
 *
 * fails    CK_INVALID_ARGUMENT without CK_EVENT_IPC; CK_UNSUPPORTED; CK_DRIVER
 */
CK_API ck_status_t ck_event_export(ck_event_t *event, ck_ipc_event_t *out_handle);

/* Opens an event of another process. Each process can wait for what the other one records.
 *
 * fails    CK_DRIVER for bytes that are no handle of an event
 */
CK_API ck_status_t ck_event_from_ipc(ck_device_t *device, const ck_ipc_event_t *handle,
                                     ck_event_t **out_event);

#ifdef __cplusplus
}
#endif
#endif
