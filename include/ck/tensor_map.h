/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/tensor_map.h - tensor maps: how a GPU's copy engine (TMA, sm_90 and newer) finds the boxes of
 * a tensor that a kernel asks for.
 *
 * A map is an argument of a launch, by value: 128 bytes, a `const __grid_constant__ CUtensorMap` of
 * CUDA C++. Axes are in the order of views: the last is the one whose elements lie side by side.
 *
 *   ck_view_make(buffer, 0, CK_F32, 1, 2, (int64_t[]){height, width}, NULL, &image);
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

/* What an element is to the copy engine. The numbers are cuda.h's and 1, from CK_TENSOR_U8 on. */
typedef enum ck_tensor_type {
  CK_TENSOR_OF_VIEW = 0, /* the view's type; its i8 and bool are u8, its i16 is u16 */
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
  CK_TENSOR_F32_FTZ = 11, /* f32; to a reduction denormal numbers are 0, a load keeps them */
  CK_TENSOR_TF32 = 12,    /* f32, rounded to the nearest of tf32, of two to the even one */
  CK_TENSOR_TF32_FTZ = 13,
  CK_TENSOR_TYPE_FORCE_INT = 0x7fffffff
} ck_tensor_type_t;

/* NC/8HWC8 and the like: slices of 16 or 32 bytes of channels, so that an im2col's last axis is W.
 * The numbers are cuda.h's. */
typedef enum ck_tensor_interleave {
  CK_INTERLEAVE_NONE = 0,
  CK_INTERLEAVE_16B = 1,
  CK_INTERLEAVE_32B = 2,
  CK_INTERLEAVE_FORCE_INT = 0x7fffffff
} ck_tensor_interleave_t;

/* Where chunks of 16 bytes lie in shared memory, so that columns are in different banks: those of a
 * row of so many bytes change places by the row's number. The numbers are cuda.h's. */
typedef enum ck_tensor_swizzle {
  CK_SWIZZLE_NONE = 0,
  CK_SWIZZLE_32B = 1,
  CK_SWIZZLE_64B = 2,
  CK_SWIZZLE_128B = 3,
  CK_SWIZZLE_FORCE_INT = 0x7fffffff
} ck_tensor_swizzle_t;

/* How much the L2 cache fetches at least. The numbers are cuda.h's. */
typedef enum ck_tensor_l2 {
  CK_L2_FETCH_NONE = 0,
  CK_L2_FETCH_64B = 1,
  CK_L2_FETCH_128B = 2,
  CK_L2_FETCH_256B = 3,
  CK_L2_FETCH_FORCE_INT = 0x7fffffff
} ck_tensor_l2_t;

/* What lies outside of the tensor. The numbers are cuda.h's. */
typedef enum ck_tensor_fill {
  CK_FILL_ZERO = 0,
  CK_FILL_NAN = 1, /* floats alone: a NaN that the FMA of matrix units takes for 0 */
  CK_FILL_FORCE_INT = 0x7fffffff
} ck_tensor_fill_t;

typedef struct ck_tensor_map_options {
  size_t struct_size;
  uint32_t box[CK_TENSOR_MAX_RANK];             /* elements along each axis, 1 to 256 */
  uint32_t element_strides[CK_TENSOR_MAX_RANK]; /* every nth element, 1 to 8; 0: 1 */
  ck_tensor_type_t type;
  ck_tensor_interleave_t interleave;
  ck_tensor_swizzle_t swizzle;
  ck_tensor_l2_t l2;
  ck_tensor_fill_t fill;
} ck_tensor_map_options_t;

/* Makes the map of boxes of a tensor. It retains the view's buffer.
 *
 * view     of 1 to 5 axes, elements without components; the last axis is dense. Address and strides
 *          are multiples of 16 bytes, of 32 with CK_INTERLEAVE_32B
 * options  box is to be given; the box's last axis has a multiple of 16 bytes, and no more than the
 *          swizzle's. If it has less, rows in shared memory are as wide as the swizzle, and
 *          kernels in CK don't take the map. A box fits into a block's shared memory
 * fails    CK_INVALID_ARGUMENT with the rule and the value that is against it; CK_UNSUPPORTED on a
 *          device without tensor maps; CK_DRIVER
 */
CK_API ck_status_t ck_tensor_map_from_view(const ck_view_t *view,
                                           const ck_tensor_map_options_t *options,
                                           ck_tensor_map_t **out_map);

/* How im2col walks: a box of pixels over N, D, H and W; or a row of W, as sm_100 has it. */
typedef enum ck_im2col_mode {
  CK_IM2COL_BOX = 0,
  CK_IM2COL_WIDE = 1,     /* along W */
  CK_IM2COL_WIDE_128 = 2, /* the same, 128 pixels */
  CK_IM2COL_FORCE_INT = 0x7fffffff
} ck_im2col_mode_t;

typedef struct ck_im2col_options {
  size_t struct_size;
  ck_im2col_mode_t mode;
  int32_t lower[3], upper[3]; /* of the box, against the pixel's corners, in the order of the view's
                               * axes D, H, W: the last rank - 2; of wide modes W's alone */
  uint32_t channels;          /* of a pixel, 1 to 256 */
  uint32_t pixels;            /* of a column, 1 to 1024; not of CK_IM2COL_WIDE_128 */
  uint32_t element_strides[CK_TENSOR_MAX_RANK]; /* 1 to 8; 0: 1 */
  ck_tensor_type_t type;
  ck_tensor_interleave_t interleave;
  ck_tensor_swizzle_t swizzle;
  ck_tensor_l2_t l2;
  ck_tensor_fill_t fill;
} ck_im2col_options_t;

/* The same of a tensor N, (D, (H,)) W, C that is read as the columns of a convolution.
 *
 * view     of 3 to 5 axes; N, C, (D, (H,)) W of an interleaved tensor
 * fails    as ck_tensor_map_from_view; wide modes are CK_UNSUPPORTED before CUDA 12.8 and sm_100
 */
CK_API ck_status_t ck_tensor_map_from_im2col(const ck_view_t *view,
                                             const ck_im2col_options_t *options,
                                             ck_tensor_map_t **out_map);

/* Lets the map begin elsewhere; extents and strides stay. Launches that were made are not changed.
 *
 * fails    CK_INVALID_ARGUMENT for an address that is not aligned, or a tensor that would not lie
 * in the buffer, or a buffer of another device; CK_DRIVER
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
ck_tensor_map_box_bytes(const ck_tensor_map_t *map); /* that a copy writes; 0: im2col */

#ifdef __cplusplus
}
#endif
#endif
