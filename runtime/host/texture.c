/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* texture.c - samples textures and accesses surfaces for kernels on the host device.
 *
 * Follows "Texture Fetching" in the CUDA C++ Programming Guide. Linear filtering in one dimension:
 *
 *   xB = x - 0.5,  i = floor(xB),  w = frac(xB) rounded to 8 bits
 *   result = (1 - w) * T[i] + w * T[i + 1]
 *
 * in two and three dimensions likewise for each axis. A coordinate is first scaled if it is
 * normalized; then the addressing mode is applied to each neighbour i and i + 1 separately. The
 * weight between two levels of a mipmap has 8 bits as well.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

typedef struct Texel {
  float at[4];
} Texel;

/* Filter weights have 8 fractional bits, as on GPUs. */
enum { WEIGHT_ONE = 256 };

/* One axis of a sample: two elements, and the weight of the second one. */
typedef struct Axis {
  int64_t first, second; /* -1 stands for the border */
  float weight;
} Axis;

/* elements ----------------------------------------------------------------------------------- */

static float half_value(uint16_t bits)
{
  enum { BIAS = 15, MANTISSA_BITS = 10, INFINITE = 31 };
  int exponent = bits >> MANTISSA_BITS & 31, mantissa = bits & 1023;
  float value = exponent == INFINITE ? (mantissa ? NAN : INFINITY)
                : exponent ? ldexpf((float)(1024 + mantissa), exponent - BIAS - MANTISSA_BITS)
                           : ldexpf((float)mantissa, 1 - BIAS - MANTISSA_BITS);
  return bits >> 15 ? -value : value;
}

/* The transfer function of IEC 61966-2-1. */
static float linear_of_srgb(float value)
{
  return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static const char *element_at(const HostTexture *texture, const HostImage *image, int64_t x,
                              int64_t y, int64_t slice)
{
  return image->start + (size_t)slice * image->slice_bytes + (size_t)y * image->row_bytes +
         (size_t)x * texture->element_bytes;
}

/* Channel `c` converted to the f32 that is filtered. */
static float channel_value(const HostTexture *texture, const char *element, uint32_t c)
{
  uint8_t byte;
  uint16_t word;
  float value;
  switch ((int)texture->format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
    memcpy(&byte, element + c, sizeof byte);
    value = (float)byte / UINT8_MAX;
    return texture->how.flags & CU_TRSF_SRGB && c < 3 ? linear_of_srgb(value) : value;
  case CU_AD_FORMAT_SIGNED_INT8:
    memcpy(&byte, element + c, sizeof byte);
    return fmaxf((float)(int8_t)byte / INT8_MAX, -1);
  case CU_AD_FORMAT_UNSIGNED_INT16:
    memcpy(&word, element + 2 * c, sizeof word);
    return (float)word / UINT16_MAX;
  case CU_AD_FORMAT_SIGNED_INT16:
    memcpy(&word, element + 2 * c, sizeof word);
    return fmaxf((float)(int16_t)word / INT16_MAX, -1);
  case CU_AD_FORMAT_HALF: memcpy(&word, element + 2 * c, sizeof word); return half_value(word);
  default: memcpy(&value, element + 4 * c, sizeof value); return value;
  }
}

/* Channel `c` of an unconverted element, extended to 32 bits. */
static uint32_t channel_bits(const HostTexture *texture, const char *element, uint32_t c)
{
  uint8_t byte;
  uint16_t word;
  uint32_t bits;
  switch ((int)texture->format) {
  case CU_AD_FORMAT_UNSIGNED_INT8: memcpy(&byte, element + c, sizeof byte); return byte;
  case CU_AD_FORMAT_SIGNED_INT8:
    memcpy(&byte, element + c, sizeof byte);
    return (uint32_t)(int32_t)(int8_t)byte;
  case CU_AD_FORMAT_UNSIGNED_INT16: memcpy(&word, element + 2 * c, sizeof word); return word;
  case CU_AD_FORMAT_SIGNED_INT16:
    memcpy(&word, element + 2 * c, sizeof word);
    return (uint32_t)(int32_t)(int16_t)word;
  default: memcpy(&bits, element + 4 * c, sizeof bits); return bits;
  }
}

/* borders ------------------------------------------------------------------------------------ */

static float srgb_of_linear(float value)
{
  return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
}

/* Rounds to a multiple of 1/steps in 0..1 or -1..1, ties towards 0. NaN becomes 0. */
static float on_steps(float value, float steps, bool is_signed)
{
  float inside = fminf(fmaxf(isnan(value) ? 0 : value, is_signed ? -1 : 0), 1);
  return copysignf(ceilf(fabsf(inside) * steps - 0.5f), inside) / steps;
}

/* Rounds to f16, towards 0. */
static float half_toward_zero(float value)
{
  const float MOST = 65504;
  if (!isfinite(value)) return value;
  if (fabsf(value) > MOST) return copysignf(MOST, value);
  int exponent;
  frexpf(value, &exponent);
  float step = ldexpf(1, exponent < -13 ? -24 : exponent - 11);
  return truncf(value / step) * step;
}

static float border_value(const HostTexture *texture, float value, uint32_t c)
{
  switch ((int)texture->format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
    return texture->how.flags & CU_TRSF_SRGB && c < 3
               ? linear_of_srgb(on_steps(srgb_of_linear(value), UINT8_MAX, false))
               : on_steps(value, UINT8_MAX, false);
  case CU_AD_FORMAT_SIGNED_INT8: return on_steps(value, INT8_MAX, true);
  case CU_AD_FORMAT_UNSIGNED_INT16: return on_steps(value, UINT16_MAX, false);
  case CU_AD_FORMAT_SIGNED_INT16: return on_steps(value, INT16_MAX, true);
  case CU_AD_FORMAT_HALF: return half_toward_zero(value);
  default: return value;
  }
}

void host_texture_round_border(HostTexture *texture)
{
  float *border = texture->how.borderColor;
  if (texture->how.flags & CU_TRSF_READ_AS_INTEGER) return;
  for (uint32_t c = 0; c < 4; ++c) border[c] = border_value(texture, border[c], c);
}

/* elements and borders ----------------------------------------------------------------------- */

static Texel texel_at(const HostTexture *texture, const HostImage *image, int64_t x, int64_t y,
                      int64_t slice)
{
  Texel texel = {{0, 0, 0, 1}};
  if (x < 0 || y < 0 || slice < 0) {
    memcpy(texel.at, texture->how.borderColor, sizeof texel.at);
    return texel;
  }
  const char *element = element_at(texture, image, x, y, slice);
  for (uint32_t c = 0; c < texture->channels; ++c) texel.at[c] = channel_value(texture, element, c);
  return texel;
}

static Texel mix(Texel a, Texel b, float weight)
{
  for (int c = 0; c < 4; ++c) a.at[c] = (1 - weight) * a.at[c] + weight * b.at[c];
  return a;
}

/* coordinates -------------------------------------------------------------------------------- */

/* Applies the addressing mode to an element index; -1: the border. */
static int64_t address(CUaddress_mode mode, int64_t i, int64_t extent)
{
  if (i >= 0 && i < extent) return i;
  if (mode == CU_TR_ADDRESS_MODE_BORDER) return -1;
  if (mode == CU_TR_ADDRESS_MODE_WRAP) return ((i % extent) + extent) % extent;
  return i < 0 ? 0 : extent - 1; /* a mirrored coordinate has been reflected already */
}

/* Converts a coordinate to elements, and clamps it to what 64-bit integers hold. */
static double in_elements(const HostTexture *texture, CUaddress_mode mode, float coordinate,
                          int64_t extent)
{
  double x = isnan(coordinate) ? 0 : coordinate;
  if (texture->how.flags & CU_TRSF_NORMALIZED_COORDINATES) {
    double whole = floor(x);
    if (mode == CU_TR_ADDRESS_MODE_WRAP) x -= whole;
    if (mode == CU_TR_ADDRESS_MODE_MIRROR) x = fmod(whole, 2) == 0 ? x - whole : 1 - (x - whole);
    x *= (double)extent;
  }
  return fmin(fmax(x, -1e9), 1e9);
}

static Axis axis_of(const HostTexture *texture, int number, float coordinate, int64_t extent)
{
  CUaddress_mode mode = texture->how.addressMode[number];
  double x = in_elements(texture, mode, coordinate, extent);
  if (texture->how.filterMode == CU_TR_FILTER_MODE_POINT) {
    int64_t i = address(mode, (int64_t)floor(x), extent);
    return (Axis){i, i, 0};
  }
  int64_t fixed = llrint((x - 0.5) * WEIGHT_ONE);
  int64_t i = (fixed & ~(int64_t)(WEIGHT_ONE - 1)) / WEIGHT_ONE;
  return (Axis){address(mode, i, extent), address(mode, i + 1, extent),
                (float)(fixed - i * WEIGHT_ONE) / WEIGHT_ONE};
}

static Texel sample_plane(const HostTexture *texture, const HostImage *image, Axis x, Axis y,
                          int64_t slice)
{
  Texel low = texel_at(texture, image, x.first, y.first, slice);
  if (x.weight > 0) low = mix(low, texel_at(texture, image, x.second, y.first, slice), x.weight);
  if (!(y.weight > 0)) return low;
  Texel high = texel_at(texture, image, x.first, y.second, slice);
  if (x.weight > 0) high = mix(high, texel_at(texture, image, x.second, y.second, slice), x.weight);
  return mix(low, high, y.weight);
}

/* The elements of a sample on one level, on each axis. */
typedef struct Spot {
  Axis x, y, z;
} Spot;

static Spot spot_of(const HostTexture *texture, const HostImage *image, float x, float y, float z,
                    uint32_t layer)
{
  int64_t slices = (int64_t)image->slices, last = slices - 1;
  int64_t slice = layer < (uint64_t)slices ? layer : last;
  return (Spot){axis_of(texture, 0, x, (int64_t)image->width),
                texture->rank > 1 ? axis_of(texture, 1, y, (int64_t)image->height) : (Axis){0},
                texture->rank > 2 ? axis_of(texture, 2, z, slices) : (Axis){slice, slice, 0}};
}

static Texel sample_level(const HostTexture *texture, uint32_t level, float x, float y, float z,
                          uint32_t layer)
{
  const HostImage *image = &texture->levels[level];
  Spot spot = spot_of(texture, image, x, y, z, layer);
  Texel texel = sample_plane(texture, image, spot.x, spot.y, spot.z.first);
  if (!(spot.z.weight > 0)) return texel;
  return mix(texel, sample_plane(texture, image, spot.x, spot.y, spot.z.second), spot.z.weight);
}

/* The level of a sample with bias and limits applied. */
static float level_of(const HostTexture *texture, float level)
{
  const CUDA_TEXTURE_DESC *how = &texture->how;
  float last = (float)(texture->level_count - 1);
  level = fminf(fmaxf(level + how->mipmapLevelBias, how->minMipmapLevelClamp),
                how->maxMipmapLevelClamp);
  return fminf(fmaxf(level, 0), last);
}

static Texel sample(const HostTexture *texture, float x, float y, float z, uint32_t layer,
                    float level)
{
  level = level_of(texture, level);
  if (texture->how.mipmapFilterMode == CU_TR_FILTER_MODE_POINT)
    return sample_level(texture, (uint32_t)floorf(level + 0.5f), x, y, z, layer);
  long fixed = lrintf(level * WEIGHT_ONE);
  uint32_t first = (uint32_t)(fixed / WEIGHT_ONE);
  float weight = (float)(fixed % WEIGHT_ONE) / WEIGHT_ONE;
  Texel texel = sample_level(texture, first, x, y, z, layer);
  if (!(weight > 0)) return texel;
  return mix(texel, sample_level(texture, first + 1, x, y, z, layer), weight);
}

/* functions that kernels call ---------------------------------------------------------------- */

static bool is_integer(const HostTexture *texture)
{
  return texture->how.flags & CU_TRSF_READ_AS_INTEGER;
}

static void put_bits(const HostTexture *texture, const HostImage *image, int64_t x, int64_t y,
                     int64_t slice, uint32_t bits[4])
{
  if (x < 0 || y < 0 || slice < 0) {
    memcpy(bits, texture->how.borderColor, 4 * sizeof *bits); /* the bits, unconverted */
    return;
  }
  const char *element = element_at(texture, image, x, y, slice);
  for (uint32_t c = 0; c < texture->channels; ++c) bits[c] = channel_bits(texture, element, c);
}

void ck_host_texture_sample(uint64_t handle, float x, float y, float z, uint32_t layer, float level,
                            uint64_t out)
{
  const HostTexture *texture = (const HostTexture *)(uintptr_t)handle;
  uint32_t bits[4] = {0, 0, 0, 1};
  if (is_integer(texture)) {
    const HostImage *image = &texture->levels[(uint32_t)floorf(level_of(texture, level) + 0.5f)];
    Spot spot = spot_of(texture, image, x, y, z, layer);
    put_bits(texture, image, spot.x.first, spot.y.first, spot.z.first, bits);
  } else {
    Texel texel = sample(texture, x, y, z, layer, level);
    memcpy(bits, texel.at, sizeof bits);
  }
  memcpy((void *)(uintptr_t)out, bits, sizeof bits);
}

void ck_host_texture_fetch(uint64_t handle, int32_t x, int32_t y, int32_t z, uint32_t layer,
                           uint64_t out)
{
  const HostTexture *texture = (const HostTexture *)(uintptr_t)handle;
  const HostImage *image = &texture->levels[0];
  uint32_t bits[4] = {0};
  if (layer == UINT32_MAX && !texture->is_memory && !texture->is_layered)
    host_leave_block(
        CUDA_ERROR_LAUNCH_FAILED,
        "fetch(x) reads linear memory: an array of one dimension is sampled, at x + 0.5");
  if (texture->is_memory) layer = 0;
  uint64_t slice = texture->rank > 2 ? (uint64_t)z : layer;
  if (x >= 0 && (uint64_t)x < image->width && y >= 0 && (uint64_t)y < image->height &&
      slice < image->slices) {
    if (is_integer(texture)) {
      put_bits(texture, image, x, y, (int64_t)slice, bits);
    } else {
      Texel texel = texel_at(texture, image, x, y, (int64_t)slice);
      memcpy(bits, texel.at, sizeof bits);
    }
  }
  memcpy((void *)(uintptr_t)out, bits, sizeof bits);
}

/* The address of an element of a surface; an element outside of it ends the kernel, as `.trap` does
 * in PTX. */
static char *surface_at(uint64_t handle, int32_t x, int32_t y, int32_t z)
{
  const HostTexture *surface = (const HostTexture *)(uintptr_t)handle;
  const HostImage *image = &surface->levels[0];
  if (x < 0 || (uint64_t)x >= image->width || y < 0 || (uint64_t)y >= image->height || z < 0 ||
      (uint64_t)z >= image->slices) {
    char text[160];
    snprintf(text, sizeof text,
             "element (%d, %d, %d) of a surface that has %zu x %zu x %zu elements", x, y, z,
             image->width, image->height, image->slices);
    host_leave_block(CUDA_ERROR_LAUNCH_FAILED, text);
  }
  return (char *)(uintptr_t)element_at(surface, image, x, y, z);
}

void ck_host_surface_load(uint64_t surface, int32_t x, int32_t y, int32_t z, uint32_t bytes,
                          uint64_t out)
{
  memcpy((void *)(uintptr_t)out, surface_at(surface, x, y, z), bytes);
}

void ck_host_surface_store(uint64_t surface, int32_t x, int32_t y, int32_t z, uint32_t bytes,
                           uint64_t from)
{
  memcpy(surface_at(surface, x, y, z), (const void *)(uintptr_t)from, bytes);
}
