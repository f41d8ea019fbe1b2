/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/managed.h - managed memory: hints about its use, prefetches and discards.
 *
 * Managed memory has one address on all processors, and its pages migrate to the processor that
 * uses them. The functions here tell the driver where pages should be, move them ahead of their
 * use, or say that their contents need not be moved.
 *
 * The buffers come from ck_memory_resource_create_managed or _legacy_managed, or are adopted; for
 * others every function here fails with CK_INVALID_ARGUMENT. Memory of pools accepts fewer hints
 * than that of cuMemAllocManaged: what the driver refuses is CK_UNSUPPORTED.
 *
 * source  CUDA Driver API, "Unified Addressing", cuMemAdvise, cuMemPrefetchAsync
 */
#ifndef CK_MANAGED_H
#define CK_MANAGED_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the memory is mostly read, so that each processor may have its own copy of a page. */
CK_API ck_status_t ck_buffer_set_read_mostly(ck_buffer_t *buffer, int is_read_mostly);
CK_API ck_status_t ck_buffer_get_read_mostly(ck_buffer_t *buffer, int *out_is_read_mostly);

/* The preferred place of the memory; CK_PLACE_NONE: none. */
CK_API ck_status_t ck_buffer_set_preferred_location(ck_buffer_t *buffer, ck_location_t location);
CK_API ck_status_t ck_buffer_get_preferred_location(ck_buffer_t *buffer,
                                                    ck_location_t *out_location);

/* Whether a processor uses the memory often, so that the memory is mapped there at all times and
 * accesses cause no page faults.
 *
 * location  CK_PLACE_DEVICE or CK_PLACE_HOST
 */
CK_API ck_status_t ck_buffer_set_accessed_by(ck_buffer_t *buffer, ck_location_t location,
                                             int is_accessed);
CK_API ck_status_t ck_buffer_get_accessed_by(ck_buffer_t *buffer, ck_location_t location,
                                             int *out_is_accessed);

/* Migrates the memory to a place, in stream order. */
CK_API ck_status_t ck_buffer_prefetch(ck_buffer_t *buffer, ck_location_t location,
                                      ck_stream_t *stream);

/* The place of the last prefetch; CK_PLACE_NONE if there was none. */
CK_API ck_status_t ck_buffer_get_prefetch_location(ck_buffer_t *buffer,
                                                   ck_location_t *out_location);

/* Discards the contents of the memory, so that it can migrate without a copy. The contents are
 * undefined until they are written.
 *
 * Driver 580 sometimes loses what is written next, whatever waits lie between: 2 to 31 of 100 fills
 * of 64 KiB after cuMemDiscardBatchAsync, and none after ck_buffer_discard_prefetch.
 *
 * stream   not NULL or the legacy default stream, in which the driver refuses discards
 * fails    CK_INVALID_ARGUMENT for such a stream; CK_UNSUPPORTED before CUDA 13.0
 */
CK_API ck_status_t ck_buffer_discard(ck_buffer_t *buffer, ck_stream_t *stream);

/* Discards the contents and migrates the memory. Stream and failures as for ck_buffer_discard. */
CK_API ck_status_t ck_buffer_discard_prefetch(ck_buffer_t *buffer, ck_location_t location,
                                              ck_stream_t *stream);

/* The same for many buffers in one call.
 *
 * locations       one for each buffer, or one for all; not NULL
 * location_count  `count` or 1
 * stream          not NULL or the legacy default stream
 * fails           CK_INVALID_ARGUMENT for another location_count, a count of 0, or such a stream;
 *                 CK_UNSUPPORTED before CUDA 13.0
 */
CK_API ck_status_t ck_prefetch_batch(ck_buffer_t *const *buffers, size_t count,
                                     const ck_location_t *locations, size_t location_count,
                                     ck_stream_t *stream);
CK_API ck_status_t ck_discard_batch(ck_buffer_t *const *buffers, size_t count, ck_stream_t *stream);
CK_API ck_status_t ck_discard_prefetch_batch(ck_buffer_t *const *buffers, size_t count,
                                             const ck_location_t *locations, size_t location_count,
                                             ck_stream_t *stream);

#ifdef __cplusplus
}
#endif
#endif
