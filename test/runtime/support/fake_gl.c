/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_gl.c - an OpenGL for tests on the host device: buffers and images in host memory, which a
 * driver over the host device registers and maps as cuda.h describes. A mapped image is copied to
 * an array of the host device, and back when it is unmapped, after the stream is done. */
#include "fake_gl.h"

#include <stdlib.h>
#include <string.h>

#include "host/host.h"

enum { MOST_OBJECTS = 16, MOST_LEVELS = 4, TEXEL_BYTES = 4 };

/* An object's name is its index + 1. */
typedef struct FakeObject {
  bool is_there, is_image, is_registered, is_mapped;
  unsigned width, height, levels;
  size_t bytes; /* only for buffers */
  char *level[MOST_LEVELS];
  CUarray array[MOST_LEVELS];
} FakeObject;

FakeGl fake_gl_told;
static FakeObject objects[MOST_OBJECTS];
static bool has_context = true, has_failed;

static FakeObject *find(unsigned name, bool is_image)
{
  FakeObject *object = name && name <= MOST_OBJECTS ? &objects[name - 1] : NULL;
  return object && object->is_there && object->is_image == is_image ? object : NULL;
}

static size_t level_bytes(const FakeObject *object, unsigned level)
{
  return (size_t)(object->width >> level) * (object->height >> level) * TEXEL_BYTES;
}

/* OpenGL ------------------------------------------------------------------------------------- */

static unsigned make(FakeObject object)
{
  for (unsigned i = 0; i < MOST_OBJECTS; ++i) {
    if (objects[i].is_there) continue;
    object.is_there = true;
    objects[i] = object;
    return i + 1;
  }
  abort();
}

static unsigned make_buffer(size_t bytes, const void *data)
{
  FakeObject object = {.bytes = bytes};
  object.level[0] = calloc(1, bytes);
  if (data) memcpy(object.level[0], data, bytes);
  return make(object);
}

static unsigned make_image(unsigned width, unsigned height, unsigned levels, const void *data)
{
  FakeObject object = {.is_image = true, .width = width, .height = height, .levels = levels};
  for (unsigned i = 0; i < levels; ++i) object.level[i] = calloc(1, level_bytes(&object, i));
  if (data) memcpy(object.level[0], data, level_bytes(&object, 0));
  return make(object);
}

/* Notes a failure if OpenGL uses an object that is mapped into CUDA, or has no current context. */
static void check(FakeObject *object)
{
  if (!object || object->is_mapped || !has_context) has_failed = true;
}

static void read_buffer(unsigned name, void *data, size_t bytes)
{
  FakeObject *object = find(name, false);
  check(object);
  if (object) memcpy(data, object->level[0], bytes);
}

static void read_image(unsigned name, unsigned level, void *data)
{
  FakeObject *object = find(name, true);
  check(object);
  if (object) memcpy(data, object->level[level], level_bytes(object, level));
}

static void delete (FakeObject *object)
{
  check(object);
  if (!object || object->is_registered) {
    has_failed = true;
    return;
  }
  for (unsigned i = 0; i < MOST_LEVELS; ++i) free(object->level[i]);
  *object = (FakeObject){0};
}

static void delete_buffer(unsigned name)
{
  delete (find(name, false));
}

static void delete_image(unsigned name)
{
  delete (find(name, true));
}

static void set_current(int is_current)
{
  has_context = is_current;
}

static int has_error(void)
{
  bool had_failed = has_failed;
  has_failed = false;
  return had_failed;
}

const Gl *fake_gl(void)
{
  static const Gl gl = {make_buffer, read_buffer,  delete_buffer, make_image,
                        read_image,  delete_image, set_current,   has_error};
  return &gl;
}

/* the driver --------------------------------------------------------------------------------- */

static CUresult copy_level(const FakeObject *object, unsigned level, bool is_to_array)
{
  CUDA_MEMCPY3D box = {.WidthInBytes = (size_t)(object->width >> level) * TEXEL_BYTES,
                       .Height = object->height >> level,
                       .Depth = 1};
  box.srcMemoryType = is_to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  box.dstMemoryType = is_to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  box.srcHost = box.dstHost = object->level[level];
  box.srcPitch = box.dstPitch = box.WidthInBytes;
  box.srcHeight = box.dstHeight = box.Height;
  box.srcArray = box.dstArray = object->array[level];
  CUresult result = host_cuMemcpy3DAsync(&box, CU_STREAM_LEGACY);
  return result == CUDA_SUCCESS ? host_stream_sync(CU_STREAM_LEGACY) : result;
}

static CUresult copy_levels(const FakeObject *object, bool is_to_array)
{
  CUresult result = CUDA_SUCCESS;
  for (unsigned i = 0; i < object->levels && result == CUDA_SUCCESS; ++i)
    result = copy_level(object, i, is_to_array);
  return result;
}

static CUresult make_arrays(FakeObject *object, unsigned flags)
{
  CUresult result = CUDA_SUCCESS;
  for (unsigned i = 0; i < object->levels && result == CUDA_SUCCESS; ++i) {
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = object->width >> i,
                                     .Height = object->height >> i,
                                     .Format = CU_AD_FORMAT_UNSIGNED_INT8,
                                     .NumChannels = TEXEL_BYTES};
    bool is_surface = flags & CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST;
    shape.Flags = is_surface ? CUDA_ARRAY3D_SURFACE_LDST : 0;
    result = host_cuArray3DCreate(&object->array[i], &shape);
  }
  return result;
}

static CUresult register_object(CUgraphicsResource *out, FakeObject *object, unsigned flags)
{
  if (!has_context) return CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (!object || object->is_registered) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = make_arrays(object, flags);
  if (result != CUDA_SUCCESS) return result;
  object->is_registered = true;
  fake_gl_told.flags = flags;
  ++fake_gl_told.registered;
  *out = (CUgraphicsResource)object;
  return CUDA_SUCCESS;
}

static CUresult register_buffer(CUgraphicsResource *out, unsigned name, unsigned flags)
{
  return register_object(out, find(name, false), flags);
}

static CUresult register_image(CUgraphicsResource *out, unsigned name, unsigned target,
                               unsigned flags)
{
  FakeObject *object = target == GL_TEXTURE_2D ? find(name, true) : NULL;
  return register_object(out, object, flags);
}

static CUresult unregister(CUgraphicsResource resource)
{
  FakeObject *object = (FakeObject *)resource;
  if (!has_context) return CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (!object->is_registered) return CUDA_ERROR_INVALID_HANDLE;
  if (object->is_mapped) return CUDA_ERROR_ALREADY_MAPPED;
  for (unsigned i = 0; i < object->levels; ++i) host_cuArrayDestroy(object->array[i]);
  object->is_registered = false;
  --fake_gl_told.registered;
  return CUDA_SUCCESS;
}

/* Maps or unmaps objects in the order of the stream. */
static CUresult turn(unsigned count, CUgraphicsResource *resources, CUstream stream,
                     bool becomes_mapped)
{
  FakeObject *object = (FakeObject *)resources[0];
  if (!has_context) return CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
  if (!host_is_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (count != 1 || !object->is_registered) return CUDA_ERROR_INVALID_HANDLE;
  if (object->is_mapped == becomes_mapped)
    return becomes_mapped ? CUDA_ERROR_ALREADY_MAPPED : CUDA_ERROR_NOT_MAPPED;
  CUresult result = host_stream_sync(stream);
  if (result == CUDA_SUCCESS) result = copy_levels(object, becomes_mapped);
  if (result != CUDA_SUCCESS) return result;
  object->is_mapped = becomes_mapped;
  fake_gl_told.mapped += becomes_mapped ? 1 : -1;
  fake_gl_told.stream = stream;
  return CUDA_SUCCESS;
}

static CUresult map(unsigned count, CUgraphicsResource *resources, CUstream stream)
{
  return turn(count, resources, stream, true);
}

static CUresult unmap(unsigned count, CUgraphicsResource *resources, CUstream stream)
{
  return turn(count, resources, stream, false);
}

static CUresult get_pointer(CUdeviceptr *out_address, size_t *out_bytes,
                            CUgraphicsResource resource)
{
  FakeObject *object = (FakeObject *)resource;
  if (object->is_image) return CUDA_ERROR_NOT_MAPPED_AS_POINTER;
  if (!object->is_mapped) return CUDA_ERROR_NOT_MAPPED;
  *out_address = (uintptr_t)object->level[0];
  *out_bytes = object->bytes;
  return CUDA_SUCCESS;
}

static CUresult get_array(CUarray *out_array, CUgraphicsResource resource, unsigned layer,
                          unsigned level)
{
  FakeObject *object = (FakeObject *)resource;
  if (!object->is_image) return CUDA_ERROR_NOT_MAPPED_AS_ARRAY;
  if (!object->is_mapped) return CUDA_ERROR_NOT_MAPPED;
  if (layer || level >= object->levels) return CUDA_ERROR_INVALID_VALUE;
  *out_array = object->array[level];
  return CUDA_SUCCESS;
}

const Driver *fake_gl_driver(void)
{
  static Driver driver;
  driver = *driver_host();
  driver.cuGraphicsGLRegisterBuffer = register_buffer;
  driver.cuGraphicsGLRegisterImage = register_image;
  driver.cuGraphicsUnregisterResource = unregister;
  driver.cuGraphicsMapResources = map;
  driver.cuGraphicsUnmapResources = unmap;
  driver.cuGraphicsResourceGetMappedPointer = get_pointer;
  driver.cuGraphicsSubResourceGetMappedArray = get_array;
  return &driver;
}
