/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/graphics.h - lets kernels read and write buffers and images of OpenGL in place.
 *
 * An OpenGL object is registered once. It is mapped while kernels use it, and unmapped before
 * OpenGL uses it again; nothing is copied.
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
 * The calls that register, map, unmap and unregister also call OpenGL: the OpenGL context that has
 * the object, or one that shares objects with it, must be current on the calling thread and on the
 * same GPU. OpenGL commands that were issued before ck_graphics_map finish before later work in the
 * stream, and work that was submitted to the stream before ck_graphics_unmap finishes before later
 * OpenGL commands.
 *
 * device   a GPU; the host device can't share memory with OpenGL
 * threads  the caller orders calls for one object
 * fails    CK_UNSUPPORTED on the host device; CK_INVALID_ARGUMENT for an object that is closed, for
 *          mapping one that is mapped, and for unmapping one that is not; CK_DRIVER if OpenGL and
 *          the driver don't agree: no current context, a name that is no object, a format that
 *          can't be shared
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

/* How kernels will use the object; 0: read and write. With the numbers of cuda.h. */
#define CK_GRAPHICS_READ_ONLY     1u
#define CK_GRAPHICS_WRITE_DISCARD 2u /* each mapping overwrites all contents */
#define CK_GRAPHICS_SURFACE       4u /* images: surfaces may be made of the arrays */
#define CK_GRAPHICS_GATHER        8u /* images: textures of the arrays may gather */

/* Registers a buffer object. Release or close it before OpenGL deletes the buffer object.
 *
 * gl_buffer  its name (GLuint)
 * flags      0, CK_GRAPHICS_READ_ONLY or CK_GRAPHICS_WRITE_DISCARD
 */
CK_API ck_status_t ck_graphics_from_gl_buffer(ck_device_t *device, uint32_t gl_buffer,
                                              uint32_t flags, ck_graphics_t **out_graphics);

/* Registers a texture or a renderbuffer.
 *
 * gl_image   its name (GLuint)
 * gl_target  its target (GLenum): GL_TEXTURE_2D, _3D, _RECTANGLE, _CUBE_MAP, _2D_ARRAY,
 *            GL_RENDERBUFFER
 * flags      CK_GRAPHICS_*, but not READ_ONLY together with WRITE_DISCARD
 * fails      CK_DRIVER also for a format that the driver does not share; it shares formats of one,
 *            two and four channels of 8, 16 and 32 bits
 */
CK_API ck_status_t ck_graphics_from_gl_image(ck_device_t *device, uint32_t gl_image,
                                             uint32_t gl_target, uint32_t flags,
                                             ck_graphics_t **out_graphics);

/* The last release unmaps and unregisters the object. A mapped buffer, and arrays of an image,
 * retain it. */
CK_API ck_graphics_t *ck_graphics_retain(ck_graphics_t *graphics);
CK_API void ck_graphics_release(ck_graphics_t *graphics);

/* Unregisters the object before the last release, and unmaps it first, in the order of `stream`;
 * NULL: the stream of the mapping. Closing it again does nothing. */
CK_API ck_status_t ck_graphics_close(ck_graphics_t *graphics, ck_stream_t *stream);

/* Maps a buffer object as a buffer of all its bytes, in stream order.
 *
 * out_buffer  owned by the caller. Unmapping closes it (CK_MEMORY_CLOSED); ck_buffer_close and its
 *             last release unmap. The next mapping may have another address, so a graph that
 *             contains the address is valid for this mapping only
 * fails       CK_INVALID_ARGUMENT also for an image and in a captured stream
 */
CK_API ck_status_t ck_graphics_map(ck_graphics_t *graphics, ck_stream_t *stream,
                                   ck_buffer_t **out_buffer);

/* Maps an image, in stream order: its arrays can be used until it is unmapped. */
CK_API ck_status_t ck_graphics_map_image(ck_graphics_t *graphics, ck_stream_t *stream);

/* Gets an array of a mapped image, for copies, textures and surfaces. Once the image is unmapped,
 * using the array, or a texture or surface of it, is CK_INVALID_ARGUMENT, even if the image is
 * mapped again.
 *
 * layer      of an image with layers; of a cubemap the face: +x, -x, +y, -y, +z, -z
 * level      of a mipmap, else 0; drivers have all levels down to one texel, even if OpenGL
 *            allocated fewer
 * out_array  owned by the caller; has CK_ARRAY_SURFACE if the image is registered with
 *            CK_GRAPHICS_SURFACE
 * fails      CK_DRIVER for a layer or level that does not exist; CK_UNSUPPORTED for a format that
 *            ck_array_options_t can't express
 */
CK_API ck_status_t ck_graphics_get_array(ck_graphics_t *graphics, uint32_t layer, uint32_t level,
                                         ck_array_t **out_array);

/* Unmaps the object, in stream order, so that OpenGL may use it.
 *
 * stream   NULL: the stream of the mapping
 */
CK_API ck_status_t ck_graphics_unmap(ck_graphics_t *graphics, ck_stream_t *stream);

CK_API int ck_graphics_is_mapped(const ck_graphics_t *graphics);
CK_API ck_device_t *ck_graphics_device(const ck_graphics_t *graphics); /* borrowed */
/* The CUgraphicsResource; NULL if the object is closed. */
CK_API void *ck_graphics_native(const ck_graphics_t *graphics);

#ifdef __cplusplus
}
#endif
#endif
