/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/copy.h - copies of every shape, many copies at once, and fills with any element.
 *
 * Everything here is in stream order and returns before it is done; host memory has to live until
 * the stream gets there.
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

/* One side of a copy: rows of bytes, in planes of rows. A field that is 0 has its default. */
typedef struct ck_copy_side {
  ck_buffer_t *buffer; /* or NULL: `host` */
  void *host;
  size_t offset;    /* bytes, of the first row */
  size_t row_bytes; /* from one row to the next, if there is one; 0: the box's width */
  size_t rows;      /* from one plane to the next; 0: the box's height */
} ck_copy_side_t;

typedef struct ck_copy_box {
  size_t struct_size;
  ck_copy_side_t dst, src;
  size_t width;  /* bytes; 0 copies nothing */
  size_t height; /* rows; 0 is 1 */
  size_t depth;  /* planes; 0 is 1 */
} ck_copy_box_t;

/* Copies a box of two or three dimensions, between buffers or between a buffer and host memory.
 *
 * box      at least one side is a buffer; sides must not overlap
 * fails    CK_INVALID_ARGUMENT for rows that are shorter than the box, or a box that does not lie
 *          in its buffer; CK_DRIVER
 */
CK_API ck_status_t ck_copy_box(const ck_copy_box_t *box, ck_stream_t *stream);

/* ---- strides ------------------------------------------------------------------------------- */

#define CK_MAX_RANK 8

/* One side of a copy of elements. */
typedef struct ck_copy_strided_side {
  ck_buffer_t *buffer; /* or NULL: `host` */
  void *host;
  size_t offset;          /* bytes, of the first element */
  const int64_t *strides; /* elements, one per extent, 0 or more; NULL: dense, the last is 1 */
} ck_copy_strided_side_t;

/* Copies an array, element by element, whatever the strides: parts, transposes, every second one.
 *
 * element_bytes  1 or more, such as 12 for a structure of three floats
 * extents        `rank` of them, at most CK_MAX_RANK; an extent of 0 copies nothing
 * cost           one copy by the device for each run of three dimensions that its engines can do;
 *                a transpose is one copy, but of single elements
 * fails          CK_INVALID_ARGUMENT out of range, or for two elements of dst at one place;
 *                CK_UNSUPPORTED for strides of dst of which it takes too long to find that out,
 *                which have many axes that lie across each other
 */
CK_API ck_status_t ck_copy_strided(const ck_copy_strided_side_t *dst,
                                   const ck_copy_strided_side_t *src, size_t element_bytes,
                                   size_t rank, const uint64_t *extents, ck_stream_t *stream);

/* ---- batches ------------------------------------------------------------------------------- */

/* When a copy may read its source; the numbers are cuda.h's. */
typedef enum ck_source_order {
  CK_SOURCE_STREAM = 1,          /* in stream order */
  CK_SOURCE_DURING_API_CALL = 2, /* before the call returns: for memory that goes away then */
  CK_SOURCE_ANY = 3,             /* at any time: it was written long ago, and stays */
  CK_SOURCE_ORDER_FORCE_INT = 0x7fffffff
} ck_source_order_t;

#define CK_COPY_PREFER_OVERLAP 1u /* with kernels: not by processors, where that can be chosen */

typedef struct ck_copy_options {
  size_t struct_size;
  ck_source_order_t source_order; /* zero: CK_SOURCE_STREAM */
  uint32_t flags;                 /* CK_COPY_* */
  ck_location_t src_hint;         /* where managed memory lies; place 0: no hint */
  ck_location_t dst_hint;
} ck_copy_options_t;

typedef struct ck_copy_range {
  ck_buffer_t *dst;
  size_t dst_offset;
  const ck_buffer_t *src;
  size_t src_offset;
  size_t bytes;
  const ck_copy_options_t *options; /* of this range, read during the call; NULL: the call's */
} ck_copy_range_t;

/* Copies many ranges in one call. They run in any order, so that none may overlap another.
 *
 * options  of ranges that have none; NULL: in stream order. Before CUDA 13.0 ranges are copied one
 *          by one in stream order, and CK_SOURCE_DURING_API_CALL is CK_UNSUPPORTED
 * stream   not NULL or the legacy default stream, nor one that is captured
 * fails    CK_INVALID_ARGUMENT out of range, or for such a stream; CK_DRIVER
 */
CK_API ck_status_t ck_copy_batch(const ck_copy_range_t *ranges, size_t count,
                                 const ck_copy_options_t *options, ck_stream_t *stream);

/* ---- fills --------------------------------------------------------------------------------- */

/* Fills a range with an element, over and over.
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

/* Fills the rows of a box with a value.
 *
 * row_bytes    from one row to the next
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
