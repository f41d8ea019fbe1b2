/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* copy.c - two- and three-dimensional copies and fills of the host device, and batches of copies.
 *
 * These functions check their arguments; memory.c makes the operations.
 */
#include <string.h>

#include "host.h"

static char *start_of(CUmemorytype type, const void *host, CUdeviceptr device)
{
  if (type == CU_MEMORYTYPE_HOST) return (char *)(uintptr_t)host;
  if (type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED)
    return (char *)(uintptr_t)device;
  return NULL;
}

/* Whether a copy lies inside an array. */
static bool is_inside(CUarray array, size_t x_bytes, size_t y, size_t z, const CUDA_MEMCPY3D *copy)
{
  if (!array) return false;
  const HostImage *image = host_array_image(array);
  return x_bytes <= image->row_bytes && copy->WidthInBytes <= image->row_bytes - x_bytes &&
         y <= image->height && copy->Height <= image->height - y && z <= image->slices &&
         copy->Depth <= image->slices - z;
}

/* Whether one side in memory is valid: an address, and a pitch and height that hold the copy. */
static bool is_memory(const char *start, size_t pitch, size_t height, const CUDA_MEMCPY3D *copy)
{
  enum { MAX_PITCH = 0x7fffffff }; /* CU_DEVICE_ATTRIBUTE_MAX_PITCH */
  bool has_rows = copy->Height > 1 || copy->Depth > 1;
  return start && (!has_rows || pitch >= copy->WidthInBytes) && pitch <= MAX_PITCH &&
         (copy->Depth <= 1 || height >= copy->Height);
}

CUresult host_cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
  NEED_CONTEXT();
  bool is_dst = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY
                    ? is_inside(copy->dstArray, copy->dstXInBytes, copy->dstY, copy->dstZ, copy)
                    : is_memory(start_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice),
                                copy->dstPitch, copy->dstHeight, copy);
  bool is_src = copy->srcMemoryType == CU_MEMORYTYPE_ARRAY
                    ? is_inside(copy->srcArray, copy->srcXInBytes, copy->srcY, copy->srcZ, copy)
                    : is_memory(start_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice),
                                copy->srcPitch, copy->srcHeight, copy);
  if (!is_dst || !is_src) return CUDA_ERROR_INVALID_VALUE;
  if (!copy->WidthInBytes || !copy->Height || !copy->Depth) return CUDA_SUCCESS;
  HostOp *op = host_make_copy(copy);
  return op ? host_put(stream, op) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
  CUDA_MEMCPY3D box = {.srcXInBytes = copy->srcXInBytes,
                       .srcY = copy->srcY,
                       .srcMemoryType = copy->srcMemoryType,
                       .srcHost = copy->srcHost,
                       .srcDevice = copy->srcDevice,
                       .srcPitch = copy->srcPitch,
                       .srcHeight = copy->Height,
                       .dstXInBytes = copy->dstXInBytes,
                       .dstY = copy->dstY,
                       .dstMemoryType = copy->dstMemoryType,
                       .dstHost = copy->dstHost,
                       .dstDevice = copy->dstDevice,
                       .dstPitch = copy->dstPitch,
                       .dstHeight = copy->Height,
                       .WidthInBytes = copy->WidthInBytes,
                       .Height = copy->Height,
                       .Depth = 1};
  return host_cuMemcpy3DAsync(&box, stream);
}

/* batches: in stream order, or at once if the source may be freed ------------------------------ */

CUresult host_cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                                 CUmemcpyAttributes *attributes, size_t *firsts,
                                 size_t attribute_count, CUstream stream)
{
  NEED_CONTEXT();
  if (!stream || stream == CU_STREAM_LEGACY || !count || !attribute_count || firsts[0] != 0)
    return CUDA_ERROR_INVALID_VALUE;
  bool must_wait = false;
  for (size_t i = 0; i < count; ++i) {
    CUresult result = host_cuMemcpyAsync(dsts[i], srcs[i], sizes[i], stream);
    if (result != CUDA_SUCCESS) return result;
  }
  for (size_t i = 0; i < attribute_count; ++i)
    must_wait |= attributes[i].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  return must_wait ? host_stream_sync(stream) : CUDA_SUCCESS;
}

/* fills -------------------------------------------------------------------------------------- */

bool host_fits_pitch(size_t pitch, size_t row_bytes, unsigned value_bytes, size_t height)
{
  return height <= 1 || (pitch % value_bytes == 0 && pitch >= row_bytes);
}

static CUresult put_fill_box(CUdeviceptr dst, size_t pitch, uint32_t value, unsigned value_bytes,
                             size_t width, size_t height, CUstream stream)
{
  NEED_CONTEXT();
  if (dst % value_bytes || !host_fits_pitch(pitch, width * value_bytes, value_bytes, height))
    return CUDA_ERROR_INVALID_VALUE;
  HostOp *op = host_make_fill(&(CUDA_MEMSET_NODE_PARAMS){.dst = dst,
                                                         .pitch = pitch,
                                                         .value = value,
                                                         .elementSize = value_bytes,
                                                         .width = width,
                                                         .height = height});
  return op ? host_put(stream, op) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char value, size_t width,
                                size_t height, CUstream stream)
{
  return put_fill_box(dst, pitch, value, 1, width, height, stream);
}

CUresult host_cuMemsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short value, size_t width,
                                 size_t height, CUstream stream)
{
  return put_fill_box(dst, pitch, value, 2, width, height, stream);
}

CUresult host_cuMemsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned value, size_t width,
                                 size_t height, CUstream stream)
{
  return put_fill_box(dst, pitch, value, 4, width, height, stream);
}
