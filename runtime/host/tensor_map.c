/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor_map.c - tensor maps of the host device: encodes them into 128 bytes, and reads elements
 * through them.
 *
 * A CUtensorMap of the host device contains a HostTensorMap. Kernels read a box element by element
 * through ck_host_tensor_element; im2col and interleaved maps can be made, but not read.
 */
#include <string.h>

#include "host.h"

_Static_assert(sizeof(HostTensorMap) <= sizeof(CUtensorMap), "a map is passed by value");

static bool is_aligned(const void *map)
{
  return (uintptr_t)map % 64 == 0;
}

/* Encodes the fields that tiled and im2col maps have in common. */
static CUresult encode(CUtensorMap *out, HostTensorMap *map, CUtensorMapDataType type,
                       uint32_t rank, const void *address, const uint64_t *extents,
                       const uint64_t *strides, const uint32_t *element_strides,
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

CUresult host_cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, uint32_t rank,
                                     void *address, const uint64_t *extents,
                                     const uint64_t *strides, const uint32_t *box,
                                     const uint32_t *element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                     CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
  (void)l2; /* there is no L2 cache to configure */
  HostTensorMap map = {0};
  for (uint32_t k = 0; k < rank && k < HOST_TENSOR_RANK; ++k) {
    if (box[k] < 1 || box[k] > 256) return CUDA_ERROR_INVALID_VALUE;
    map.box[k] = (uint16_t)box[k];
  }
  return encode(out, &map, type, rank, address, extents, strides, element_strides, interleave,
                swizzle, fill);
}

CUresult host_cuTensorMapEncodeIm2col(CUtensorMap *out, CUtensorMapDataType type, uint32_t rank,
                                      void *address, const uint64_t *extents,
                                      const uint64_t *strides, const int *lower, const int *upper,
                                      uint32_t channels, uint32_t pixels,
                                      const uint32_t *element_strides,
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

CUresult
host_cuTensorMapEncodeIm2colWide(CUtensorMap *out, CUtensorMapDataType type, uint32_t rank,
                                 void *address, const uint64_t *extents, const uint64_t *strides,
                                 int lower, int upper, uint32_t channels, uint32_t pixels,
                                 const uint32_t *element_strides, CUtensorMapInterleave interleave,
                                 CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
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

/* boxes -------------------------------------------------------------------------------------- */

static size_t element_bytes(const HostTensorMap *map)
{
  static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[map->type];
}

/* The value outside of the tensor: 0, or a NaN with all bits set except the sign. */
static uint64_t fill_bits(const HostTensorMap *map)
{
  return map->fill ? UINT64_MAX >> (65 - 8 * element_bytes(map)) : 0;
}

/* Rounds to tf32: 10 bits of mantissa, ties to even, a single NaN. As measured on sm_90, the FTZ
 * types don't change loads; they only affect reductions. */
static uint64_t rounded(const HostTensorMap *map, uint64_t bits)
{
  const uint32_t INFINITE = 0x7f800000, SIGN = 0x80000000, LOW = 0x1fff;
  bool is_tf32 = map->type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 ||
                 map->type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
  uint32_t word = (uint32_t)bits;
  if (!is_tf32) return bits;
  if ((word & ~SIGN) > INFINITE) return ~SIGN & ~LOW;
  return (word + (LOW >> 1) + (word >> 13 & 1)) & ~LOW;
}

/* Loads element i of a box that starts at (x, y, z, w), counted with the innermost axis fastest;
 * outside of the tensor it is the fill value. */
uint64_t ck_host_tensor_element(uint64_t handle, uint32_t i, int32_t x, int32_t y, int32_t z,
                                int32_t w)
{
  const HostTensorMap *map = (const HostTensorMap *)(uintptr_t)handle;
  const int32_t from[] = {x, y, z, w, 0};
  const char *at = (const char *)(uintptr_t)map->address;
  size_t bytes = element_bytes(map);
  uint64_t bits = 0;
  if (map->is_im2col || map->interleave)
    host_leave_block(CUDA_ERROR_NOT_SUPPORTED,
                     "the host device loads no im2col and no interleaved tensors");
  for (uint32_t k = 0; k < map->rank; ++k) {
    uint32_t step = k ? map->element_strides[k] : 1, count = (map->box[k] + step - 1) / step;
    int64_t place = from[k] + (int64_t)(i % count) * step;
    if (place < 0 || place > map->last[k]) return fill_bits(map);
    at += (uint64_t)place * (k ? map->strides[k - 1] : bytes);
    i /= count;
  }
  memcpy(&bits, at, bytes);
  return rounded(map, bits);
}

/* Swizzle: the index of a 16-byte chunk within a row of 128 bytes is XORed with the row's number,
 * in as many bits as the swizzle has. */
uint32_t ck_host_tensor_place(uint64_t handle, uint32_t i)
{
  const HostTensorMap *map = (const HostTensorMap *)(uintptr_t)handle;
  uint32_t bytes = (uint32_t)element_bytes(map), at = i * bytes;
  uint32_t mask = (1u << map->swizzle) - 1; /* 1, 3, 7 for swizzles of 32, 64, 128 bytes; 0 for
                                             * none */
  return (at ^ (at >> 7 & mask) << 4) / bytes;
}
