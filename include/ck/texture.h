/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/texture.h - arrays that textures sample, textures, and surfaces that kernels write through.
 *
 * An array is memory in an order that only textures, surfaces and copies know. A texture says how
 * an array, or a buffer, is read: between elements, outside of them, as which numbers. A surface
 * reads and writes single elements of an array. Both are arguments of a launch.
 *
 *   ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
 *   shape.dtype = CK_F32, shape.width = 64, shape.height = 32;
 *   ck_array_create(device, &shape, &array);
 *   ck_array_write(array, image, sizeof image, stream);
 *   ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
 *   how.filter = CK_FILTER_LINEAR;
 *   ck_texture_from_array(array, &how, &texture);
 *   ck_launch(stream, NULL, kernel, texture, n, out);
 *
 * Sources: CUDA C++ Programming Guide, "Texture and Surface Memory" and "Texture Fetching".
 */
#ifndef CK_TEXTURE_H
#define CK_TEXTURE_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_array ck_array_t;
typedef struct ck_mipmap ck_mipmap_t;
typedef struct ck_texture ck_texture_t;
typedef struct ck_surface ck_surface_t;

/* ---- arrays -------------------------------------------------------------------------------- */

#define CK_ARRAY_SURFACE 1u /* a surface may be made of it */
#define CK_ARRAY_CUBEMAP 2u /* six square faces; with layers, so many cubes */
#define CK_ARRAY_GATHER  4u /* a texture of it may gather; two dimensions, no layers */

typedef struct ck_array_options {
  size_t struct_size;
  ck_dtype_t dtype;  /* of a channel: CK_U8, _U16, _U32, _I8, _I16, _I32, _F16 or _F32 */
  uint32_t channels; /* of an element: 1, 2 or 4; 0: 1 */
  size_t width;      /* elements; 1 or more */
  size_t height;     /* 0: the array has one dimension */
  size_t depth;      /* 0: it has at most two; not with layers */
  size_t layers;     /* 0: it is not layered */
  uint32_t flags;    /* CK_ARRAY_* */
} ck_array_options_t;

/* Allocates an array, outside of any stream's order.
 *
 * fails    CK_INVALID_ARGUMENT for a type or shape that no array has, or that is larger than the
 *          device's; CK_OUT_OF_MEMORY; CK_DRIVER
 */
CK_API ck_status_t ck_array_create(ck_device_t *device, const ck_array_options_t *options,
                                   ck_array_t **out_array);

/* Adopts a CUarray of the device.
 *
 * is_owned  nonzero: the last release destroys it
 * fails     CK_UNSUPPORTED for a format that ck_array_options_t has not
 */
CK_API ck_status_t ck_array_from_native(ck_device_t *device, void *native, int is_owned,
                                        ck_array_t **out_array);

CK_API ck_array_t *ck_array_retain(ck_array_t *array);
CK_API void ck_array_release(ck_array_t *array);

CK_API ck_device_t *ck_array_device(const ck_array_t *array); /* borrowed */
CK_API void *ck_array_native(const ck_array_t *array);        /* the CUarray */
CK_API uint32_t ck_array_rank(const ck_array_t *array);       /* 1 to 3, layers not counted */
CK_API size_t ck_array_element_bytes(const ck_array_t *array);
CK_API size_t ck_array_bytes(const ck_array_t *array); /* all elements, as a copy has them */
CK_API void ck_array_get_options(const ck_array_t *array, ck_array_options_t *out_options);

/* ---- copies --------------------------------------------------------------------------------- */

/* Copies a whole array from host memory, in stream order: rows without gaps, x fastest, then y,
 * then z; or layer by layer, of cubemaps face by face.
 *
 * bytes    ck_array_bytes(array)
 * async    as ck_buffer_write: `src` must live until the stream gets there
 * fails    CK_INVALID_ARGUMENT for another size; CK_DRIVER
 */
CK_API ck_status_t ck_array_write(ck_array_t *dst, const void *src, size_t bytes,
                                  ck_stream_t *stream);
/* The other way; `dst` has the elements once the stream got there. */
CK_API ck_status_t ck_array_read(ck_array_t *src, void *dst, size_t bytes, ck_stream_t *stream);

/* One side of a copy: an array from element (x, y, z), or memory. A field that is 0 has its
 * default. */
typedef struct ck_array_side {
  ck_array_t *array;   /* or NULL: */
  ck_buffer_t *buffer; /* or NULL: */
  void *host;
  size_t x, y, z;   /* of an array; z is the layer of a layered one, of cubemaps 6 * cube + face */
  size_t offset;    /* of memory: bytes, of the first row */
  size_t row_bytes; /* of memory: from one row to the next; 0: no gap */
  size_t rows;      /* of memory: from one plane to the next; 0: the copy's height */
} ck_array_side_t;

typedef struct ck_array_copy {
  size_t struct_size;
  ck_array_side_t dst, src;
  size_t width, height, depth; /* elements; 0: up to the end of the first side that is an array */
} ck_array_copy_t;

/* Copies a part of an array, in stream order, from or to an array, a buffer or host memory.
 *
 * copy     at least one side is an array; two arrays have elements of one size
 * fails    CK_INVALID_ARGUMENT for what does not lie in its array or buffer; CK_DRIVER
 */
CK_API ck_status_t ck_array_copy(const ck_array_copy_t *copy, ck_stream_t *stream);

/* ---- mipmaps -------------------------------------------------------------------------------- */

/* Allocates an array and its smaller versions, which have half the width, height and depth each,
 * rounded down, at least 1. What is in them is up to the caller.
 *
 * levels   1 to 1 + log2 of the largest extent; 0: all
 * fails    as ck_array_create
 */
CK_API ck_status_t ck_mipmap_create(ck_device_t *device, const ck_array_options_t *options,
                                    uint32_t levels, ck_mipmap_t **out_mipmap);
CK_API ck_mipmap_t *ck_mipmap_retain(ck_mipmap_t *mipmap);
CK_API void ck_mipmap_release(ck_mipmap_t *mipmap);

CK_API ck_device_t *ck_mipmap_device(const ck_mipmap_t *mipmap); /* borrowed */
CK_API void *ck_mipmap_native(const ck_mipmap_t *mipmap);        /* the CUmipmappedArray */
CK_API uint32_t ck_mipmap_level_count(const ck_mipmap_t *mipmap);

/* One of its levels, 0 is the largest: an array that retains the mipmap. */
CK_API ck_status_t ck_mipmap_get_level(ck_mipmap_t *mipmap, uint32_t level, ck_array_t **out_array);

/* ---- textures ------------------------------------------------------------------------------- */

/* What a texture reads: one of array, mipmap and buffer. */
typedef struct ck_texture_resource {
  size_t struct_size;
  ck_array_t *array;
  ck_mipmap_t *mipmap;
  ck_buffer_t *buffer; /* and what lies there: */
  size_t offset;       /* bytes; a multiple of CK_DEVICE_TEXTURE_ALIGNMENT */
  ck_dtype_t dtype;    /* of a channel, as of arrays */
  uint32_t channels;   /* 1, 2 or 4; 0: 1 */
  size_t width;        /* elements */
  size_t height;       /* rows; 0: linear memory, which is fetched and not sampled */
  size_t row_bytes;    /* a multiple of CK_DEVICE_TEXTURE_PITCH_ALIGNMENT; 0: width elements */
} ck_texture_resource_t;

/* What a coordinate outside of the array means. */
typedef enum ck_address_mode {
  CK_ADDRESS_CLAMP = 0,  /* the nearest one inside */
  CK_ADDRESS_WRAP = 1,   /* over and over; needs normalized coordinates */
  CK_ADDRESS_MIRROR = 2, /* there and back; needs normalized coordinates */
  CK_ADDRESS_BORDER = 3, /* the border's colour */
  CK_ADDRESS_FORCE_INT = 0x7fffffff
} ck_address_mode_t;

typedef enum ck_filter {
  CK_FILTER_POINT = 0,  /* the element that the coordinate lies in */
  CK_FILTER_LINEAR = 1, /* between the centres of neighbours, with weights of 8 bits */
  CK_FILTER_FORCE_INT = 0x7fffffff
} ck_filter_t;

#define CK_TEXTURE_NORMALIZED 1u /* coordinates from 0 to 1; always of a mipmap */
#define CK_TEXTURE_READ_NORMALIZED                                                                 \
  2u /* integers of 8 or 16 bits are read as f32: 0 to 1, -1 to 1 */
#define CK_TEXTURE_SRGB                                                                            \
  4u /* u8 is sRGB, and read as linear, by a GPU to half a step of u8; with READ_NORMALIZED */
#define CK_TEXTURE_EXACT_TRILINEAR  8u  /* no optimization of filters between levels */
#define CK_TEXTURE_SEAMLESS_CUBEMAP 16u /* filters across the edges of faces */

typedef struct ck_texture_options {
  size_t struct_size;
  ck_address_mode_t address[3]; /* of x, y, z */
  ck_filter_t filter;
  uint32_t flags;             /* CK_TEXTURE_* */
  uint32_t max_anisotropy;    /* 0 to 16 */
  ck_filter_t level_filter;   /* between two levels of a mipmap */
  float level_bias;           /* is added to the level that is asked for */
  float min_level, max_level; /* it is kept between these; both 0: all levels of the mipmap */
  float border[4];            /* a colour, which becomes one of the texture's format; where integers
                               * are read, numbers of their type */
} ck_texture_options_t;

/* Makes a texture, which retains what it reads.
 *
 * options  NULL: point, clamped, elements as they are
 * fails    CK_INVALID_ARGUMENT for a resource that is none, or options that don't fit it: the
 *          message names both; CK_DRIVER
 */
CK_API ck_status_t ck_texture_create(const ck_texture_resource_t *resource,
                                     const ck_texture_options_t *options,
                                     ck_texture_t **out_texture);
CK_API ck_status_t ck_texture_from_array(ck_array_t *array, const ck_texture_options_t *options,
                                         ck_texture_t **out_texture);
CK_API ck_texture_t *ck_texture_retain(ck_texture_t *texture);
CK_API void ck_texture_release(ck_texture_t *texture);

CK_API ck_device_t *ck_texture_device(const ck_texture_t *texture); /* borrowed */
CK_API uint64_t ck_texture_native(const ck_texture_t *texture);     /* the CUtexObject */
/* As they were given, but that 0 `channels` and `row_bytes` of memory come back as what they stand
 * for: 1, and the bytes of a row. What the resource names is borrowed. */
CK_API void ck_texture_get_resource(const ck_texture_t *texture,
                                    ck_texture_resource_t *out_resource);
CK_API void ck_texture_get_options(const ck_texture_t *texture, ck_texture_options_t *out_options);

/* ---- surfaces ------------------------------------------------------------------------------- */

/* Makes a surface, which retains its array.
 *
 * array    was created with CK_ARRAY_SURFACE; a level of such a mipmap is one too
 * fails    CK_INVALID_ARGUMENT for another array; CK_DRIVER
 */
CK_API ck_status_t ck_surface_create(ck_array_t *array, ck_surface_t **out_surface);
CK_API ck_surface_t *ck_surface_retain(ck_surface_t *surface);
CK_API void ck_surface_release(ck_surface_t *surface);

CK_API ck_device_t *ck_surface_device(const ck_surface_t *surface); /* borrowed */
CK_API uint64_t ck_surface_native(const ck_surface_t *surface);     /* the CUsurfObject */
CK_API ck_array_t *ck_surface_array(const ck_surface_t *surface);   /* borrowed */

#ifdef __cplusplus
}
#endif
#endif
