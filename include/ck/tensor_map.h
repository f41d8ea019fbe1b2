/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/tensor_map.h - tensor maps: descriptors with which a GPU's tensor memory accelerator (TMA,
 * sm_90 and newer) copies boxes of a tensor to and from shared memory.
 *
 * A map has the address, extents, strides and element type of a tensor, and the extents of the
 * boxes that a kernel copies. It is passed to a launch by value, 128 bytes, like a `const
 * __grid_constant__ CUtensorMap` in CUDA C++. Axes are in the order of views: the elements of the
 * last axis are contiguous.
 *
 *   ck_view_from_buffer(buffer, 0, CK_F32, 1, 2, (int64_t[]){height, width}, NULL, &image);
 *   ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
 *   options.box[0] = 16, options.box[1] = 32;
 *   ck_tensor_map_from_view(&image, &options, &map);
 *   ck_launch(stream, NULL, kernel, map, out);
 *
 * Source: CUDA driver API, "Tensor Map Object Management".
 */
#ifndef CK_TENSOR_MAP_H
#define CK_TENSOR_MAP_H

#include "ck/view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_tensor_map ck_tensor_map_t;

enum { CK_TENSOR_MAX_RANK = 5, CK_TENSOR_MAP_BYTES = 128 };

/* The element type in the map. The numbers are cuda.h's plus 1, from CK_TENSOR_U8 on. */
typedef enum ck_tensor_type {
  CK_TENSOR_OF_VIEW = 0, /* the view's type; i8 and bool become u8, i16 becomes u16 */
  CK_TENSOR_U8 = 1,
  CK_TENSOR_U16 = 2,
  CK_TENSOR_U32 = 3,
  CK_TENSOR_I32 = 4,
  CK_TENSOR_U64 = 5,
  CK_TENSOR_I64 = 6,
  CK_TENSOR_F16 = 7,
  CK_TENSOR_F32 = 8,
  CK_TENSOR_F64 = 9,
  CK_TENSOR_BF16 = 10,
  CK_TENSOR_F32_FTZ = 11, /* f32; reductions flush denormals to 0, loads keep them */
  CK_TENSOR_TF32 = 12,    /* f32 rounded to tf32, to nearest even */
  CK_TENSOR_TF32_FTZ = 13,
  CK_TENSOR_TYPE_FORCE_INT = 0x7fffffff
} ck_tensor_type_t;

/* Interleaved layouts such as NC/8HWC8: channels in slices of 16 or 32 bytes, so that W is the last
 * axis of an im2col map. The numbers are cuda.h's. */
typedef enum ck_tensor_interleave {
  CK_INTERLEAVE_NONE = 0,
  CK_INTERLEAVE_16B = 1,
  CK_INTERLEAVE_32B = 2,
  CK_INTERLEAVE_FORCE_INT = 0x7fffffff
} ck_tensor_interleave_t;

/* The order of 16-byte chunks in shared memory, which avoids bank conflicts in columns: within rows
 * of the named size, chunks are permuted by an XOR with bits of the row's number. The numbers are
 * cuda.h's. */
typedef enum ck_tensor_swizzle {
  CK_SWIZZLE_NONE = 0,
  CK_SWIZZLE_32B = 1,
  CK_SWIZZLE_64B = 2,
  CK_SWIZZLE_128B = 3,
  CK_SWIZZLE_FORCE_INT = 0x7fffffff
} ck_tensor_swizzle_t;

/* The least size of a fetch into the L2 cache. The numbers are cuda.h's. */
typedef enum ck_tensor_l2 {
  CK_L2_FETCH_NONE = 0,
  CK_L2_FETCH_64B = 1,
  CK_L2_FETCH_128B = 2,
  CK_L2_FETCH_256B = 3,
  CK_L2_FETCH_FORCE_INT = 0x7fffffff
} ck_tensor_l2_t;

/* The value of elements outside of the tensor. The numbers are cuda.h's. */
typedef enum ck_tensor_fill {
  CK_FILL_ZERO = 0,
  CK_FILL_NAN = 1, /* floats only: a NaN that the FMA of matrix units treats as 0 */
  CK_FILL_FORCE_INT = 0x7fffffff
} ck_tensor_fill_t;

typedef struct ck_tensor_map_options {
  size_t struct_size;
  uint32_t box[CK_TENSOR_MAX_RANK];             /* elements on each axis, 1 to 256 */
  uint32_t element_strides[CK_TENSOR_MAX_RANK]; /* take every nth element, 1 to 8; 0: 1 */
  ck_tensor_type_t type;
  ck_tensor_interleave_t interleave;
  ck_tensor_swizzle_t swizzle;
  ck_tensor_l2_t l2;
  ck_tensor_fill_t fill;
} ck_tensor_map_options_t;

/* Makes a tensor map for boxes of a tensor. It retains the view's buffer.
 *
 * view     of 1 to 5 axes, elements without components; the last axis is dense. Address and strides
 *          are multiples of 16 bytes, of 32 with CK_INTERLEAVE_32B
 * options  `box` must be set. A box must fit into a block's shared memory; its last axis is a
 *          multiple of 16 bytes, and at most the row size of the swizzle. If it is smaller than
 *          that, rows in shared memory are padded to the row size of the swizzle, and kernels in CK
 *          don't accept the map
 * fails    CK_INVALID_ARGUMENT with the rule and the value that breaks it; CK_UNSUPPORTED on a
 *          device without tensor maps; CK_DRIVER
 */
CK_API ck_status_t ck_tensor_map_from_view(const ck_view_t *view,
                                           const ck_tensor_map_options_t *options,
                                           ck_tensor_map_t **out_map);

/* The order of an im2col copy: a box of pixels over N, D, H and W, or a row along W, which needs
 * sm_100. */
typedef enum ck_im2col_mode {
  CK_IM2COL_BOX = 0,
  CK_IM2COL_WIDE = 1,     /* along W */
  CK_IM2COL_WIDE_128 = 2, /* the same, 128 pixels */
  CK_IM2COL_FORCE_INT = 0x7fffffff
} ck_im2col_mode_t;

typedef struct ck_im2col_options {
  size_t struct_size;
  ck_im2col_mode_t mode;
  /* Corners of the box, relative to the pixel's, in the order of the view's axes D, H, W: the last
   * rank - 2 entries; for wide modes only W. */
  int32_t lower[3], upper[3];
  uint32_t channels; /* per pixel, 1 to 256 */
  uint32_t pixels;   /* per column, 1 to 1024; unused for CK_IM2COL_WIDE_128 */
  uint32_t element_strides[CK_TENSOR_MAX_RANK]; /* 1 to 8; 0: 1 */
  ck_tensor_type_t type;
  ck_tensor_interleave_t interleave;
  ck_tensor_swizzle_t swizzle;
  ck_tensor_l2_t l2;
  ck_tensor_fill_t fill;
} ck_im2col_options_t;

/* Makes a tensor map for a tensor N, (D, (H,)) W, C that is read as the columns of a convolution
 * (im2col).
 *
 * view     of 3 to 5 axes; N, C, (D, (H,)) W for an interleaved tensor
 * fails    as ck_tensor_map_from_view; wide modes are CK_UNSUPPORTED before CUDA 12.8 and sm_100
 */
CK_API ck_status_t ck_tensor_map_from_im2col(const ck_view_t *view,
                                             const ck_im2col_options_t *options,
                                             ck_tensor_map_t **out_map);

/* Sets the address of the tensor; extents and strides don't change. Launches before this call are
 * not affected.
 *
 * fails    CK_INVALID_ARGUMENT for an address that is not aligned, for a tensor that would not lie
 *          in the buffer, or for a buffer of another device; CK_DRIVER
 */
CK_API ck_status_t ck_tensor_map_set_buffer(ck_tensor_map_t *map, ck_buffer_t *buffer,
                                            size_t offset);

CK_API ck_tensor_map_t *ck_tensor_map_retain(ck_tensor_map_t *map);
CK_API void ck_tensor_map_release(ck_tensor_map_t *map);

CK_API ck_device_t *ck_tensor_map_device(const ck_tensor_map_t *map); /* borrowed */
CK_API const void *ck_tensor_map_native(const ck_tensor_map_t *map);  /* the CUtensorMap */
CK_API uint32_t ck_tensor_map_rank(const ck_tensor_map_t *map);
CK_API ck_tensor_type_t ck_tensor_map_type(const ck_tensor_map_t *map);
CK_API size_t
/* The bytes of a box in shared memory; 0 for im2col. */
ck_tensor_map_box_bytes(const ck_tensor_map_t *map);

#ifdef __cplusplus
}
#endif
#endif
