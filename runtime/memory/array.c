/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* array.c - arrays for textures and surfaces, mipmaps, and copies of arrays.
 *
 * Layers, cubemap faces and planes of a three-dimensional array are all slices: a copy counts them
 * on its z axis. Shapes are checked here against the limits of the device, since the driver does
 * not say which limit was exceeded.
 */
#include <string.h>

#include "memory_private.h"

static void array_destroy(ck_array_t *array)
{
  if (array->native && array->is_owned) {
    CLEAN_UP(array->device, array->device->driver->cuArrayDestroy(array->native));
  }
  ck_mipmap_release(array->mipmap);
  if (array->lender) array->lender->release(array->lender);
  ck_device_release(array->device);
  object_free(array);
}

OBJECT(array, ck_array_t);
REF_KIND(array, NULL);

ck_status_t lender_check_array(const ck_array_t *array)
{
  if (!array->lender || array->loan == array->lender->loan) return CK_OK;
  return error_argument("the array is of an image of OpenGL, which was unmapped");
}

static void mipmap_destroy(ck_mipmap_t *mipmap)
{
  if (mipmap->native) {
    CLEAN_UP(mipmap->device, mipmap->device->driver->cuMipmappedArrayDestroy(mipmap->native));
  }
  ck_device_release(mipmap->device);
  object_free(mipmap);
}

OBJECT(mipmap, ck_mipmap_t);

/* shapes ------------------------------------------------------------------------------------- */

static const struct {
  ck_dtype_t dtype;
  CUarray_format format;
} formats[] = {
    {CK_U8, CU_AD_FORMAT_UNSIGNED_INT8},   {CK_U16, CU_AD_FORMAT_UNSIGNED_INT16},
    {CK_U32, CU_AD_FORMAT_UNSIGNED_INT32}, {CK_I8, CU_AD_FORMAT_SIGNED_INT8},
    {CK_I16, CU_AD_FORMAT_SIGNED_INT16},   {CK_I32, CU_AD_FORMAT_SIGNED_INT32},
    {CK_F16, CU_AD_FORMAT_HALF},           {CK_F32, CU_AD_FORMAT_FLOAT},
};

ck_status_t array_format(ck_dtype_t dtype, uint32_t *channels, CUarray_format *out_format)
{
  if (!*channels) *channels = 1;
  if (*channels != 1 && *channels != 2 && *channels != 4)
    return error_argument("an element has 1, 2 or 4 channels, not %u", *channels);
  for (size_t i = 0; i < COUNT_OF(formats); ++i) {
    if (formats[i].dtype != dtype) continue;
    *out_format = formats[i].format;
    return CK_OK;
  }
  return error_argument("a channel is u8, u16, u32, i8, i16, i32, f16 or f32, not %s",
                        ck_dtype_name(dtype));
}

uint32_t array_rank(const ck_array_options_t *shape)
{
  return shape->depth ? 3 : shape->height ? 2 : 1;
}

static size_t slice_count(const ck_array_options_t *shape)
{
  size_t faces = shape->flags & CK_ARRAY_CUBEMAP ? 6 : 1;
  return shape->depth ? shape->depth : faces * (shape->layers ? shape->layers : 1);
}

static size_t row_count(const ck_array_options_t *shape)
{
  return shape->height ? shape->height : 1;
}

static size_t element_bytes(const ck_array_options_t *shape)
{
  return shape->channels * ck_dtype_bytes(shape->dtype);
}

/* The attributes that limit a kind of array; 0 for an extent that it lacks. Mipmaps of one or two
 * dimensions without layers have limits of their own. */
typedef struct ShapeLimits {
  uint32_t rank;
  bool is_layered, is_cubemap, is_gather, is_surface, is_mipmap;
  ck_device_attribute_t width, height, depth, layers;
} ShapeLimits;

/* clang-format off */
#define AT(name) CK_DEVICE_MAXIMUM_##name
static const ShapeLimits shape_limits[] = {
  /* layered, cubemap, gather, surface, mipmap */
  {1, 0, 0, 0, 0, 0, AT(TEXTURE1D_WIDTH), 0, 0, 0},
  {1, 1, 0, 0, 0, 0, AT(TEXTURE1D_LAYERED_WIDTH), 0, 0, AT(TEXTURE1D_LAYERED_LAYERS)},
  {1, 0, 0, 0, 0, 1, AT(TEXTURE1D_MIPMAPPED_WIDTH), 0, 0, 0},
  {2, 0, 0, 0, 0, 0, AT(TEXTURE2D_WIDTH), AT(TEXTURE2D_HEIGHT), 0, 0},
  {2, 0, 0, 1, 0, 0, AT(TEXTURE2D_GATHER_WIDTH), AT(TEXTURE2D_GATHER_HEIGHT), 0, 0},
  {2, 1, 0, 0, 0, 0, AT(TEXTURE2D_LAYERED_WIDTH), AT(TEXTURE2D_LAYERED_HEIGHT), 0,
   AT(TEXTURE2D_LAYERED_LAYERS)},
  {2, 0, 0, 0, 0, 1, AT(TEXTURE2D_MIPMAPPED_WIDTH), AT(TEXTURE2D_MIPMAPPED_HEIGHT), 0, 0},
  {2, 0, 1, 0, 0, 0, AT(TEXTURECUBEMAP_WIDTH), AT(TEXTURECUBEMAP_WIDTH), 0, 0},
  {2, 1, 1, 0, 0, 0, AT(TEXTURECUBEMAP_LAYERED_WIDTH), AT(TEXTURECUBEMAP_LAYERED_WIDTH), 0,
   AT(TEXTURECUBEMAP_LAYERED_LAYERS)},
  {3, 0, 0, 0, 0, 0, AT(TEXTURE3D_WIDTH), AT(TEXTURE3D_HEIGHT), AT(TEXTURE3D_DEPTH), 0},
  {1, 0, 0, 0, 1, 0, AT(SURFACE1D_WIDTH), 0, 0, 0},
  {1, 1, 0, 0, 1, 0, AT(SURFACE1D_LAYERED_WIDTH), 0, 0, AT(SURFACE1D_LAYERED_LAYERS)},
  {2, 0, 0, 0, 1, 0, AT(SURFACE2D_WIDTH), AT(SURFACE2D_HEIGHT), 0, 0},
  {2, 1, 0, 0, 1, 0, AT(SURFACE2D_LAYERED_WIDTH), AT(SURFACE2D_LAYERED_HEIGHT), 0,
   AT(SURFACE2D_LAYERED_LAYERS)},
  {2, 0, 1, 0, 1, 0, AT(SURFACECUBEMAP_WIDTH), AT(SURFACECUBEMAP_WIDTH), 0, 0},
  {2, 1, 1, 0, 1, 0, AT(SURFACECUBEMAP_LAYERED_WIDTH), AT(SURFACECUBEMAP_LAYERED_WIDTH), 0,
   AT(SURFACECUBEMAP_LAYERED_LAYERS)},
  {3, 0, 0, 0, 1, 0, AT(SURFACE3D_WIDTH), AT(SURFACE3D_HEIGHT), AT(SURFACE3D_DEPTH), 0},
};
/* clang-format on */

/* Checks a value against a device attribute; `unit` is the number of the attribute's units in one
 * unit of the value. */
static ck_status_t check_limit(ck_device_t *device, ck_device_attribute_t attribute, size_t value,
                               size_t unit, const char *what)
{
  int limit;
  if (!attribute) return CK_OK;
  CK_TRY(ck_device_get_attribute(device, attribute, &limit));
  if (value <= (size_t)limit / unit) return CK_OK;
  return error_argument("the array's %s is %zu, '%s' has at most %zu", what, value, device->name,
                        (size_t)limit / unit);
}

/* Three-dimensional arrays have a second set of limits, with smaller planes but more of them. */
static ck_status_t is_alternate(ck_device_t *device, const ck_array_options_t *shape, bool *out_is)
{
  int width, height, depth;
  CK_TRY(ck_device_get_attribute(device, CK_DEVICE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, &width));
  CK_TRY(ck_device_get_attribute(device, CK_DEVICE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, &height));
  CK_TRY(ck_device_get_attribute(device, CK_DEVICE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, &depth));
  *out_is = array_rank(shape) == 3 && shape->width <= (size_t)width &&
            shape->height <= (size_t)height && shape->depth <= (size_t)depth;
  return CK_OK;
}

static bool is_limited_by(const ShapeLimits *row, const ck_array_options_t *shape, bool is_mipmap)
{
  if (row->rank != array_rank(shape) || row->is_layered != (shape->layers > 0) ||
      row->is_cubemap != !!(shape->flags & CK_ARRAY_CUBEMAP))
    return false;
  if (row->is_surface) return shape->flags & CK_ARRAY_SURFACE;
  if (row->is_mipmap) return is_mipmap;
  return row->is_gather == !!(shape->flags & CK_ARRAY_GATHER);
}

static ck_status_t check_limits(ck_device_t *device, const ck_array_options_t *shape,
                                bool is_mipmap)
{
  bool has_other_limits = false;
  CK_TRY(is_alternate(device, shape, &has_other_limits));
  for (size_t i = 0; i < COUNT_OF(shape_limits); ++i) {
    const ShapeLimits *row = &shape_limits[i];
    if (!is_limited_by(row, shape, is_mipmap) || (has_other_limits && !row->is_surface)) continue;
    CK_TRY(check_limit(device, row->width, shape->width, 1, "width"));
    CK_TRY(check_limit(device, row->height, shape->height, 1, "height"));
    CK_TRY(check_limit(device, row->depth, shape->depth, 1, "depth"));
    CK_TRY(check_limit(device, row->layers, shape->layers, row->is_cubemap ? 6 : 1,
                       row->is_cubemap ? "number of cubes" : "number of layers"));
  }
  return CK_OK;
}

/* Checks the flags and the extents of an array that the driver would refuse without a reason. */
static ck_status_t check_shape(ck_device_t *device, const ck_array_options_t *shape, bool is_mipmap)
{
  if (shape->flags & ~(CK_ARRAY_SURFACE | CK_ARRAY_CUBEMAP | CK_ARRAY_GATHER))
    return error_argument("array flags are 0x%x: unknown bits are set", shape->flags);
  if (!shape->width || (shape->depth && !shape->height))
    return error_argument("an array of %zu x %zu x %zu elements", shape->width, shape->height,
                          shape->depth);
  if (shape->layers && shape->depth)
    return error_argument("an array with %zu layers has one or two dimensions, its depth is %zu",
                          shape->layers, shape->depth);
  if (shape->flags & CK_ARRAY_CUBEMAP && (shape->width != shape->height || shape->depth))
    return error_argument("the faces of a cubemap are square, not %zu x %zu x %zu", shape->width,
                          shape->height, shape->depth);
  if (shape->flags & CK_ARRAY_GATHER &&
      (array_rank(shape) != 2 || shape->layers || shape->flags & CK_ARRAY_CUBEMAP))
    return error_argument("what a texture gathers from is an array of two "
                          "dimensions, no layers and no cubemap");
  return check_limits(device, shape, is_mipmap);
}

/* Checks a shape and converts it to the driver's descriptor. */
static ck_status_t read_shape(ck_device_t *device, const ck_array_options_t *options,
                              bool is_mipmap, ck_array_options_t *own, CUDA_ARRAY3D_DESCRIPTOR *out)
{
  *own = (ck_array_options_t)CK_OPTIONS_INIT(ck_array_options_t);
  CK_TRY(options_read(own, sizeof *own, options, "ck_array_options_t"));
  own->struct_size = sizeof *own;
  memset(out, 0, sizeof *out);
  CK_TRY(array_format(own->dtype, &own->channels, &out->Format));
  CK_TRY(check_shape(device, own, is_mipmap));
  size_t slices = slice_count(own);
  out->Width = own->width;
  out->Height = own->height;
  out->Depth = slices > 1 || own->depth || own->layers ? slices : 0;
  out->NumChannels = own->channels;
  out->Flags = (own->layers ? CUDA_ARRAY3D_LAYERED : 0) |
               (own->flags & CK_ARRAY_SURFACE ? CUDA_ARRAY3D_SURFACE_LDST : 0) |
               (own->flags & CK_ARRAY_CUBEMAP ? CUDA_ARRAY3D_CUBEMAP : 0) |
               (own->flags & CK_ARRAY_GATHER ? CUDA_ARRAY3D_TEXTURE_GATHER : 0);
  return CK_OK;
}

/* Converts a descriptor to a shape. */
static ck_status_t read_descriptor(const CUDA_ARRAY3D_DESCRIPTOR *desc, ck_array_options_t *out)
{
  const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                         CUDA_ARRAY3D_TEXTURE_GATHER;
  *out = (ck_array_options_t){.struct_size = sizeof *out,
                              .channels = desc->NumChannels,
                              .width = desc->Width,
                              .height = desc->Height,
                              .depth = desc->Depth};
  for (size_t i = 0; i < COUNT_OF(formats); ++i)
    if (formats[i].format == desc->Format) out->dtype = formats[i].dtype;
  if (!out->dtype || desc->Flags & ~known)
    return error_unsupported("the array's format is 0x%x, its flags are 0x%x",
                             (unsigned)desc->Format, desc->Flags);
  if (desc->Flags & CUDA_ARRAY3D_SURFACE_LDST) out->flags |= CK_ARRAY_SURFACE;
  if (desc->Flags & CUDA_ARRAY3D_CUBEMAP) out->flags |= CK_ARRAY_CUBEMAP;
  if (desc->Flags & CUDA_ARRAY3D_TEXTURE_GATHER) out->flags |= CK_ARRAY_GATHER;
  if (desc->Flags & CUDA_ARRAY3D_LAYERED)
    out->layers = desc->Depth / (desc->Flags & CUDA_ARRAY3D_CUBEMAP ? 6 : 1);
  if (desc->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) out->depth = 0;
  return CK_OK;
}

/* arrays ------------------------------------------------------------------------------------- */

static ck_array_t *array_new(ck_device_t *device, const ck_array_options_t *shape)
{
  ck_array_t *array = object_new(sizeof *array);
  if (!array) return NULL;
  array->device = ck_device_retain(device);
  array->shape = *shape;
  return array;
}

ck_status_t ck_array_create(ck_device_t *device, const ck_array_options_t *options,
                            ck_array_t **out_array)
{
  CK_NEED_OUT(out_array, NULL, device, options);
  ck_array_options_t shape;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  CK_TRY(read_shape(device, options, false, &shape, &desc));
  ck_array_t *array = array_new(device, &shape);
  if (!array) return CK_OUT_OF_MEMORY;
  array->is_owned = true;
  ck_status_t status = DEVICE_STATUS(device, cuArray3DCreate(&array->native, &desc));
  return GIVE(status, array, out_array, array_destroy);
}

ck_status_t ck_array_from_native(ck_device_t *device, void *native, int is_owned,
                                 ck_array_t **out_array)
{
  CK_NEED_OUT(out_array, NULL, device, native);
  CUDA_ARRAY3D_DESCRIPTOR desc;
  ck_array_options_t shape;
  ck_status_t status = DEVICE_STATUS(device, cuArray3DGetDescriptor(&desc, native));
  if (status == CK_OK) status = read_descriptor(&desc, &shape);
  if (status != CK_OK) return status;
  ck_array_t *array = array_new(device, &shape);
  if (!array) return CK_OUT_OF_MEMORY;
  array->native = native;
  array->is_owned = is_owned;
  *out_array = array;
  return CK_OK;
}

GETTER(ck_device_t *, array, device);
GETTER(void *, array, native);

uint32_t ck_array_rank(const ck_array_t *array)
{
  return array_rank(&array->shape);
}

size_t ck_array_element_bytes(const ck_array_t *array)
{
  return element_bytes(&array->shape);
}

size_t ck_array_bytes(const ck_array_t *array)
{
  const ck_array_options_t *shape = &array->shape;
  return shape->width * row_count(shape) * slice_count(shape) * element_bytes(shape);
}

void ck_array_get_options(const ck_array_t *array, ck_array_options_t *out_options)
{
  *out_options = array->shape;
}

/* copies ------------------------------------------------------------------------------------- */

static ck_device_t *side_device(const ck_array_side_t *side)
{
  return side->array ? side->array->device : side->buffer ? side->buffer->device : NULL;
}

/* The extent of a copy that does not state it: from its first element to the end of the array. */
static size_t rest(size_t extent, size_t from)
{
  return from < extent ? extent - from : 0;
}

static ck_status_t check_axis(const char *name, char axis, size_t from, size_t count, size_t extent)
{
  if (from <= extent && count <= extent - from) return CK_OK;
  return error_argument("ck_array_copy: %zu elements from %c = %zu on, the array of %s has %zu",
                        count, axis, from, name, extent);
}

static ck_status_t check_array_side(const ck_array_copy_t *copy, const ck_array_side_t *side,
                                    const char *name)
{
  const ck_array_options_t *shape = &side->array->shape;
  CK_TRY(lender_check_array(side->array));
  CK_TRY(check_axis(name, 'x', side->x, copy->width, shape->width));
  CK_TRY(check_axis(name, 'y', side->y, copy->height, row_count(shape)));
  return check_axis(name, 'z', side->z, copy->depth, slice_count(shape));
}

/* Fills in the defaults of row and plane sizes, and replaces them where there is a single row or
 * plane. In a copy between memory and a layered one-dimensional array, driver 580 counts no rows
 * between layers, so a row there is as long as a plane. */
static ck_status_t check_memory_side(const ck_array_copy_t *copy, ck_array_side_t *side,
                                     size_t bytes_of_element, const char *name)
{
  const ck_array_t *array = copy->dst.array ? copy->dst.array : copy->src.array;
  size_t width = copy->width * bytes_of_element;
  if (!side->row_bytes) side->row_bytes = width;
  if (!side->rows) side->rows = copy->height;
  if (side->row_bytes < width || side->rows < copy->height)
    return error_argument(
        "ck_array_copy: rows of %s have %zu bytes, its planes %zu rows; the copy needs "
        "%zu and %zu",
        name, side->row_bytes, side->rows, width, copy->height);
  if (copy->depth == 1) side->rows = copy->height;
  if (copy->depth == 1 && copy->height == 1) side->row_bytes = width;
  size_t bytes = box_bytes(width, copy->height, copy->depth, side->row_bytes, side->rows);
  if (bytes == SIZE_MAX) return error_argument("ck_array_copy: %s is larger than any memory", name);
  if (!array->shape.height && copy->depth > 1) {
    side->row_bytes *= side->rows;
    side->rows = 1;
  }
  if (side->row_bytes > MAX_ROW_BYTES)
    return error_argument("ck_array_copy: rows of %s have %zu bytes, at most %d", name,
                          side->row_bytes, MAX_ROW_BYTES);
  if (side->buffer) return buffer_check_range(side->buffer, side->offset, bytes, "ck_array_copy");
  if (side->host) return CK_OK;
  return error_argument("ck_array_copy: %s is no array, no buffer and no memory", name);
}

/* Checks a copy with at least one array, and sets extents of 0 to what is left of the array. */
static ck_status_t check_sides(ck_array_copy_t *copy, const ck_stream_t *stream)
{
  const ck_array_t *dst = copy->dst.array, *src = copy->src.array;
  ck_device_t *to = side_device(&copy->dst), *from = side_device(&copy->src);
  if (!dst && !src) return error_argument("ck_array_copy: neither side is an array");
  if (to && from && to->driver != from->driver)
    return error_argument("ck_array_copy: from '%s' to '%s': copy through host memory", from->name,
                          to->name);
  CK_TRY(stream_check(stream, to ? to : from));
  size_t bytes = ck_array_element_bytes(dst ? dst : src);
  if (dst && src && ck_array_element_bytes(src) != bytes)
    return error_argument("ck_array_copy: elements of %zu bytes to elements of %zu",
                          ck_array_element_bytes(src), bytes);
  const ck_array_side_t *first = dst ? &copy->dst : &copy->src;
  const ck_array_options_t *shape = &first->array->shape;
  if (!copy->width) copy->width = rest(shape->width, first->x);
  if (!copy->height) copy->height = rest(row_count(shape), first->y);
  if (!copy->depth) copy->depth = rest(slice_count(shape), first->z);
  if (!copy->width || !copy->height || !copy->depth)
    return check_array_side(&(ck_array_copy_t){.width = 1, .height = 1, .depth = 1}, first,
                            dst ? "dst" : "src");
  if (dst) CK_TRY(check_array_side(copy, &copy->dst, "dst"));
  if (src) CK_TRY(check_array_side(copy, &copy->src, "src"));
  if (!dst) return check_memory_side(copy, &copy->dst, bytes, "dst");
  return src ? CK_OK : check_memory_side(copy, &copy->src, bytes, "src");
}

static CUdeviceptr memory_of(const ck_array_side_t *side)
{
  return side->buffer ? side->buffer->address + side->offset
                      : (CUdeviceptr)(uintptr_t)((char *)side->host + side->offset);
}

static bool is_devices(const ck_array_side_t *side)
{
  return side->buffer && !buffer_is_hosts(side->buffer);
}

/* Fills in one side of the driver's copy description. */
#define PUT_SIDE(box_, half_, side_, unit_)                                                        \
  do {                                                                                             \
    (box_).half_##MemoryType = (side_).array          ? CU_MEMORYTYPE_ARRAY                        \
                               : is_devices(&(side_)) ? CU_MEMORYTYPE_DEVICE                       \
                                                      : CU_MEMORYTYPE_HOST;                        \
    (box_).half_##Array = (side_).array ? (side_).array->native : NULL;                            \
    (box_).half_##XInBytes = (side_).array ? (side_).x * (unit_) : 0;                              \
    (box_).half_##Y = (side_).array ? (side_).y : 0;                                               \
    (box_).half_##Z = (side_).array ? (side_).z : 0;                                               \
    (box_).half_##Device = is_devices(&(side_)) ? memory_of(&(side_)) : 0;                         \
    (box_).half_##Host =                                                                           \
        (side_).array || is_devices(&(side_)) ? NULL : (void *)(uintptr_t)memory_of(&(side_));     \
    (box_).half_##Pitch = (side_).row_bytes;                                                       \
    (box_).half_##Height = (side_).rows;                                                           \
  } while (0)

/* Adds the side to the capture, so that it lives as long as the graph. */
static ck_status_t keep_side(const ck_stream_t *stream, const ck_array_side_t *side)
{
  GraphKeep *keep = stream_keep(stream);
  if (!keep) return CK_OK;
  return side->array ? graph_keep_add(keep, &array_ref, side->array)
                     : graph_keep_buffer(keep, side->buffer);
}

ck_status_t ck_array_copy(const ck_array_copy_t *copy, ck_stream_t *stream)
{
  CK_NEED_ARG(copy);
  CK_READ_OPTIONS(ck_array_copy_t, own, copy);
  CK_TRY(check_sides(&own, stream));
  ck_array_t *array = own.dst.array ? own.dst.array : own.src.array;
  size_t bytes = ck_array_element_bytes(array);
  CUDA_MEMCPY3D box = {.WidthInBytes = own.width * bytes, .Height = own.height, .Depth = own.depth};
  PUT_SIDE(box, dst, own.dst, bytes);
  PUT_SIDE(box, src, own.src, bytes);
  ck_status_t status = DEVICE_STATUS(array->device, cuMemcpy3DAsync(&box, stream_native(stream)));
  if (status == CK_OK) status = keep_side(stream, &own.dst);
  if (status == CK_OK) status = keep_side(stream, &own.src);
  return status;
}

static ck_status_t check_whole(const ck_array_t *array, size_t bytes, const char *function)
{
  if (bytes == ck_array_bytes(array)) return CK_OK;
  return error_argument("%s: %zu bytes, the array has %zu", function, bytes, ck_array_bytes(array));
}

ck_status_t ck_array_write(ck_array_t *dst, const void *src, size_t bytes, ck_stream_t *stream)
{
  CK_NEED_ARGS(dst, src);
  CK_TRY(check_whole(dst, bytes, __func__));
  ck_array_copy_t copy = {
      .struct_size = sizeof copy, .dst = {.array = dst}, .src = {.host = (void *)(uintptr_t)src}};
  return ck_array_copy(&copy, stream);
}

ck_status_t ck_array_read(ck_array_t *src, void *dst, size_t bytes, ck_stream_t *stream)
{
  CK_NEED_ARGS(src, dst);
  CK_TRY(check_whole(src, bytes, __func__));
  ck_array_copy_t copy = {.struct_size = sizeof copy, .dst = {.host = dst}, .src = {.array = src}};
  return ck_array_copy(&copy, stream);
}

/* mipmaps ------------------------------------------------------------------------------------ */

static size_t smaller(size_t extent, uint32_t level)
{
  size_t at_level = level < 8 * sizeof extent ? extent >> level : 0;
  return extent && !at_level ? 1 : at_level;
}

static uint32_t most_levels(const ck_array_options_t *shape)
{
  uint32_t levels = 1;
  while (smaller(shape->width, levels - 1) > 1 || smaller(shape->height, levels - 1) > 1 ||
         smaller(shape->depth, levels - 1) > 1)
    ++levels;
  return levels;
}

ck_status_t ck_mipmap_create(ck_device_t *device, const ck_array_options_t *options,
                             uint32_t levels, ck_mipmap_t **out_mipmap)
{
  CK_NEED_OUT(out_mipmap, NULL, device, options);
  ck_array_options_t shape;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  CK_TRY(read_shape(device, options, true, &shape, &desc));
  uint32_t most = most_levels(&shape);
  if (levels > most)
    return error_argument("a mipmap of %zu x %zu x %zu has at most %u levels, not %u", shape.width,
                          shape.height, shape.depth, most, levels);
  ck_mipmap_t *mipmap = object_new(sizeof *mipmap);
  if (!mipmap) return CK_OUT_OF_MEMORY;
  mipmap->device = ck_device_retain(device);
  mipmap->shape = shape;
  mipmap->level_count = levels ? levels : most;
  ck_status_t status =
      DEVICE_STATUS(device, cuMipmappedArrayCreate(&mipmap->native, &desc, mipmap->level_count));
  return GIVE(status, mipmap, out_mipmap, mipmap_destroy);
}

GETTER(ck_device_t *, mipmap, device);
GETTER(void *, mipmap, native);
GETTER(uint32_t, mipmap, level_count);

ck_status_t ck_mipmap_get_level(ck_mipmap_t *mipmap, uint32_t level, ck_array_t **out_array)
{
  CK_NEED_OUT(out_array, NULL, mipmap);
  if (level >= mipmap->level_count)
    return error_argument("level %u of a mipmap that has %u", level, mipmap->level_count);
  ck_array_t *array = array_new(mipmap->device, &mipmap->shape);
  if (!array) return CK_OUT_OF_MEMORY;
  array->shape.width = smaller(mipmap->shape.width, level);
  array->shape.height = smaller(mipmap->shape.height, level);
  array->shape.depth = smaller(mipmap->shape.depth, level);
  array->mipmap = ck_mipmap_retain(mipmap);
  ck_status_t status = DEVICE_STATUS(
      mipmap->device, cuMipmappedArrayGetLevel(&array->native, mipmap->native, level));
  return GIVE(status, array, out_array, array_destroy);
}
