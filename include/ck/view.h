/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/view.h - strided views of buffers (as NumPy's arrays have them), and their exchange with other
 * libraries by DLPack.
 *
 * A view is a plain struct that describes how the elements of an array lie in a buffer:
 *
 *   address of element (i, j) = buffer + offset + (i * strides[0] + j * strides[1]) * element size
 *
 * It owns nothing: the caller keeps the buffer alive. The functions compute views from views and
 * access no memory, except ck_view_copy, which copies in stream order.
 *
 *   ck_view_t all, part;
 *   ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){64, 100}, NULL, &all);
 *   ck_view_slice(&all, 1, 10, 20, 1, &part); // columns 10 to 19
 *   ck_view_copy(&dst, &part, stream);
 */
#ifndef CK_VIEW_H
#define CK_VIEW_H

#include "ck/copy.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CK_VIEW_READ_ONLY 1u /* the owner forbids writes */
#define CK_VIEW_COPIED    2u /* from DLPack: the producer made a copy for this exchange */

typedef struct ck_view {
  ck_buffer_t *buffer; /* borrowed */
  size_t offset;       /* bytes, position of the first element */
  ck_dtype_t dtype;    /* CK_NONE: a structure of which only the size is known */
  uint32_t
      /* Components of a vector element: 2, 4, 8, 16; 1: a scalar. For CK_NONE the size of an
       * element in bytes. */
      components;
  uint32_t rank;  /* 0: one element */
  uint32_t flags; /* CK_VIEW_* */
  int64_t extents[CK_MAX_RANK];
  int64_t strides[CK_MAX_RANK]; /* in elements; 0 repeats the same element */
} ck_view_t;

/* ---- views of a buffer --------------------------------------------------------------------- */

/* Makes a view of a buffer.
 *
 * offset   bytes, a multiple of the element's size; for structures, of their alignment
 * dtype    CK_NONE for structures: `components` is their sizeof then
 * extents  `rank` of them
 * strides  likewise, in elements, may be negative; NULL: dense, the last axis is the innermost
 * fails    CK_INVALID_ARGUMENT, also for a view that does not lie in the buffer
 */
CK_API ck_status_t ck_view_from_buffer(ck_buffer_t *buffer, size_t offset, ck_dtype_t dtype,
                                       uint32_t components, uint32_t rank, const int64_t *extents,
                                       const int64_t *strides, ck_view_t *out_view);

CK_API uint64_t ck_view_count(const ck_view_t *view);       /* elements */
CK_API size_t ck_view_element_bytes(const ck_view_t *view); /* with all components */
CK_API int ck_view_is_dense(const ck_view_t *view);         /* the strides are the default ones */
CK_API uint64_t ck_view_native(const ck_view_t *view);      /* the first element's address */

/* ---- views of a view -------------------------------------------------------------------------
 * `out_view` may be the same struct as `view`. On failure it does not change if it is, and is all
 * zero otherwise; ck_view_flatten says what it does. */

/* Takes every step-th element of an axis, from `start` up to but not including `stop`. A negative
 * step goes down: start = extent - 1, stop = -1, step = -1 reverses the axis. */
CK_API ck_status_t ck_view_slice(const ck_view_t *view, uint32_t axis, int64_t start, int64_t stop,
                                 int64_t step, ck_view_t *out_view);

/* Permutes axes.
 *
 * axes  a permutation of 0 to rank - 1: axis k of the result is axis axes[k] of the view
 */
CK_API ck_status_t ck_view_permute(const ck_view_t *view, const uint32_t *axes,
                                   ck_view_t *out_view);

/* Broadcasts by NumPy's rules: axes are added in front, and axes of extent 1 are repeated. */
CK_API ck_status_t ck_view_broadcast(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                                     ck_view_t *out_view);

/* The same elements in the same order with other extents; one of them may be -1 and is computed.
 *
 * fails  CK_INVALID_ARGUMENT if the counts differ, if the new strides would require a copy, or if
 *        an extent would overflow
 */
CK_API ck_status_t ck_view_reshape(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                                   ck_view_t *out_view);

/* Merges neighbouring axes wherever all the views are evenly spaced across both, so that fewer
 * nested loops visit the elements of all views together.
 *
 * views      `count` views of one rank; extents may differ, and axes of extent 1 merge with their
 *            neighbours
 * out_views  as many; may be `views`
 * fails      CK_INVALID_ARGUMENT if the ranks differ; out_views does not change
 */
CK_API ck_status_t ck_view_flatten(const ck_view_t *views, size_t count, ck_view_t *out_views);

/* The same bytes as elements of another type. If its size differs, the last axis must have stride
 * 1, and its extent changes. */
CK_API ck_status_t ck_view_cast(const ck_view_t *view, ck_dtype_t dtype, uint32_t components,
                                ck_view_t *out_view);

/* The size in bytes of the widest element to which the view can be cast and which a thread loads
 * with one instruction: the element's own size, or 2, 4, 8, 16, as far as extents, strides and the
 * address allow. For a structure of another size it is that size.
 *
 * most_bytes  upper limit
 * fails       CK_INVALID_ARGUMENT if that is less than the size of the view's elements
 */
CK_API ck_status_t ck_view_get_widest(const ck_view_t *view, size_t most_bytes, size_t *out_bytes);

/* Copies all elements of `src`, broadcast to the extents of `dst`, in stream order; the buffers
 * must live until the copy has run.
 *
 * fails  CK_INVALID_ARGUMENT for other types or extents, a read-only `dst`, or one with several
 *        elements at one address; CK_UNSUPPORTED for negative strides
 */
CK_API ck_status_t ck_view_copy(const ck_view_t *dst, const ck_view_t *src, ck_stream_t *stream);

/* ---- DLPack ---------------------------------------------------------------------------------
 * Source: dmlc/dlpack, dlpack.h, version 1: include it for the structs. The caller orders streams:
 * the work that the producer has submitted must come before work that uses the view. */

struct DLManagedTensor;          /* before version 1 */
struct DLManagedTensorVersioned; /* version 1 */

/* Exports the view as a DLPack tensor, which retains the buffer until its deleter is called, on any
 * thread.
 *
 * device  kDLCPU for the host device; kDLCUDAManaged; kDLCUDAHost for memory that the CPU can
 *         access as well; else kDLCUDA
 * fails   CK_UNSUPPORTED for structures; CK_INVALID_ARGUMENT for memory that no device can access
 */
CK_API ck_status_t ck_view_to_dlpack(const ck_view_t *view,
                                     struct DLManagedTensorVersioned **out_tensor);
CK_API ck_status_t ck_view_to_dlpack_unversioned(const ck_view_t *view,
                                                 struct DLManagedTensor **out_tensor);

/* Fills in a DLTensor that refers to the view, for a call that takes one: nothing is allocated or
 * retained. Its extents and strides point into the view, which must not move.
 *
 * view        a DLTensor can't express CK_VIEW_READ_ONLY: the caller ensures it
 * out_tensor  a DLTensor, for which dlpack.h has no name that could be declared here; all zero on
 *             failure
 * fails       as ck_view_to_dlpack
 */
CK_API ck_status_t ck_view_get_dltensor(ck_view_t *view, void *out_tensor);

/* Adopts a DLPack tensor: the last release of the new buffer calls its deleter. On failure the
 * caller keeps the tensor.
 *
 * device      the device that will use it: the host device accepts memory that the CPU can access,
 *             a GPU its own, managed and pinned memory
 * out_buffer  owned by the caller; the view borrows it
 * fails       CK_INVALID_ARGUMENT for memory of another device; CK_UNSUPPORTED for a type that CK
 *             lacks, more than CK_MAX_RANK axes, or a version other than 1
 */
CK_API ck_status_t ck_view_from_dlpack(ck_device_t *device, struct DLManagedTensorVersioned *tensor,
                                       ck_buffer_t **out_buffer, ck_view_t *out_view);
CK_API ck_status_t ck_view_from_dlpack_unversioned(ck_device_t *device,
                                                   struct DLManagedTensor *tensor,
                                                   ck_buffer_t **out_buffer, ck_view_t *out_view);

#ifdef __cplusplus
}
#endif
#endif
