/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/view.h - strided views of buffers, and their exchange with other libraries by DLPack.
 *
 * A view is a plain struct that says how elements lie in a buffer. It owns nothing: whoever uses it
 * keeps the buffer. Functions here make views of views and touch no memory, but for ck_view_copy,
 * which is in stream order.
 *
 *   ck_view_t all, part;
 *   ck_view_make(buffer, 0, CK_F32, 1, 2, (int64_t[]){64, 100}, NULL, &all);
 *   ck_view_slice(&all, 1, 10, 20, 1, &part); // columns 10 to 19
 *   ck_view_copy(&dst, &part, stream);
 */
#ifndef CK_VIEW_H
#define CK_VIEW_H

#include "ck/copy.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CK_VIEW_READ_ONLY 1u /* its owner wants nobody to write there */
#define CK_VIEW_COPIED    2u /* from DLPack: a copy that the producer made for this */

typedef struct ck_view {
  ck_buffer_t *buffer; /* borrowed */
  size_t offset;       /* bytes, of the first element */
  ck_dtype_t dtype;    /* CK_NONE: a structure, of which only the size is known */
  uint32_t
      components; /* of an element that is a vector: 2, 4, 8, 16; 1: a scalar; CK_NONE: bytes */
  uint32_t rank;  /* 0: one element */
  uint32_t flags; /* CK_VIEW_* */
  int64_t extents[CK_MAX_RANK];
  int64_t strides[CK_MAX_RANK]; /* elements from one to the next; 0: the same one again */
} ck_view_t;

/* ---- views of a buffer --------------------------------------------------------------------- */

/* offset   bytes, a multiple of the element's size; of structures, as they are aligned
 * dtype    CK_NONE for structures: `components` is their sizeof then
 * extents  `rank` of them
 * strides  likewise, in elements, below 0 too; NULL: dense, the last extent is the innermost
 * fails    CK_INVALID_ARGUMENT, also for a view that does not lie in the buffer
 */
CK_API ck_status_t ck_view_make(ck_buffer_t *buffer, size_t offset, ck_dtype_t dtype,
                                uint32_t components, uint32_t rank, const int64_t *extents,
                                const int64_t *strides, ck_view_t *out_view);

CK_API uint64_t ck_view_count(const ck_view_t *view);       /* elements */
CK_API size_t ck_view_element_bytes(const ck_view_t *view); /* with all components */
CK_API int ck_view_is_dense(const ck_view_t *view);         /* as made without strides */
CK_API uint64_t ck_view_native(const ck_view_t *view);      /* the first element's address */

/* ---- views of a view ---------------------------------------------------------------------------
 * `out_view` may be `view`, which is as before on failure; another one is all zero then, but for
 * ck_view_flatten. */

/* Every step-th element along an axis, from `start` on, before `stop`. A step below 0 goes down:
 * start = extent - 1, stop = -1, step = -1 is the whole, backwards. */
CK_API ck_status_t ck_view_slice(const ck_view_t *view, uint32_t axis, int64_t start, int64_t stop,
                                 int64_t step, ck_view_t *out_view);

/* axes  a permutation of 0 to rank - 1: axis k of the result is axis axes[k] of the view */
CK_API ck_status_t ck_view_permute(const ck_view_t *view, const uint32_t *axes,
                                   ck_view_t *out_view);

/* By NumPy's rules: axes are added in front, and those of extent 1 repeat. */
CK_API ck_status_t ck_view_broadcast(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                                     ck_view_t *out_view);

/* The same elements in the same order under other extents; one may be -1 and is worked out.
 *
 * fails  CK_INVALID_ARGUMENT if the counts differ, if the strides would need a copy, or for more
 *        elements than an extent can say
 */
CK_API ck_status_t ck_view_reshape(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                                   ck_view_t *out_view);

/* Makes neighbouring axes one wherever they are evenly spaced in all of the views, the same groups
 * in each, so that one loop goes over all of them.
 *
 * views      `count` views of one rank; extents may differ, and those of 1 go with their neighbours
 * out_views  as many; may be `views`
 * fails      CK_INVALID_ARGUMENT if the ranks differ; out_views is as before
 */
CK_API ck_status_t ck_view_flatten(const ck_view_t *views, size_t count, ck_view_t *out_views);

/* The same bytes as elements of another type. If its size is another one, the last extent changes,
 * and its stride has to be 1. */
CK_API ck_status_t ck_view_cast(const ck_view_t *view, ck_dtype_t dtype, uint32_t components,
                                ck_view_t *out_view);

/* The bytes of the widest element that the view can be cast to and a thread loads at once: the own
 * elements' or 2, 4, 8, 16, as rows, strides and the address allow. Structures of another size
 * are as wide as they are.
 *
 * most_bytes  a limit
 * fails       CK_INVALID_ARGUMENT if that is less than the view's elements have
 */
CK_API ck_status_t ck_view_get_widest(const ck_view_t *view, size_t most_bytes, size_t *out_bytes);

/* Copies all elements of `src`, which is broadcast to `dst`, in stream order; the buffers have to
 * live until the stream gets there.
 *
 * fails  CK_INVALID_ARGUMENT for other types or extents, a read-only `dst`, or one whose elements
 *        lie at one place; CK_UNSUPPORTED for strides below 0
 */
CK_API ck_status_t ck_view_copy(const ck_view_t *dst, const ck_view_t *src, ck_stream_t *stream);

/* ---- DLPack -----------------------------------------------------------------------------------
 * Source: dmlc/dlpack, dlpack.h, version 1: include it for the structs. Streams are the caller's:
 * what the producer has under way has to be before what uses the view. */

struct DLManagedTensor;          /* before version 1 */
struct DLManagedTensorVersioned; /* version 1 */

/* Gives out a tensor that retains the buffer until its deleter is called, by any thread.
 *
 * device  kDLCPU for the host device, kDLCUDAManaged, kDLCUDAHost for memory that the CPU finds as
 *         well, else kDLCUDA
 * fails   CK_UNSUPPORTED for structures; CK_INVALID_ARGUMENT for memory that nobody reaches
 */
CK_API ck_status_t ck_view_to_dlpack(const ck_view_t *view,
                                     struct DLManagedTensorVersioned **out_tensor);
CK_API ck_status_t ck_view_to_dlpack_unversioned(const ck_view_t *view,
                                                 struct DLManagedTensor **out_tensor);

/* Fills a DLTensor that looks at the view, for a call that takes one: nothing is allocated or
 * retained. Extents and strides are the view's own, which have to stay where they are.
 *
 * view        DLTensor says nothing of CK_VIEW_READ_ONLY: that is the caller's to keep
 * out_tensor  a DLTensor, which dlpack.h declares without a name that could stand here; all zero
 *             on failure
 * fails       as ck_view_to_dlpack
 */
CK_API ck_status_t ck_view_get_dltensor(ck_view_t *view, void *out_tensor);

/* Adopts a tensor: the new buffer's last release calls its deleter. On failure it stays with the
 * caller.
 *
 * device      the one that will use it: the host device takes memory that the CPU finds, a GPU its
 *             own, managed and pinned memory
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
