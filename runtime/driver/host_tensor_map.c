/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_tensor_map.c - the host device's tensor maps: what is in the 128 bytes. */
#include <string.h>

#include "host.h"

_Static_assert(sizeof(HostTensorMap) <= sizeof(CUtensorMap), "a map is passed by value");

static bool is_aligned(const void *map)
{
  return (uintptr_t)map % 64 == 0;
}

/* What both kinds have. */
static CUresult encode(CUtensorMap *out, HostTensorMap *map, CUtensorMapDataType type,
                       uint32_t rank, const void *address, const cuuint64_t *extents,
                       const cuuint64_t *strides, const cuuint32_t *element_strides,
                       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                       CUtensorMapFloatOOBfill fill)
{
  if (!out || !is_aligned(out) || rank < 1 || rank > HOST_TENSOR_RANK ||
      (unsigned)type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ || (uintptr_t)address % 16)
    return CUDA_ERROR_INVALID_VALUE;
  map->address = (uintptr_t)address;
  map->type = (uint8_t)type;
  map->rank = (uint8_t)rank;
  map->interleave = (uint8_t)interleave;
  map->swizzle = (uint8_t)swizzle;
  map->fill = (uint8_t)fill;
  for (uint32_t k = 0; k < rank; ++k) {
    if (!extents[k] || extents[k] - 1 > UINT32_MAX || (k && strides[k - 1] % 16))
      return CUDA_ERROR_INVALID_VALUE;
    map->last[k] = (uint32_t)(extents[k] - 1);
    if (k) map->strides[k - 1] = strides[k - 1];
    map->element_strides[k] = (uint8_t)element_strides[k];
  }
  memset(out, 0, sizeof *out);
  memcpy(out, map, sizeof *map);
  return CUDA_SUCCESS;
}

CUresult host_cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank,
                                     void *address, const cuuint64_t *extents,
                                     const cuuint64_t *strides, const cuuint32_t *box,
                                     const cuuint32_t *element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                     CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
  (void)l2; /* there is no such cache */
  HostTensorMap map = {0};
  for (uint32_t k = 0; k < rank && k < HOST_TENSOR_RANK; ++k) {
    if (box[k] < 1 || box[k] > 256) return CUDA_ERROR_INVALID_VALUE;
    map.box[k] = (uint16_t)box[k];
  }
  return encode(out, &map, type, rank, address, extents, strides, element_strides, interleave,
                swizzle, fill);
}

CUresult host_cuTensorMapEncodeIm2col(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank,
                                      void *address, const cuuint64_t *extents,
                                      const cuuint64_t *strides, const int *lower, const int *upper,
                                      cuuint32_t channels, cuuint32_t pixels,
                                      const cuuint32_t *element_strides,
                                      CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                      CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
  (void)l2;
  if (rank < 3 || channels > 256 || pixels > 1024) return CUDA_ERROR_INVALID_VALUE;
  HostTensorMap map = {
      .is_im2col = true, .channels = (uint16_t)channels, .pixels = (uint16_t)pixels};
  for (uint32_t k = 0; k + 2 < rank && k < 3; ++k) {
    map.lower[k] = (int16_t)lower[k];
    map.upper[k] = (int16_t)upper[k];
  }
  return encode(out, &map, type, rank, address, extents, strides, element_strides, interleave,
                swizzle, fill);
}

CUresult host_cuTensorMapEncodeIm2colWide(
    CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *extents, const cuuint64_t *strides, int lower, int upper, cuuint32_t channels,
    cuuint32_t pixels, const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
    CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
    CUtensorMapFloatOOBfill fill)
{
  (void)out, (void)type, (void)rank, (void)address, (void)extents, (void)strides, (void)lower;
  (void)upper, (void)channels, (void)pixels, (void)element_strides, (void)interleave, (void)mode;
  (void)swizzle, (void)l2, (void)fill;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuTensorMapReplaceAddress(CUtensorMap *native, void *address)
{
  if (!native || !is_aligned(native) || (uintptr_t)address % 16) return CUDA_ERROR_INVALID_VALUE;
  uint64_t number = (uintptr_t)address;
  memcpy((char *)native + offsetof(HostTensorMap, address), &number, sizeof number);
  return CUDA_SUCCESS;
}
