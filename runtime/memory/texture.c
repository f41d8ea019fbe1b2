/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* texture.c - textures and surfaces: handles through which kernels read and write arrays.
 *
 * The driver accepts most meaningless combinations of options and silently does something else: for
 * example, it wraps normalized coordinates only, and filters only what is read as floats. Such
 * combinations are errors here.
 */
#include <string.h>

#include "memory_private.h"

static void texture_destroy(ck_texture_t *texture)
{
  if (texture->native) {
    CLEAN_UP(texture->device, texture->device->driver->cuTexObjectDestroy(texture->native));
  }
  ck_array_release(texture->resource.array);
  ck_mipmap_release(texture->resource.mipmap);
  ck_buffer_release(texture->resource.buffer);
  ck_device_release(texture->device);
  object_free(texture);
}

OBJECT(texture, ck_texture_t);
REF_KIND(texture, NULL);

static void surface_destroy(ck_surface_t *surface)
{
  if (surface->native) {
    ck_device_t *device = surface->array->device;
    CLEAN_UP(device, device->driver->cuSurfObjectDestroy(surface->native));
  }
  ck_array_release(surface->array);
  object_free(surface);
}

OBJECT(surface, ck_surface_t);
REF_KIND(surface, NULL);

/* resources ---------------------------------------------------------------------------------- */

static ck_status_t check_multiple(ck_device_t *device, ck_device_attribute_t attribute,
                                  const char *what, size_t value)
{
  int unit;
  CK_TRY(ck_device_get_attribute(device, attribute, &unit));
  if (unit < 2 || value % (size_t)unit == 0) return CK_OK;
  return error_argument("ck_texture_create: %s %zu is no multiple of %d, which '%s' needs", what,
                        value, unit, device->name);
}

static ck_status_t check_most(ck_device_t *device, ck_device_attribute_t attribute,
                              const char *what, size_t value)
{
  int most;
  CK_TRY(ck_device_get_attribute(device, attribute, &most));
  if (value <= (size_t)most) return CK_OK;
  return error_argument("ck_texture_create: %s %zu, '%s' has at most %d", what, value, device->name,
                        most);
}

/* Checks the width of linear memory with a driver call, since the device attribute for it is
 * deprecated. */
static ck_status_t check_linear_width(const ck_texture_resource_t *own, CUarray_format format)
{
  const ck_device_t *device = own->buffer->device;
  size_t most;
  DRV(device->driver,
      cuDeviceGetTexture1DLinearMaxWidth(&most, format, own->channels, device->native));
  if (own->width <= most) return CK_OK;
  return error_argument("ck_texture_create: width %zu, '%s' has at most %zu", own->width,
                        device->name, most);
}

/* Checks the address and rows of memory in a buffer against the device's alignment rules. */
static ck_status_t read_buffer(ck_texture_resource_t *own, CUDA_RESOURCE_DESC *out)
{
  const ck_buffer_t *buffer = own->buffer;
  ck_device_t *device = buffer->device;
  CUarray_format format;
  CK_TRY(array_format(own->dtype, &own->channels, &format));
  size_t element = own->channels * ck_dtype_bytes(own->dtype), width, bytes;
  if (!own->width) return error_argument("ck_texture_create: the buffer's width is 0 elements");
  if (__builtin_mul_overflow(own->width, element, &width))
    return error_argument("ck_texture_create: %zu elements of %zu bytes", own->width, element);
  if (!own->height) CK_TRY(check_linear_width(own, format));
  if (!own->row_bytes) own->row_bytes = width;
  if (own->row_bytes < width)
    return error_argument("ck_texture_create: rows have %zu bytes, %zu elements need %zu",
                          own->row_bytes, own->width, width);
  size_t rows = own->height ? own->height : 1;
  if (__builtin_mul_overflow(rows - 1, own->row_bytes, &bytes) ||
      __builtin_add_overflow(bytes, width, &bytes))
    return error_argument("ck_texture_create: %zu rows of %zu bytes", rows, own->row_bytes);
  CK_TRY(buffer_check_range(buffer, own->offset, bytes, "ck_texture_create"));
  CUdeviceptr address = buffer->address + own->offset;
  CK_TRY(check_multiple(device, CK_DEVICE_TEXTURE_ALIGNMENT, "the address", (size_t)address));
  if (!own->height) {
    out->resType = CU_RESOURCE_TYPE_LINEAR;
    out->res.linear.devPtr = address;
    out->res.linear.format = format;
    out->res.linear.numChannels = own->channels;
    out->res.linear.sizeInBytes = width;
    return CK_OK;
  }
  CK_TRY(check_multiple(device, CK_DEVICE_TEXTURE_PITCH_ALIGNMENT, "row_bytes", own->row_bytes));
  CK_TRY(check_most(device, CK_DEVICE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, "width", own->width));
  CK_TRY(check_most(device, CK_DEVICE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, "height", own->height));
  CK_TRY(check_most(device, CK_DEVICE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, "row_bytes", own->row_bytes));
  out->resType = CU_RESOURCE_TYPE_PITCH2D;
  out->res.pitch2D.devPtr = address;
  out->res.pitch2D.format = format;
  out->res.pitch2D.numChannels = own->channels;
  out->res.pitch2D.width = own->width;
  out->res.pitch2D.height = own->height;
  out->res.pitch2D.pitchInBytes = own->row_bytes;
  return CK_OK;
}

/* Reads what the texture reads, which is one of an array, a mipmap and a buffer, and retains it. */
static ck_status_t read_resource(const ck_texture_resource_t *resource, ck_texture_t *texture,
                                 CUDA_RESOURCE_DESC *out)
{
  CK_READ_OPTIONS(ck_texture_resource_t, own, resource);
  own.struct_size = sizeof own;
  int given = !!own.array + !!own.mipmap + !!own.buffer;
  if (given != 1)
    return error_argument("ck_texture_create: %d of array, mipmap and buffer are given: give one",
                          given);
  memset(out, 0, sizeof *out);
  if (own.buffer) {
    CK_TRY(read_buffer(&own, out));
    texture->shape = (ck_array_options_t){.struct_size = sizeof texture->shape,
                                          .dtype = own.dtype,
                                          .channels = own.channels,
                                          .width = own.width,
                                          .height = own.height};
    texture->device = ck_device_retain(own.buffer->device);
  } else if (own.mipmap) {
    out->resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    out->res.mipmap.hMipmappedArray = own.mipmap->native;
    texture->shape = own.mipmap->shape;
    texture->device = ck_device_retain(own.mipmap->device);
  } else {
    CK_TRY(lender_check_array(own.array));
    out->resType = CU_RESOURCE_TYPE_ARRAY;
    out->res.array.hArray = own.array->native;
    texture->shape = own.array->shape;
    texture->device = ck_device_retain(own.array->device);
  }
  texture->resource = own;
  ck_array_retain(own.array);
  ck_mipmap_retain(own.mipmap);
  ck_buffer_retain(own.buffer);
  return CK_OK;
}

/* options ------------------------------------------------------------------------------------ */

static const CUaddress_mode address_modes[] = {[CK_ADDRESS_CLAMP] = CU_TR_ADDRESS_MODE_CLAMP,
                                               [CK_ADDRESS_WRAP] = CU_TR_ADDRESS_MODE_WRAP,
                                               [CK_ADDRESS_MIRROR] = CU_TR_ADDRESS_MODE_MIRROR,
                                               [CK_ADDRESS_BORDER] = CU_TR_ADDRESS_MODE_BORDER};

_Static_assert((int)CU_TR_FILTER_MODE_POINT == CK_FILTER_POINT &&
                   (int)CU_TR_FILTER_MODE_LINEAR == CK_FILTER_LINEAR,
               "the numbers of the public enumeration are cuda.h's");

static bool is_float(ck_dtype_t dtype)
{
  return dtype == CK_F16 || dtype == CK_F32;
}

/* Checks that the element type can be read as the options say. */
static ck_status_t check_reads(const ck_texture_t *texture)
{
  const ck_array_options_t *shape = &texture->shape;
  const ck_texture_options_t *how = &texture->options;
  const char *type = ck_dtype_name(shape->dtype);
  bool is_normalized_read = how->flags & CK_TEXTURE_READ_NORMALIZED;
  if (is_normalized_read && (is_float(shape->dtype) || ck_dtype_bytes(shape->dtype) > 2))
    return error_argument(
        "ck_texture_create: integers of 8 or 16 bits are read as normalized, not %s", type);
  if ((how->filter == CK_FILTER_LINEAR || how->level_filter == CK_FILTER_LINEAR) &&
      !is_float(shape->dtype) && !is_normalized_read)
    return error_argument(
        "ck_texture_create: a linear filter is for floats, and %s is read as it is: "
        "CK_TEXTURE_READ_NORMALIZED",
        type);
  if (how->flags & CK_TEXTURE_SRGB && !(shape->dtype == CK_U8 && is_normalized_read))
    return error_argument("ck_texture_create: sRGB is u8 with CK_TEXTURE_READ_NORMALIZED, not %s",
                          type);
  return CK_OK;
}

static bool reads_integers(const ck_texture_t *texture)
{
  return !is_float(texture->shape.dtype) && !(texture->options.flags & CK_TEXTURE_READ_NORMALIZED);
}

/* Checks the border colour of a texture that is read as integers: its values must be of that type.
 */
static ck_status_t check_border(const ck_texture_t *texture)
{
  const ck_array_options_t *shape = &texture->shape;
  const ck_texture_options_t *how = &texture->options;
  bool is_signed = shape->dtype == CK_I8 || shape->dtype == CK_I16 || shape->dtype == CK_I32;
  double most = (double)((UINT64_C(1) << (8 * ck_dtype_bytes(shape->dtype) - is_signed)) - 1);
  bool has_border = false;
  for (uint32_t i = 0; i < array_rank(shape); ++i)
    has_border |= how->address[i] == CK_ADDRESS_BORDER;
  for (uint32_t c = 0; c < shape->channels && has_border && reads_integers(texture); ++c) {
    double value = (double)how->border[c];
    if (!(value >= (is_signed ? -most - 1 : 0) && value <= most) || value != (double)(int64_t)value)
      return error_argument("ck_texture_create: the border's channel %u is %g, no %s", c, value,
                            ck_dtype_name(shape->dtype));
  }
  return CK_OK;
}

/* Writes the border colour as the driver takes it: integers are passed as the bits of floats
 * (Driver API, cuTexRefSetBorderColor). */
static void put_border(const ck_texture_t *texture, float out[4])
{
  memcpy(out, texture->options.border, sizeof texture->options.border);
  if (!reads_integers(texture)) return;
  for (uint32_t c = 0; c < texture->shape.channels; ++c) {
    float value = texture->options.border[c];
    bool is_inside = value >= -0x1p31f && value < 0x1p32f; /* out of range: never read */
    uint32_t bits = is_inside ? (uint32_t)(int64_t)value : 0;
    memcpy(&out[c], &bits, sizeof bits);
  }
}

/* Checks which filters, address modes and coordinates are allowed for the kind of memory. */
static ck_status_t check_coordinates(const ck_texture_t *texture)
{
  const ck_texture_options_t *how = &texture->options;
  bool is_linear_memory = texture->resource.buffer && !texture->resource.height;
  if (is_linear_memory && (how->filter != CK_FILTER_POINT || how->flags & CK_TEXTURE_NORMALIZED))
    return error_argument("ck_texture_create: linear memory is fetched: no filter, "
                          "no normalized coordinates; give it rows");
  if (texture->resource.mipmap && !(how->flags & CK_TEXTURE_NORMALIZED))
    return error_argument("ck_texture_create: a mipmap is read by normalized "
                          "coordinates: CK_TEXTURE_NORMALIZED");
  for (int i = 0; i < 3; ++i) {
    if ((unsigned)how->address[i] > CK_ADDRESS_BORDER)
      return error_argument("ck_texture_create: address mode %d of %c", (int)how->address[i],
                            "xyz"[i]);
    if ((how->address[i] == CK_ADDRESS_WRAP || how->address[i] == CK_ADDRESS_MIRROR) &&
        !(how->flags & CK_TEXTURE_NORMALIZED))
      return error_argument("ck_texture_create: %c can't be wrapped or mirrored: that needs "
                            "CK_TEXTURE_NORMALIZED",
                            "xyz"[i]);
  }
  if (texture->shape.flags & CK_ARRAY_CUBEMAP || !(how->flags & CK_TEXTURE_SEAMLESS_CUBEMAP))
    return CK_OK;
  return error_argument("ck_texture_create: CK_TEXTURE_SEAMLESS_CUBEMAP, and this is no cubemap");
}

static ck_status_t check_levels(const ck_texture_t *texture)
{
  const ck_texture_options_t *how = &texture->options;
  const ck_mipmap_t *mipmap = texture->resource.mipmap;
  bool asks =
      how->level_filter || how->level_bias != 0 || how->min_level != 0 || how->max_level != 0;
  if (asks && !mipmap)
    return error_argument("ck_texture_create: levels are a mipmap's, and this is none");
  if (!(how->min_level >= 0) || !(how->max_level >= how->min_level))
    return error_argument("ck_texture_create: levels from %g to %g", (double)how->min_level,
                          (double)how->max_level);
  if (how->max_anisotropy > 16)
    return error_argument("ck_texture_create: anisotropy is 0 to 16, not %u", how->max_anisotropy);
  return CK_OK;
}

static ck_status_t read_options(const ck_texture_options_t *options, ck_texture_t *texture,
                                CUDA_TEXTURE_DESC *out)
{
  ck_texture_options_t *own = &texture->options;
  *own = (ck_texture_options_t)CK_OPTIONS_INIT(ck_texture_options_t);
  CK_TRY(options_read(own, sizeof *own, options, "ck_texture_options_t"));
  own->struct_size = sizeof *own;
  if (own->flags >= 2 * CK_TEXTURE_SEAMLESS_CUBEMAP || (unsigned)own->filter > CK_FILTER_LINEAR ||
      (unsigned)own->level_filter > CK_FILTER_LINEAR)
    return error_argument("ck_texture_create: filter %d, level filter %d, flags 0x%x",
                          (int)own->filter, (int)own->level_filter, own->flags);
  CK_TRY(check_reads(texture));
  CK_TRY(check_coordinates(texture));
  CK_TRY(check_levels(texture));
  CK_TRY(check_border(texture));
  memset(out, 0, sizeof *out);
  /* On axes that the texture lacks, clamp: a GPU would blend in the border there. */
  int rank = (int)array_rank(&texture->shape);
  for (int i = 0; i < 3; ++i)
    out->addressMode[i] = i < rank ? address_modes[own->address[i]] : CU_TR_ADDRESS_MODE_CLAMP;
  out->filterMode = (CUfilter_mode)own->filter;
  out->mipmapFilterMode = (CUfilter_mode)own->level_filter;
  out->maxAnisotropy = own->max_anisotropy;
  out->mipmapLevelBias = own->level_bias;
  out->minMipmapLevelClamp = own->min_level;
  bool is_whole = own->min_level == 0 && own->max_level == 0 && texture->resource.mipmap;
  out->maxMipmapLevelClamp =
      is_whole ? (float)(texture->resource.mipmap->level_count - 1) : own->max_level;
  put_border(texture, out->borderColor);
  out->flags =
      (reads_integers(texture) ? CU_TRSF_READ_AS_INTEGER : 0) |
      (own->flags & CK_TEXTURE_NORMALIZED ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
      (own->flags & CK_TEXTURE_SRGB ? CU_TRSF_SRGB : 0) |
      (own->flags & CK_TEXTURE_EXACT_TRILINEAR ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
      (own->flags & CK_TEXTURE_SEAMLESS_CUBEMAP ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  return CK_OK;
}

/* -------------------------------------------------------------------------------------------- */

static ck_status_t fill_texture(ck_texture_t *texture, const ck_texture_resource_t *resource,
                                const ck_texture_options_t *options)
{
  CUDA_RESOURCE_DESC what;
  CUDA_TEXTURE_DESC how;
  CK_TRY(read_resource(resource, texture, &what));
  CK_TRY(read_options(options, texture, &how));
  return DEVICE_STATUS(texture->device, cuTexObjectCreate(&texture->native, &what, &how, NULL));
}

ck_status_t ck_texture_create(const ck_texture_resource_t *resource,
                              const ck_texture_options_t *options, ck_texture_t **out_texture)
{
  CK_NEED_OUT(out_texture, NULL, resource);
  ck_texture_t *texture = object_new(sizeof *texture);
  if (!texture) return CK_OUT_OF_MEMORY;
  ck_status_t status = fill_texture(texture, resource, options);
  return GIVE(status, texture, out_texture, texture_destroy);
}

ck_status_t ck_texture_from_array(ck_array_t *array, const ck_texture_options_t *options,
                                  ck_texture_t **out_texture)
{
  CK_NEED_OUT(out_texture, NULL, array);
  ck_texture_resource_t resource = {.struct_size = sizeof resource, .array = array};
  return ck_texture_create(&resource, options, out_texture);
}

GETTER(ck_device_t *, texture, device);
GETTER(uint64_t, texture, native);

void ck_texture_get_resource(const ck_texture_t *texture, ck_texture_resource_t *out_resource)
{
  *out_resource = texture->resource;
}

void ck_texture_get_options(const ck_texture_t *texture, ck_texture_options_t *out_options)
{
  *out_options = texture->options;
}

/* surfaces ----------------------------------------------------------------------------------- */

ck_status_t ck_surface_create(ck_array_t *array, ck_surface_t **out_surface)
{
  CK_NEED_OUT(out_surface, NULL, array);
  if (!(array->shape.flags & CK_ARRAY_SURFACE))
    return error_argument("ck_surface_create: the array was made without CK_ARRAY_SURFACE");
  CK_TRY(lender_check_array(array));
  ck_surface_t *surface = object_new(sizeof *surface);
  if (!surface) return CK_OUT_OF_MEMORY;
  surface->array = ck_array_retain(array);
  CUDA_RESOURCE_DESC what;
  memset(&what, 0, sizeof what);
  what.resType = CU_RESOURCE_TYPE_ARRAY;
  what.res.array.hArray = array->native;
  ck_status_t status = DEVICE_STATUS(array->device, cuSurfObjectCreate(&surface->native, &what));
  return GIVE(status, surface, out_surface, surface_destroy);
}

ck_device_t *ck_surface_device(const ck_surface_t *surface)
{
  return surface->array->device;
}

GETTER(uint64_t, surface, native);
GETTER(ck_array_t *, surface, array);
