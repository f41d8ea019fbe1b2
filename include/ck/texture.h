/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/texture.h - CUDA arrays, textures that sample them, and surfaces through which kernels write
 * them.
 *
 * An array is memory in an opaque layout, which only textures, surfaces and copies can access. A
 * texture is an array, or a buffer, with rules for reading it: how to interpolate between elements,
 * what coordinates outside of it mean, and which type is read. A surface reads and writes single
 * elements of an array. Textures and surfaces are arguments of launches.
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
#define CK_ARRAY_CUBEMAP 2u /* six square faces; `layers` counts cubes */
#define CK_ARRAY_GATHER  4u /* textures of it may gather; two dimensions, no layers */

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

/* Allocates an array, not in stream order.
 *
 * fails    CK_INVALID_ARGUMENT for a type or shape that arrays can't have, or that exceeds the
 *          device's limits; CK_OUT_OF_MEMORY; CK_DRIVER
 */
CK_API ck_status_t ck_array_create(ck_device_t *device, const ck_array_options_t *options,
                                   ck_array_t **out_array);

/* Adopts a CUarray of the device.
 *
 * is_owned  nonzero: the last release destroys it
 * fails     CK_UNSUPPORTED for a format that ck_array_options_t can't express
 */
CK_API ck_status_t ck_array_from_native(ck_device_t *device, void *native, int is_owned,
                                        ck_array_t **out_array);

CK_API ck_array_t *ck_array_retain(ck_array_t *array);
CK_API void ck_array_release(ck_array_t *array);

CK_API ck_device_t *ck_array_device(const ck_array_t *array); /* borrowed */
CK_API void *ck_array_native(const ck_array_t *array);        /* the CUarray */
/* dimensions, 1 to 3, without layers */
CK_API uint32_t ck_array_rank(const ck_array_t *array);
CK_API size_t ck_array_element_bytes(const ck_array_t *array);
CK_API size_t ck_array_bytes(const ck_array_t *array); /* of all elements without gaps, as in a
                                                        * copy */
CK_API void ck_array_get_options(const ck_array_t *array, ck_array_options_t *out_options);

/* ---- copies --------------------------------------------------------------------------------- */

/* Copies a whole array from host memory, in stream order. The memory has rows without gaps, x
 * fastest, then y, then z or the layers; a cubemap has its six faces as layers.
 *
 * bytes    ck_array_bytes(array)
 * async    as ck_buffer_write: `src` must live until the copy has run
 * fails    CK_INVALID_ARGUMENT for another size; CK_DRIVER
 */
CK_API ck_status_t ck_array_write(ck_array_t *dst, const void *src, size_t bytes,
                                  ck_stream_t *stream);
/* Copies a whole array to host memory; `dst` has the elements once the copy has run. */
CK_API ck_status_t ck_array_read(ck_array_t *src, void *dst, size_t bytes, ck_stream_t *stream);

/* One side of a copy: an array from element (x, y, z) on, or memory. A field that is 0 has its
 * default. */
typedef struct ck_array_side {
  ck_array_t *array;   /* NULL: the side is a buffer */
  ck_buffer_t *buffer; /* NULL: the side is host memory */
  void *host;
  size_t x, y, z;   /* of an array; z is the layer of a layered one, 6 * cube + face of cubemaps */
  size_t offset;    /* of memory: bytes, where the first row begins */
  size_t row_bytes; /* of memory: distance between rows; 0: no gap */
  size_t rows;      /* of memory: rows between planes; 0: the copy's height */
} ck_array_side_t;

typedef struct ck_array_copy {
  size_t struct_size;
  ck_array_side_t dst, src;
  size_t width, height, depth; /* elements; 0: to the end of the first side that is an array */
} ck_array_copy_t;

/* Copies a part of an array, in stream order, from or to an array, a buffer or host memory.
 *
 * copy     at least one side is an array; two arrays must have elements of the same size
 * fails    CK_INVALID_ARGUMENT for parts outside of an array or buffer; CK_DRIVER
 */
CK_API ck_status_t ck_array_copy(const ck_array_copy_t *copy, ck_stream_t *stream);

/* ---- mipmaps -------------------------------------------------------------------------------- */

/* Allocates a mipmap: an array and smaller versions of it, each with half the width, height and
 * depth of the one before, rounded down, at least 1. The caller fills all of them.
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

/* A level as an array, which retains the mipmap. Level 0 is the largest. */
CK_API ck_status_t ck_mipmap_get_level(ck_mipmap_t *mipmap, uint32_t level, ck_array_t **out_array);

/* ---- textures ------------------------------------------------------------------------------- */

/* The memory that a texture reads: exactly one of array, mipmap and buffer. */
typedef struct ck_texture_resource {
  size_t struct_size;
  ck_array_t *array;
  ck_mipmap_t *mipmap;
  ck_buffer_t *buffer; /* with the fields below: */
  size_t offset;       /* bytes; a multiple of CK_DEVICE_TEXTURE_ALIGNMENT */
  ck_dtype_t dtype;    /* of a channel, as for arrays */
  uint32_t channels;   /* 1, 2 or 4; 0: 1 */
  size_t width;        /* elements */
  size_t height;       /* rows; 0: linear memory, which can be fetched but not sampled */
  size_t row_bytes;    /* a multiple of CK_DEVICE_TEXTURE_PITCH_ALIGNMENT; 0: width elements */
} ck_texture_resource_t;

/* How a coordinate outside of the array is treated. */
typedef enum ck_address_mode {
  CK_ADDRESS_CLAMP = 0,  /* the nearest coordinate inside */
  CK_ADDRESS_WRAP = 1,   /* periodic; needs normalized coordinates */
  CK_ADDRESS_MIRROR = 2, /* periodic with reflection; needs normalized coordinates */
  CK_ADDRESS_BORDER = 3, /* the border's colour */
  CK_ADDRESS_FORCE_INT = 0x7fffffff
} ck_address_mode_t;

typedef enum ck_filter {
  CK_FILTER_POINT = 0,  /* the element that contains the coordinate */
  CK_FILTER_LINEAR = 1, /* interpolation between the centres of neighbours, with 8-bit weights */
  CK_FILTER_FORCE_INT = 0x7fffffff
} ck_filter_t;

#define CK_TEXTURE_NORMALIZED 1u /* coordinates from 0 to 1; required for a mipmap */
#define CK_TEXTURE_READ_NORMALIZED                                                                 \
  2u /* integers of 8 or 16 bits are read as f32: 0 to 1 or -1 to 1 */
#define CK_TEXTURE_SRGB                                                                            \
  4u /* u8 is sRGB and read as linear f32, on a GPU to half a step of u8; with READ_NORMALIZED */
#define CK_TEXTURE_EXACT_TRILINEAR  8u  /* no approximation of trilinear filtering */
#define CK_TEXTURE_SEAMLESS_CUBEMAP 16u /* filter across the edges of faces */

typedef struct ck_texture_options {
  size_t struct_size;
  ck_address_mode_t address[3]; /* of x, y, z */
  ck_filter_t filter;
  uint32_t flags;             /* CK_TEXTURE_* */
  uint32_t max_anisotropy;    /* 0 to 16 */
  ck_filter_t level_filter;   /* between the levels of a mipmap */
  float level_bias;           /* added to the requested level */
  float min_level, max_level; /* limits of the level; both 0: all levels */
  /* The border colour, converted to the texture's format; where integers are read, numbers of their
   * type. */
  float border[4];
} ck_texture_options_t;

/* Makes a texture, which retains its resource.
 *
 * options  NULL: point filter, clamped coordinates, elements unconverted
 * fails    CK_INVALID_ARGUMENT for an incomplete resource, or options that don't fit it: the
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
/* What the texture was made with, except that `channels` and `row_bytes` of memory are replaced by
 * their values where they were 0. Objects in the resource are borrowed. */
CK_API void ck_texture_get_resource(const ck_texture_t *texture,
                                    ck_texture_resource_t *out_resource);
CK_API void ck_texture_get_options(const ck_texture_t *texture, ck_texture_options_t *out_options);

/* ---- surfaces ------------------------------------------------------------------------------- */

/* Makes a surface, which retains its array.
 *
 * array    created with CK_ARRAY_SURFACE, or a level of a mipmap that was
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
