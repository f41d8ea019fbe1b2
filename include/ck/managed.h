/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/managed.h - managed memory: advice, and moving it ahead of its use.
 *
 * The buffers come from ck_memory_resource_create_managed or _legacy_managed, or are adopted. For
 * others every function here fails with CK_INVALID_ARGUMENT. Memory of pools takes less advice than
 * that of cuMemAllocManaged: what the driver refuses is CK_UNSUPPORTED.
 */
#ifndef CK_MANAGED_H
#define CK_MANAGED_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the memory is mostly read, so that every place may have a copy of its own. */
CK_API ck_status_t ck_buffer_set_read_mostly(ck_buffer_t *buffer, int is_read_mostly);
CK_API ck_status_t ck_buffer_get_read_mostly(ck_buffer_t *buffer, int *out_is_read_mostly);

/* Where the memory should stay; CK_PLACE_NONE: nowhere in particular. */
CK_API ck_status_t ck_buffer_set_preferred_location(ck_buffer_t *buffer, ck_location_t location);
CK_API ck_status_t ck_buffer_get_preferred_location(ck_buffer_t *buffer,
                                                    ck_location_t *out_location);

/* Whether a device or the host uses the memory often, so that it is mapped there without faults.
 *
 * location  CK_PLACE_DEVICE or CK_PLACE_HOST
 */
CK_API ck_status_t ck_buffer_set_accessed_by(ck_buffer_t *buffer, ck_location_t location,
                                             int is_accessed);
CK_API ck_status_t ck_buffer_get_accessed_by(ck_buffer_t *buffer, ck_location_t location,
                                             int *out_is_accessed);

/* Moves the memory, in stream order. */
CK_API ck_status_t ck_buffer_prefetch(ck_buffer_t *buffer, ck_location_t location,
                                      ck_stream_t *stream);

/* Where it was last moved by a prefetch; CK_PLACE_NONE if it never was. */
CK_API ck_status_t ck_buffer_get_prefetch_location(ck_buffer_t *buffer,
                                                   ck_location_t *out_location);

/* Says that what is in the memory is of no use any more, so that it need not be moved. It has no
 * defined values until it is written. Seen with driver 580: what is written next is lost at times
 * (2 to 31 of 100 fills of 64 KiB, cuMemDiscardBatchAsync alone, whatever waits lie between), and
 * never after ck_buffer_discard_prefetch alone.
 *
 * stream   not NULL or the legacy default stream, in which the driver takes no discards
 * fails    CK_INVALID_ARGUMENT for such a stream; CK_UNSUPPORTED before CUDA 13.0
 */
CK_API ck_status_t ck_buffer_discard(ck_buffer_t *buffer, ck_stream_t *stream);

/* Moves the memory without what is in it. The stream and failures are as of ck_buffer_discard. */
CK_API ck_status_t ck_buffer_discard_prefetch(ck_buffer_t *buffer, ck_location_t location,
                                              ck_stream_t *stream);

/* The same for many buffers in one call.
 *
 * locations       one for each buffer, or one for all; not NULL
 * location_count  `count` or 1
 * stream          not NULL or the legacy default stream
 * fails           CK_INVALID_ARGUMENT for other counts, no buffer, or such a stream; CK_UNSUPPORTED
 *                 before CUDA 13.0
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
