/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_gl.h - the host device with an OpenGL that shares memory with it; tests can read what was
 * requested. */
#ifndef CK_FAKE_GL_H
#define CK_FAKE_GL_H

#include "driver/driver.h"
#include "gl.h"

typedef struct FakeGl {
  unsigned flags;         /* of the last registration */
  CUstream stream;        /* of the last map or unmap */
  int registered, mapped; /* the current numbers */
} FakeGl;

extern FakeGl fake_gl_told;

const Gl *fake_gl(void);
const Driver *fake_gl_driver(void);

#endif
