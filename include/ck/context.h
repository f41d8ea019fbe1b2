/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/context.h - CUDA contexts: the primary context of a device, and green contexts.
 *
 * All work runs in the primary context of its device unless the program asks for another one. A
 * green context owns a subset of the device's multiprocessors, and work in its streams runs on that
 * subset only. The calls that make two green contexts of at least 16 multiprocessors each begin so:
 *
 *   ck_sm_resource_t all, part[2];
 *   size_t count = 2;
 *   ck_device_get_sm_resource(device, &all);
 *   ck_sm_resource_split(device, &all, 16, 0, part, &count, NULL);
 *   ck_context_create_green(device, &part[0], 1, NULL, &green);
 *   ck_context_create_stream(green, NULL, &stream);
 *
 * source  CUDA Driver API, "Context Management", "Green Contexts"
 */
#ifndef CK_CONTEXT_H
#define CK_CONTEXT_H

#include "ck/device.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_context ck_context_t;

/* The primary context of a device. Borrowed. */
CK_API ck_context_t *ck_device_context(ck_device_t *device);

CK_API ck_context_t *ck_context_retain(ck_context_t *context);

/* The last release of a green context destroys it; its streams retain it. If it is current on this
 * thread, no context is current afterwards. The context of an adopted stream
 * (ck_stream_from_native), green or not, is not destroyed: it belongs to whoever made it. */
CK_API void ck_context_release(ck_context_t *context);

CK_API ck_device_t *ck_context_device(const ck_context_t *context); /* borrowed */
CK_API int ck_context_is_green(const ck_context_t *context);
CK_API void *ck_context_native(const ck_context_t *context); /* the CUcontext */

/* A number that identifies the context within the process and is never reused. On a GPU, some
 * drivers give a green context the same number as the primary context of its device. */
CK_API ck_status_t ck_context_get_id(ck_context_t *context, uint64_t *out_id);

/* Makes a context current on this thread, for code that calls the CUDA driver directly; NULL: no
 * context. This library needs no current context, but its calls are a little faster if the right
 * one is current already.
 *
 * device   selects the driver when `context` is NULL
 */
CK_API ck_status_t ck_context_set_current(ck_device_t *device, ck_context_t *context);

/* Whether the context is current on this thread. */
CK_API ck_status_t ck_context_get_current(ck_context_t *context, int *out_is_current);

/* Waits for all work in the context; fails as ck_device_sync. */
CK_API ck_status_t ck_context_sync(ck_context_t *context);

/* ---- limits -------------------------------------------------------------------------------- */

/* Limits, with the numbers of cuda.h; in bytes unless the comment says otherwise. */
typedef enum ck_limit {
  CK_LIMIT_STACK = 0,                /* of each thread's stack */
  CK_LIMIT_PRINT_BUFFER = 1,         /* of the buffer for `print` in kernels */
  CK_LIMIT_MALLOC_HEAP = 2,          /* of the heap for malloc in kernels */
  CK_LIMIT_SYNC_DEPTH = 3,           /* a depth: nested kernel launches that a kernel can wait
                                      * for */
  CK_LIMIT_PENDING_LAUNCHES = 4,     /* a count: kernels launched by kernels and not started yet */
  CK_LIMIT_L2_FETCH_GRANULARITY = 5, /* 0 to 128: a hint */
  CK_LIMIT_PERSISTING_L2 = 6,        /* of the L2 cache for ck_stream_set_access_window */
  CK_LIMIT_FORCE_INT = 0x7fffffff
} ck_limit_t;

CK_API ck_status_t ck_context_get_limit(ck_context_t *context, ck_limit_t limit, size_t *out_value);

/* Sets a limit. The device may round the value up, or reduce it to its maximum.
 *
 * fails    CK_UNSUPPORTED for a limit that the device lacks; CK_DRIVER
 */
CK_API ck_status_t ck_context_set_limit(ck_context_t *context, ck_limit_t limit, size_t value);

/* Lowest and highest priority of streams. Lower numbers have precedence, so out_high <= out_low. */
CK_API ck_status_t ck_context_get_priorities(ck_context_t *context, int *out_low, int *out_high);

/* Resets all persisting lines of the L2 cache (CK_L2_PERSISTING) to normal. */
CK_API ck_status_t ck_context_reset_persisting_l2(ck_context_t *context);

/* ---- peer access --------------------------------------------------------------------------- */

/* Lets kernels in `context` access the memory of `peer` that was not allocated from a pool, or
 * forbids it; access to pools is granted one by one (ck_memory_resource_set_access). It is no
 * failure if nothing changes.
 *
 * fails    CK_UNSUPPORTED if the devices can't access each other; CK_INVALID_ARGUMENT if they are
 *          the same device
 */
CK_API ck_status_t ck_context_set_peer_access(ck_context_t *context, ck_device_t *peer,
                                              int is_enabled);

/* ---- green contexts ------------------------------------------------------------------------ */

/* A set of multiprocessors. */
typedef struct ck_sm_resource {
  uint32_t sm_count;
  uint32_t min_partition_size;    /* the smallest group that a split makes */
  uint32_t coscheduled_alignment; /* groups are multiples of this; so many can share a cluster */
  uint32_t flags;                 /* CK_SM_GROUP_* with which the group was requested */
  uint64_t native[18];            /* the CUdevResource */
} ck_sm_resource_t;

/* The multiprocessors of a device, of a context, or of the context of a stream.
 *
 * fails    CK_UNSUPPORTED with a driver before CUDA 12.4
 */
CK_API ck_status_t ck_device_get_sm_resource(ck_device_t *device, ck_sm_resource_t *out_resource);
CK_API ck_status_t ck_context_get_sm_resource(ck_context_t *context,
                                              ck_sm_resource_t *out_resource);
CK_API ck_status_t ck_stream_get_sm_resource(ck_stream_t *stream, ck_sm_resource_t *out_resource);

#define CK_SM_SPLIT_IGNORE_COSCHEDULING 1u /* smaller groups, which can't hold large clusters */
#define CK_SM_SPLIT_MAX_CLUSTER         2u /* groups in which the largest clusters can run */

/* Splits a set of multiprocessors into groups of one size.
 *
 * min_count    multiprocessors of each group, rounded up to what the device requires; 0: the
 *              smallest size
 * flags        CK_SM_SPLIT_*
 * groups       room for *inout_count groups; NULL: only counts how many there would be
 * inout_count  in: how many groups are wanted; out: how many were made
 * out_rest     the remaining multiprocessors, with sm_count 0 if there are none; may be NULL
 * fails        CK_INVALID_ARGUMENT if there are too few multiprocessors; CK_UNSUPPORTED before CUDA
 *              12.4
 */
CK_API ck_status_t ck_sm_resource_split(ck_device_t *device, const ck_sm_resource_t *resource,
                                        uint32_t min_count, uint32_t flags,
                                        ck_sm_resource_t *groups, size_t *inout_count,
                                        ck_sm_resource_t *out_rest);

#define CK_SM_GROUP_BACKFILL                                                                       \
  1u /* fill the group up with multiprocessors that can't share a cluster */

/* The wanted properties of one group of a split. Zero is the default of each field. */
typedef struct ck_sm_group {
  uint32_t sm_count;                    /* a multiple of coscheduled_count unless flags has
                                         * CK_SM_GROUP_BACKFILL; 0: all that are left */
  uint32_t coscheduled_count;           /* how many must be able to share a cluster; 0: the
                                         * device's default */
  uint32_t preferred_coscheduled_count; /* the same, wanted where possible; 0: coscheduled_count */
  uint32_t flags;                       /* CK_SM_GROUP_* */
} ck_sm_group_t;

/* Splits a set of multiprocessors into groups of individual sizes, in the order of `wanted`.
 *
 * resource  of the device or of a context
 * wanted    `count` groups; an sm_count of 0 is replaced by the size that the group gets
 * groups    room for `count`; NULL: only computes the sizes, 0 for a group that can't be made
 * out_rest  the remaining multiprocessors, with sm_count 0 if there are none; may be NULL
 * fails     CK_INVALID_ARGUMENT if the device can't make these groups; CK_UNSUPPORTED before CUDA
 *           13.1
 */
CK_API ck_status_t ck_sm_resource_split_groups(ck_device_t *device,
                                               const ck_sm_resource_t *resource,
                                               ck_sm_group_t *wanted, size_t count,
                                               ck_sm_resource_t *groups,
                                               ck_sm_resource_t *out_rest);

/* Which hardware work queues a context uses. The work of a stream reaches the device through one of
 * them, and streams that share a queue can wait for each other without need. */
typedef enum ck_workqueue_scope {
  CK_WORKQUEUES_OF_DEVICE = 0, /* all queues of the device, shared with all contexts */
  CK_WORKQUEUES_BALANCED = 1,  /* queues that no other balanced context uses, while there are
                                * enough */
  CK_WORKQUEUES_FORCE_INT = 0x7fffffff
} ck_workqueue_scope_t;

/* The work queues that a context uses. */
typedef struct ck_workqueue_resource {
  ck_workqueue_scope_t scope;
  uint32_t concurrency_limit; /* the expected number of streams that have work at a time */
  int32_t device_ordinal;     /* -1: the host device */
  uint32_t reserved;
  uint64_t native[18]; /* the CUdevResource */
} ck_workqueue_resource_t;

/* The work queues of a device, of a context, or of the context of a stream.
 *
 * fails    CK_UNSUPPORTED with a driver before CUDA 13.1
 */
CK_API ck_status_t ck_device_get_workqueue_resource(ck_device_t *device,
                                                    ck_workqueue_resource_t *out_resource);
CK_API ck_status_t ck_context_get_workqueue_resource(ck_context_t *context,
                                                     ck_workqueue_resource_t *out_resource);
CK_API ck_status_t ck_stream_get_workqueue_resource(ck_stream_t *stream,
                                                    ck_workqueue_resource_t *out_resource);

/* Changes a work queue resource, from which green contexts can be made afterwards. Existing
 * contexts don't change.
 *
 * concurrency_limit  beyond the limit of the device's own resource, streams may have to wait for
 *                    each other
 * fails              CK_INVALID_ARGUMENT for an unknown scope, or a limit below 1: nothing is
 *                    changed
 */
CK_API ck_status_t ck_workqueue_resource_set(ck_workqueue_resource_t *resource,
                                             ck_workqueue_scope_t scope, int concurrency_limit);

typedef struct ck_green_options {
  size_t struct_size;
  const ck_workqueue_resource_t *workqueues; /* NULL: as the device's */
} ck_green_options_t;

/* Makes a green context from one or more groups of the same split.
 *
 * options  NULL: defaults
 * fails    CK_INVALID_ARGUMENT for an empty list, and for work queues of another device;
 *          CK_UNSUPPORTED before CUDA 12.5, the first version with streams for green contexts, and
 *          for work queues before CUDA 13.1; CK_DRIVER
 */
CK_API ck_status_t ck_context_create_green(ck_device_t *device, const ck_sm_resource_t *resources,
                                           size_t count, const ck_green_options_t *options,
                                           ck_context_t **out_context);

/* Makes a stream in a context, as ck_stream_create does in the primary context. A stream of a green
 * context must be non-blocking.
 *
 * fails    CK_INVALID_ARGUMENT for CK_STREAM_BLOCKING in a green context; as ck_stream_create
 */
CK_API ck_status_t ck_context_create_stream(ck_context_t *context,
                                            const ck_stream_options_t *options,
                                            ck_stream_t **out_stream);

/* Makes an event in a context, as ck_event_create does in the primary context. A stream of a green
 * context can only record events of that context. */
CK_API ck_status_t ck_context_create_event(ck_context_t *context, const ck_event_options_t *options,
                                           ck_event_t **out_event);

/* The context of a stream or of an event. Borrowed. For an adopted event (ck_event_from_native) it
 * is the primary context, whatever context the event was made in, since the driver has no call that
 * tells. */
CK_API ck_context_t *ck_stream_context(ck_stream_t *stream);
CK_API ck_context_t *ck_event_context(ck_event_t *event);

#ifdef __cplusplus
}
#endif
#endif
