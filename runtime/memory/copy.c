/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* copy.c - copies of boxes and of strided arrays, and batches of copies.
 *
 * The driver copies boxes: rows of contiguous bytes, in planes. A strided copy is split into boxes
 * in four steps:
 *
 * 1. Drop axes of extent 1, and sort the others by the stride of dst.
 * 2. Merge neighbouring axes that are contiguous on both sides.
 * 3. The innermost axis becomes the width of a box if it is dense on both sides; otherwise the
 *    width is one element. The next one or two axes become its height and depth if their strides
 *    allow it.
 * 4. Loop over the remaining axes, one copy for each box.
 *
 * For example, columns 10 to 19 of a 64 x 100 matrix of f32 are one box of 40 bytes by 64 rows.
 */
#include <string.h>

#include "memory_private.h"

/* One side of a copy, with defaults filled in. */
typedef struct Side {
  const ck_buffer_t *buffer; /* NULL: host memory */
  char *host;
  size_t offset, row_bytes, rows;
} Side;

static ck_device_t *device_of(const ck_buffer_t *a, const ck_buffer_t *b)
{
  return a ? a->device : b->device;
}

static ck_status_t check_side(const Side *side, const char *name, size_t width, size_t height,
                              size_t depth)
{
  size_t bytes = box_bytes(width, height, depth, side->row_bytes, side->rows);
  if ((height > 1 || depth > 1) && side->row_bytes < width)
    return error_argument("ck_copy_box: rows of %s have %zu bytes, the box has %zu", name,
                          side->row_bytes, width);
  if (depth > 1 && side->rows < height)
    return error_argument("ck_copy_box: planes of %s have %zu rows, the box has %zu", name,
                          side->rows, height);
  if (bytes == SIZE_MAX) return error_argument("ck_copy_box: %s is larger than any memory", name);
  if (side->buffer) return buffer_check_range(side->buffer, side->offset, bytes, "ck_copy_box");
  if (side->host) return CK_OK;
  return error_argument("ck_copy_box: %s is neither a buffer nor host memory", name);
}

/* Both sides must belong to one driver, and the stream to the device of one of them. */
static ck_status_t check_buffers(const ck_buffer_t *dst, const ck_buffer_t *src,
                                 const ck_stream_t *stream, const char *function)
{
  if (!dst && !src) return error_argument("%s: neither side is a buffer", function);
  if (dst && src && dst->device->driver != src->device->driver)
    return error_argument("%s: from '%s' to '%s': copy through host memory", function,
                          src->device->name, dst->device->name);
  if (dst && src && stream && device_same(stream->device, src->device)) return CK_OK;
  return stream_check(stream, device_of(dst, src));
}

/* Adds the buffers to the capture. Done before the copies: if one fails, those before it are in the
 * graph. */
static ck_status_t keep_buffers(const ck_stream_t *stream, const ck_buffer_t *dst,
                                const ck_buffer_t *src)
{
  CK_TRY(stream_keep_buffer(stream, dst));
  return stream_keep_buffer(stream, src);
}

/* boxes -------------------------------------------------------------------------------------- */

static CUdeviceptr address(const Side *side)
{
  return side->buffer ? side->buffer->address + side->offset
                      : (CUdeviceptr)(uintptr_t)(side->host + side->offset);
}

static bool is_hosts(const Side *side)
{
  return !side->buffer || buffer_is_hosts(side->buffer);
}

static CUmemorytype memory_type(const Side *side)
{
  return is_hosts(side) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static CUdeviceptr place(const Side *side)
{
  return is_hosts(side) ? 0 : address(side);
}

static void *host_place(const Side *side)
{
  return is_hosts(side) ? (void *)(uintptr_t)address(side) : NULL;
}

/* Copies row by row, for row distances that exceed the limit of the copy engines. */
static ck_status_t put_rows(const Driver *driver, const Side *dst, const Side *src, size_t width,
                            size_t height, size_t depth, CUstream stream)
{
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      DRV(driver,
          cuMemcpyAsync(address(dst) + (z * dst->rows + y) * dst->row_bytes,
                        address(src) + (z * src->rows + y) * src->row_bytes, width, stream));
  return CK_OK;
}

/* Submits a checked box; the device's context is current. */
static ck_status_t put_box(const Driver *driver, const Side *dst, const Side *src, size_t width,
                           size_t height, size_t depth, CUstream stream)
{
  bool is_long = dst->row_bytes > MAX_ROW_BYTES || src->row_bytes > MAX_ROW_BYTES;
  if (is_long || (height == 1 && depth == 1))
    return put_rows(driver, dst, src, width, height, depth, stream);
  if (depth == 1) {
    CUDA_MEMCPY2D copy = {.srcMemoryType = memory_type(src),
                          .srcHost = host_place(src),
                          .srcDevice = place(src),
                          .srcPitch = src->row_bytes,
                          .dstMemoryType = memory_type(dst),
                          .dstHost = host_place(dst),
                          .dstDevice = place(dst),
                          .dstPitch = dst->row_bytes,
                          .WidthInBytes = width,
                          .Height = height};
    return DRV_STATUS(driver, cuMemcpy2DAsync(&copy, stream));
  }
  CUDA_MEMCPY3D copy = {.srcMemoryType = memory_type(src),
                        .srcHost = host_place(src),
                        .srcDevice = place(src),
                        .srcPitch = src->row_bytes,
                        .srcHeight = src->rows,
                        .dstMemoryType = memory_type(dst),
                        .dstHost = host_place(dst),
                        .dstDevice = place(dst),
                        .dstPitch = dst->row_bytes,
                        .dstHeight = dst->rows,
                        .WidthInBytes = width,
                        .Height = height,
                        .Depth = depth};
  return DRV_STATUS(driver, cuMemcpy3DAsync(&copy, stream));
}

/* The default row distance also replaces one that is given for a single row, because the driver
 * checks it anyway. */
static Side side_of(const ck_copy_side_t *side, const ck_copy_box_t *box)
{
  bool has_rows = box->height > 1 || box->depth > 1;
  return (Side){side->buffer, side->host, side->offset,
                side->row_bytes && has_rows ? side->row_bytes : box->width,
                side->rows ? side->rows : box->height};
}

ck_status_t ck_copy_box(const ck_copy_box_t *box, ck_stream_t *stream)
{
  CK_NEED_ARG(box);
  CK_READ_OPTIONS(ck_copy_box_t, own, box);
  if (!own.height) own.height = 1;
  if (!own.depth) own.depth = 1;
  CK_TRY(check_buffers(own.dst.buffer, own.src.buffer, stream, __func__));
  if (!own.width) return CK_OK;
  Side dst = side_of(&own.dst, &own), src = side_of(&own.src, &own);
  CK_TRY(check_side(&dst, "dst", own.width, own.height, own.depth));
  CK_TRY(check_side(&src, "src", own.width, own.height, own.depth));
  ck_device_t *device = device_of(dst.buffer, src.buffer);
  CK_TRY(keep_buffers(stream, dst.buffer, src.buffer));
  return IN_DEVICE(device, put_box(device->driver, &dst, &src, own.width, own.height, own.depth,
                                   stream_native(stream)));
}

/* strides ------------------------------------------------------------------------------------ */

typedef struct Dim {
  uint64_t extent;
  uint64_t dst, src; /* strides, bytes */
} Dim;

typedef struct Strided {
  const char *function; /* the public function, for messages */
  const Driver *driver;
  Side dst, src;
  CUstream stream;
  Dim dims[CK_MAX_RANK]; /* outermost first */
  size_t rank;
  size_t width;            /* contiguous bytes on both sides */
  size_t height_dim, loop; /* dims[loop..height_dim) are depth, dims[height_dim] is height */
} Strided;

/* Fills in dims without axes of extent 1, and checks the ranges. */
static ck_status_t read_dims(Strided *copy, const int64_t *dst_strides, const int64_t *src_strides,
                             size_t element_bytes, size_t rank, const uint64_t *extents)
{
  uint64_t dense = element_bytes, dst_last = element_bytes, src_last = element_bytes;
  Dim dims[CK_MAX_RANK];
  for (size_t i = rank; i-- > 0;) {
    int64_t dst = dst_strides ? dst_strides[i] : 0, src = src_strides ? src_strides[i] : 0;
    uint64_t step;
    if (dst < 0 || src < 0) return error_argument("%s: stride %zu is negative", copy->function, i);
    dims[i] = (Dim){extents[i], dense, dense};
    if ((dst_strides && __builtin_mul_overflow((uint64_t)dst, element_bytes, &dims[i].dst)) ||
        (src_strides && __builtin_mul_overflow((uint64_t)src, element_bytes, &dims[i].src)) ||
        __builtin_mul_overflow(dense, extents[i], &dense) ||
        __builtin_mul_overflow(dims[i].dst, extents[i] - 1, &step) ||
        __builtin_add_overflow(dst_last, step, &dst_last) ||
        __builtin_mul_overflow(dims[i].src, extents[i] - 1, &step) ||
        __builtin_add_overflow(src_last, step, &src_last))
      return error_argument("%s: extent %zu is larger than any memory", copy->function, i);
  }
  if (copy->dst.buffer)
    CK_TRY(buffer_check_range(copy->dst.buffer, copy->dst.offset, dst_last, copy->function));
  if (copy->src.buffer)
    CK_TRY(buffer_check_range(copy->src.buffer, copy->src.offset, src_last, copy->function));
  for (size_t i = 0; i < rank; ++i)
    if (dims[i].extent > 1) copy->dims[copy->rank++] = dims[i];
  return CK_OK;
}

enum { MOST_STEPS = 1 << 14 }; /* takes about as long as submitting a hundred copies */

/* Whether two different elements have the same address, by exhaustive search with pruning. Two
 * elements differ by k[i] steps on each axis, with |k[i]| below the extent; they coincide if the
 * sum of k[i] * stride[i] is 0 for some k other than 0. `sum` is the sum over the axes before i,
 * which are sorted by decreasing stride; `reach[i]` is the largest sum of the axes from i on, so a
 * branch is pruned when |sum| exceeds it. Every branch counts as a step. */
static bool can_meet(const Dim *dims, const int64_t *reach, size_t rank, size_t i, int64_t sum,
                     bool is_moved, unsigned *steps)
{
  if (i == rank) return sum == 0 && is_moved;
  int64_t stride = (int64_t)dims[i].dst, most = (int64_t)dims[i].extent - 1;
  if (!stride) return true;
  int64_t low = (-reach[i + 1] - sum) / stride - 1, high = (reach[i + 1] - sum) / stride + 1;
  if (low < -most) low = -most;
  if (high > most) high = most;
  for (int64_t k = low; k <= high; ++k) {
    int64_t there = sum + k * stride;
    if (there < -reach[i + 1] || there > reach[i + 1]) continue;
    if (++*steps > MOST_STEPS) return false;
    if (can_meet(dims, reach, rank, i + 1, there, is_moved || k, steps)) return true;
  }
  return false;
}

/* Strides that are not nested need not overlap, so this is checked by search. */
static ck_status_t check_lattice(const Strided *copy)
{
  const Dim *dims = copy->dims;
  size_t rank = copy->rank;
  int64_t reach[CK_MAX_RANK + 1] = {0};
  unsigned steps = 0;
  for (size_t i = rank; i-- > 0;) {
    int64_t way;
    if (__builtin_mul_overflow(dims[i].dst, dims[i].extent - 1, &way) ||
        __builtin_add_overflow(reach[i + 1], way, &reach[i]) || reach[i] > INT64_MAX / 4)
      return error_argument("%s: dst is larger than any memory", copy->function);
  }
  if (can_meet(dims, reach, rank, 0, 0, false, &steps))
    return error_argument("%s: elements of dst overlap", copy->function);
  if (steps <= MOST_STEPS) return CK_OK;
  return error_unsupported("%s: it takes too long to find out whether elements of dst overlap",
                           copy->function);
}

/* Sorts axes by decreasing stride of dst, and merges those that are contiguous on both sides. */
static ck_status_t sort_dims(Strided *copy, size_t element_bytes)
{
  Dim *dims = copy->dims;
  for (size_t i = 1; i < copy->rank; ++i)
    for (size_t k = i; k > 0 && dims[k].dst > dims[k - 1].dst; --k) {
      Dim held = dims[k];
      dims[k] = dims[k - 1];
      dims[k - 1] = held;
    }
  uint64_t inner = element_bytes; /* bytes that the axes inside of dims[i] span in dst */
  bool is_nested = true;
  for (size_t i = copy->rank; i-- > 0;) {
    is_nested &= dims[i].dst >= inner;
    inner = dims[i].dst * (dims[i].extent - 1) + inner;
  }
  if (!is_nested) CK_TRY(check_lattice(copy));
  copy->width = element_bytes;
  while (copy->rank && dims[copy->rank - 1].dst == copy->width &&
         dims[copy->rank - 1].src == copy->width)
    copy->width *= dims[--copy->rank].extent;
  for (size_t i = copy->rank; i-- > 1;) {
    Dim *outer = &dims[i - 1], *run = &dims[i];
    if (outer->dst != run->dst * run->extent || outer->src != run->src * run->extent) continue;
    *outer = (Dim){outer->extent * run->extent, run->dst, run->src};
    memmove(run, run + 1, (copy->rank - i - 1) * sizeof *run);
    --copy->rank;
  }
  return CK_OK;
}

/* Whether an axis can be the height of a box. */
static bool can_be_height(const Dim *dim, size_t width)
{
  return dim->dst >= width && dim->src >= width && dim->dst <= MAX_ROW_BYTES &&
         dim->src <= MAX_ROW_BYTES;
}

/* Whether an axis can be the depth of a box with this height. */
static bool can_be_depth(const Dim *dim, const Dim *height)
{
  return dim->dst % height->dst == 0 && dim->src % height->src == 0 &&
         dim->dst / height->dst >= height->extent && dim->src / height->src >= height->extent;
}

/* Copies the axes from i on, at these offsets. */
static ck_status_t put_dims(const Strided *copy, size_t i, size_t dst_at, size_t src_at)
{
  const Dim *dim = &copy->dims[i];
  Side dst = copy->dst, src = copy->src;
  dst.offset += dst_at;
  src.offset += src_at;
  dst.row_bytes = src.row_bytes = copy->width;
  dst.rows = src.rows = 1;
  size_t left = copy->rank - i;
  if (left == 0) return put_box(copy->driver, &dst, &src, copy->width, 1, 1, copy->stream);
  const Dim *last = &copy->dims[copy->rank - 1];
  if (left <= 2 && can_be_height(last, copy->width) && (left == 1 || can_be_depth(dim, last))) {
    dst.row_bytes = last->dst;
    src.row_bytes = last->src;
    size_t depth = left == 2 ? dim->extent : 1;
    dst.rows = left == 2 ? dim->dst / last->dst : last->extent;
    src.rows = left == 2 ? dim->src / last->src : last->extent;
    return put_box(copy->driver, &dst, &src, copy->width, last->extent, depth, copy->stream);
  }
  for (uint64_t k = 0; k < dim->extent; ++k)
    CK_TRY(put_dims(copy, i + 1, dst_at + k * dim->dst, src_at + k * dim->src));
  return CK_OK;
}

ck_status_t copy_strided(const ck_copy_strided_side_t *dst, const ck_copy_strided_side_t *src,
                         size_t element_bytes, size_t rank, const uint64_t *extents,
                         ck_stream_t *stream, const char *function)
{
  CK_TRY(check_buffers(dst->buffer, src->buffer, stream, function));
  for (size_t i = 0; i < rank; ++i)
    if (extents[i] == 0) return CK_OK;
  ck_device_t *device = device_of(dst->buffer, src->buffer);
  Strided copy = {.function = function,
                  .driver = device->driver,
                  .dst = {.buffer = dst->buffer, .host = dst->host, .offset = dst->offset},
                  .src = {.buffer = src->buffer, .host = src->host, .offset = src->offset},
                  .stream = stream_native(stream)};
  CK_TRY(read_dims(&copy, dst->strides, src->strides, element_bytes, rank, extents));
  CK_TRY(sort_dims(&copy, element_bytes));
  CK_TRY(keep_buffers(stream, dst->buffer, src->buffer));
  return IN_DEVICE(device, put_dims(&copy, 0, 0, 0));
}

ck_status_t ck_copy_strided(const ck_copy_strided_side_t *dst, const ck_copy_strided_side_t *src,
                            size_t element_bytes, size_t rank, const uint64_t *extents,
                            ck_stream_t *stream)
{
  CK_NEED_ARGS(dst, src);
  if (rank > CK_MAX_RANK)
    return error_argument("%s: a rank of %zu, %d are at most", __func__, rank, CK_MAX_RANK);
  if (!element_bytes) return error_argument("%s: elements of 0 bytes", __func__);
  if (rank) CK_NEED_ARG(extents);
  if ((!dst->buffer && !dst->host) || (!src->buffer && !src->host))
    return error_argument("%s: a side is neither a buffer nor host memory", __func__);
  return copy_strided(dst, src, element_bytes, rank, extents, stream, __func__);
}

/* batches ------------------------------------------------------------------------------------ */

_Static_assert((int)CU_MEMCPY_SRC_ACCESS_ORDER_STREAM == CK_SOURCE_STREAM &&
                   (int)CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL == CK_SOURCE_DURING_API_CALL &&
                   (int)CU_MEMCPY_SRC_ACCESS_ORDER_ANY == CK_SOURCE_ANY,
               "the numbers of the public enumeration are cuda.h's");

static ck_status_t check_batch(const ck_copy_range_t *ranges, size_t count,
                               const ck_stream_t *stream)
{
  for (size_t i = 0; i < count; ++i) {
    if (!ranges[i].dst || !ranges[i].src)
      return error_argument("ck_copy_batch: ranges[%zu].%s is NULL", i,
                            ranges[i].dst ? "src" : "dst");
    CK_TRY(check_buffers(ranges[i].dst, ranges[i].src, stream, "ck_copy_batch"));
    CK_TRY(
        buffer_check_range(ranges[i].dst, ranges[i].dst_offset, ranges[i].bytes, "ck_copy_batch"));
    CK_TRY(
        buffer_check_range(ranges[i].src, ranges[i].src_offset, ranges[i].bytes, "ck_copy_batch"));
  }
  if (!stream || stream->native == CU_STREAM_LEGACY)
    return error_argument("ck_copy_batch: not in the legacy default stream");
  if (stream_keep(stream)) return error_argument("ck_copy_batch: not in a captured stream");
  return CK_OK;
}

static ck_status_t read_attributes(const ck_device_t *device, const ck_copy_options_t *options,
                                   CUmemcpyAttributes *out)
{
  CK_READ_OPTIONS(ck_copy_options_t, own, options);
  if ((unsigned)own.source_order > CK_SOURCE_ANY || own.flags & ~CK_COPY_PREFER_OVERLAP)
    return error_argument("ck_copy_batch: source order %d, flags 0x%x", (int)own.source_order,
                          own.flags);
  CK_TRY(location_check(device, own.src_hint));
  CK_TRY(location_check(device, own.dst_hint));
  *out = (CUmemcpyAttributes){
      .srcAccessOrder =
          (CUmemcpySrcAccessOrder)(own.source_order ? own.source_order : CK_SOURCE_STREAM),
      .srcLocHint = {(CUmemLocationType)own.src_hint.place, own.src_hint.id},
      .dstLocHint = {(CUmemLocationType)own.dst_hint.place, own.dst_hint.id},
      .flags = own.flags & CK_COPY_PREFER_OVERLAP ? CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE
                                                  : CU_MEMCPY_FLAG_DEFAULT};
  return CK_OK;
}

/* The arguments of the driver's batch call: arrays of `count` copies, and an array of attributes
 * with an entry wherever they change. */
typedef struct Batch {
  CUdeviceptr *dst, *src;
  size_t *bytes, count;
  CUmemcpyAttributes *attributes;
  size_t *firsts; /* index of the first copy for each entry of attributes */
  size_t attribute_count;
  bool is_strict; /* the source must be read during the call; other attributes are only hints */
} Batch;

static ck_status_t new_batch(size_t count, Batch *out)
{
  *out = (Batch){.count = 0};
  out->attributes = memory_take(
      count * (sizeof *out->attributes + 2 * sizeof *out->dst + 2 * sizeof *out->bytes));
  if (!out->attributes) return CK_OUT_OF_MEMORY;
  out->dst = (CUdeviceptr *)(void *)(out->attributes + count);
  out->src = out->dst + count;
  out->bytes = (size_t *)(void *)(out->src + count);
  out->firsts = out->bytes + count;
  return CK_OK;
}

static ck_status_t fill_batch(const ck_device_t *device, const ck_copy_range_t *ranges,
                              size_t count, const ck_copy_options_t *options, Batch *batch)
{
  const ck_copy_options_t *last = NULL;
  for (size_t i = 0; i < count; ++i) {
    const ck_copy_options_t *own = ranges[i].options ? ranges[i].options : options;
    if (!ranges[i].bytes) continue; /* the driver refuses empty copies */
    if (!batch->count || own != last) {
      CUmemcpyAttributes *attributes = &batch->attributes[batch->attribute_count];
      CK_TRY(read_attributes(device, own, attributes));
      batch->is_strict |= attributes->srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
      batch->firsts[batch->attribute_count++] = batch->count;
      last = own;
    }
    batch->dst[batch->count] = ranges[i].dst->address + ranges[i].dst_offset;
    batch->src[batch->count] = ranges[i].src->address + ranges[i].src_offset;
    batch->bytes[batch->count++] = ranges[i].bytes;
  }
  return CK_OK;
}

static ck_status_t put_batch(const Driver *driver, const Batch *batch, CUstream stream)
{
  if (driver->cuMemcpyBatchAsync || batch->is_strict) {
    DRV_NEED(driver, cuMemcpyBatchAsync);
    return DRV_STATUS(driver, cuMemcpyBatchAsync(batch->dst, batch->src, batch->bytes, batch->count,
                                                 batch->attributes, batch->firsts,
                                                 batch->attribute_count, stream));
  }
  for (size_t i = 0; i < batch->count; ++i)
    DRV(driver, cuMemcpyAsync(batch->dst[i], batch->src[i], batch->bytes[i], stream));
  return CK_OK;
}

ck_status_t ck_copy_batch(const ck_copy_range_t *ranges, size_t count,
                          const ck_copy_options_t *options, ck_stream_t *stream)
{
  CUmemcpyAttributes checked;
  Batch batch;
  if (count) CK_NEED_ARG(ranges);
  CK_TRY(check_batch(ranges, count, stream));
  CK_TRY(read_attributes(stream->device, options, &checked));
  CK_TRY(new_batch(count, &batch));
  ck_status_t status = fill_batch(stream->device, ranges, count, options, &batch);
  if (batch.count && status == CK_OK) status = device_enter(stream->device);
  if (batch.count && status == CK_OK) {
    status = put_batch(stream->device->driver, &batch, stream->native);
    device_leave(stream->device);
  }
  memory_free(batch.attributes);
  return status;
}
