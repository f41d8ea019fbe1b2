/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/context.h - contexts: a device's primary one, and green ones that have some of its processors.
 *
 * Everything works in the primary context of its device; nobody has to ask for it. A green context
 * is a share of the device's multiprocessors: work in its streams runs on these alone.
 *
 *   ck_sm_resource_t all, part[2];
 *   size_t count = 2;
 *   ck_device_get_sm_resource(device, &all);
 *   ck_sm_resource_split(device, &all, 16, 0, part, &count, NULL);     two times 16 or more
 *   ck_context_create_green(device, part, 1, &green);
 *   ck_context_create_stream(green, NULL, &stream);
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

/* The last release of a green context destroys it. Its streams retain it. If it is current on this
 * thread, none is from then on. A context that came of an adopted stream (ck_stream_from_native),
 * green or not, stays: it is whose it was. */
CK_API void ck_context_release(ck_context_t *context);

CK_API ck_device_t *ck_context_device(const ck_context_t *context); /* borrowed */
CK_API int ck_context_is_green(const ck_context_t *context);
CK_API void *ck_context_native(const ck_context_t *context); /* the CUcontext */

/* A number that no other context of the process has or had, but that on a GPU a green context may
 * have its device's primary one's: the driver says which. */
CK_API ck_status_t ck_context_get_id(ck_context_t *context, uint64_t *out_id);

/* Makes a context current on this thread, for the driver API beside this library; NULL: none. This
 * library needs no current context, but finds it a little faster than it makes one current.
 *
 * device   whose driver is meant when `context` is NULL
 */
CK_API ck_status_t ck_context_set_current(ck_device_t *device, ck_context_t *context);

/* Whether the context is current on this thread. */
CK_API ck_status_t ck_context_get_current(ck_context_t *context, int *out_is_current);

/* Waits for all work in the context; fails as ck_device_sync. */
CK_API ck_status_t ck_context_sync(ck_context_t *context);

/* ---- limits -------------------------------------------------------------------------------- */

/* Limits, with the numbers of cuda.h; bytes, unless it says otherwise. */
typedef enum ck_limit {
  CK_LIMIT_STACK = 0,                /* of each thread */
  CK_LIMIT_PRINT_BUFFER = 1,         /* of print in kernels */
  CK_LIMIT_MALLOC_HEAP = 2,          /* of malloc in kernels */
  CK_LIMIT_SYNC_DEPTH = 3,           /* launches in launches that can be waited for */
  CK_LIMIT_PENDING_LAUNCHES = 4,     /* launches of kernels by kernels */
  CK_LIMIT_L2_FETCH_GRANULARITY = 5, /* 0 to 128: a hint */
  CK_LIMIT_PERSISTING_L2 = 6,        /* of the L2 cache for ck_stream_set_access_window */
  CK_LIMIT_FORCE_INT = 0x7fffffff
} ck_limit_t;

CK_API ck_status_t ck_context_get_limit(ck_context_t *context, ck_limit_t limit, size_t *out_value);

/* The device may round the value up, or down to what it has.
 *
 * fails    CK_UNSUPPORTED for a limit that the device has not; CK_DRIVER
 */
CK_API ck_status_t ck_context_set_limit(ck_context_t *context, ck_limit_t limit, size_t value);

/* Lowest and highest priority of streams: lower numbers run first, so out_high <= out_low. */
CK_API ck_status_t ck_context_get_priorities(ck_context_t *context, int *out_low, int *out_high);

/* Gives up what the L2 cache keeps for access windows. */
CK_API ck_status_t ck_context_reset_persisting_l2(ck_context_t *context);

/* ---- peer access --------------------------------------------------------------------------- */

/* Lets kernels in `context` use all memory of `peer` that came without a pool: pools are given
 * access one by one (ck_memory_resource_set_access). Once more is no failure.
 *
 * fails    CK_UNSUPPORTED if the devices can't; CK_INVALID_ARGUMENT for the same device
 */
CK_API ck_status_t ck_context_enable_peer_access(ck_context_t *context, ck_device_t *peer);
CK_API ck_status_t ck_context_disable_peer_access(ck_context_t *context, ck_device_t *peer);

/* ---- green contexts ------------------------------------------------------------------------ */

/* A set of multiprocessors. */
typedef struct ck_sm_resource {
  uint32_t sm_count;
  uint32_t min_partition_size;    /* a split gives at least so many */
  uint32_t coscheduled_alignment; /* and a multiple of this: they can share a cluster */
  uint32_t flags;                 /* CK_SM_GROUP_*, of a group that was asked for so */
  uint64_t native[18];            /* the CUdevResource */
} ck_sm_resource_t;

/* All multiprocessors of a device, a context's, or those that a stream's work runs on.
 *
 * fails    CK_UNSUPPORTED with a driver before CUDA 12.4
 */
CK_API ck_status_t ck_device_get_sm_resource(ck_device_t *device, ck_sm_resource_t *out_resource);
CK_API ck_status_t ck_context_get_sm_resource(ck_context_t *context,
                                              ck_sm_resource_t *out_resource);
CK_API ck_status_t ck_stream_get_sm_resource(ck_stream_t *stream, ck_sm_resource_t *out_resource);

#define CK_SM_SPLIT_IGNORE_COSCHEDULING 1u /* finer, without large clusters */
#define CK_SM_SPLIT_MAX_CLUSTER         2u /* groups that allow the largest clusters */

/* Splits a set into groups of one size.
 *
 * min_count     multiprocessors of each group, rounded up as the device needs it; 0: the smallest
 * flags         CK_SM_SPLIT_*
 * groups        room for *inout_count groups; NULL: only tells how many there would be
 * inout_count   how many are wanted; then how many there are
 * out_rest      what is left, with sm_count 0 if nothing is; may be NULL
 * fails         CK_INVALID_ARGUMENT if there are fewer processors; CK_UNSUPPORTED before CUDA 12.4
 */
CK_API ck_status_t ck_sm_resource_split(ck_device_t *device, const ck_sm_resource_t *resource,
                                        uint32_t min_count, uint32_t flags,
                                        ck_sm_resource_t *groups, size_t *inout_count,
                                        ck_sm_resource_t *out_rest);

#define CK_SM_GROUP_BACKFILL 1u /* processors that can't share a cluster fill it up to its size */

/* What one group of a split shall be. Zero is the default of each. */
typedef struct ck_sm_group {
  uint32_t sm_count;          /* a multiple of coscheduled_count but for CK_SM_GROUP_BACKFILL; 0: as
                               * many as there are left */
  uint32_t coscheduled_count; /* so many at a time can share a cluster; 0: as the device has it */
  uint32_t preferred_coscheduled_count; /* and so many where there are; 0: coscheduled_count */
  uint32_t flags;                       /* CK_SM_GROUP_* */
} ck_sm_group_t;

/* Splits a set into groups, each of its own size, in this order.
 *
 * resource      of the device or of a context
 * wanted        `count` groups; an sm_count of 0 becomes what it comes to
 * groups        room for `count`; NULL: only tells the sizes, 0 for a group that there is not
 * out_rest      what is left, with sm_count 0 if nothing is; may be NULL
 * fails         CK_INVALID_ARGUMENT if the device can't make these groups; CK_UNSUPPORTED before
 *               CUDA 13.1
 */
CK_API ck_status_t ck_sm_resource_split_groups(ck_device_t *device,
                                               const ck_sm_resource_t *resource,
                                               ck_sm_group_t *wanted, size_t count,
                                               ck_sm_resource_t *groups,
                                               ck_sm_resource_t *out_rest);

/* Whose workqueues a context uses: a stream's work goes to the device through one of them, and work
 * in one queue is in one order. */
typedef enum ck_workqueue_scope {
  CK_WORKQUEUES_OF_DEVICE = 0, /* all that the device has, with all contexts */
  CK_WORKQUEUES_BALANCED = 1,  /* where there are enough, none that other such contexts use */
  CK_WORKQUEUES_FORCE_INT = 0x7fffffff
} ck_workqueue_scope_t;

/* How workqueues are used. */
typedef struct ck_workqueue_resource {
  ck_workqueue_scope_t scope;
  uint32_t concurrency_limit; /* how many streams are expected to have work at a time */
  int32_t device_ordinal;     /* -1: the host device */
  uint32_t reserved;
  uint64_t native[18]; /* the CUdevResource */
} ck_workqueue_resource_t;

/* How a device's streams, a context's, or those of a stream's context use workqueues.
 *
 * fails    CK_UNSUPPORTED with a driver before CUDA 13.1
 */
CK_API ck_status_t ck_device_get_workqueue_resource(ck_device_t *device,
                                                    ck_workqueue_resource_t *out_resource);
CK_API ck_status_t ck_context_get_workqueue_resource(ck_context_t *context,
                                                     ck_workqueue_resource_t *out_resource);
CK_API ck_status_t ck_stream_get_workqueue_resource(ck_stream_t *stream,
                                                    ck_workqueue_resource_t *out_resource);

/* Changes what a green context will be made with; no context that there is.
 *
 * concurrency_limit   beyond what the device has (that of its own resource), streams may wait for
 *                     each other
 * fails               CK_INVALID_ARGUMENT for another scope, or a limit below 1: nothing is changed
 */
CK_API ck_status_t ck_workqueue_resource_set(ck_workqueue_resource_t *resource,
                                             ck_workqueue_scope_t scope, int concurrency_limit);

typedef struct ck_green_options {
  size_t struct_size;
  const ck_workqueue_resource_t *workqueues; /* NULL: as the device's */
} ck_green_options_t;

/* Makes a green context of one or more sets that came from one split.
 *
 * fails    CK_INVALID_ARGUMENT for no set; CK_UNSUPPORTED before CUDA 12.5, which has streams for
 *          them; CK_DRIVER
 */
CK_API ck_status_t ck_context_create_green(ck_device_t *device, const ck_sm_resource_t *resources,
                                           size_t count, ck_context_t **out_context);

/* The same, with workqueues of its own. NULL: none.
 *
 * fails    CK_INVALID_ARGUMENT for workqueues of another device; CK_UNSUPPORTED for workqueues
 *          before CUDA 13.1
 */
CK_API ck_status_t ck_context_create_green_with(ck_device_t *device,
                                                const ck_sm_resource_t *resources, size_t count,
                                                const ck_green_options_t *options,
                                                ck_context_t **out_context);

/* Makes a stream in a context, as ck_stream_create does in the primary one. In a green context it
 * has to be non-blocking.
 *
 * fails    CK_INVALID_ARGUMENT for CK_STREAM_BLOCKING in a green context; as ck_stream_create
 */
CK_API ck_status_t ck_context_create_stream(ck_context_t *context,
                                            const ck_stream_options_t *options,
                                            ck_stream_t **out_stream);

/* Makes an event in a context, as ck_event_create does in the primary one. A stream of a green
 * context records events of that context. */
CK_API ck_status_t ck_context_create_event(ck_context_t *context, const ck_event_options_t *options,
                                           ck_event_t **out_event);

/* The context of a stream, of an event. Borrowed. Of an adopted event (ck_event_from_native)
 * it is the primary one, whatever it was made in: the driver does not tell. */
CK_API ck_context_t *ck_stream_context(ck_stream_t *stream);
CK_API ck_context_t *ck_event_context(ck_event_t *event);

#ifdef __cplusplus
}
#endif
#endif
