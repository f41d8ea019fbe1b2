/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* view.c - strided views: computes where elements lie, without accessing memory.
 *
 * A view's strides are in elements of its type and may be 0 (an axis that repeats) or negative.
 * Axes of extent 1 have a stride that is never used, and every function ignores it. DLPack is in
 * interop/dlpack.c.
 */
#include <string.h>

#include "memory_private.h"
#include "view.h"

/* ---- what a view spans ---- */

/* For CK_NONE, a structure, `components` is the size in bytes. */
static size_t element_bytes(ck_dtype_t dtype, uint32_t components)
{
  return dtype == CK_NONE ? components : ck_dtype_bytes(dtype) * components;
}

bool view_takes_components(uint32_t components)
{
  enum { COMPONENTS_MAX = 16 };
  return components && !(components & (components - 1)) && components <= COMPONENTS_MAX;
}

static ck_status_t check_element(ck_dtype_t dtype, uint32_t components, const char *function)
{
  if (dtype == CK_NONE && components) return CK_OK;
  if (ck_dtype_bytes(dtype) && view_takes_components(components)) return CK_OK;
  if (!ck_dtype_bytes(dtype))
    return error_argument("%s: elements of type %d, with %u components", function, (int)dtype,
                          components);
  return error_argument("%s: elements of %u x %s; 1, 2, 4, 8 or 16", function, components,
                        ck_dtype_name(dtype));
}

/* The unit of the offset; a structure's alignment is not known. */
static size_t offset_step(ck_dtype_t dtype, uint32_t components)
{
  return dtype == CK_NONE ? 1 : element_bytes(dtype, components);
}

/* The alignment that an element's address needs so that a kernel can read it as one. */
static size_t element_align(ck_dtype_t dtype, uint32_t components)
{
  /* The widest load of a GPU. */
  enum { WIDEST_ACCESS = 16 };
  size_t step = offset_step(dtype, components);
  return step < WIDEST_ACCESS ? step : WIDEST_ACCESS;
}

static bool has_zero(uint32_t rank, const int64_t *extents)
{
  for (uint32_t i = 0; i < rank; ++i)
    if (!extents[i]) return true;
  return false;
}

/* Whether an extent is 0. */
static bool is_empty(const ck_view_t *view)
{
  return has_zero(view->rank, view->extents);
}

bool view_reach(const ck_view_t *view, int64_t *out_lowest, int64_t *out_highest)
{
  int64_t lowest = 0, highest = 0, bytes = (int64_t)ck_view_element_bytes(view);
  *out_lowest = *out_highest = 0;
  if (is_empty(view)) return true;
  for (uint32_t i = 0; i < view->rank; ++i) {
    int64_t way;
    if (view->extents[i] == 1) continue; /* its stride is never used */
    if (__builtin_mul_overflow(view->extents[i] - 1, view->strides[i], &way) ||
        __builtin_add_overflow(way, way < 0 ? lowest : highest, &way))
      return false;
    if (view->strides[i] < 0) lowest = way;
    else highest = way;
  }
  return !__builtin_mul_overflow(lowest, bytes, out_lowest) &&
         !__builtin_add_overflow(highest, 1, &highest) &&
         !__builtin_mul_overflow(highest, bytes, out_highest);
}

static ck_status_t check_shape(uint32_t rank, const int64_t *extents, const char *function)
{
  uint64_t count = 1;
  bool is_huge = false;
  if (rank > CK_MAX_RANK)
    return error_argument("%s: %u axes, at most %d", function, rank, CK_MAX_RANK);
  if (rank && !extents) return error_argument("%s: extents is NULL", function);
  for (uint32_t i = 0; i < rank; ++i) {
    if (extents[i] < 0)
      return error_argument("%s: axis %u has the extent %lld", function, i, (long long)extents[i]);
    is_huge |= __builtin_mul_overflow(count, (uint64_t)extents[i], &count);
  }
  if (is_huge && !has_zero(rank, extents))
    return error_argument("%s: more elements than memory has", function);
  return CK_OK;
}

/* Checks the type, the shape, the alignment, and that every element lies in the buffer. */
ck_status_t view_check(const ck_view_t *view, const char *function)
{
  int64_t lowest, highest;
  if (!view || !view->buffer)
    return error_argument("%s: %s is NULL", function, view ? "the view's buffer" : "the view");
  CK_TRY(check_element(view->dtype, view->components, function));
  CK_TRY(check_shape(view->rank, view->extents, function));
  bool lies_inside = view_reach(view, &lowest, &highest) && view->offset <= view->buffer->bytes &&
                     0 - (uint64_t)lowest <= view->offset &&
                     (uint64_t)highest <= view->buffer->bytes - view->offset;
  uint64_t first = (uint64_t)view->buffer->address + view->offset;
  size_t align = element_align(view->dtype, view->components);
  if (lies_inside && first % align && !is_empty(view))
    return error_argument("%s: the elements begin at address 0x%llx, which is no multiple of %zu",
                          function, (unsigned long long)first, align);
  if (lies_inside) return CK_OK;
  return error_argument("%s: the view does not lie in its buffer of %zu bytes", function,
                        view->buffer->bytes);
}

void view_set_dense(ck_view_t *view)
{
  int64_t stride = 1;
  for (uint32_t i = view->rank; i-- > 0;) {
    view->strides[i] = stride;
    /* An overflow is either in an empty view, or found as a view outside of its buffer. */
    if (view->extents[i] && __builtin_mul_overflow(stride, view->extents[i], &stride)) stride = 0;
  }
}

ck_status_t ck_view_from_buffer(ck_buffer_t *buffer, size_t offset, ck_dtype_t dtype,
                                uint32_t components, uint32_t rank, const int64_t *extents,
                                const int64_t *strides, ck_view_t *out_view)
{
  CK_NEED_OUT(out_view, (ck_view_t){0});
  CK_TRY(check_shape(rank, extents, __func__));
  ck_view_t view = {buffer, offset, dtype, components, rank, 0, {0}, {0}};
  if (rank) memcpy(view.extents, extents, rank * sizeof *extents);
  if (strides && rank) memcpy(view.strides, strides, rank * sizeof *strides);
  else view_set_dense(&view);
  CK_TRY(view_check(&view, __func__));
  if (offset % offset_step(dtype, components))
    return error_argument("%s: the offset %zu is no multiple of %zu", __func__, offset,
                          offset_step(dtype, components));
  *out_view = view;
  return CK_OK;
}

/* ---- what a view is ---- */

uint64_t ck_view_count(const ck_view_t *view)
{
  uint64_t count = 1;
  for (uint32_t i = 0; view && i < view->rank; ++i) count *= (uint64_t)view->extents[i];
  return view ? count : 0;
}

size_t ck_view_element_bytes(const ck_view_t *view)
{
  return view ? element_bytes(view->dtype, view->components) : 0;
}

int ck_view_is_dense(const ck_view_t *view)
{
  int64_t stride = 1;
  if (!view || !ck_view_count(view)) return view != NULL;
  for (uint32_t i = view->rank; i-- > 0; stride *= view->extents[i])
    if (view->extents[i] != 1 && view->strides[i] != stride) return 0;
  return 1;
}

uint64_t ck_view_native(const ck_view_t *view)
{
  return view && view->buffer ? ck_buffer_native(view->buffer) + view->offset : 0;
}

/* ---- views of views ---- */

#define CHECK_VIEWS(view_, out_)                                                                   \
  do {                                                                                             \
    CK_NEED_ARG(out_);                                                                             \
    if ((out_) != (view_)) *(out_) = (ck_view_t){0};                                               \
    CK_TRY(view_check(view_, __func__));                                                           \
  } while (0)

ck_status_t ck_view_slice(const ck_view_t *view, uint32_t axis, int64_t start, int64_t stop,
                          int64_t step, ck_view_t *out_view)
{
  CHECK_VIEWS(view, out_view);
  if (axis >= view->rank) return error_argument("%s: axis %u of %u", __func__, axis, view->rank);
  int64_t extent = view->extents[axis];
  bool is_up = step > 0;
  bool is_inside = is_up ? start >= 0 && start <= stop && stop <= extent
                         : stop >= -1 && stop <= start && start < extent;
  if (!step || !is_inside)
    return error_argument("%s: %lld to %lld by %lld along an axis of %lld elements", __func__,
                          (long long)start, (long long)stop, (long long)step, (long long)extent);
  uint64_t way = is_up ? (uint64_t)(stop - start) : (uint64_t)(start - stop);
  uint64_t by = is_up ? (uint64_t)step : -(uint64_t)step;
  ck_view_t view_of = *view;
  view_of.extents[axis] = (int64_t)(way / by + (way % by != 0));
  if (!is_empty(&view_of)) { /* an empty view keeps its offset */
    view_of.offset += (size_t)(start * view->strides[axis]) * ck_view_element_bytes(view);
    /* Otherwise the stride is never used. */
    if (view_of.extents[axis] > 1) view_of.strides[axis] *= step;
  }
  *out_view = view_of;
  return CK_OK;
}

ck_status_t ck_view_permute(const ck_view_t *view, const uint32_t *axes, ck_view_t *out_view)
{
  CHECK_VIEWS(view, out_view);
  uint32_t seen = 0;
  ck_view_t view_of = *view;
  if (view->rank) CK_NEED_ARG(axes);
  for (uint32_t i = 0; i < view->rank; ++i) {
    if (axes[i] >= view->rank || seen >> axes[i] & 1)
      return error_argument("%s: axes[%u] = %u is no axis, or stands twice", __func__, i, axes[i]);
    seen |= 1u << axes[i];
    view_of.extents[i] = view->extents[axes[i]];
    view_of.strides[i] = view->strides[axes[i]];
  }
  *out_view = view_of;
  return CK_OK;
}

/* Broadcasts a view that has been checked. */
static ck_status_t broadcast(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                             ck_view_t *out_view, const char *function)
{
  CK_TRY(check_shape(rank, extents, function));
  if (rank < view->rank) return error_argument("%s: %u axes to %u", function, view->rank, rank);
  ck_view_t view_of = *view;
  view_of.rank = rank;
  for (uint32_t i = 0, added = rank - view->rank; i < rank; ++i) {
    int64_t own = i < added ? 1 : view->extents[i - added];
    view_of.extents[i] = extents[i];
    view_of.strides[i] = own == extents[i] && i >= added ? view->strides[i - added] : 0;
    if (own != extents[i] && own != 1)
      return error_argument("%s: axis %u: %lld elements to %lld", function, i, (long long)own,
                            (long long)extents[i]);
  }
  *out_view = view_of;
  return CK_OK;
}

ck_status_t ck_view_broadcast(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                              ck_view_t *out_view)
{
  CHECK_VIEWS(view, out_view);
  return broadcast(view, rank, extents, out_view, __func__);
}

/* Replaces -1 by the extent that completes the count. */
static ck_status_t complete(const ck_view_t *view, uint32_t rank, int64_t *extents,
                            const char *function)
{
  uint64_t count = 1, all = ck_view_count(view);
  uint32_t open = rank;
  if (all > INT64_MAX)
    return error_argument("%s: %llu elements are more than an extent can say", function,
                          (unsigned long long)all);
  for (uint32_t i = 0; i < rank; ++i) {
    if (extents[i] != -1) count *= (uint64_t)extents[i];
    else if (open == rank) open = i;
    else return error_argument("%s: two extents are -1", function);
  }
  if (open < rank && count && all % count == 0) extents[open] = (int64_t)(all / count);
  if (open < rank ? count && all % count == 0 : count == all) return CK_OK;
  return error_argument("%s: %llu elements do not fit these extents", function,
                        (unsigned long long)all);
}

/* The stride with which the axes can be merged into one; false if they are not evenly spaced. */
static bool find_spacing(const ck_view_t *view, uint32_t first, uint32_t end, int64_t *out_stride)
{
  int64_t expected = 0;
  bool has_stride = false;
  *out_stride = 1;
  for (uint32_t i = end; i-- > first;) {
    if (view->extents[i] == 1) continue;
    if (has_stride && view->strides[i] != expected) return false;
    if (!has_stride) *out_stride = view->strides[i];
    has_stride = true;
    if (__builtin_mul_overflow(view->strides[i], view->extents[i], &expected)) return false;
  }
  return true;
}

/* Computes the strides of a reshaped view: splits both lists of axes into the smallest groups with
 * equal element counts. Each group of the old view must be evenly spaced. */
static bool find_strides(const ck_view_t *view, ck_view_t *made)
{
  uint32_t from = 0, to = 0;
  while (from < view->rank || to < made->rank) {
    uint32_t first = from, begin = to;
    int64_t stride, theirs = from < view->rank ? view->extents[from++] : 1,
                    ours = to < made->rank ? made->extents[to++] : 1;
    while (theirs != ours)
      if (theirs < ours) theirs *= view->extents[from++];
      else ours *= made->extents[to++];
    if (!find_spacing(view, first, from, &stride)) return false;
    for (uint32_t i = to; i-- > begin; stride *= made->extents[i]) made->strides[i] = stride;
  }
  return true;
}

ck_status_t ck_view_reshape(const ck_view_t *view, uint32_t rank, const int64_t *extents,
                            ck_view_t *out_view)
{
  CHECK_VIEWS(view, out_view);
  ck_view_t view_of = *view;
  int64_t known[CK_MAX_RANK] = {0};
  for (uint32_t i = 0; i < rank && rank <= CK_MAX_RANK && extents; ++i)
    known[i] = extents[i] == -1 ? 1 : extents[i];
  CK_TRY(check_shape(rank, extents ? known : NULL, __func__));
  view_of.rank = rank;
  if (rank) memcpy(view_of.extents, extents, rank * sizeof *extents);
  CK_TRY(complete(view, rank, view_of.extents, __func__));
  if (!ck_view_count(view)) view_set_dense(&view_of);
  else if (!find_strides(view, &view_of))
    return error_argument("%s: with these strides it would take a copy", __func__);
  *out_view = view_of;
  return CK_OK;
}

/* Whether a group of axes can be merged in all views. */
static bool is_group(const ck_view_t *views, size_t count, uint32_t first, uint32_t end)
{
  int64_t stride;
  for (size_t i = 0; i < count; ++i) {
    int64_t extent = 1;
    if (!is_empty(&views[i]) && !find_spacing(&views[i], first, end, &stride)) return false;
    for (uint32_t k = first; k < end; ++k)
      if (__builtin_mul_overflow(extent, views[i].extents[k], &extent)) return false;
  }
  return true;
}

/* Merges the axes first..end into axis `to`, with to <= first. */
static void join_axes(ck_view_t *view, uint32_t first, uint32_t end, uint32_t to)
{
  int64_t extent = 1, stride = view->strides[first];
  if (end > first + 1) find_spacing(view, first, end, &stride);
  for (uint32_t k = first; k < end; ++k) extent *= view->extents[k];
  view->extents[to] = extent;
  view->strides[to] = stride;
}

ck_status_t ck_view_flatten(const ck_view_t *views, size_t count, ck_view_t *out_views)
{
  uint32_t groups = 0, rank = 0;
  if (count) CK_NEED_ARG(out_views);
  if (count) CK_NEED_ARG(views);
  for (size_t i = 0; i < count; ++i) {
    CK_TRY(view_check(&views[i], __func__));
    if (views[i].rank != views[0].rank)
      return error_argument("%s: view %zu has %u axes, the first has %u", __func__, i,
                            views[i].rank, views[0].rank);
    rank = views[0].rank;
  }
  if (count) memmove(out_views, views, count * sizeof *views);
  for (uint32_t first = 0, end; first < rank; first = end, ++groups) {
    for (end = first + 1; end < rank && is_group(out_views, count, first, end + 1);) ++end;
    /* Merged axes are stored in front of those that are still to be read. */
    for (size_t i = 0; i < count; ++i) join_axes(&out_views[i], first, end, groups);
  }
  for (size_t i = 0; i < count; ++i) out_views[i].rank = groups;
  return CK_OK;
}

/* Whether a run of elements is a whole number of elements of another size. */
static bool is_whole(int64_t elements, int64_t old, int64_t new)
{
  int64_t bytes;
  return !__builtin_mul_overflow(elements, old, &bytes) && bytes % new == 0;
}

/* Whether the innermost rows consist of whole elements of another size, at multiples of `step`. An
 * axis of one element has a stride that is never used. */
static bool takes_elements(const ck_view_t *view, int64_t old, int64_t new, size_t step)
{
  if (old == new) return true;
  if (!view->rank) return false;
  uint32_t last = view->rank - 1;
  bool fits = (view->strides[last] == 1 || view->extents[last] == 1) &&
              is_whole(view->extents[last], old, new) && view->offset % step == 0;
  for (uint32_t i = 0; fits && i < last; ++i)
    fits = view->extents[i] == 1 || is_whole(view->strides[i], old, new);
  return fits;
}

ck_status_t ck_view_cast(const ck_view_t *view, ck_dtype_t dtype, uint32_t components,
                         ck_view_t *out_view)
{
  CHECK_VIEWS(view, out_view);
  ck_view_t view_of = *view;
  view_of.dtype = dtype;
  view_of.components = components;
  int64_t old = (int64_t)ck_view_element_bytes(view);
  CK_TRY(check_element(dtype, components, __func__));
  int64_t new = (int64_t)ck_view_element_bytes(&view_of);
  size_t step = offset_step(dtype, components);
  if (!takes_elements(view, old, new, step) || view->offset % step)
    return error_argument("%s: rows of elements of %lld bytes can't be read as such of %lld",
                          __func__, (long long)old, (long long)new);
  if (new != old) {
    uint32_t last = view->rank - 1;
    view_of.extents[last] = view->extents[last] * old / new;
    view_of.strides[last] = 1;
    for (uint32_t i = 0; i < last; ++i)
      view_of.strides[i] = is_whole(view->strides[i], old, new) ? view->strides[i] * old / new : 0;
  }
  CK_TRY(view_check(&view_of, __func__));
  *out_view = view_of;
  return CK_OK;
}

ck_status_t ck_view_get_widest(const ck_view_t *view, size_t most_bytes, size_t *out_bytes)
{
  enum { MOST = 16 }; /* bytes that a thread loads with one instruction */
  CK_NEED_OUT(out_bytes, 0);
  CK_TRY(view_check(view, __func__));
  size_t own = ck_view_element_bytes(view), bytes = own;
  if (most_bytes < own)
    return error_argument("%s: at most %zu bytes, the elements have %zu", __func__, most_bytes,
                          own);
  bool is_power = !(own & (own - 1)); /* other sizes can't be loaded with one instruction and
                                       * stay as they are */
  for (size_t wide = 2 * own; is_power && wide <= most_bytes && wide <= MOST; wide *= 2)
    if (takes_elements(view, (int64_t)own, (int64_t)wide, wide) && ck_view_native(view) % wide == 0)
      bytes = wide;
  *out_bytes = bytes;
  return CK_OK;
}

/* ---- copies ---- */

ck_status_t ck_view_copy(const ck_view_t *dst, const ck_view_t *src, ck_stream_t *stream)
{
  CK_TRY(view_check(dst, __func__));
  CK_TRY(view_check(src, __func__));
  if (dst->flags & CK_VIEW_READ_ONLY) return error_argument("%s: dst is read-only", __func__);
  if (dst->dtype != src->dtype || dst->components != src->components)
    return error_argument("%s: elements of %u x %s to %u x %s", __func__, src->components,
                          ck_dtype_name(src->dtype), dst->components, ck_dtype_name(dst->dtype));
  ck_view_t from;
  CK_TRY(broadcast(src, dst->rank, dst->extents, &from, __func__));
  for (uint32_t i = 0; i < dst->rank; ++i)
    if (dst->extents[i] > 1 && (dst->strides[i] < 0 || from.strides[i] < 0))
      return error_unsupported("%s: the stride of axis %u is below 0", __func__, i);
  uint64_t extents[CK_MAX_RANK];
  int64_t to_strides[CK_MAX_RANK], from_strides[CK_MAX_RANK];
  for (uint32_t i = 0; i < dst->rank; ++i) {
    bool is_one = dst->extents[i] == 1; /* its stride is never used */
    extents[i] = (uint64_t)dst->extents[i];
    to_strides[i] = is_one ? 0 : dst->strides[i];
    from_strides[i] = is_one ? 0 : from.strides[i];
  }
  ck_copy_strided_side_t to_side = {dst->buffer, NULL, dst->offset, to_strides};
  ck_copy_strided_side_t from_side = {src->buffer, NULL, src->offset, from_strides};
  return copy_strided(&to_side, &from_side, ck_view_element_bytes(dst), dst->rank, extents, stream,
                      __func__);
}
