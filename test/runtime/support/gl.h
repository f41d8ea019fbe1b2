/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gl.h - an OpenGL for tests: the machine's, without a window, or one that is made up. */
#ifndef CK_TEST_GL_H
#define CK_TEST_GL_H

#include <stddef.h>

enum { GL_TEXTURE_2D = 0x0DE1 };

/* Its calls are those of a thread with a current context. Images are GL_TEXTURE_2D of RGBA8, rows
 * without gaps; a mipmap's levels have half the width and height each, and begin as zeros. */
typedef struct Gl {
  unsigned (*make_buffer)(size_t bytes, const void *data);
  void (*read_buffer)(unsigned name, void *data, size_t bytes);
  void (*delete_buffer)(unsigned name);
  unsigned (*make_image)(unsigned width, unsigned height, unsigned levels, const void *data);
  void (*read_image)(unsigned name, unsigned level, void *data);
  void (*delete_image)(unsigned name);
  void (*set_current)(int is_current); /* this thread's context, or none */
  int (*has_error)(void);              /* and forgets it */
} Gl;

/* That of the GPU with an ordinal of CUDA's, by EGL, with a context current; NULL, with the reason,
 * if there is none. Not closed. */
const Gl *gl_open(int ordinal, const char **out_why);

#endif
