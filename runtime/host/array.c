/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* array.c - arrays, mipmaps, and the handles of textures and surfaces on the host device.
 *
 * An array is rows of elements without gaps, in slices (HostImage). The handle of a texture or
 * surface is the address of a HostTexture, which contains the images of all levels, so that kernel
 * code needs nothing else. texture.c samples them.
 */
#include <string.h>

#include "host.h"

struct HostArray {
  CUDA_ARRAY3D_DESCRIPTOR desc;
  HostImage image;
};

typedef struct HostMipmap {
  uint32_t level_count;
  HostArray levels[HOST_MAX_LEVELS];
} HostMipmap;

static HostArray *array_of(CUarray array)
{
  return (HostArray *)(void *)array;
}

static HostMipmap *mipmap_of(CUmipmappedArray mipmap)
{
  return (HostMipmap *)(void *)mipmap;
}

static size_t format_bytes(CUarray_format format)
{
  switch ((int)format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT8: return 1;
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_HALF: return 2;
  case CU_AD_FORMAT_UNSIGNED_INT32:
  case CU_AD_FORMAT_SIGNED_INT32:
  case CU_AD_FORMAT_FLOAT: return 4;
  }
  return 0;
}

static bool is_shape(const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
  bool has_layers = desc->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
  unsigned channels = desc->NumChannels;
  return format_bytes(desc->Format) && (channels == 1 || channels == 2 || channels == 4) &&
         desc->Width && (!desc->Depth || desc->Height || has_layers) &&
         (!(desc->Flags & CUDA_ARRAY3D_CUBEMAP) ||
          (desc->Width == desc->Height && desc->Depth && desc->Depth % 6 == 0));
}

static CUresult make_array(const CUDA_ARRAY3D_DESCRIPTOR *desc, HostArray *out)
{
  HostImage *image = &out->image;
  out->desc = *desc;
  *image = (HostImage){.width = desc->Width,
                       .height = desc->Height ? desc->Height : 1,
                       .slices = desc->Depth ? desc->Depth : 1,
                       .row_bytes = desc->Width * desc->NumChannels * format_bytes(desc->Format)};
  size_t bytes;
  if (__builtin_mul_overflow(image->row_bytes, image->height, &image->slice_bytes) ||
      __builtin_mul_overflow(image->slice_bytes, image->slices, &bytes))
    return CUDA_ERROR_INVALID_VALUE;
  void *start = NULL;
  CUresult result = host_new_piece(bytes, NULL, HOST_device, &start);
  image->start = start;
  return result;
}

static void drop_array(HostArray *array)
{
  if (array->image.start) host_cuMemFree((CUdeviceptr)(uintptr_t)array->image.start);
}

const HostImage *host_array_image(CUarray array)
{
  return &array_of(array)->image;
}

CUresult host_cuArray3DCreate(CUarray *out_array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  *out_array = NULL;
  if (!is_shape(desc)) return CUDA_ERROR_INVALID_VALUE;
  HostArray *array = memory_new(sizeof *array);
  if (!array) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = make_array(desc, array);
  if (result != CUDA_SUCCESS) memory_free(array);
  else *out_array = (CUarray)(void *)array;
  return result;
}

CUresult host_cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *out_desc, CUarray array)
{
  NEED_CONTEXT();
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  *out_desc = array_of(array)->desc;
  return CUDA_SUCCESS;
}

CUresult host_cuArrayDestroy(CUarray array)
{
  UNSAFE_IN_CAPTURES();
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  drop_array(array_of(array)); /* waits for all work */
  memory_free(array_of(array));
  return CUDA_SUCCESS;
}

/* mipmaps ------------------------------------------------------------------------------------ */

static size_t halve(size_t extent)
{
  return extent > 1 ? extent / 2 : extent;
}

/* Each level has half the extents of the level before, at least 1; layers are not halved. */
CUresult host_cuMipmappedArrayCreate(CUmipmappedArray *out_mipmap,
                                     const CUDA_ARRAY3D_DESCRIPTOR *desc, unsigned levels)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  *out_mipmap = NULL;
  if (!is_shape(desc) || !levels || levels > HOST_MAX_LEVELS) return CUDA_ERROR_INVALID_VALUE;
  HostMipmap *mipmap = memory_new(sizeof *mipmap);
  if (!mipmap) return CUDA_ERROR_OUT_OF_MEMORY;
  CUDA_ARRAY3D_DESCRIPTOR level = *desc;
  bool has_layers = desc->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
  CUresult result = CUDA_SUCCESS;
  for (unsigned i = 0; i < levels && result == CUDA_SUCCESS; ++i) {
    result = make_array(&level, &mipmap->levels[i]);
    mipmap->level_count = i + 1;
    level.Width = halve(level.Width);
    level.Height = halve(level.Height);
    if (!has_layers) level.Depth = halve(level.Depth);
  }
  *out_mipmap = (CUmipmappedArray)(void *)mipmap;
  if (result == CUDA_SUCCESS) return result;
  host_cuMipmappedArrayDestroy(*out_mipmap);
  *out_mipmap = NULL;
  return result;
}

CUresult host_cuMipmappedArrayGetLevel(CUarray *out_array, CUmipmappedArray native, unsigned level)
{
  NEED_CONTEXT();
  *out_array = NULL;
  HostMipmap *mipmap = mipmap_of(native);
  if (!mipmap || level >= mipmap->level_count) return CUDA_ERROR_INVALID_VALUE;
  *out_array = (CUarray)(void *)&mipmap->levels[level];
  return CUDA_SUCCESS;
}

CUresult host_cuMipmappedArrayDestroy(CUmipmappedArray native)
{
  UNSAFE_IN_CAPTURES();
  HostMipmap *mipmap = mipmap_of(native);
  if (!mipmap) return CUDA_ERROR_INVALID_HANDLE;
  for (uint32_t i = 0; i < mipmap->level_count; ++i) drop_array(&mipmap->levels[i]);
  memory_free(mipmap);
  return CUDA_SUCCESS;
}

/* textures, surfaces ------------------------------------------------------------------------- */

static void read_array(HostTexture *texture, const HostArray *array)
{
  texture->levels[texture->level_count++] = array->image;
  texture->format = array->desc.Format;
  texture->channels = array->desc.NumChannels;
  texture->element_bytes = (uint32_t)format_bytes(texture->format) * texture->channels;
  texture->is_layered = array->desc.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
  texture->rank = array->desc.Depth && !texture->is_layered ? 3 : array->desc.Height ? 2 : 1;
}

/* Describes memory of a buffer as an image. */
static void read_memory(HostTexture *texture, uint32_t rank, CUdeviceptr address,
                        CUarray_format format, unsigned channels, size_t width, size_t height,
                        size_t row_bytes)
{
  texture->levels[texture->level_count++] = (HostImage){.start = (char *)(uintptr_t)address,
                                                        .width = width,
                                                        .height = height,
                                                        .slices = 1,
                                                        .row_bytes = row_bytes,
                                                        .slice_bytes = row_bytes * height};
  texture->format = format;
  texture->channels = channels;
  texture->element_bytes = (uint32_t)format_bytes(format) * channels;
  texture->rank = rank;
  texture->is_memory = true;
}

/* Reads what a texture is created from: an array, all levels of a mipmap, linear memory, or memory
 * with a pitch. */
static CUresult read_resource(HostTexture *texture, const CUDA_RESOURCE_DESC *what)
{
  const HostMipmap *mipmap;
  switch (what->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    if (!what->res.array.hArray) return CUDA_ERROR_INVALID_VALUE;
    read_array(texture, array_of(what->res.array.hArray));
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    mipmap = mipmap_of(what->res.mipmap.hMipmappedArray);
    if (!mipmap) return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < mipmap->level_count; ++i) read_array(texture, &mipmap->levels[i]);
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_LINEAR: {
    size_t bytes = format_bytes(what->res.linear.format) * what->res.linear.numChannels;
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    read_memory(texture, 1, what->res.linear.devPtr, what->res.linear.format,
                what->res.linear.numChannels, what->res.linear.sizeInBytes / bytes, 1,
                what->res.linear.sizeInBytes);
    return CUDA_SUCCESS;
  }
  case CU_RESOURCE_TYPE_PITCH2D:
    if (!format_bytes(what->res.pitch2D.format)) return CUDA_ERROR_INVALID_VALUE;
    read_memory(texture, 2, what->res.pitch2D.devPtr, what->res.pitch2D.format,
                what->res.pitch2D.numChannels, what->res.pitch2D.width, what->res.pitch2D.height,
                what->res.pitch2D.pitchInBytes);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult new_texture(const CUDA_RESOURCE_DESC *what, const CUDA_TEXTURE_DESC *how,
                            unsigned long long *out_handle)
{
  *out_handle = 0;
  HostTexture *texture = memory_new(sizeof *texture);
  if (!texture) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = read_resource(texture, what);
  if (result != CUDA_SUCCESS) {
    memory_free(texture);
    return result;
  }
  if (how) {
    texture->how = *how;
    host_texture_round_border(texture);
  }
  atomic_fetch_add(&host_live_objects, 1);
  *out_handle = (uintptr_t)texture;
  return CUDA_SUCCESS;
}

/* Waits for all work, since kernels may still use it. */
static CUresult free_texture(unsigned long long handle)
{
  if (!handle) return CUDA_ERROR_INVALID_HANDLE;
  CUresult result = host_sync_all();
  memory_free((HostTexture *)(uintptr_t)handle);
  atomic_fetch_sub(&host_live_objects, 1);
  return result;
}

CUresult host_cuDeviceGetTexture1DLinearMaxWidth(size_t *out_elements, CUarray_format format,
                                                 unsigned channels, CUdevice device)
{
  (void)format, (void)channels;
  *out_elements = (size_t)1 << 28;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult host_cuTexObjectCreate(CUtexObject *out_texture, const CUDA_RESOURCE_DESC *what,
                                const CUDA_TEXTURE_DESC *how, const CUDA_RESOURCE_VIEW_DESC *view)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  if (view) return CUDA_ERROR_NOT_SUPPORTED;
  return new_texture(what, how, out_texture);
}

CUresult host_cuTexObjectDestroy(CUtexObject texture)
{
  UNSAFE_IN_CAPTURES();
  return free_texture(texture);
}

CUresult host_cuSurfObjectCreate(CUsurfObject *out_surface, const CUDA_RESOURCE_DESC *what)
{
  UNSAFE_IN_CAPTURES();
  NEED_CONTEXT();
  if (what->resType != CU_RESOURCE_TYPE_ARRAY || !what->res.array.hArray ||
      !(array_of(what->res.array.hArray)->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
    return CUDA_ERROR_INVALID_VALUE;
  return new_texture(what, NULL, out_surface);
}

CUresult host_cuSurfObjectDestroy(CUsurfObject surface)
{
  UNSAFE_IN_CAPTURES();
  return free_texture(surface);
}
