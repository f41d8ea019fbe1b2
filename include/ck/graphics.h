/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/graphics.h - buffers and images of OpenGL that kernels read and write where they lie.
 *
 * An OpenGL object is registered once. It is mapped for as long as kernels use it, and unmapped
 * before OpenGL does: nothing is copied.
 *
 *   ck_graphics_from_gl_buffer(device, name, CK_GRAPHICS_WRITE_DISCARD, &pixels);
 *   for (each frame) {
 *     ck_graphics_map(pixels, stream, &buffer);
 *     ck_launch(stream, NULL, draw, height, width, buffer);
 *     ck_graphics_unmap(pixels, stream);
 *     ck_buffer_release(buffer);
 *     glTexSubImage2D(...);
 *   }
 *   ck_graphics_release(pixels);
 *
 * The calls that register, map, unmap and unregister talk to OpenGL as well: on the calling thread
 * the context has to be current that has the object, or one that shares with it, on the same GPU.
 * What OpenGL was told before ck_graphics_map is done before the stream goes on, and what the
 * stream was given before ck_graphics_unmap before OpenGL goes on.
 *
 * device   a GPU; the host device shares nothing with OpenGL
 * threads  calls for one object need the caller's order
 * fails    CK_UNSUPPORTED on the host device; CK_INVALID_ARGUMENT for an object that is closed, and
 *          where it is mapped or not and should be the opposite; CK_DRIVER where OpenGL and the
 *          driver do not come together: no context, a name of nothing, an image's format
 * source   CUDA Driver API, "Graphics Interoperability", "OpenGL Interoperability"
 */
#ifndef CK_GRAPHICS_H
#define CK_GRAPHICS_H

#include "ck/memory.h"
#include "ck/stream.h"
#include "ck/texture.h"
#include "ck/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ck_graphics ck_graphics_t;

/* What kernels will do with the object; 0: read and write. With the numbers of cuda.h. */
#define CK_GRAPHICS_READ_ONLY     1u
#define CK_GRAPHICS_WRITE_DISCARD 2u /* each mapping writes all of it anew */
#define CK_GRAPHICS_SURFACE       4u /* of an image: surfaces may be made of its arrays */
#define CK_GRAPHICS_GATHER        8u /* of an image: textures of it may gather */

/* Registers a buffer object. It is to be unregistered before OpenGL deletes it.
 *
 * gl_buffer  its name (GLuint)
 * flags      0, CK_GRAPHICS_READ_ONLY or CK_GRAPHICS_WRITE_DISCARD
 */
CK_API ck_status_t ck_graphics_from_gl_buffer(ck_device_t *device, uint32_t gl_buffer,
                                              uint32_t flags, ck_graphics_t **out_graphics);

/* Registers a texture or a renderbuffer.
 *
 * gl_image   its name (GLuint)
 * gl_target  what it is (GLenum): GL_TEXTURE_2D, _3D, _RECTANGLE, _CUBE_MAP, _2D_ARRAY,
 *            GL_RENDERBUFFER
 * flags      CK_GRAPHICS_*, any of them but READ_ONLY together with WRITE_DISCARD
 * fails      CK_DRIVER also for a format that the driver does not share; it shares those of one,
 * two and four channels of 8, 16 and 32 bits
 */
CK_API ck_status_t ck_graphics_from_gl_image(ck_device_t *device, uint32_t gl_image,
                                             uint32_t gl_target, uint32_t flags,
                                             ck_graphics_t **out_graphics);

/* The last release unmaps and unregisters. A mapped buffer and arrays retain what they are of. */
CK_API ck_graphics_t *ck_graphics_retain(ck_graphics_t *graphics);
CK_API void ck_graphics_release(ck_graphics_t *graphics);

/* Unregisters before the last release, after unmapping in the stream; NULL: that of the mapping.
 * Without effect on one that is closed. */
CK_API ck_status_t ck_graphics_close(ck_graphics_t *graphics, ck_stream_t *stream);

/* Maps a buffer object as a buffer of all its bytes, in stream order.
 *
 * out_buffer  the caller's; unmapping closes it (CK_MEMORY_CLOSED), and ck_buffer_close and its
 *             last release unmap. Another mapping may be at another address: a graph that has the
 *             address is for this one
 * fails       CK_INVALID_ARGUMENT also for an image and in a captured stream
 */
CK_API ck_status_t ck_graphics_map(ck_graphics_t *graphics, ck_stream_t *stream,
                                   ck_buffer_t **out_buffer);

/* Maps an image, in stream order: its arrays are there until it is unmapped. */
CK_API ck_status_t ck_graphics_map_image(ck_graphics_t *graphics, ck_stream_t *stream);

/* An array of a mapped image, for copies, textures and surfaces. Once the image is unmapped, what
 * uses the array, or a texture or surface of it, is CK_INVALID_ARGUMENT, with later mappings too.
 *
 * layer      of an image with layers; of a cubemap the face: +x, -x, +y, -y, +z, -z
 * level      of a mipmap, else 0; a driver has all of a mipmap's levels, down to one texel, though
 *            OpenGL was asked for fewer
 * out_array  the caller's; CK_ARRAY_SURFACE if the image is registered with CK_GRAPHICS_SURFACE
 * fails      CK_DRIVER for a layer or level that there is not; CK_UNSUPPORTED for a format that
 *            ck_array_options_t has not
 */
CK_API ck_status_t ck_graphics_get_array(ck_graphics_t *graphics, uint32_t layer, uint32_t level,
                                         ck_array_t **out_array);

/* Gives the object back to OpenGL, in stream order.
 *
 * stream   NULL: that of the mapping
 */
CK_API ck_status_t ck_graphics_unmap(ck_graphics_t *graphics, ck_stream_t *stream);

CK_API int ck_graphics_is_mapped(const ck_graphics_t *graphics);
CK_API ck_device_t *ck_graphics_device(const ck_graphics_t *graphics); /* borrowed */
/* The CUgraphicsResource; NULL: it is closed. */
CK_API void *ck_graphics_native(const ck_graphics_t *graphics);

#ifdef __cplusplus
}
#endif
#endif
