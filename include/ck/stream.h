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

/* ---- streams ------------------------------------------------------------------------------- */

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

/* Adopts a CUstream of the device's primary context.
 *
 * is_owned  nonzero: releasing the object destroys the stream
 */
CK_API ck_status_t ck_stream_from_native(ck_device_t *device, void *native, int is_owned,
                                         ck_stream_t **out_stream);

CK_API ck_stream_t *ck_stream_retain(ck_stream_t *stream);
CK_API void ck_stream_release(ck_stream_t *stream); /* work that is under way still finishes */

CK_API ck_device_t *ck_stream_device(const ck_stream_t *stream); /* borrowed */
CK_API void *ck_stream_native(const ck_stream_t *stream);        /* the CUstream */
CK_API ck_status_t ck_stream_get_priority(ck_stream_t *stream, int *out_priority);
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

/* ---- events -------------------------------------------------------------------------------- */

#define CK_EVENT_TIMING        1u /* keeps the time, for ck_event_get_elapsed */
#define CK_EVENT_BLOCKING_SYNC 2u /* ck_event_sync sleeps instead of spinning */

typedef struct ck_event_options {
  size_t struct_size;
  uint32_t flags; /* CK_EVENT_* */
} ck_event_options_t;

/* Makes an event that is not recorded; waiting for it returns at once. NULL: no timing. */
CK_API ck_status_t ck_event_create(ck_device_t *device, const ck_event_options_t *options,
                                   ck_event_t **out_event);
CK_API ck_event_t *ck_event_retain(ck_event_t *event);
CK_API void ck_event_release(ck_event_t *event);

CK_API ck_device_t *ck_event_device(const ck_event_t *event); /* borrowed */
CK_API void *ck_event_native(const ck_event_t *event);        /* the CUevent */

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

#ifdef __cplusplus
}
#endif
#endif
