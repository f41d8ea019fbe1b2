/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* texture_random.c - compares random textures, sampled and fetched by random kernels, with a
 * sampler in doubles (below). On the host device or a GPU: $CK_DEVICE.
 *
 * The model follows "Texture Fetching" in the CUDA C++ Programming Guide, and cuTexObjectCreate in
 * the CUDA driver API.
 */
#include <math.h>

#include "random_case.h"

enum {
  KERNELS = 6,  /* per case */
  TEXTURES = 3, /* per kernel */
  POINTS = 160,
  FIELDS = 5, /* per point: x, y, z, layer, level */
  MOST_BYTES = 1 << 18,
  MOST_LEVELS = 6,
  STEPS = 256 /* of a filter weight between two neighbours */
};

typedef enum Op { OP_sample, OP_lod, OP_fetch } Op;

/* An element format, and the type that CK code reads without conversion. */
typedef struct Format {
  const char *name;
  ck_dtype_t dtype;
  uint32_t bytes;
  double least, most; /* range of an integer; 0: floats */
} Format;

static const Format formats[] = {
    {"u8", CK_U8, 1, 0, 255},
    {"i8", CK_I8, 1, -128, 127},
    {"u16", CK_U16, 2, 0, 65535},
    {"i16", CK_I16, 2, -32768, 32767},
    {"u32", CK_U32, 4, 0, 4294967295.0},
    {"i32", CK_I32, 4, -2147483648.0, 2147483647.0},
    {"f32", CK_F16, 2, 0, 0},
    {"f32", CK_F32, 4, 0, 0},
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* What a kernel is compiled for: the shape without its extents. */
typedef struct Kind {
  Op op;
  const Format *format;
  uint32_t rank, channels;
  bool is_layered, is_normalized_read;
} Kind;

/* A texture: the x, y and z extents of each level, and all elements, level by level. */
typedef struct Image {
  Kind kind;
  int extents[3], layers, levels;
  bool is_buffer;
  ck_texture_options_t how;
  unsigned char *bytes[MOST_LEVELS];
} Image;

static unsigned char memory[MOST_BYTES];

static bool is_float(const Format *format)
{
  return format->most == 0;
}

static int extent_at(const Image *image, int axis, int level)
{
  int extent = image->extents[axis] >> level;
  return extent ? extent : 1;
}

/* the model: elements ------------------------------------------------------------------------ */

static double half(uint16_t bits)
{
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double size = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
  return bits >> 15 ? -size : size;
}

/* The value of a channel. */
static double number_at(const Format *format, const unsigned char *at)
{
  uint16_t bits;
  float value;
  int8_t i8;
  int16_t i16;
  int32_t i32;
  uint32_t u32 = 0;
  switch ((int)format->dtype) {
  case CK_I8: return memcpy(&i8, at, 1), i8;
  case CK_I16: return memcpy(&i16, at, 2), i16;
  case CK_I32: return memcpy(&i32, at, 4), i32;
  case CK_F16: return memcpy(&bits, at, 2), half(bits);
  case CK_F32: return memcpy(&value, at, 4), (double)value;
  default: return memcpy(&u32, at, format->bytes), u32;
  }
}

/* The value that is read: normalised to "[0.0, 1.0]" or "[-1.0, 1.0]"; the first three channels of
 * sRGB become linear. */
static double read_as(const Image *image, double number, uint32_t channel)
{
  if (!image->kind.is_normalized_read) return number;
  double value = fmax(number / image->kind.format->most, -1);
  if (!(image->how.flags & CK_TEXTURE_SRGB) || channel == 3) return value;
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* The border colour converted to the format: to nearest; to half precision, towards 0. */
static double border_of(const Image *image, uint32_t channel)
{
  const Format *format = image->kind.format;
  double value = (double)image->how.border[channel];
  int exponent;
  if (image->kind.is_normalized_read) {
    bool is_srgb = image->how.flags & CK_TEXTURE_SRGB && channel < 3;
    if (is_srgb) value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
    double number = nearbyint(value * format->most);
    return read_as(image, fmin(fmax(number, format->least < 0 ? -format->most : 0), format->most),
                   channel);
  }
  if (format->dtype != CK_F16) return value;
  frexp(value, &exponent);
  return ldexp(trunc(ldexp(value, 11 - exponent)), exponent - 11);
}

static double element(const Image *image, int level, const int *at, int layer, uint32_t channel)
{
  int index = layer;
  for (int k = 2; k >= 0; --k)
    if (k < (int)image->kind.rank) {
      if (at[k] < 0) return border_of(image, channel);
      index = index * extent_at(image, k, level) + at[k];
    }
  const Format *format = image->kind.format;
  size_t offset = ((size_t)index * image->kind.channels + channel) * format->bytes;
  return read_as(image, number_at(format, image->bytes[level] + offset), channel);
}

/* the model: samples ------------------------------------------------------------------------- */

/* The index of element i after the address mode; -1: the border. */
static int addressed(ck_address_mode_t mode, int64_t i, int extent)
{
  if (i >= 0 && i < extent) return (int)i;
  if (mode == CK_ADDRESS_BORDER) return -1;
  if (mode == CK_ADDRESS_CLAMP) return i < 0 ? 0 : extent - 1;
  int64_t period = mode == CK_ADDRESS_WRAP ? extent : 2 * (int64_t)extent;
  int64_t turn = (i % period + period) % period;
  return (int)(turn < extent ? turn : period - 1 - turn);
}

/* Samples one level. Point: i = floor(x). Linear: i = floor(x - 0.5), with a weight of 8 bits. The
 * result is `doubtful` where rounding decides. */
static double sample_level(const Image *image, int level, const float *point, uint32_t channel,
                           bool *doubtful)
{
  int64_t first[3];
  double weight[3] = {0}, sum = 0;
  const int rank = (int)image->kind.rank;
  for (int k = 0; k < rank; ++k) {
    double x = (double)point[k];
    if (image->how.flags & CK_TEXTURE_NORMALIZED) x *= extent_at(image, k, level);
    if (!(fabs(x) < 1e6)) return *doubtful = true, 0; /* also for NaN */
    double unit = image->how.filter == CK_FILTER_LINEAR ? STEPS : 1;
    double steps = image->how.filter == CK_FILTER_LINEAR ? (x - 0.5) * STEPS + 0.5 : x;
    if (fabs(steps - nearbyint(steps)) < 1e-3) *doubtful = true;
    first[k] = (int64_t)floor(floor(steps) / unit);
    weight[k] = floor(steps) / unit - (double)first[k];
  }
  for (int corner = 0; corner < 1 << rank; ++corner) {
    double part = 1;
    int at[3] = {0};
    for (int k = 0; k < rank; ++k) {
      int up = corner >> k & 1;
      part *= up ? weight[k] : 1 - weight[k];
      at[k] = addressed(image->how.address[k], first[k] + up, extent_at(image, k, level));
    }
    if (part > 0) sum += part * element(image, level, at, (int)point[3], channel);
  }
  return sum;
}

/* Samples between two levels with a weight of 8 bits, or the nearest level. */
static double sample(const Image *image, const float *point, uint32_t channel, bool *doubtful)
{
  const ck_texture_options_t *how = &image->how;
  double last = image->levels - 1, level = (double)point[4] + (double)how->level_bias;
  if (isnan(level)) *doubtful = true;
  bool is_whole = how->min_level == 0 && how->max_level == 0;
  level = fmin(fmax(level, (double)how->min_level), is_whole ? last : (double)how->max_level);
  level = fmin(fmax(level, 0), last);
  if (how->level_filter == CK_FILTER_POINT) {
    if (fabs(level - floor(level) - 0.5) < 1e-3) *doubtful = true;
    return sample_level(image, (int)floor(level + 0.5), point, channel, doubtful);
  }
  double steps = level * STEPS + 0.5;
  if (fabs(steps - nearbyint(steps)) < 1e-3) *doubtful = true;
  int low = (int)(floor(steps) / STEPS);
  double weight = floor(steps) / STEPS - low;
  double value = (1 - weight) * sample_level(image, low, point, channel, doubtful);
  if (weight > 0) value += weight * sample_level(image, low + 1, point, channel, doubtful);
  return value;
}

static double wanted(const Image *image, const float *point, uint32_t channel, bool *doubtful)
{
  int at[] = {(int)point[0], (int)point[1], (int)point[2]};
  if (image->kind.op != OP_fetch) return sample(image, point, channel, doubtful);
  return element(image, 0, at, (int)point[3], channel);
}

/* random kernels ----------------------------------------------------------------------------- */

static Kind random_kind(void)
{
  Kind kind = {.op = (Op)below(3),
               .format = &formats[below(FORMATS)],
               .rank = 1 + below(3),
               .channels = 1u << below(3)};
  kind.is_layered = kind.rank < 3 && one_in(3);
  kind.is_normalized_read = !is_float(kind.format) && kind.format->bytes < 4 && one_in(2);
  return kind;
}

static const char *type_name(const Kind *kind, char *text, size_t room)
{
  const char *name = kind->is_normalized_read ? "f32" : kind->format->name;
  if (kind->channels == 1) snprintf(text, room, "%s", name);
  else snprintf(text, room, "%sx%u", name, kind->channels);
  return text;
}

static void write_reads(unsigned number, const Kind *kind)
{
  static const char *const ops[] = {"sample", "lod", "fetch"}, *const ints[] = {"i32", "u32",
                                                                                "i64"};
  char type[16];
  type_name(kind, type, sizeof type);
  const char *integer = ints[below(3)];
  write_kernel("kernel k%u(n: u32, t: texture%s<%u, %s>, p: in f32[n, %d], y: out %s[n])\n"
               "    launch(block = 64, grid = ceil_div(n, 64))\n"
               "{\n    let i = u32(grid.thread_rank);\n    if (i < n) y[i] = t.%s(",
               number, kind->is_layered ? "_array" : "", kind->rank, type, FIELDS, type,
               ops[kind->op]);
  for (uint32_t k = 0; k < kind->rank; ++k)
    write_kernel(kind->op == OP_fetch ? "%s%s(p[i, %u])" : "%s%.0s(p[i, %u])", k ? ", " : "",
                 integer, k);
  if (kind->is_layered) write_kernel(", %s(p[i, 3])", integer);
  if (kind->op == OP_lod) write_kernel(", p[i, 4]");
  write_kernel(");\n}\n");
}

/* random textures ---------------------------------------------------------------------------- */

static void random_elements(const Image *image, unsigned char *bytes, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    float value = (float)between(-64 * 4, 64 * 4) / 4;
    uint16_t bits = (uint16_t)(below(2) << 15 | (9 + below(12)) << 10 | below(1024));
    if (one_in(9)) bits &= 0x83ff; /* subnormal, or 0 */
    if (image->kind.format->dtype == CK_F32) memcpy(bytes + 4 * i, &value, 4);
    else if (image->kind.format->dtype == CK_F16) memcpy(bytes + 2 * i, &bits, 2);
    else {
      size_t width = image->kind.format->bytes;
      random_fill(bytes + i * width, width);
      if (!one_in(8)) continue;
      memset(bytes + i * width, 0, width); /* the smallest value of signed types */
      bytes[(i + 1) * width - 1] = 0x80;
    }
  }
}

/* A border colour whose conversion to the format does not depend on how it is rounded. */
static float random_border(const Image *image, uint32_t channel)
{
  const Format *format = image->kind.format;
  if (format->dtype == CK_F32) return (float)between(-64, 64);
  if (format->dtype == CK_F16) return (float)between(-64 * 4096, 64 * 4096) / 4096;
  if (!image->kind.is_normalized_read)
    return format->least < 0 ? (float)between(-100, 100) : (float)below(200);
  int most = (int)format->most;
  double value = (between(-most, most + most / 4) + between(-1, 1) / 4.0) / most;
  bool is_srgb = image->how.flags & CK_TEXTURE_SRGB && channel < 3 && value > 0.04045;
  return (float)(is_srgb ? pow((value + 0.055) / 1.055, 2.4) : value);
}

static void random_options(Image *image)
{
  ck_texture_options_t *how = &image->how;
  const Kind *kind = &image->kind;
  bool is_filtered = is_float(kind->format) || kind->is_normalized_read;
  *how = (ck_texture_options_t)CK_OPTIONS_INIT(ck_texture_options_t);
  if (kind->op != OP_fetch && (image->levels > 1 || one_in(2))) how->flags = CK_TEXTURE_NORMALIZED;
  if (kind->is_normalized_read) how->flags |= CK_TEXTURE_READ_NORMALIZED;
  if (kind->is_normalized_read && kind->format->dtype == CK_U8 && kind->channels == 4 && one_in(3))
    how->flags |= CK_TEXTURE_SRGB;
  for (int k = 0; k < 3; ++k) {
    how->address[k] = (ck_address_mode_t)below(4);
    bool is_turned = how->address[k] == CK_ADDRESS_WRAP || how->address[k] == CK_ADDRESS_MIRROR;
    if (is_turned && !(how->flags & CK_TEXTURE_NORMALIZED)) how->address[k] = CK_ADDRESS_BORDER;
  }
  bool is_line = image->is_buffer && kind->rank == 1;
  if (is_filtered && !is_line && one_in(2)) how->filter = CK_FILTER_LINEAR;
  for (uint32_t k = 0; k < 4; ++k) how->border[k] = random_border(image, k);
  if (image->levels == 1 || kind->op != OP_lod) return;
  if (is_filtered && one_in(2)) how->level_filter = CK_FILTER_LINEAR;
  if (one_in(2)) how->level_bias = (float)between(-32, 32) / 16;
  if (one_in(2)) how->min_level = (float)below(32) / 16;
  if (one_in(2) || how->min_level > 0) how->max_level = how->min_level + (float)below(48) / 16;
}

static Image random_image(const Kind *kind)
{
  Image image = {.kind = *kind, .extents = {1, 1, 1}, .layers = 1, .levels = 1};
  int most = 1;
  for (uint32_t k = 0; k < kind->rank; ++k) {
    image.extents[k] = 1 + (int)below(kind->rank == 3 ? 12 : kind->rank == 2 ? 24 : 90);
    if (image.extents[k] > most) most = image.extents[k];
  }
  if (kind->is_layered) image.layers = 1 + (int)below(4);
  bool is_line = kind->op == OP_fetch && kind->rank == 1 && !kind->is_layered;
  bool is_rows = kind->rank == 2 && !kind->is_layered && kind->op != OP_lod;
  image.is_buffer = is_line || (is_rows && one_in(3));
  if (!image.is_buffer && kind->op != OP_fetch && (kind->op == OP_lod || one_in(4)))
    while (most > 1 && image.levels < MOST_LEVELS && !one_in(4)) most /= 2, ++image.levels;
  size_t used = 0;
  for (int level = 0; level < image.levels; ++level) {
    size_t count = (size_t)image.layers * kind->channels;
    for (int k = 0; k < 3; ++k) count *= (size_t)extent_at(&image, k, level);
    image.bytes[level] = memory + used;
    random_elements(&image, memory + used, count);
    used += count * kind->format->bytes;
  }
  CHECK(used <= MOST_BYTES);
  random_options(&image);
  return image;
}

static ck_buffer_t *rows_of(const Image *image, ck_texture_resource_t *what)
{
  int align = 1, pitch = 1;
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_TEXTURE_ALIGNMENT, &align));
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_TEXTURE_PITCH_ALIGNMENT, &pitch));
  size_t row = what->width * what->channels * image->kind.format->bytes, height = what->height;
  what->offset = (size_t)align * below(3);
  what->row_bytes = height ? ((row - 1) / (size_t)pitch + 1 + below(3)) * (size_t)pitch : 0;
  if (!height) height = 1;
  ck_buffer_t *buffer = zeros(what->offset + height * (what->row_bytes ? what->row_bytes : row));
  for (size_t y = 0; y < height; ++y)
    CHECK_OK(ck_buffer_write(buffer, what->offset + y * what->row_bytes, image->bytes[0] + y * row,
                             row, stream));
  CHECK_OK(ck_stream_sync(stream));
  return buffer;
}

static void write_array(const Image *image, int level, ck_array_t *array)
{
  CHECK_OK(ck_array_write(array, image->bytes[level], ck_array_bytes(array), stream));
  CHECK_OK(ck_stream_sync(stream));
}

static ck_texture_t *texture_of(const Image *image)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  ck_texture_resource_t what = {.struct_size = sizeof what};
  ck_texture_t *texture = NULL;
  what.dtype = shape.dtype = image->kind.format->dtype;
  what.channels = shape.channels = image->kind.channels;
  what.width = shape.width = (size_t)image->extents[0];
  what.height = shape.height = image->kind.rank > 1 ? (size_t)image->extents[1] : 0;
  shape.depth = image->kind.rank > 2 ? (size_t)image->extents[2] : 0;
  shape.layers = image->kind.is_layered ? (size_t)image->layers : 0;
  if (image->is_buffer) what.buffer = rows_of(image, &what);
  else if (image->levels > 1 || one_in(8)) {
    CHECK_OK(ck_mipmap_create(device, &shape, (uint32_t)image->levels, &what.mipmap));
    for (int level = 0; level < image->levels; ++level) {
      ck_array_t *array = NULL;
      CHECK_OK(ck_mipmap_get_level(what.mipmap, (uint32_t)level, &array));
      write_array(image, level, array);
      ck_array_release(array);
    }
  } else {
    CHECK_OK(ck_array_create(device, &shape, &what.array));
    write_array(image, 0, what.array);
  }
  if (what.mipmap && !(image->how.flags & CK_TEXTURE_NORMALIZED)) {
    /* Mipmaps have normalised coordinates. */
    CHECK_OK(ck_mipmap_get_level(what.mipmap, 0, &what.array));
    ck_mipmap_release(what.mipmap);
    what.mipmap = NULL;
  }
  CHECK_OK(ck_texture_create(&what, &image->how, &texture));
  ck_buffer_release(what.buffer);
  ck_mipmap_release(what.mipmap);
  ck_array_release(what.array);
  return texture;
}

/* Coordinates in and around the image in steps of 1/64 of an element, sometimes far away; fetches
 * are inside. */
static void random_point(const Image *image, float *point)
{
  static const float extremes[] = {INFINITY, -INFINITY, NAN, 3e38f, -3e38f, 1e-45f, -1e-45f, -0.0f};
  for (int k = 0; k < 3; ++k) {
    int extent = image->extents[k];
    double x = between(-2 * extent, 3 * extent) + (1 + between(0, 62)) / 64.0;
    if (one_in(20)) x = ldexp(x, 12);
    if (image->how.flags & CK_TEXTURE_NORMALIZED) x /= extent;
    if (one_in(100)) x = (double)extremes[below(8)];
    point[k] = image->kind.op == OP_fetch ? (float)below((uint32_t)extent) : (float)x;
  }
  point[3] = (float)below((uint32_t)image->layers);
  point[4] = image->kind.op == OP_lod ? (float)between(-64, 64 * image->levels) / 64 : 0;
  if (image->kind.op == OP_lod && one_in(100)) point[4] = extremes[below(8)];
}

/* reads -------------------------------------------------------------------------------------- */

static void tell(uint64_t number, const Image *image, const float *point, double got, double want)
{
  static const char *const ops[] = {"sample", "lod", "fetch"};
  const ck_texture_options_t *how = &image->how;
  fprintf(stderr,
          "%s: seed %llu, %s (dtype %d) x %u of %u axes, %d x %d x %d, %d layers, %d levels%s\n"
          "  at (%.9g, %.9g, %.9g), layer %g, level %g: %.9g, expected %.9g\n"
          "  filter %d, addresses %d %d %d, flags %u, levels: filter %d, bias %g, %g to %g\n",
          ops[image->kind.op], (unsigned long long)(random_seed + number), image->kind.format->name,
          (int)image->kind.format->dtype, image->kind.channels, image->kind.rank, image->extents[0],
          image->extents[1], image->extents[2], image->layers, image->levels,
          image->is_buffer ? ", of a buffer" : "", (double)point[0], (double)point[1],
          (double)point[2], (double)point[3], (double)point[4], got, want, (int)how->filter,
          (int)how->address[0], (int)how->address[1], (int)how->address[2], how->flags,
          (int)how->level_filter, (double)how->level_bias, (double)how->min_level,
          (double)how->max_level);
}

/* The allowed error. Filters of the host device are exact; a GPU may round the weight of each axis,
 * and of levels, differently. Its sRGB conversion is right to half a step of u8. */
static double slack_of(const Image *image)
{
  const Kind *kind = &image->kind;
  bool is_exact = !kind->is_normalized_read && (!is_float(kind->format) || kind->op == OP_fetch);
  double range = is_float(kind->format) ? 128 : kind->format->least < 0 ? 2 : 1;
  bool has_weights = image->how.filter == CK_FILTER_LINEAR || image->how.level_filter;
  double srgb = image->how.flags & CK_TEXTURE_SRGB ? 0.5 / 255 * 2.4 / 1.055 : 0;
  if (is_exact) return 0;
  if (ck_device_is_host(device)) return range * 1e-5;
  if (kind->op == OP_fetch || !has_weights) return range * 1e-5 + srgb;
  return range * (kind->rank + 1) / 256.0 + srgb;
}

static void compare(uint64_t number, const Image *image, const float *points,
                    const unsigned char *out)
{
  const Kind *kind = &image->kind;
  bool is_f32 = is_float(kind->format) || kind->is_normalized_read;
  const Format *format = is_f32 ? &formats[FORMATS - 1] : kind->format;
  unsigned wrong = 0;
  for (size_t i = 0; i < POINTS; ++i)
    for (uint32_t c = 0; c < kind->channels; ++c) {
      bool doubtful = false;
      double got = number_at(format, out + (i * kind->channels + c) * format->bytes);
      double want = wanted(image, points + i * FIELDS, c, &doubtful);
      if (doubtful || fabs(got - want) <= slack_of(image) || wrong++) continue;
      tell(number, image, points + i * FIELDS, got, want);
    }
  CHECK(wrong == 0);
}

static void try_image(uint64_t number, ck_kernel_t *k, const Kind *kind)
{
  static float points[POINTS * FIELDS];
  static unsigned char out[POINTS * 16];
  Image image = random_image(kind);
  ck_texture_t *texture = texture_of(&image);
  for (size_t i = 0; i < POINTS; ++i) random_point(&image, points + i * FIELDS);
  size_t bytes = POINTS * kind->channels *
                 (kind->is_normalized_read || is_float(kind->format) ? 4 : kind->format->bytes);
  ck_buffer_t *p = zeros(sizeof points), *y = zeros(bytes);
  CHECK_OK(ck_buffer_write(p, 0, points, sizeof points, stream));
  if (texture) CHECK_OK(ck_launch(stream, NULL, k, POINTS, texture, p, y));
  CHECK_OK(ck_buffer_read(y, 0, out, bytes, stream));
  CHECK_OK(ck_stream_sync(stream));
  compare(number, &image, points, out);
  ck_buffer_release(p);
  ck_buffer_release(y);
  ck_texture_release(texture);
}

TEST(reads)
{
  for (uint64_t number = 0; number < random_count; ++number) {
    Kind kinds[KERNELS];
    random_start(number);
    for (unsigned i = 0; i < KERNELS; ++i) {
      kinds[i] = random_kind();
      write_reads(i, &kinds[i]);
    }
    compile_kernels();
    for (unsigned i = 0; i < KERNELS; ++i) {
      char name[16];
      snprintf(name, sizeof name, "k%u", i);
      ck_kernel_t *k = kernel(name);
      for (int turn = 0; turn < TEXTURES; ++turn) try_image(number, k, &kinds[i]);
      ck_kernel_release(k);
    }
  }
}

/* rules -------------------------------------------------------------------------------------- */

/* Options of a texture, valid or not. */
typedef struct Question {
  ck_texture_resource_t what;
  const Format *format;
  uint32_t rank;
  bool is_cubemap;
} Question;

static ck_buffer_t *rule_buffer;
static int texture_alignment, pitch_alignment;

enum { RULES = 100, RULE_BYTES = 1 << 14 };

static void random_array(Question *q, ck_array_options_t *shape)
{
  q->rank = 1 + below(3);
  q->is_cubemap = q->rank == 2 && one_in(4);
  shape->flags = q->is_cubemap ? CK_ARRAY_CUBEMAP : 0;
  shape->width = 4;
  shape->height = q->rank > 1 ? 4 : 0;
  shape->depth = q->rank > 2 ? 4 : 0;
  shape->layers = q->rank < 3 ? below(3) : 0;
  if (one_in(2)) CHECK_OK(ck_array_create(device, shape, &q->what.array));
  else CHECK_OK(ck_mipmap_create(device, shape, 0, &q->what.mipmap));
}

static Question random_question(void)
{
  Question q = {.what = {.struct_size = sizeof q.what}, .format = &formats[below(FORMATS)]};
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  q.what.dtype = shape.dtype = q.format->dtype;
  q.what.channels = shape.channels = 1u << below(3);
  if (one_in(2)) random_array(&q, &shape);
  if (q.what.array || q.what.mipmap) return q;
  size_t element = q.what.channels * q.format->bytes, pitch = (size_t)pitch_alignment;
  q.what.buffer = rule_buffer;
  q.what.offset = (size_t)texture_alignment * below(4) + (one_in(8) ? 1 + below(600) : 0);
  q.what.width = one_in(20) ? 0 : 1 + below(one_in(8) ? 6000 : 50);
  q.what.height = below(one_in(8) ? 200 : 6);
  q.rank = q.what.height ? 2 : 1;
  if (one_in(3)) return q;
  q.what.row_bytes = (q.what.width * element / pitch + below(3)) * pitch;
  if (one_in(8)) q.what.row_bytes = below(2000);
  if (one_in(20)) q.what.channels = below(8);
  return q;
}

static ck_texture_options_t random_how(void)
{
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  for (int k = 0; k < 3; ++k)
    how.address[k] = (ck_address_mode_t)(one_in(3) ? below(one_in(20) ? 7 : 4) : 0);
  how.filter = (ck_filter_t)below(one_in(20) ? 4 : 2);
  how.level_filter = (ck_filter_t)(one_in(4) ? below(3) : 0);
  how.flags = below(4) | (one_in(4) ? 1u << below(7) : 0);
  how.max_anisotropy = one_in(3) ? below(19) : 0;
  if (one_in(6)) how.level_bias = (float)between(-2, 2);
  if (one_in(6)) how.min_level = (float)between(-1, 3);
  if (one_in(4)) how.max_level = one_in(9) ? NAN : (float)between(-1, 4);
  for (int k = 0; k < 4; ++k) how.border[k] = (float)between(-300, 300) / (one_in(4) ? 2 : 1);
  return how;
}

static bool is_buffer_allowed(const Question *q)
{
  const ck_texture_resource_t *what = &q->what;
  uint32_t channels = what->channels ? what->channels : 1;
  if (channels != 1 && channels != 2 && channels != 4) return false;
  size_t width = what->width * channels * q->format->bytes;
  size_t row = what->row_bytes ? what->row_bytes : width;
  size_t end = what->offset + (what->height ? what->height - 1 : 0) * row + width;
  return width && row >= width && end <= RULE_BYTES &&
         what->offset % (size_t)texture_alignment == 0 &&
         (!what->height || row % (size_t)pitch_alignment == 0);
}

static bool is_border_allowed(const Question *q, const ck_texture_options_t *how)
{
  bool has_border = false, is_allowed = true;
  for (uint32_t k = 0; k < q->rank; ++k) has_border |= how->address[k] == CK_ADDRESS_BORDER;
  for (uint32_t c = 0; c < (q->what.channels ? q->what.channels : 1); ++c) {
    double value = (double)how->border[c];
    is_allowed &= value == floor(value) && value >= q->format->least && value <= q->format->most;
  }
  return is_allowed || !has_border || is_float(q->format) ||
         how->flags & CK_TEXTURE_READ_NORMALIZED;
}

static bool is_how_allowed(const Question *q, const ck_texture_options_t *how)
{
  const Format *format = q->format;
  bool is_line = q->what.buffer && !q->what.height, has_levels = q->what.mipmap != NULL;
  bool is_normalized = how->flags & CK_TEXTURE_NORMALIZED, is_turned = false, are_modes = true;
  bool reads_normalized = how->flags & CK_TEXTURE_READ_NORMALIZED;
  for (int k = 0; k < 3; ++k) {
    are_modes &= (unsigned)how->address[k] <= CK_ADDRESS_BORDER;
    is_turned |= how->address[k] == CK_ADDRESS_WRAP || how->address[k] == CK_ADDRESS_MIRROR;
  }
  bool asks_levels = how->level_filter || how->level_bias != 0 || how->min_level != 0 ||
                     how->max_level != 0; /* also for NaN */
  if (how->flags >= 32 || how->filter > 1 || how->level_filter > 1 || !are_modes) return false;
  if (reads_normalized && (is_float(format) || format->bytes > 2)) return false;
  if ((how->filter || how->level_filter) && !is_float(format) && !reads_normalized) return false;
  if (how->flags & CK_TEXTURE_SRGB && !(format->dtype == CK_U8 && reads_normalized)) return false;
  if (is_line && (how->filter || is_normalized)) return false;
  if ((has_levels || is_turned) && !is_normalized) return false;
  if (how->flags & CK_TEXTURE_SEAMLESS_CUBEMAP && !q->is_cubemap) return false;
  if (asks_levels && !has_levels) return false;
  return how->min_level >= 0 && how->max_level >= how->min_level && how->max_anisotropy <= 16 &&
         is_border_allowed(q, how);
}

static void try_rules(uint64_t number)
{
  Question q = random_question();
  ck_texture_options_t how = random_how();
  ck_texture_t *texture = NULL;
  bool is_allowed = (!q.what.buffer || is_buffer_allowed(&q)) && is_how_allowed(&q, &how);
  ck_status_t status = ck_texture_create(&q.what, &how, &texture);
  if (!CHECK(status == (is_allowed ? CK_OK : CK_INVALID_ARGUMENT) && !texture == !is_allowed))
    fprintf(
        stderr,
        "seed %llu: %s, but %s: %s x %u, %zu x %zu at %zu, rows of %zu bytes, mipmap %d, filter "
        "%d, %d, addresses %d %d %d, flags %u, bias %g, %g to %g, border %g %g %g %g\n",
        (unsigned long long)(random_seed + number), is_allowed ? "allowed" : "not allowed",
        texture ? "made" : "refused", q.format->name, q.what.channels, q.what.width, q.what.height,
        q.what.offset, q.what.row_bytes, q.what.mipmap != NULL, (int)how.filter,
        (int)how.level_filter, (int)how.address[0], (int)how.address[1], (int)how.address[2],
        how.flags, (double)how.level_bias, (double)how.min_level, (double)how.max_level,
        (double)how.border[0], (double)how.border[1], (double)how.border[2], (double)how.border[3]);
  ck_texture_release(texture);
  ck_array_release(q.what.array);
  ck_mipmap_release(q.what.mipmap);
}

TEST(rules)
{
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_TEXTURE_ALIGNMENT, &texture_alignment));
  CHECK_OK(ck_device_get_attribute(device, CK_DEVICE_TEXTURE_PITCH_ALIGNMENT, &pitch_alignment));
  rule_buffer = zeros(RULE_BYTES);
  for (uint64_t number = 0; number < random_count; ++number) {
    random_start(number);
    for (int i = 0; i < RULES; ++i) try_rules(number);
  }
  ck_buffer_release(rule_buffer);
}

int main(int argc, char **argv)
{
  random_open(argc, argv, 10);
  int missing = open_both("kernel none() {}");
  if (missing) return missing;
  RUN(reads);
  RUN(rules);
  return close_both();
}
