/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/copy.h - copies of boxes and of strided arrays, batches of copies, and fills with elements of
 * any size.
 *
 * All functions submit work in stream order and return before it has run; host memory must live
 * until then.
 */
#ifndef CK_COPY_H
#define CK_COPY_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- boxes --------------------------------------------------------------------------------- */

/* One side of a copy of a box: planes of rows of bytes. A field that is 0 has its default.
 *
 *   byte (x, y, z) of the box lies at offset + (z * rows + y) * row_bytes + x
 */
typedef struct ck_copy_side {
  ck_buffer_t *buffer; /* or NULL: `host` */
  void *host;
  size_t offset;    /* bytes, where the first row begins */
  size_t row_bytes; /* distance between rows; 0: the box's width */
  size_t rows;      /* distance between planes, in rows; 0: the box's height */
} ck_copy_side_t;

typedef struct ck_copy_box {
  size_t struct_size;
  ck_copy_side_t dst, src;
  size_t width;  /* bytes; 0 copies nothing */
  size_t height; /* rows; 0 is 1 */
  size_t depth;  /* planes; 0 is 1 */
} ck_copy_box_t;

/* Copies a box of two or three dimensions between buffers, or between a buffer and host memory.
 *
 * box      at least one side is a buffer; the sides must not overlap
 * fails    CK_INVALID_ARGUMENT for rows that are shorter than the box, or a box that does not lie
 *          in its buffer; CK_DRIVER
 */
CK_API ck_status_t ck_copy_box(const ck_copy_box_t *box, ck_stream_t *stream);

/* ---- strides ------------------------------------------------------------------------------- */

#define CK_MAX_RANK 8

/* One side of a strided copy. */
typedef struct ck_copy_strided_side {
  ck_buffer_t *buffer; /* or NULL: `host` */
  void *host;
  size_t offset;          /* bytes, of the first element */
  const int64_t *strides; /* elements, one per extent, 0 or more; NULL: dense, the last is 1 */
} ck_copy_strided_side_t;

/* Copies an array of any strides, such as a slice, a transpose or every second element.
 *
 * element_bytes  1 or more, such as 12 for a structure of three floats
 * extents        `rank` of them, at most CK_MAX_RANK; an extent of 0 copies nothing
 * cost           the array is split into three-dimensional boxes that the copy engine can do, one
 *                copy each; a transpose is a single copy, but one of single elements, which is slow
 * fails          CK_INVALID_ARGUMENT out of range, or if two elements of dst share an address;
 *                CK_UNSUPPORTED for strides of dst with so many overlapping axes that this can't be
 *                decided in reasonable time
 */
CK_API ck_status_t ck_copy_strided(const ck_copy_strided_side_t *dst,
                                   const ck_copy_strided_side_t *src, size_t element_bytes,
                                   size_t rank, const uint64_t *extents, ck_stream_t *stream);

/* ---- batches ------------------------------------------------------------------------------- */

/* When a copy may read its source; the numbers are cuda.h's. */
typedef enum ck_source_order {
  CK_SOURCE_STREAM = 1,          /* in stream order */
  CK_SOURCE_DURING_API_CALL = 2, /* before the call returns: the memory may be freed then */
  CK_SOURCE_ANY = 3,             /* at any time: the contents are final already and stay */
  CK_SOURCE_ORDER_FORCE_INT = 0x7fffffff
} ck_source_order_t;

#define CK_COPY_PREFER_OVERLAP 1u /* prefer copy engines, which overlap with kernels */

typedef struct ck_copy_options {
  size_t struct_size;
  ck_source_order_t source_order; /* zero: CK_SOURCE_STREAM */
  uint32_t flags;                 /* CK_COPY_* */
  ck_location_t src_hint;         /* where managed memory is; place 0: no hint */
  ck_location_t dst_hint;
} ck_copy_options_t;

typedef struct ck_copy_range {
  ck_buffer_t *dst;
  size_t dst_offset;
  const ck_buffer_t *src;
  size_t src_offset;
  size_t bytes;
  const ck_copy_options_t *options; /* of this range, read during the call; NULL: the options of
                                     * the call */
} ck_copy_range_t;

/* Copies many ranges in one call. They run in any order, so no range may overlap another.
 *
 * options  of ranges without options of their own; NULL: in stream order. Before CUDA 13.0 the
 *          ranges are copied one by one in stream order, and CK_SOURCE_DURING_API_CALL is
 *          CK_UNSUPPORTED
 * stream   not NULL, not the legacy default stream, and not captured
 * fails    CK_INVALID_ARGUMENT out of range, or for such a stream; CK_DRIVER
 */
CK_API ck_status_t ck_copy_batch(const ck_copy_range_t *ranges, size_t count,
                                 const ck_copy_options_t *options, ck_stream_t *stream);

/* ---- fills --------------------------------------------------------------------------------- */

/* Fills a range with copies of one element.
 *
 * offset         bytes, a multiple of the element's size or, if that is larger, of 4
 * count          elements; 0 does nothing
 * element        read before the call returns
 * element_bytes  1, 2, or a multiple of 4 up to 64
 * fails          CK_INVALID_ARGUMENT out of range; CK_DRIVER
 */
CK_API ck_status_t ck_buffer_fill_elements(ck_buffer_t *dst, size_t offset, size_t count,
                                           const void *element, size_t element_bytes,
                                           ck_stream_t *stream);

/* Fills a two-dimensional box with a value.
 *
 * row_bytes    distance between rows
 * width        values in each row
 * value_bytes  1, 2 or 4; offset and row_bytes are multiples of it
 */
CK_API ck_status_t ck_buffer_fill_box(ck_buffer_t *dst, size_t offset, size_t row_bytes,
                                      size_t width, size_t height, uint32_t value,
                                      size_t value_bytes, ck_stream_t *stream);

#ifdef __cplusplus
}
#endif
#endif
