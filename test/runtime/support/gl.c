/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gl.c - OpenGL without a window. EGL can list devices, and NVIDIA's tell which CUDA device they
 * are (EGL_EXT_device_enumeration, EGL_EXT_platform_device, EGL_NV_device_cuda). The numbers are
 * from Khronos's registries. */
#include "gl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef void *Handle;
typedef void (*Function)(void);

enum {
  EGL_CUDA_DEVICE = 0x323A,
  EGL_PLATFORM_DEVICE = 0x313F,
  EGL_OPENGL = 0x30A2,
  EGL_SURFACE_TYPE = 0x3033,
  EGL_PBUFFER = 1,
  EGL_RENDERABLE_TYPE = 0x3040,
  EGL_RENDERS_OPENGL = 8,
  EGL_NONE = 0x3038,
  ARRAY_BUFFER = 0x8892,
  DYNAMIC_DRAW = 0x88E8,
  RGBA8 = 0x8058,
  RGBA = 0x1908,
  UNSIGNED_BYTE = 0x1401,
  MOST_DEVICES = 32,
};

/* The functions that are called, by name. */
#define EGL_FUNCTIONS(X)                                                                           \
  X(unsigned, eglQueryDevicesEXT, (int most, Handle *devices, int *count))                         \
  X(unsigned, eglQueryDeviceAttribEXT, (Handle device, int attribute, intptr_t *value))            \
  X(Handle, eglGetPlatformDisplayEXT, (unsigned platform, Handle device, const int *attributes))   \
  X(unsigned, eglInitialize, (Handle display, int *major, int *minor))                             \
  X(unsigned, eglBindAPI, (unsigned api))                                                          \
  X(unsigned, eglChooseConfig,                                                                     \
    (Handle display, const int *attributes, Handle *configs, int most, int *count))                \
  X(Handle, eglCreateContext,                                                                      \
    (Handle display, Handle config, Handle share, const int *attributes))                          \
  X(unsigned, eglMakeCurrent, (Handle display, Handle draw, Handle read, Handle context))
#define GL_FUNCTIONS(X)                                                                            \
  X(void, glGenBuffers, (int count, unsigned *names))                                              \
  X(void, glDeleteBuffers, (int count, const unsigned *names))                                     \
  X(void, glBindBuffer, (unsigned target, unsigned name))                                          \
  X(void, glBufferData, (unsigned target, intptr_t bytes, const void *data, unsigned usage))       \
  X(void, glGetBufferSubData, (unsigned target, intptr_t offset, intptr_t bytes, void *data))      \
  X(void, glGenTextures, (int count, unsigned *names))                                             \
  X(void, glDeleteTextures, (int count, const unsigned *names))                                    \
  X(void, glBindTexture, (unsigned target, unsigned name))                                         \
  X(void, glTexStorage2D, (unsigned target, int levels, unsigned format, int width, int height))   \
  X(void, glTexSubImage2D,                                                                         \
    (unsigned target, int level, int x, int y, int width, int height, unsigned format,             \
     unsigned type, const void *data))                                                             \
  X(void, glGetTexImage, (unsigned target, int level, unsigned format, unsigned type, void *data)) \
  X(void, glFinish, (void))                                                                        \
  X(unsigned, glGetError, (void))

#define DECLARE(result, name, parameters) static result(*name) parameters;
EGL_FUNCTIONS(DECLARE)
GL_FUNCTIONS(DECLARE)

static Handle display, context;

/* Finds a function of EGL or OpenGL; 0: it does not exist. */
static int load(Handle library, const char *name, void *out_function)
{
  Function (*get)(const char *);
  Function function;
  *(Handle *)&get = dlsym(library, "eglGetProcAddress");
  *(Handle *)&function = dlsym(library, name);
  if (!function && get) function = get(name);
  memcpy(out_function, &function, sizeof function);
  return function != NULL;
}

static unsigned make_buffer(size_t bytes, const void *data)
{
  unsigned name = 0;
  glGenBuffers(1, &name);
  glBindBuffer(ARRAY_BUFFER, name);
  glBufferData(ARRAY_BUFFER, (intptr_t)bytes, data, DYNAMIC_DRAW);
  return name;
}

static void read_buffer(unsigned name, void *data, size_t bytes)
{
  glBindBuffer(ARRAY_BUFFER, name);
  glGetBufferSubData(ARRAY_BUFFER, 0, (intptr_t)bytes, data);
}

static void delete_buffer(unsigned name)
{
  glDeleteBuffers(1, &name);
}

static unsigned make_image(unsigned width, unsigned height, unsigned levels, const void *data)
{
  static const unsigned char zeros[1 << 16];
  unsigned name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexStorage2D(GL_TEXTURE_2D, (int)levels, RGBA8, (int)width, (int)height);
  for (int level = 0; level < (int)levels; ++level)
    glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, (int)width >> level, (int)height >> level, RGBA,
                    UNSIGNED_BYTE, level || !data ? zeros : data);
  return name;
}

static void read_image(unsigned name, unsigned level, void *data)
{
  glBindTexture(GL_TEXTURE_2D, name);
  glGetTexImage(GL_TEXTURE_2D, (int)level, RGBA, UNSIGNED_BYTE, data);
  glFinish();
}

static void delete_image(unsigned name)
{
  glDeleteTextures(1, &name);
}

static void set_current(int is_current)
{
  eglMakeCurrent(display, NULL, NULL, is_current ? context : NULL);
}

static int has_error(void)
{
  return glGetError() != 0;
}

static Handle find_device(int ordinal)
{
  Handle devices[MOST_DEVICES];
  int count = 0;
  if (!eglQueryDevicesEXT(MOST_DEVICES, devices, &count)) return NULL;
  for (int i = 0; i < count; ++i) {
    intptr_t of_cuda = -1;
    if (eglQueryDeviceAttribEXT(devices[i], EGL_CUDA_DEVICE, &of_cuda) && of_cuda == ordinal)
      return devices[i];
  }
  return NULL;
}

static const char *make_context(int ordinal)
{
  static const int wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER, EGL_RENDERABLE_TYPE,
                               EGL_RENDERS_OPENGL, EGL_NONE};
  Handle device = find_device(ordinal), config = NULL;
  int major, minor, count = 0;
  if (!device) return "no device of EGL is this GPU";
  display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE, device, NULL);
  if (!display || !eglInitialize(display, &major, &minor)) return "EGL does not start";
  if (!eglBindAPI(EGL_OPENGL) || !eglChooseConfig(display, wanted, &config, 1, &count) || !count)
    return "EGL has no OpenGL";
  context = eglCreateContext(display, config, NULL, NULL);
  if (!context || !eglMakeCurrent(display, NULL, NULL, context)) return "EGL makes no context";
  return NULL;
}

const Gl *gl_open(int ordinal, const char **out_why)
{
  static const Gl gl = {make_buffer, read_buffer,  delete_buffer, make_image,
                        read_image,  delete_image, set_current,   has_error};
  Handle library = dlopen("libEGL.so.1", RTLD_NOW);
  *out_why = library ? "EGL lacks a function" : "libEGL.so.1 is not installed";
  if (!library) return NULL;
#define LOAD(result, name, parameters)                                                             \
  if (!load(library, #name, &name)) return NULL;
  EGL_FUNCTIONS(LOAD)
  GL_FUNCTIONS(LOAD)
  *out_why = make_context(ordinal);
  return *out_why ? NULL : &gl;
}
