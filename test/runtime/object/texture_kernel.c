/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* texture_kernel.c - tests kernels that read textures and write surfaces, compared with a sampler
 * in doubles (below). On the host device or a GPU: $CK_DEVICE. */
#include <math.h>

#include "both.h"

static const char source[] =
    "kernel sample1(n: u32, t: texture<1, f32>, p: in f32x4[n], y: out f32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(p[i].x); }\n"
    "kernel sample2(n: u32, t: texture<2, f32>, p: in f32x4[n], y: out f32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(p[i].x, p[i].y); }\n"
    "kernel sample3(n: u32, t: texture<3, f32>, p: in f32x4[n], y: out f32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(p[i].x, p[i].y, p[i].z); }\n"
    "kernel layers1(n: u32, t: texture_array<1, f32>, p: in f32x4[n], y: out f32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(p[i].x, u32(p[i].w)); }\n"
    "kernel layers2(n: u32, t: texture_array<2, f32>, p: in f32x4[n], y: out f32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(p[i].x, p[i].y, i32(p[i].w)); }\n"
    "kernel levels(n: u32, t: texture<2, f32>, p: in f32x4[n], y: out f32[n])\n"
    "    launch(block = 64, grid = ceil_div(n, 64))\n"
    "{ let i = u32(grid.thread_rank); if (i < n) y[i] = t.lod(p[i].x, p[i].y, p[i].w); }\n"
    "kernel fetch2<T: type>(h: u32, w: u32, t: texture<2, T>, y: out T[h, w])\n"
    "    launch(block = 1, grid = (w, h))\n"
    "{ y[block.id.y, block.id.x] = t.fetch(block.id.x, block.id.y); }\n"
    "export fetch2<u8>, fetch2<i8x2>, fetch2<u16x4>, fetch2<i16>, fetch2<i32x2>, fetch2<f32x4>,\n"
    "    fetch2<f32x2>, fetch2<f32>;\n"
    "kernel fetch1(n: u32, t: texture<1, u32x2>, y: out u32x2[n]) launch(block = 1, grid = n)\n"
    "{ y[block.id.x] = t.fetch(block.id.x); }\n"
    "kernel fetch3(n: u32, t: texture<3, u32>, a: texture_array<1, u32>, b: texture_array<2, "
    "u32>,\n"
    "    y: out u32[3]) launch(block = 1, grid = 1)\n"
    "{\n"
    "    y[0] = t.fetch(1, 2, 3); y[1] = a.fetch(1, 2); y[2] = b.fetch(1, 2, 3);\n"
    "}\n"
    "kernel no_layer(layer: i32, a: texture_array<1, u32>, y: out u32[1])\n"
    "    launch(block = 1, grid = 1) { y[0] = a.fetch(1, layer); }\n"
    "kernel turn<T: type>(w: u32, s: surface<2, T>) launch(block = 1, grid = w)\n"
    "{\n"
    "    let x = block.id.x;\n"
    "    let v = s.load(x, 0);\n"
    "    s.store(w - 1 - x, 1, v);\n"
    "}\n"
    "export turn<u8>, turn<u8x2>, turn<f16x2>, turn<f32x2>, turn<i32x4>;\n"
    "kernel slices(a: surface<1, u32>, b: surface<3, u32>, c: surface_array<1, u32>,\n"
    "    d: surface_array<2, u32>) launch(block = 1, grid = 1)\n"
    "{\n"
    "    a.store(3, a.load(2) + 1);\n"
    "    b.store(3, 1, 2, b.load(2, 1, 1) + 1);\n"
    "    c.store(3, 2, c.load(2, 1) + 1);\n"
    "    d.store(3, 1, 2, d.load(2, 1, 1) + 1);\n"
    "}\n"
    "kernel handle(t: u64, y: out u64[1]) launch(block = 1, grid = 1) { y[0] = t; }\n"
    "kernel number(n: u64, y: out u64[n]) launch(block = 1, grid = 1) { y[0] = n; }\n"
    "kernel border<T: type>(t: texture<1, T>, y: out T[1]) launch(block = 1, grid = 1)\n"
    "{ y[0] = t.sample(-2.5); }\n"
    "export border<u8>, border<i16x2>, border<i32x4>;\n"
    "kernel face(s: surface_array<2, u32>) launch(block = 1, grid = 1)\n"
    "{ s.store(3, 1, 5, s.load(2, 1, 4) + 1); }\n"
    "kernel plane(s: surface<2, u32>) launch(block = 1, grid = 1) { s.store(0, 0, 1u32); }\n"
    "kernel outside(s: surface<1, u32>) launch(block = 1, grid = 1) { s.store(99, 1u32); }\n"
    "kernel far(s: surface<1, u32x4>, x: i32) launch(block = 1, grid = 1)\n"
    "    { s.store(x, u32x4(1u32, 1, 1, 1)); }\n"
    "kernel farther(s: surface<1, u32>, x: i64) launch(block = 1, grid = 1)\n"
    "    { s.store(x, 1u32); }\n";

enum { POINTS = 700, MOST_WORDS = 4096 };

static ck_array_t *array_of(ck_dtype_t dtype, uint32_t channels, size_t width, size_t height,
                            size_t depth, size_t layers, uint32_t flags)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  ck_array_t *array = NULL;
  shape.dtype = dtype;
  shape.channels = channels;
  shape.width = width;
  shape.height = height;
  shape.depth = depth;
  shape.layers = layers;
  shape.flags = flags;
  CHECK_OK(ck_array_create(device, &shape, &array));
  return array;
}

static void write_all(ck_array_t *array, const void *data)
{
  CHECK_OK(ck_array_write(array, data, ck_array_bytes(array), stream));
  CHECK_OK(ck_stream_sync(stream));
}

static void read_all(ck_array_t *array, void *data)
{
  CHECK_OK(ck_array_read(array, data, ck_array_bytes(array), stream));
  CHECK_OK(ck_stream_sync(stream));
}

/* samples ------------------------------------------------------------------------------------ */

typedef struct Image {
  const float *at;
  int extents[3]; /* x, y, z */
} Image;

static unsigned next_random(unsigned *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

/* The index of an element after the address mode; -1: the border. */
static int addressed(ck_address_mode_t mode, int i, int extent)
{
  if (i >= 0 && i < extent) return i;
  if (mode == CK_ADDRESS_BORDER) return -1;
  if (mode == CK_ADDRESS_WRAP) return (i % extent + extent) % extent;
  if (mode == CK_ADDRESS_CLAMP) return i < 0 ? 0 : extent - 1;
  int turn = (i % (2 * extent) + 2 * extent) % (2 * extent);
  return turn < extent ? turn : 2 * extent - 1 - turn;
}

static double reference(const Image *image, const ck_texture_options_t *how, const float *point)
{
  int first[3] = {0};
  double weight[3] = {0}, sum = 0;
  for (int k = 0; k < 3; ++k) {
    double x = point[k];
    if (how->flags & CK_TEXTURE_NORMALIZED) x *= image->extents[k];
    if (how->filter == CK_FILTER_LINEAR) x -= 0.5;
    first[k] = (int)floor(x);
    if (how->filter == CK_FILTER_LINEAR) weight[k] = x - floor(x);
    if (image->extents[k] == 1) first[k] = 0, weight[k] = 0;
  }
  for (int corner = 0; corner < 8; ++corner) {
    double part = 1;
    int at[3], is_border = 0;
    for (int k = 0; k < 3; ++k) {
      int up = corner >> k & 1;
      part *= up ? weight[k] : 1 - weight[k];
      at[k] =
          image->extents[k] == 1 ? 0 : addressed(how->address[k], first[k] + up, image->extents[k]);
      is_border |= at[k] < 0;
    }
    if (part == 0) continue;
    double value = is_border
                       ? how->border[0]
                       : image->at[(at[2] * image->extents[1] + at[1]) * image->extents[0] + at[0]];
    sum += part * value;
  }
  return sum;
}

/* Random points in and around the image; none is so near to the edge between two elements that
 * rounding decides. */
static void make_points(const Image *image, const ck_texture_options_t *how, float *points)
{
  unsigned state = 7;
  for (int i = 0; i < POINTS; ++i)
    for (int k = 0; k < 3; ++k) {
      int extent = image->extents[k];
      float x = (float)(next_random(&state) % (unsigned)(3 * extent)) - (float)extent +
                (1 + (float)(next_random(&state) % 62)) / 64;
      points[4 * i + k] = how->flags & CK_TEXTURE_NORMALIZED ? x / (float)extent : x;
    }
}

static void try_samples(const char *name, ck_texture_t *texture, const Image *image, float slack)
{
  static float points[4 * POINTS], out[POINTS];
  ck_texture_options_t how;
  ck_texture_get_options(texture, &how);
  make_points(image, &how, points);
  ck_buffer_t *p = zeros(sizeof points), *y = zeros(sizeof out);
  CHECK_OK(ck_buffer_write(p, 0, points, sizeof points, stream));
  ck_kernel_t *k = kernel(name);
  CHECK_OK(ck_launch(stream, NULL, k, POINTS, texture, p, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  unsigned wrong = 0;
  for (int i = 0; i < POINTS; ++i) {
    double want = reference(image, &how, points + 4 * i);
    bool is_right = fabs(out[i] - want) <= (double)slack;
    if (!is_right && !wrong++)
      fprintf(stderr, "%s at (%g, %g, %g): %g, expected %g; address %d, flags %u\n", name,
              (double)points[4 * i], (double)points[4 * i + 1], (double)points[4 * i + 2],
              (double)out[i], want, (int)how.address[0], how.flags);
  }
  CHECK(wrong == 0);
  ck_kernel_release(k);
  ck_buffer_release(p);
  ck_buffer_release(y);
}

/* All address modes and filters, in one to three dimensions. */
TEST(samples)
{
  static float data[13 * 7 * 5];
  unsigned state = 1;
  for (int i = 0; i < 13 * 7 * 5; ++i) data[i] = (float)(next_random(&state) % 64);
  static const char *const names[] = {"sample1", "sample2", "sample3"};
  for (int rank = 1; rank <= 3; ++rank) {
    Image image = {data, {13, rank > 1 ? 7 : 1, rank > 2 ? 5 : 1}};
    ck_array_t *array = array_of(CK_F32, 1, 13, rank > 1 ? 7 : 0, rank > 2 ? 5 : 0, 0, 0);
    write_all(array, data);
    for (int mode = CK_ADDRESS_CLAMP; mode <= CK_ADDRESS_BORDER; ++mode)
      for (int filter = CK_FILTER_POINT; filter <= CK_FILTER_LINEAR; ++filter)
        for (uint32_t flags = 0; flags <= CK_TEXTURE_NORMALIZED; ++flags) {
          ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
          ck_texture_t *texture;
          if (!flags && (mode == CK_ADDRESS_WRAP || mode == CK_ADDRESS_MIRROR)) continue;
          for (int k = 0; k < 3; ++k) how.address[k] = (ck_address_mode_t)mode;
          how.filter = (ck_filter_t)filter;
          how.flags = flags;
          how.border[0] = 100;
          CHECK_OK(ck_texture_from_array(array, &how, &texture));
          /* A filter weight has 8 bits, so along each axis it is off by at most half of the last
           * bit. */
          try_samples(names[rank - 1], texture, &image,
                      filter == CK_FILTER_LINEAR ? 0.5f * (float)rank : 0);
          ck_texture_release(texture);
        }
    ck_array_release(array);
  }
}

/* The border colour of an integer texture is given as numbers for each type; CUDA takes their bits.
 */
TEST(borders_of_integers)
{
  static const struct {
    const char *name;
    ck_dtype_t dtype;
    uint32_t channels;
    float border[4];
  } rows[] = {{"border<u8>", CK_U8, 1, {200, 0, 0, 0}},
              {"border<i16x2>", CK_I16, 2, {-300, 7, 0, 0}},
              {"border<i32x4>", CK_I32, 4, {-5, 65536, 0, 3}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int32_t out[4] = {0}, want[4] = {0};
    ck_array_t *array = array_of(rows[i].dtype, rows[i].channels, 4, 0, 0, 0, 0);
    ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
    how.address[0] = CK_ADDRESS_BORDER;
    memcpy(how.border, rows[i].border, sizeof how.border);
    ck_texture_t *texture;
    CHECK_OK(ck_texture_from_array(array, &how, &texture));
    ck_buffer_t *y = zeros(sizeof out);
    ck_kernel_t *k = kernel(rows[i].name);
    CHECK_OK(ck_launch(stream, NULL, k, texture, y));
    CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
    CHECK_OK(ck_stream_sync(stream));
    for (uint32_t c = 0; c < rows[i].channels; ++c) {
      int32_t value = (int32_t)rows[i].border[c];
      size_t bytes = ck_dtype_bytes(rows[i].dtype);
      memcpy((char *)want + c * bytes, &value, bytes);
    }
    if (!CHECK(!memcmp(out, want, sizeof out)))
      fprintf(stderr, "%s: %d %d %d %d\n", rows[i].name, out[0], out[1], out[2], out[3]);
    ck_kernel_release(k);
    ck_buffer_release(y);
    ck_texture_release(texture);
    ck_array_release(array);
  }
}

/* Filter weights are multiples of 1/256. */
TEST(weights)
{
  static const float data[4] = {0, 0, 2560, 2560};
  static const struct {
    float x, want;
  } rows[] = {{1.5f, 0}, {1.5f + 0.001f, 0}, {1.5f + 1.0f / 256, 10}, {2.5f, 2560}};
  float point[4] = {0}, out = -1;
  ck_array_t *array = array_of(CK_F32, 1, 4, 0, 0, 0, 0);
  write_all(array, data);
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  how.filter = CK_FILTER_LINEAR;
  ck_texture_t *texture;
  CHECK_OK(ck_texture_from_array(array, &how, &texture));
  ck_kernel_t *k = kernel("sample1");
  ck_buffer_t *p = zeros(sizeof point), *y = zeros(sizeof out);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    point[0] = rows[i].x;
    CHECK_OK(ck_buffer_write(p, 0, point, sizeof point, stream));
    CHECK_OK(ck_launch(stream, NULL, k, 1, texture, p, y));
    CHECK_OK(ck_buffer_read(y, 0, &out, sizeof out, stream));
    CHECK_OK(ck_stream_sync(stream));
    CHECK(out == rows[i].want);
  }
  ck_kernel_release(k);
  ck_buffer_release(p);
  ck_buffer_release(y);
  ck_texture_release(texture);
  ck_array_release(array);
}

/* Integers that are read as normalised floats, and sRGB. */
TEST(normalized_reads)
{
  static const struct {
    ck_dtype_t dtype;
    uint32_t flags;
    double scale;
  } rows[] = {{CK_U8, 0, 255},
              {CK_I8, 0, 127},
              {CK_U16, 0, 65535},
              {CK_I16, 0, 32767},
              {CK_U8, CK_TEXTURE_SRGB, 255}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    unsigned char bytes[16 * 4 * 2];
    float values[64];
    size_t width = ck_dtype_bytes(rows[i].dtype);
    unsigned state = 3;
    for (int k = 0; k < 64; ++k) {
      /* The smallest value of the type. */
      unsigned bits = k == 0 ? 1u << (8 * width - 1) : next_random(&state) >> 4;
      int value = width == 1 ? (rows[i].dtype == CK_I8 ? (int8_t)bits : (uint8_t)bits)
                             : (rows[i].dtype == CK_I16 ? (int16_t)bits : (uint16_t)bits);
      memcpy(bytes + (size_t)k * width, &bits, width);
      double real = fmax(value / rows[i].scale, -1);
      if (rows[i].flags) real = real <= 0.04045 ? real / 12.92 : pow((real + 0.055) / 1.055, 2.4);
      values[k] = (float)real;
    }
    ck_array_t *array = array_of(rows[i].dtype, 1, 16, 4, 0, 0, 0);
    write_all(array, bytes);
    ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
    how.flags = CK_TEXTURE_READ_NORMALIZED | rows[i].flags;
    ck_texture_t *texture;
    CHECK_OK(ck_texture_from_array(array, &how, &texture));
    Image image = {values, {16, 4, 1}};
    try_samples("sample2", texture, &image, rows[i].flags ? 1.0f / 256 : 1e-6f);
    how.filter = CK_FILTER_LINEAR;
    ck_texture_t *linear;
    CHECK_OK(ck_texture_from_array(array, &how, &linear));
    try_samples("sample2", linear, &image, 1.0f / 64);
    ck_texture_release(linear);
    ck_texture_release(texture);
    ck_array_release(array);
  }
}

/* A texture of a buffer with a pitch, and half precision. */
TEST(pitch_and_half)
{
  enum { PITCH = 512 };
  static unsigned char rows[7 * PITCH];
  static float values[13 * 7];
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 13; ++x) {
      uint16_t half = (uint16_t)((15 + x % 5) << 10 | (y << 7)); /* (1 + y / 8) * 2^(x % 5) */
      values[13 * y + x] = ldexpf(1 + (float)y / 8, x % 5);
      memcpy(rows + PITCH * y + 2 * x, &half, 2);
    }
  ck_buffer_t *buffer = zeros(sizeof rows);
  CHECK_OK(ck_buffer_write(buffer, 0, rows, sizeof rows, stream));
  ck_texture_resource_t what = {.struct_size = sizeof what,
                                .buffer = buffer,
                                .dtype = CK_F16,
                                .width = 13,
                                .height = 7,
                                .row_bytes = PITCH};
  ck_texture_t *texture;
  CHECK_OK(ck_texture_create(&what, NULL, &texture));
  Image image = {values, {13, 7, 1}};
  try_samples("sample2", texture, &image, 0);
  ck_texture_release(texture);
  ck_buffer_release(buffer);
}

TEST(array_layers)
{
  static float data[4 * 6 * 8], points[4 * 4], out[4];
  for (int i = 0; i < 4 * 6 * 8; ++i) data[i] = (float)i;
  ck_array_t *lines = array_of(CK_F32, 1, 8, 0, 0, 4, 0),
             *planes = array_of(CK_F32, 1, 8, 6, 0, 4, 0);
  write_all(lines, data);
  write_all(planes, data);
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  how.filter = CK_FILTER_LINEAR;
  ck_texture_t *one, *two;
  CHECK_OK(ck_texture_from_array(lines, &how, &one));
  CHECK_OK(ck_texture_from_array(planes, &how, &two));
  for (int i = 0; i < 4; ++i) {
    points[4 * i] = 3;       /* between elements 2 and 3 */
    points[4 * i + 1] = 2.5; /* in row 2 */
    points[4 * i + 3] = (float)i;
  }
  ck_buffer_t *p = zeros(sizeof points), *y = zeros(sizeof out);
  CHECK_OK(ck_buffer_write(p, 0, points, sizeof points, stream));
  ck_kernel_t *of_lines = kernel("layers1"), *of_planes = kernel("layers2");
  CHECK_OK(ck_launch(stream, NULL, of_lines, 4, one, p, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 4; ++i) CHECK(out[i] == 2.5f + 8 * (float)i);
  CHECK_OK(ck_launch(stream, NULL, of_planes, 4, two, p, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < 4; ++i) CHECK(out[i] == 2.5f + 8 * (2 + 6 * (float)i));
  ck_kernel_release(of_lines);
  ck_kernel_release(of_planes);
  ck_buffer_release(p);
  ck_buffer_release(y);
  ck_texture_release(one);
  ck_texture_release(two);
  ck_array_release(lines);
  ck_array_release(planes);
}

/* Every element of level i of a mipmap is i, so that a result shows which level was read. */
TEST(mipmap_levels)
{
  static float data[16 * 16], points[4 * 6], out[6];
  static const float asked[6] = {0, 0.25f, 0.75f, 1, 2.5f, 9};
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  shape.dtype = CK_F32;
  shape.width = shape.height = 16;
  ck_mipmap_t *mipmap;
  CHECK_OK(ck_mipmap_create(device, &shape, 4, &mipmap));
  for (uint32_t i = 0; i < 4; ++i) {
    ck_array_t *level;
    for (int k = 0; k < 256; ++k) data[k] = (float)i;
    CHECK_OK(ck_mipmap_get_level(mipmap, i, &level));
    write_all(level, data);
    ck_array_release(level);
  }
  for (int i = 0; i < 6; ++i) {
    points[4 * i] = points[4 * i + 1] = 0.5;
    points[4 * i + 3] = asked[i];
  }
  ck_buffer_t *p = zeros(sizeof points), *y = zeros(sizeof out);
  CHECK_OK(ck_buffer_write(p, 0, points, sizeof points, stream));
  ck_kernel_t *k = kernel("levels");
  static const struct {
    ck_filter_t filter;
    float bias, min, max, want[6];
  } rows[] = {{CK_FILTER_LINEAR, 0, 0, 0, {0, 0.25f, 0.75f, 1, 2.5f, 3}},
              /* -1: halfway between two, either is right. */
              {CK_FILTER_POINT, 0, 0, 0, {0, 0, 1, 1, -1, 3}},
              {CK_FILTER_LINEAR, 0.5f, 0, 0, {0.5f, 0.75f, 1.25f, 1.5f, 3, 3}},
              {CK_FILTER_LINEAR, 0, 0.5f, 2, {0.5f, 0.5f, 0.75f, 1, 2, 2}}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
    ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
    how.flags = CK_TEXTURE_NORMALIZED;
    how.filter = CK_FILTER_LINEAR;
    how.level_filter = rows[r].filter;
    how.level_bias = rows[r].bias;
    how.min_level = rows[r].min;
    how.max_level = rows[r].max;
    ck_texture_resource_t what = {.struct_size = sizeof what, .mipmap = mipmap};
    ck_texture_t *texture;
    CHECK_OK(ck_texture_create(&what, &how, &texture));
    CHECK_OK(ck_launch(stream, NULL, k, 6, texture, p, y));
    CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
    CHECK_OK(ck_stream_sync(stream));
    for (int i = 0; i < 6; ++i)
      if (rows[r].want[i] >= 0 && !CHECK(fabsf(out[i] - rows[r].want[i]) <= 1.0f / 128))
        fprintf(stderr, "row %zu, level %g: %g\n", r, (double)asked[i], (double)out[i]);
    ck_texture_release(texture);
  }
  ck_kernel_release(k);
  ck_buffer_release(p);
  ck_buffer_release(y);
  ck_mipmap_release(mipmap);
}

/* elements ----------------------------------------------------------------------------------- */

static void fill_bytes(unsigned char *bytes, size_t count)
{
  for (size_t i = 0; i < count; ++i) bytes[i] = (unsigned char)(i * 73 + i / 251);
}

/* Fetches return what was written, in the array's own type. */
TEST(fetches)
{
  static const struct {
    const char *name;
    ck_dtype_t dtype;
    uint32_t channels;
  } rows[] = {{"fetch2<u8>", CK_U8, 1},     {"fetch2<i8x2>", CK_I8, 2},
              {"fetch2<u16x4>", CK_U16, 4}, {"fetch2<i16>", CK_I16, 1},
              {"fetch2<i32x2>", CK_I32, 2}, {"fetch2<f32x4>", CK_F32, 4},
              {"fetch2<f32x2>", CK_F32, 2}};
  static unsigned char in[MOST_WORDS], out[MOST_WORDS];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ck_array_t *array = array_of(rows[i].dtype, rows[i].channels, 9, 5, 0, 0, 0);
    size_t bytes = ck_array_bytes(array);
    fill_bytes(in, bytes);
    for (size_t k = 0; k < bytes / 4 && rows[i].dtype == CK_F32; ++k)
      memcpy(in + 4 * k, &(float){(float)k / 3}, 4);
    write_all(array, in);
    ck_texture_t *texture;
    CHECK_OK(ck_texture_from_array(array, NULL, &texture));
    ck_buffer_t *y = zeros(bytes);
    ck_kernel_t *k = kernel(rows[i].name);
    CHECK_OK(ck_launch(stream, NULL, k, 5, 9, texture, y));
    CHECK_OK(ck_buffer_read(y, 0, out, bytes, stream));
    CHECK_OK(ck_stream_sync(stream));
    if (!CHECK(!memcmp(in, out, bytes))) fprintf(stderr, "%s\n", rows[i].name);
    ck_kernel_release(k);
    ck_buffer_release(y);
    ck_texture_release(texture);
    ck_array_release(array);
  }
}

/* An element of half precision has two bytes, also the last one of the array. */
TEST(fetches_of_half)
{
  enum { SIDE = 16, COUNT = SIDE * SIDE }; /* as much as the granularity of allocations */
  uint16_t in[COUNT];
  float out[COUNT];
  ck_array_t *array = array_of(CK_F16, 1, SIDE, SIDE, 0, 0, 0);
  for (int i = 0; i < COUNT; ++i) in[i] = (uint16_t)((15 + i % 8) << 10); /* 2^(i % 8) */
  write_all(array, in);
  ck_texture_t *texture;
  CHECK_OK(ck_texture_from_array(array, NULL, &texture));
  ck_buffer_t *y = zeros(sizeof out);
  ck_kernel_t *k = kernel("fetch2<f32>");
  CHECK_OK(ck_launch(stream, NULL, k, SIDE, SIDE, texture, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  for (int i = 0; i < COUNT; ++i) CHECK(out[i] == ldexpf(1, i % 8));
  ck_kernel_release(k);
  ck_buffer_release(y);
  ck_texture_release(texture);
  ck_array_release(array);
}

TEST(linear_memory)
{
  uint32_t in[2 * 100], out[2 * 100];
  for (uint32_t i = 0; i < 200; ++i) in[i] = i * i;
  ck_buffer_t *buffer = zeros(sizeof in), *y = zeros(sizeof out);
  CHECK_OK(ck_buffer_write(buffer, 0, in, sizeof in, stream));
  ck_texture_resource_t what = {
      .struct_size = sizeof what, .buffer = buffer, .dtype = CK_U32, .channels = 2, .width = 100};
  ck_texture_t *texture;
  CHECK_OK(ck_texture_create(&what, NULL, &texture));
  ck_kernel_t *k = kernel("fetch1");
  CHECK_OK(ck_launch(stream, NULL, k, 100, texture, y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(!memcmp(in, out, sizeof in));
  ck_kernel_release(k);
  ck_texture_release(texture);
  ck_buffer_release(buffer);
  ck_buffer_release(y);
}

TEST(other_shapes)
{
  uint32_t in[8 * 4 * 6], out[3];
  for (uint32_t i = 0; i < 8 * 4 * 6; ++i) in[i] = 1000 + i;
  ck_array_t *arrays[] = {array_of(CK_U32, 1, 8, 4, 6, 0, 0), array_of(CK_U32, 1, 8, 0, 0, 6, 0),
                          array_of(CK_U32, 1, 8, 4, 0, 6, 0)};
  ck_texture_t *textures[3];
  for (int i = 0; i < 3; ++i) {
    write_all(arrays[i], in);
    CHECK_OK(ck_texture_from_array(arrays[i], NULL, &textures[i]));
  }
  ck_buffer_t *y = zeros(sizeof out);
  ck_kernel_t *k = kernel("fetch3");
  CHECK_OK(ck_launch(stream, NULL, k, 0, textures[0], textures[1], textures[2], y));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  CHECK(out[0] == 1000 + 1 + 8 * (2 + 4 * 3) && out[1] == 1000 + 1 + 8 * 2);
  CHECK(out[2] == 1000 + 1 + 8 * (2 + 4 * 3));
  ck_kernel_release(k);
  if (ck_device_is_host(device)) { /* outside is 0 there; linear memory can't be addressed with
                                    * -1 */
    k = kernel("no_layer");
    CHECK_OK(ck_launch(stream, NULL, k, -1, textures[1], y));
    CHECK(read_i32(y, 0) == 0);
    ck_kernel_release(k);
  }
  ck_buffer_release(y);
  for (int i = 0; i < 3; ++i) {
    ck_texture_release(textures[i]);
    ck_array_release(arrays[i]);
  }
}

/* surfaces ----------------------------------------------------------------------------------- */

TEST(surfaces)
{
  static const struct {
    const char *name;
    ck_dtype_t dtype;
    uint32_t channels;
  } rows[] = {{"turn<u8>", CK_U8, 1},
              {"turn<u8x2>", CK_U8, 2},
              {"turn<f16x2>", CK_F16, 2},
              {"turn<f32x2>", CK_F32, 2},
              {"turn<i32x4>", CK_I32, 4}};
  static unsigned char in[2 * 16 * 20], out[2 * 16 * 20];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ck_array_t *array = array_of(rows[i].dtype, rows[i].channels, 20, 2, 0, 0, CK_ARRAY_SURFACE);
    size_t element = ck_array_element_bytes(array);
    fill_bytes(in, ck_array_bytes(array));
    write_all(array, in);
    ck_surface_t *surface;
    CHECK_OK(ck_surface_create(array, &surface));
    ck_kernel_t *k = kernel(rows[i].name);
    CHECK_OK(ck_launch(stream, NULL, k, 20, surface));
    read_all(array, out);
    CHECK(!memcmp(in, out, 20 * element));
    for (size_t x = 0; x < 20; ++x)
      CHECK(!memcmp(in + x * element, out + (39 - x) * element, element));
    ck_kernel_release(k);
    ck_surface_release(surface);
    ck_array_release(array);
  }
}

TEST(other_surfaces)
{
  uint32_t words[4 * 2 * 3];
  ck_array_t *arrays[] = {array_of(CK_U32, 1, 4, 0, 0, 0, CK_ARRAY_SURFACE),
                          array_of(CK_U32, 1, 4, 2, 3, 0, CK_ARRAY_SURFACE),
                          array_of(CK_U32, 1, 4, 0, 0, 3, CK_ARRAY_SURFACE),
                          array_of(CK_U32, 1, 4, 2, 0, 3, CK_ARRAY_SURFACE)};
  static const unsigned to[] = {3, 3 + 4 * (1 + 2 * 2), 3 + 4 * 2, 3 + 4 * (1 + 2 * 2)};
  static const unsigned from[] = {2, 2 + 4 * (1 + 2), 2 + 4, 2 + 4 * (1 + 2)};
  ck_surface_t *surfaces[4];
  for (int i = 0; i < 4; ++i) {
    for (uint32_t k = 0; k < 24; ++k) words[k] = k * k;
    write_all(arrays[i], words);
    CHECK_OK(ck_surface_create(arrays[i], &surfaces[i]));
  }
  ck_kernel_t *k = kernel("slices");
  CHECK_OK(ck_launch(stream, NULL, k, surfaces[0], surfaces[1], surfaces[2], surfaces[3]));
  for (int i = 0; i < 4; ++i) {
    read_all(arrays[i], words);
    CHECK(words[to[i]] == from[i] * from[i] + 1);
    CHECK(words[0] == 0 && words[1] == 1);
    ck_surface_release(surfaces[i]);
    ck_array_release(arrays[i]);
  }
  ck_kernel_release(k);
}

/* A surface addresses the faces of a cubemap as layers, as surfCubemapread does. */
TEST(faces)
{
  static uint32_t words[4 * 4 * 6];
  ck_array_t *cube = array_of(CK_U32, 1, 4, 4, 0, 0, CK_ARRAY_SURFACE | CK_ARRAY_CUBEMAP);
  ck_surface_t *surface;
  for (uint32_t k = 0; k < 96; ++k) words[k] = k * k;
  write_all(cube, words);
  CHECK_OK(ck_surface_create(cube, &surface));
  ck_kernel_t *face = kernel("face"), *plane = kernel("plane");
  CHECK_OK(ck_launch(stream, NULL, face, surface));
  read_all(cube, words);
  for (uint32_t k = 0; k < 96; ++k) {
    const uint32_t from = 2 + 4 * (1 + 4 * 4), to = 3 + 4 * (1 + 4 * 5);
    CHECK(words[k] == (k == to ? from * from + 1 : k * k));
  }
  CHECK_FAILS(ck_launch(stream, NULL, plane, surface), CK_INVALID_ARGUMENT);
  CHECK_ERROR("expected a surface of 2 dimensions of u32, got one of 2 dimensions, a cubemap, of");
  ck_kernel_release(face);
  ck_kernel_release(plane);
  ck_surface_release(surface);
  ck_array_release(cube);
}

/* launches ----------------------------------------------------------------------------------- */

static ck_texture_t *texture_of(ck_dtype_t dtype, uint32_t channels, size_t height, size_t layers)
{
  ck_array_t *array = array_of(dtype, channels, 8, height, 0, layers, 0);
  ck_texture_t *texture = NULL;
  CHECK_OK(ck_texture_from_array(array, NULL, &texture));
  ck_array_release(array);
  return texture;
}

static void refuse(ck_kernel_t *k, ck_arg_t arg, const char *part)
{
  ck_buffer_t *p = zeros(64), *y = zeros(16);
  CHECK_FAILS(ck_launch(stream, NULL, k, 4, arg, p, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR(part);
  ck_buffer_release(p);
  ck_buffer_release(y);
}

TEST(arguments)
{
  ck_kernel_t *k = kernel("sample2"), *raw = kernel("handle"), *number = kernel("number");
  ck_texture_t *flat = texture_of(CK_F32, 1, 0, 0), *layered = texture_of(CK_F32, 1, 4, 3),
               *bytes = texture_of(CK_U8, 4, 4, 0), *good = texture_of(CK_F32, 1, 4, 0);
  ck_array_t *array = array_of(CK_F32, 1, 8, 8, 0, 0, CK_ARRAY_SURFACE);
  ck_surface_t *surface;
  CHECK_OK(ck_surface_create(array, &surface));
  refuse(
      k, ck_arg(flat),
      "kernel 'sample2', argument 2 't': expected a texture of 2 dimensions of f32, got one of 1 "
      "dimension of f32");
  refuse(k, ck_arg(layered), "got one of 2 dimensions with layers of f32");
  refuse(k, ck_arg(bytes), "got one of 2 dimensions of u8x4");
  refuse(k, ck_arg(surface), "expected a texture, got a surface");
  refuse(k, ck_u64(7), "expected a texture, got u64 7");
  refuse(k, ck_arg_texture(NULL), "the texture is NULL");
  ck_param_t param;
  CHECK_OK(ck_kernel_get_param(k, 1, &param));
  CHECK(param.kind == CK_PARAM_TEXTURE && param.rank == 2 && !param.is_layered);
  CHECK(param.dtype == CK_F32 && param.components == 1 && param.bytes == 8);
  /* A u64 parameter accepts the handle of any texture, and does not count elements. */
  ck_buffer_t *y = zeros(8);
  CHECK_FAILS(ck_launch(stream, NULL, number, flat, y), CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'n': expected u64, got a texture");
  CHECK_OK(ck_launch(stream, NULL, raw, flat, y));
  CHECK_OK(ck_launch(stream, NULL, raw, ck_texture_native(flat), y));
  CHECK_OK(ck_stream_sync(stream));
  ck_buffer_release(y);
  ck_surface_release(surface);
  ck_array_release(array);
  ck_texture_release(flat);
  ck_texture_release(layered);
  ck_texture_release(bytes);
  ck_texture_release(good);
  ck_kernel_release(k);
  ck_kernel_release(raw);
  ck_kernel_release(number);
}

/* A graph retains the texture of its kernel. */
/* A texture that a graph reads, and its buffer's memory, live as long as the graph, also if the
 * buffer is closed. */
static void capture_fetch(bool is_closed)
{
  uint32_t in[16], out[16];
  for (uint32_t i = 0; i < 16; ++i) in[i] = i + 5;
  ck_buffer_t *buffer = zeros(sizeof in), *y = zeros(sizeof out);
  CHECK_OK(ck_buffer_write(buffer, 0, in, sizeof in, stream));
  ck_texture_resource_t what = {
      .struct_size = sizeof what, .buffer = buffer, .dtype = CK_U32, .channels = 2, .width = 8};
  ck_texture_t *texture;
  CHECK_OK(ck_texture_create(&what, NULL, &texture));
  ck_kernel_t *k = kernel("fetch1");
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_launch(ck_graph_builder_stream(builder), NULL, k, 8, texture, y));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  ck_kernel_release(k);
  ck_texture_release(texture);
  if (is_closed) CHECK_OK(ck_buffer_close(buffer, stream));
  ck_buffer_release(buffer);
  CHECK_OK(ck_graph_launch(graph, stream));
  CHECK_OK(ck_buffer_read(y, 0, out, sizeof out, stream));
  CHECK_OK(ck_stream_sync(stream));
  if (!CHECK(!memcmp(in, out, sizeof out)))
    fprintf(stderr, "%u %u %u %u, expected %u %u %u %u\n", out[0], out[1], out[2], out[15], in[0],
            in[1], in[2], in[15]);
  ck_graph_release(graph);
  ck_buffer_release(y);
}

TEST(captured)
{
  capture_fetch(false);
  capture_fetch(true);
}

/* Checks that a store outside, at `x`, ends the kernel. */
static void check_outside(const char *name, uint32_t channels, const int64_t *x)
{
  if (getenv("CK_NO_FAULTS")) return;
  ck_array_t *array = array_of(CK_U32, channels, 8, 0, 0, 0, CK_ARRAY_SURFACE);
  ck_surface_t *surface;
  CHECK_OK(ck_surface_create(array, &surface));
  ck_kernel_t *k = kernel(name);
  if (x) CHECK_OK(ck_launch(stream, NULL, k, surface, *x));
  else CHECK_OK(ck_launch(stream, NULL, k, surface));
  CHECK_FAILS(ck_stream_sync(stream), CK_KERNEL_FAULT);
  has_fault = true;
  ck_kernel_release(k);
  ck_surface_release(surface);
  ck_array_release(array);
}

TEST(outside_of_a_surface)
{
  check_outside("outside", 1, NULL);
}

/* Element 2^28 starts 2^32 bytes after the first one. */
TEST(outside_by_bytes)
{
  check_outside("far", 4, &(int64_t){1 << 28});
}

TEST(outside_by_a_large_number)
{
  check_outside("farther", 1, &(int64_t){((int64_t)1 << 32) + 1});
}

int main(void)
{
  int missing = open_both(source);
  if (missing) return missing;
  RUN(samples);
  RUN(weights);
  RUN(borders_of_integers);
  RUN(normalized_reads);
  RUN(pitch_and_half);
  RUN(array_layers);
  RUN(mipmap_levels);
  RUN(fetches);
  RUN(fetches_of_half);
  RUN(linear_memory);
  RUN(other_shapes);
  RUN(surfaces);
  RUN(other_surfaces);
  RUN(faces);
  RUN(arguments);
  RUN(captured);
  RUN_ALONE(outside_of_a_surface);
  RUN_ALONE(outside_by_bytes);
  RUN_ALONE(outside_by_a_large_number);
  return close_both();
}
