/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gl.h - an OpenGL for tests: the machine's, without a window, or a fake one. */
#ifndef CK_TEST_GL_H
#define CK_TEST_GL_H

#include <stddef.h>

enum { GL_TEXTURE_2D = 0x0DE1 };

/* The calls need a thread with a current context. Images are GL_TEXTURE_2D of RGBA8, with rows
 * without gaps; each level of a mipmap has half the width and height of the one before, and starts
 * as zeros. */
typedef struct Gl {
  unsigned (*make_buffer)(size_t bytes, const void *data);
  void (*read_buffer)(unsigned name, void *data, size_t bytes);
  void (*delete_buffer)(unsigned name);
  unsigned (*make_image)(unsigned width, unsigned height, unsigned levels, const void *data);
  void (*read_image)(unsigned name, unsigned level, void *data);
  void (*delete_image)(unsigned name);
  void (*set_current)(int is_current); /* makes the context current in this thread, or none */
  int (*has_error)(void);              /* and clears the error */
} Gl;

/* Opens EGL on the GPU with a CUDA ordinal, with a current context; NULL, with the reason, if there
 * is none. It is never closed. */
const Gl *gl_open(int ordinal, const char **out_why);

#endif
