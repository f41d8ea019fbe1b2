/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graphics.c - OpenGL objects: registered, mapped as buffers and arrays, unmapped.
 *
 * A mapped buffer retains its graphics object, which refers to the buffer without retaining it, so
 * that there is no cycle; the last release of the buffer unmaps. Arrays of an image store the
 * number of their mapping, and arrays of earlier mappings are refused.
 */
#include "ck/graphics.h"
#include "memory/memory.h"

struct ck_graphics {
  union {
    Object object;
    Lender lender; /* `loan` is incremented when the resource is unmapped */
  };
  ck_device_t *device;       /* retained */
  CUgraphicsResource native; /* NULL: closed */
  bool is_image, is_mapped;
  ck_stream_t *stream; /* retained; the stream of an image's mapping; NULL is the default stream */
  ck_buffer_t *buffer; /* the mapped buffer object; it retains this */
};

enum { REGISTER_ACCESS = CK_GRAPHICS_READ_ONLY | CK_GRAPHICS_WRITE_DISCARD };
enum { REGISTER_ALL = REGISTER_ACCESS | CK_GRAPHICS_SURFACE | CK_GRAPHICS_GATHER };
_Static_assert(CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY == CK_GRAPHICS_READ_ONLY &&
                   CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD == CK_GRAPHICS_WRITE_DISCARD &&
                   CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST == CK_GRAPHICS_SURFACE &&
                   CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER == CK_GRAPHICS_GATHER,
               "the numbers of the public flags are cuda.h's");

/* Closes what was made of the mapping, after unmapping. */
static void forget_mapping(ck_graphics_t *graphics)
{
  if (graphics->buffer) buffer_lose(graphics->buffer);
  ck_stream_release(graphics->stream);
  graphics->buffer = NULL;
  graphics->stream = NULL;
  graphics->is_mapped = false;
  ++graphics->lender.loan;
}

static ck_stream_t *mapping_stream(const ck_graphics_t *graphics)
{
  return graphics->buffer ? graphics->buffer->stream : graphics->stream;
}

/* Unmaps during clean-up, without recording a failure. */
static void unmap_quietly(ck_graphics_t *graphics)
{
  CleanUp clean_up = clean_up_begin(graphics->device);
  graphics->device->driver->cuGraphicsUnmapResources(1, &graphics->native,
                                                     stream_native(mapping_stream(graphics)));
  clean_up_end(&clean_up);
  forget_mapping(graphics);
}

static void graphics_destroy(ck_graphics_t *graphics)
{
  if (graphics->is_mapped) unmap_quietly(graphics);
  if (graphics->native) {
    CLEAN_UP(graphics->device,
             graphics->device->driver->cuGraphicsUnregisterResource(graphics->native));
  }
  ck_device_release(graphics->device);
  object_free(graphics);
}

OBJECT(graphics, ck_graphics_t);

static void release_lender(Lender *lender)
{
  ck_graphics_release((ck_graphics_t *)lender);
}

/* Unmaps the resource, unless it has been mapped again, to another buffer, by now. */
static void take_back(Lender *lender, ck_buffer_t *buffer)
{
  ck_graphics_t *graphics = (ck_graphics_t *)lender;
  if (graphics->buffer == buffer) unmap_quietly(graphics);
}

static ck_status_t end_loan(Lender *lender, ck_stream_t *stream)
{
  return ck_graphics_unmap((ck_graphics_t *)lender, stream);
}

/* register ----------------------------------------------------------------------------------- */

static ck_status_t check_flags(const char *function, uint32_t flags, uint32_t known)
{
  if (flags & ~known)
    return error_argument("%s: flags are 0x%x, it takes those of 0x%x", function, flags, known);
  if ((flags & REGISTER_ACCESS) == REGISTER_ACCESS)
    return error_argument("%s: both READ_ONLY and WRITE_DISCARD", function);
  return CK_OK;
}

typedef struct GlObject {
  uint32_t name, target; /* of an image; 0: a buffer */
} GlObject;

static ck_status_t enter_and_register(ck_graphics_t *graphics, GlObject gl, uint32_t flags)
{
  const Driver *driver = graphics->device->driver;
  ck_status_t status = IN_DEVICE(
      graphics->device,
      gl.target
          ? DRV_STATUS(driver,
                       cuGraphicsGLRegisterImage(&graphics->native, gl.name, gl.target, flags))
          : DRV_STATUS(driver, cuGraphicsGLRegisterBuffer(&graphics->native, gl.name, flags)));
  if (status == CK_OK) return CK_OK;
  graphics->native = NULL;
  return error_within(status, "OpenGL's %s %u, whose context has to be current, on '%s'",
                      gl.target ? "image" : "buffer", gl.name, graphics->device->name);
}

static ck_status_t register_object(ck_device_t *device, GlObject gl, uint32_t flags,
                                   ck_graphics_t **out_graphics)
{
  DRV_NEED(device->driver, cuGraphicsGLRegisterBuffer);
  ck_graphics_t *graphics = object_new(sizeof *graphics);
  if (!graphics) return CK_OUT_OF_MEMORY;
  graphics->lender.release = release_lender;
  graphics->lender.take_back = take_back;
  graphics->lender.end = end_loan;
  graphics->device = ck_device_retain(device);
  graphics->is_image = gl.target != 0;
  ck_status_t status = enter_and_register(graphics, gl, flags);
  return GIVE(status, graphics, out_graphics, graphics_destroy);
}

ck_status_t ck_graphics_from_gl_buffer(ck_device_t *device, uint32_t gl_buffer, uint32_t flags,
                                       ck_graphics_t **out_graphics)
{
  CK_NEED_OUT(out_graphics, NULL, device);
  CK_TRY(check_flags(__func__, flags, REGISTER_ACCESS));
  return register_object(device, (GlObject){gl_buffer, 0}, flags, out_graphics);
}

ck_status_t ck_graphics_from_gl_image(ck_device_t *device, uint32_t gl_image, uint32_t gl_target,
                                      uint32_t flags, ck_graphics_t **out_graphics)
{
  CK_NEED_OUT(out_graphics, NULL, device);
  CK_TRY(check_flags(__func__, flags, REGISTER_ALL));
  if (!gl_target) return error_argument("%s: the target is 0, GL_TEXTURE_2D is 0x0DE1", __func__);
  return register_object(device, (GlObject){gl_image, gl_target}, flags, out_graphics);
}

/* map ---------------------------------------------------------------------------------------- */

static ck_status_t check_open(const ck_graphics_t *graphics, const char *function)
{
  if (graphics->native) return CK_OK;
  return error_argument("%s: the graphics object is closed", function);
}

static ck_status_t check_stream(const ck_graphics_t *graphics, const ck_stream_t *stream,
                                const char *function)
{
  CK_TRY(stream_check(stream, graphics->device));
  if (!stream_keep(stream)) return CK_OK;
  return error_argument("%s: the stream is captured, no graph does this", function);
}

static ck_status_t check_to_map(const ck_graphics_t *graphics, bool wants_image,
                                const ck_stream_t *stream, const char *function)
{
  CK_TRY(check_open(graphics, function));
  if (graphics->is_image != wants_image)
    return error_argument("%s: it is %s: %s", function, wants_image ? "a buffer" : "an image",
                          wants_image ? "ck_graphics_map" : "ck_graphics_map_image");
  if (graphics->is_mapped) return error_argument("%s: it is mapped already", function);
  return check_stream(graphics, stream, function);
}

/* Maps, and gets the address; unmaps again if that fails. */
static ck_status_t find_buffer(ck_graphics_t *graphics, CUstream stream, ck_buffer_t *buffer)
{
  const Driver *driver = graphics->device->driver;
  DRV(driver, cuGraphicsMapResources(1, &graphics->native, stream));
  ck_status_t status = DRV_STATUS(driver, cuGraphicsResourceGetMappedPointer(
                                              &buffer->address, &buffer->bytes, graphics->native));
  if (status != CK_OK) driver->cuGraphicsUnmapResources(1, &graphics->native, stream);
  return status;
}

ck_status_t ck_graphics_map(ck_graphics_t *graphics, ck_stream_t *stream, ck_buffer_t **out_buffer)
{
  CK_NEED_OUT(out_buffer, NULL, graphics);
  CK_TRY(check_to_map(graphics, false, stream, __func__));
  ck_buffer_t *buffer = buffer_new(graphics->device);
  if (!buffer) return CK_OUT_OF_MEMORY;
  ck_status_t status =
      IN_DEVICE(graphics->device, find_buffer(graphics, stream_native(stream), buffer));
  if (status != CK_OK) {
    ck_buffer_release(buffer);
    return status;
  }
  buffer->flags = CK_MEMORY_DEVICE;
  buffer->stream = ck_stream_retain(stream);
  buffer->lender = &ck_graphics_retain(graphics)->lender;
  graphics->buffer = buffer;
  graphics->is_mapped = true;
  *out_buffer = buffer;
  return CK_OK;
}

ck_status_t ck_graphics_map_image(ck_graphics_t *graphics, ck_stream_t *stream)
{
  CK_NEED_ARG(graphics);
  CK_TRY(check_to_map(graphics, true, stream, __func__));
  ck_status_t status = DEVICE_STATUS(
      graphics->device, cuGraphicsMapResources(1, &graphics->native, stream_native(stream)));
  if (status != CK_OK) return status;
  graphics->stream = ck_stream_retain(stream);
  graphics->is_mapped = true;
  return CK_OK;
}

ck_status_t ck_graphics_get_array(ck_graphics_t *graphics, uint32_t layer, uint32_t level,
                                  ck_array_t **out_array)
{
  CK_NEED_OUT(out_array, NULL, graphics);
  CK_TRY(check_open(graphics, __func__));
  if (!graphics->is_image || !graphics->is_mapped)
    return error_argument("%s: it is %s", __func__,
                          graphics->is_image ? "an image that is not mapped" : "a buffer");
  CUarray native = NULL;
  ck_status_t status =
      DEVICE_STATUS(graphics->device,
                    cuGraphicsSubResourceGetMappedArray(&native, graphics->native, layer, level));
  if (status == CK_OK) status = ck_array_from_native(graphics->device, native, 0, out_array);
  if (status != CK_OK) return error_within(status, "layer %u, level %u", layer, level);
  (*out_array)->lender = &ck_graphics_retain(graphics)->lender;
  (*out_array)->loan = graphics->lender.loan;
  return CK_OK;
}

/* unmap -------------------------------------------------------------------------------------- */

static ck_status_t unmap(ck_graphics_t *graphics, ck_stream_t *stream, const char *function)
{
  if (!stream) stream = mapping_stream(graphics);
  CK_TRY(check_stream(graphics, stream, function));
  ck_status_t status = DEVICE_STATUS(
      graphics->device, cuGraphicsUnmapResources(1, &graphics->native, stream_native(stream)));
  if (status == CK_OK) forget_mapping(graphics);
  return status;
}

ck_status_t ck_graphics_unmap(ck_graphics_t *graphics, ck_stream_t *stream)
{
  CK_NEED_ARG(graphics);
  CK_TRY(check_open(graphics, __func__));
  if (graphics->is_mapped) return unmap(graphics, stream, __func__);
  return error_argument("%s: it is not mapped", __func__);
}

ck_status_t ck_graphics_close(ck_graphics_t *graphics, ck_stream_t *stream)
{
  CK_NEED_ARG(graphics);
  if (!graphics->native) return CK_OK;
  if (graphics->is_mapped) CK_TRY(unmap(graphics, stream, __func__));
  ck_status_t status =
      DEVICE_STATUS(graphics->device, cuGraphicsUnregisterResource(graphics->native));
  if (status == CK_OK) graphics->native = NULL;
  return status;
}

/* -------------------------------------------------------------------------------------------- */

GETTER(int, graphics, is_mapped);
GETTER(ck_device_t *, graphics, device);
GETTER(void *, graphics, native);
