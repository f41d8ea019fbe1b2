/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* opengl.h - the driver's functions for OpenGL, as cudaGL.h declares them, which needs OpenGL's own
 * headers: its names of objects and its enumerations are 32-bit numbers (OpenGL 4.6, table 2.2).
 */
#ifndef CK_DRIVER_OPENGL_H
#define CK_DRIVER_OPENGL_H

#include <cuda.h>

CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource *out_resource, unsigned buffer,
                                            unsigned flags);
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource *out_resource, unsigned image,
                                           unsigned target, unsigned flags);

#endif
