/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* texture.c - tests arrays, mipmaps, textures and surfaces, on the device that $CK_DEVICE names;
 * with the checks of options in cuda.core's test_texture_surface.py. */
#include "fixture.h"

static Bench bench;

static ck_array_options_t shape_of(ck_dtype_t dtype, uint32_t channels, size_t width, size_t height,
                                   size_t depth)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  shape.dtype = dtype;
  shape.channels = channels;
  shape.width = width;
  shape.height = height;
  shape.depth = depth;
  return shape;
}

static ck_array_t *make(const ck_array_options_t *shape)
{
  ck_array_t *array = NULL;
  CHECK_OK(ck_array_create(bench.device, shape, &array));
  return array;
}

enum { MOST_BYTES = 1 << 16 };

/* Writes bytes of which neighbours differ, and reads them back. */
static void try_whole(const ck_array_options_t *shape, uint32_t rank, size_t bytes)
{
  static unsigned char in[MOST_BYTES], out[MOST_BYTES];
  ck_array_t *array = make(shape);
  if (!array) return;
  CHECK(ck_array_rank(array) == rank && ck_array_bytes(array) == bytes && bytes <= MOST_BYTES);
  for (size_t i = 0; i < bytes; ++i) in[i] = (unsigned char)(i * 37 + i / 256);
  CHECK_OK(ck_array_write(array, in, bytes, bench.stream));
  CHECK_OK(ck_array_read(array, out, bytes, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(!memcmp(in, out, bytes));
  ck_array_release(array);
}

TEST(shapes)
{
  static const ck_dtype_t dtypes[] = {CK_U8, CK_U16, CK_U32, CK_I8, CK_I16, CK_I32, CK_F16, CK_F32};
  for (size_t i = 0; i < COUNT_OF(dtypes); ++i)
    for (uint32_t channels = 1; channels <= 4; channels *= 2) {
      size_t element = channels * ck_dtype_bytes(dtypes[i]);
      ck_array_options_t shape = shape_of(dtypes[i], channels, 33, 0, 0);
      try_whole(&shape, 1, 33 * element);
      shape.height = 17;
      try_whole(&shape, 2, 33 * 17 * element);
      shape.depth = 5;
      try_whole(&shape, 3, 33 * 17 * 5 * element);
    }
}

TEST(layers_and_faces)
{
  ck_array_options_t shape = shape_of(CK_F32, 0, 20, 0, 0);
  shape.layers = 3;
  try_whole(&shape, 1, 20 * 3 * 4);
  shape.height = 7;
  shape.flags = CK_ARRAY_SURFACE;
  try_whole(&shape, 2, 20 * 7 * 3 * 4);
  shape = shape_of(CK_U8, 4, 8, 8, 0);
  shape.flags = CK_ARRAY_CUBEMAP;
  try_whole(&shape, 2, 8 * 8 * 6 * 4);
  shape.layers = 2;
  try_whole(&shape, 2, 8 * 8 * 12 * 4);
  shape = shape_of(CK_F32, 1, 16, 16, 0);
  shape.flags = CK_ARRAY_GATHER;
  try_whole(&shape, 2, 16 * 16 * 4);
}

static bool is_same(const ck_array_options_t *a, const ck_array_options_t *b)
{
  return a->dtype == b->dtype && a->channels == b->channels && a->width == b->width &&
         a->height == b->height && a->depth == b->depth && a->layers == b->layers &&
         a->flags == b->flags;
}

TEST(properties)
{
  ck_array_options_t shape = shape_of(CK_U16, 2, 10, 4, 0), got;
  shape.flags = CK_ARRAY_SURFACE;
  ck_array_t *array = make(&shape), *same;
  ck_array_get_options(array, &got);
  CHECK(is_same(&got, &shape));
  CHECK(ck_array_element_bytes(array) == 4 && ck_array_device(array) == bench.device);
  CHECK_OK(ck_array_from_native(bench.device, ck_array_native(array), 0, &same));
  ck_array_get_options(same, &got);
  CHECK(is_same(&got, &shape));
  ck_array_release(same);
  shape = shape_of(CK_U8, 1, 8, 8, 0);
  shape.flags = CK_ARRAY_CUBEMAP;
  shape.layers = 2;
  ck_array_t *cubes = make(&shape);
  CHECK_OK(ck_array_from_native(bench.device, ck_array_native(cubes), 0, &same));
  ck_array_get_options(same, &got);
  CHECK(got.layers == 2 && got.depth == 0 && got.flags == CK_ARRAY_CUBEMAP);
  ck_array_release(same);
  ck_array_release(cubes);
  ck_array_release(array);
  ck_array_release(NULL);
}

static void refuse_shape(ck_array_options_t shape, const char *part)
{
  ck_array_t *array;
  CHECK_STATUS(ck_array_create(bench.device, &shape, &array), CK_INVALID_ARGUMENT);
  CHECK(!array);
  CHECK_ERROR(part);
}

TEST(shapes_that_are_none)
{
  ck_array_options_t layered = shape_of(CK_F32, 1, 8, 8, 8), cube = shape_of(CK_F32, 1, 8, 4, 0),
                     gather = shape_of(CK_F32, 1, 8, 0, 0);
  layered.layers = 2;
  cube.flags = CK_ARRAY_CUBEMAP;
  gather.flags = CK_ARRAY_GATHER;
  refuse_shape(shape_of(CK_F64, 1, 8, 0, 0), "not f64");
  refuse_shape(shape_of(CK_F32, 3, 8, 0, 0), "1, 2 or 4 channels, not 3");
  refuse_shape(shape_of(CK_F32, 1, 0, 0, 0), "0 x 0 x 0");
  refuse_shape(shape_of(CK_F32, 1, 8, 0, 8), "8 x 0 x 8");
  refuse_shape(layered, "with 2 layers has one or two dimensions");
  refuse_shape(cube, "square, not 8 x 4");
  refuse_shape(gather, "gathers from");
  refuse_shape(shape_of(CK_F32, 1, (size_t)1 << 40, 0, 0), "the array's width is 1099511627776");
  refuse_shape(shape_of(CK_U8, 1, 8, (size_t)1 << 30, 0), "the array's height is");
  gather.flags = 1u << 9;
  refuse_shape(gather, "unknown bits");
  ck_array_t *array;
  CHECK_STATUS(ck_array_create(bench.device, NULL, &array), CK_INVALID_ARGUMENT);
}

static size_t limit(ck_device_attribute_t attribute)
{
  int value = 0;
  CHECK_OK(ck_device_get_attribute(bench.device, attribute, &value));
  return (size_t)value;
}

/* Driver API, cuArray3DCreate: a volume has to be within one of two sets of limits; a surface has
 * limits of its own as well. */
TEST(deep_arrays)
{
  size_t depth = limit(CK_DEVICE_MAXIMUM_TEXTURE3D_DEPTH);
  size_t most = limit(CK_DEVICE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE);
  if (most <= depth) return;
  ck_array_options_t deep = shape_of(CK_U8, 1, 2, 2, most), wide = deep;
  ck_array_release(make(&deep));
  ++deep.depth;
  refuse_shape(deep, "the array's depth is");
  wide.width = limit(CK_DEVICE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE) + 1;
  refuse_shape(wide, "the array's depth is");
  --deep.depth;
  deep.flags = CK_ARRAY_SURFACE;
  if (most > limit(CK_DEVICE_MAXIMUM_SURFACE3D_DEPTH)) refuse_shape(deep, "the array's depth is");
}

/* copies ------------------------------------------------------------------------------------- */

enum { WIDTH = 12, HEIGHT = 6, DEPTH = 4, COUNT = WIDTH * HEIGHT * DEPTH };

static ck_array_t *make_iota(uint32_t *words)
{
  ck_array_options_t shape = shape_of(CK_U32, 1, WIDTH, HEIGHT, DEPTH);
  ck_array_t *array = make(&shape);
  for (uint32_t i = 0; i < COUNT; ++i) words[i] = i;
  CHECK_OK(ck_array_write(array, words, COUNT * 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  return array;
}

TEST(copy_part)
{
  uint32_t in[COUNT], out[COUNT];
  ck_array_t *array = make_iota(in), *other = make_iota(in);
  ck_buffer_t *buffer = bench_buffer(&bench, COUNT * 4);
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  /* Copies a part of the array to rows of 32 bytes in planes of 4 rows. */
  copy.src = (ck_array_side_t){.array = array, .x = 3, .y = 1, .z = 2};
  copy.dst = (ck_array_side_t){.buffer = buffer, .offset = 16, .row_bytes = 32, .rows = 4};
  copy.width = 5;
  copy.height = 3;
  copy.depth = 2;
  CHECK_OK(ck_buffer_fill(buffer, 0, COUNT * 4, 0xffffffff, 4, bench.stream));
  CHECK_OK(ck_array_copy(&copy, bench.stream));
  CHECK_OK(ck_buffer_read(buffer, 0, out, COUNT * 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  unsigned wrong = 0;
  for (uint32_t i = 0; i < COUNT; ++i) {
    uint32_t at = i - 4, x = at % 8, y = at / 8 % 4, z = at / 32;
    bool is_inside = i >= 4 && x < 5 && y < 3 && z < 2;
    wrong += out[i] != (is_inside ? 3 + x + WIDTH * (1 + y + HEIGHT * (2 + z)) : 0xffffffff);
  }
  CHECK(wrong == 0);
  /* Copies it from there to another position in the other array, and everything after it to this
   * one. */
  copy.src = copy.dst;
  copy.dst = (ck_array_side_t){.array = other, .x = 7, .y = 3, .z = 1};
  CHECK_OK(ck_array_copy(&copy, bench.stream));
  copy.src = copy.dst;
  copy.dst = (ck_array_side_t){.array = array, .x = 7, .y = 3, .z = 1};
  copy.width = copy.height = copy.depth = 0;
  CHECK_OK(ck_array_copy(&copy, bench.stream));
  CHECK_OK(ck_array_read(array, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  for (uint32_t z = 0; z < DEPTH; ++z)
    for (uint32_t y = 0; y < HEIGHT; ++y)
      for (uint32_t x = 0; x < WIDTH; ++x) {
        bool is_copied = x >= 7 && y >= 3 && z >= 1 && z < 3;
        uint32_t at = x + WIDTH * (y + HEIGHT * z);
        wrong += out[at] != (is_copied ? at - 7 + 3 + WIDTH * (1 - 3 + HEIGHT * (2 - 1)) : at);
      }
  CHECK(wrong == 0);
  ck_buffer_release(buffer);
  ck_array_release(array);
  ck_array_release(other);
}

static void refuse_copy(const ck_array_copy_t *copy, const char *part)
{
  CHECK_STATUS(ck_array_copy(copy, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR(part);
}

/* Copies from and to memory of a host pool, which libcuda does not accept as device memory. */
TEST(copy_with_a_pool_of_the_host)
{
  uint32_t in[COUNT], out[COUNT];
  ck_memory_resource_t *pool;
  ck_buffer_t *locked;
  ck_status_t status = ck_memory_resource_create_pinned_pool(bench.device, NULL, &pool);
  if (status != CK_OK) {
    CHECK_STATUS(status, CK_UNSUPPORTED);
    return;
  }
  ck_array_t *array = make_iota(in);
  CHECK_OK(ck_memory_resource_create_buffer(pool, COUNT * 4, bench.stream, &locked));
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  copy.dst.buffer = locked;
  copy.src.array = array;
  CHECK_OK(ck_array_copy(&copy, bench.stream));
  CHECK_OK(ck_buffer_read(locked, 0, out, COUNT * 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(!memcmp(in, out, sizeof out));
  memset(out, 7, sizeof out);
  CHECK_OK(ck_buffer_fill(locked, 0, COUNT * 4, 0x07070707, 4, bench.stream));
  copy.src = copy.dst;
  copy.dst = (ck_array_side_t){.array = array};
  CHECK_OK(ck_array_copy(&copy, bench.stream));
  CHECK_OK(ck_array_read(array, in, COUNT * 4, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(!memcmp(in, out, sizeof out));
  ck_buffer_release(locked);
  ck_array_release(array);
  ck_memory_resource_release(pool);
}

TEST(copy_errors)
{
  uint32_t words[COUNT];
  ck_array_t *array = make_iota(words);
  ck_array_options_t bytes = shape_of(CK_U8, 1, 8, 0, 0);
  ck_array_t *narrow = make(&bytes);
  ck_buffer_t *buffer = bench_buffer(&bench, COUNT * 4 - 4);
  CHECK_STATUS(ck_array_write(array, words, COUNT * 4 - 4, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_array_write: 1148 bytes, the array has 1152");
  CHECK_STATUS(ck_array_read(array, words, 0, bench.stream), CK_INVALID_ARGUMENT);
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  copy.src = (ck_array_side_t){.array = array};
  refuse_copy(&copy, "dst is no array, no buffer and no memory");
  copy.dst.buffer = buffer;
  refuse_copy(&copy, "1152 bytes at offset 0, the buffer has 1148 bytes");
  copy.width = WIDTH + 1;
  refuse_copy(&copy, "13 elements from x = 0 on, the array of src has 12");
  copy.width = 1;
  copy.src.z = DEPTH + 1;
  refuse_copy(&copy, "from z = 5 on");
  copy.src.z = 0;
  copy.dst.row_bytes = 3;
  refuse_copy(&copy, "rows of dst have 3 bytes");
  copy.dst.row_bytes = (size_t)1 << 31;
  refuse_copy(&copy, "rows of dst have 2147483648 bytes, at most 2147483647");
  copy.dst = (ck_array_side_t){.array = narrow};
  refuse_copy(&copy, "elements of 4 bytes to elements of 1");
  copy.src = copy.dst = (ck_array_side_t){.buffer = buffer};
  refuse_copy(&copy, "neither side is an array");
  ck_buffer_release(buffer);
  ck_array_release(array);
  ck_array_release(narrow);
}

/* mipmaps ------------------------------------------------------------------------------------ */

TEST(mipmaps)
{
  ck_array_options_t shape = shape_of(CK_F32, 2, 20, 5, 0), got;
  ck_mipmap_t *mipmap;
  ck_array_t *level;
  CHECK_OK(ck_mipmap_create(bench.device, &shape, 0, &mipmap));
  CHECK(ck_mipmap_level_count(mipmap) == 5 && ck_mipmap_native(mipmap));
  static const size_t widths[] = {20, 10, 5, 2, 1}, heights[] = {5, 2, 1, 1, 1};
  float in[200], out[200];
  for (uint32_t i = 0; i < 5; ++i) {
    CHECK_OK(ck_mipmap_get_level(mipmap, i, &level));
    ck_array_get_options(level, &got);
    CHECK(got.width == widths[i] && got.height == heights[i] && got.depth == 0);
    for (int k = 0; k < 200; ++k) in[k] = (float)(k + 1000 * (int)i);
    CHECK_OK(ck_array_write(level, in, ck_array_bytes(level), bench.stream));
    CHECK_OK(ck_array_read(level, out, ck_array_bytes(level), bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(!memcmp(in, out, ck_array_bytes(level)));
    if (i < 4) ck_array_release(level); /* the last one is kept a while */
  }
  ck_array_release(level);
  CHECK_STATUS(ck_mipmap_get_level(mipmap, 5, &level), CK_INVALID_ARGUMENT);
  CHECK_ERROR("level 5 of a mipmap that has 5");
  ck_mipmap_release(mipmap);
  CHECK_STATUS(ck_mipmap_create(bench.device, &shape, 6, &mipmap), CK_INVALID_ARGUMENT);
  CHECK_ERROR("at most 5 levels, not 6");
}

/* textures ----------------------------------------------------------------------------------- */

static ck_array_t *make_plain(ck_dtype_t dtype, uint32_t flags)
{
  ck_array_options_t shape = shape_of(dtype, 1, 16, 16, 0);
  shape.flags = flags;
  return make(&shape);
}

TEST(textures)
{
  ck_array_t *array = make_plain(CK_U8, 0), *level;
  ck_texture_t *texture, *of_level;
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t), got;
  ck_texture_resource_t resource;
  CHECK_OK(ck_texture_from_array(array, NULL, &texture));
  ck_texture_get_resource(texture, &resource);
  CHECK(resource.array == array && !resource.buffer && ck_texture_native(texture));
  CHECK(ck_texture_device(texture) == bench.device);
  ck_texture_release(texture);
  how.address[0] = CK_ADDRESS_WRAP;
  how.address[1] = CK_ADDRESS_MIRROR;
  how.address[2] = CK_ADDRESS_BORDER;
  how.filter = CK_FILTER_LINEAR;
  how.flags = CK_TEXTURE_NORMALIZED | CK_TEXTURE_READ_NORMALIZED | CK_TEXTURE_SRGB |
              CK_TEXTURE_EXACT_TRILINEAR;
  how.max_anisotropy = 4;
  how.border[0] = 0.25f;
  CHECK_OK(ck_texture_from_array(array, &how, &texture));
  ck_texture_get_options(texture, &got);
  CHECK(!memcmp(&got, &how, sizeof got));
  ck_array_release(array); /* the texture retains it */
  ck_texture_release(texture);
  ck_array_options_t shape = shape_of(CK_F32, 4, 16, 16, 0);
  ck_mipmap_t *mipmap;
  CHECK_OK(ck_mipmap_create(bench.device, &shape, 3, &mipmap));
  CHECK_OK(ck_mipmap_get_level(mipmap, 1, &level));
  how = (ck_texture_options_t)CK_OPTIONS_INIT(ck_texture_options_t);
  how.filter = how.level_filter = CK_FILTER_LINEAR;
  how.flags = CK_TEXTURE_NORMALIZED;
  how.level_bias = 0.5f;
  how.max_level = 1.5f;
  resource = (ck_texture_resource_t){.struct_size = sizeof resource, .mipmap = mipmap};
  CHECK_OK(ck_texture_create(&resource, &how, &texture));
  CHECK_STATUS(ck_texture_create(&resource, NULL, &of_level), CK_INVALID_ARGUMENT);
  CHECK_ERROR("a mipmap is read by normalized coordinates");
  CHECK_OK(ck_texture_from_array(level, NULL, &of_level));
  ck_mipmap_release(mipmap);
  ck_array_release(level);
  ck_texture_release(of_level);
  ck_texture_release(texture);
}

TEST(texture_of_buffer)
{
  ck_buffer_t *buffer = bench_buffer(&bench, 1 << 14);
  ck_texture_resource_t resource = {.struct_size = sizeof resource,
                                    .buffer = buffer,
                                    .dtype = CK_F32,
                                    .channels = 4,
                                    .width = 64};
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  ck_texture_t *texture;
  CHECK_OK(ck_texture_create(&resource, NULL, &texture));
  ck_texture_release(texture);
  resource.height = 8;
  resource.row_bytes = 2048;
  how.filter = CK_FILTER_LINEAR;
  CHECK_OK(ck_texture_create(&resource, &how, &texture));
  ck_texture_release(texture);
  resource.height = 9;
  CHECK_STATUS(ck_texture_create(&resource, &how, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("17408 bytes at offset 0, the buffer has 16384 bytes");
  resource.height = 2;
  resource.row_bytes = 1000;
  CHECK_STATUS(ck_texture_create(&resource, &how, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("rows have 1000 bytes, 64 elements need 1024");
  resource.row_bytes = 1025;
  CHECK_STATUS(ck_texture_create(&resource, &how, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("row_bytes 1025 is no multiple of");
  resource.row_bytes = 0;
  resource.offset = 4;
  CHECK_STATUS(ck_texture_create(&resource, &how, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("is no multiple of");
  resource.offset = 0;
  resource.height = 0;
  CHECK_STATUS(ck_texture_create(&resource, &how, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("linear memory is fetched");
  resource.width = 0;
  CHECK_STATUS(ck_texture_create(&resource, &how, &texture), CK_INVALID_ARGUMENT);
  ck_buffer_release(buffer);
}

static void refuse_options(ck_dtype_t dtype, ck_texture_options_t how, const char *part)
{
  ck_array_t *array = make_plain(dtype, 0);
  ck_texture_t *texture;
  CHECK_STATUS(ck_texture_from_array(array, &how, &texture), CK_INVALID_ARGUMENT);
  CHECK(!texture);
  CHECK_ERROR(part);
  ck_array_release(array);
}

TEST(options_that_do_not_fit)
{
  const ck_texture_options_t none = CK_OPTIONS_INIT(ck_texture_options_t);
  ck_texture_options_t how = none;
  how.filter = CK_FILTER_LINEAR;
  refuse_options(CK_U8, how, "u8 is read as it is");
  refuse_options(CK_I32, how, "i32 is read as it is");
  how = none;
  how.flags = CK_TEXTURE_READ_NORMALIZED;
  refuse_options(CK_F32, how, "8 or 16 bits are read as normalized, not f32");
  refuse_options(CK_U32, how, "not u32");
  how.flags = CK_TEXTURE_SRGB;
  refuse_options(CK_U8, how, "sRGB is u8");
  how.flags = CK_TEXTURE_SEAMLESS_CUBEMAP;
  refuse_options(CK_U8, how, "this is no cubemap");
  how.flags = 32;
  refuse_options(CK_U8, how, "flags 0x20");
  how = none;
  how.address[1] = CK_ADDRESS_MIRROR;
  refuse_options(CK_F32, how, "y can't be wrapped or mirrored");
  how.address[1] = (ck_address_mode_t)7;
  refuse_options(CK_F32, how, "address mode 7 of y");
  how = none;
  how.address[0] = CK_ADDRESS_BORDER;
  how.border[0] = 256;
  refuse_options(CK_U8, how, "the border's channel 0 is 256, no u8");
  how.border[0] = 0.5f;
  refuse_options(CK_I32, how, "the border's channel 0 is 0.5, no i32");
  how = none;
  how.max_anisotropy = 17;
  refuse_options(CK_F32, how, "anisotropy is 0 to 16, not 17");
  how = none;
  how.level_bias = 1;
  refuse_options(CK_F32, how, "levels are a mipmap's");
  ck_texture_resource_t nothing = CK_OPTIONS_INIT(ck_texture_resource_t);
  ck_texture_t *texture;
  CHECK_STATUS(ck_texture_create(&nothing, NULL, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("0 of array, mipmap and buffer are given");
}

TEST(surfaces)
{
  ck_array_t *array = make_plain(CK_F32, CK_ARRAY_SURFACE), *plain = make_plain(CK_F32, 0);
  ck_surface_t *surface;
  CHECK_OK(ck_surface_create(array, &surface));
  CHECK(ck_surface_array(surface) == array && ck_surface_native(surface));
  CHECK(ck_surface_device(surface) == bench.device);
  ck_array_release(array);
  ck_surface_release(surface);
  CHECK_STATUS(ck_surface_create(plain, &surface), CK_INVALID_ARGUMENT);
  CHECK_ERROR("made without CK_ARRAY_SURFACE");
  ck_array_release(plain);
}

TEST(array_3d_with_surface_flag)
{
  ck_array_options_t shape = shape_of(CK_U8, 4, 8, 8, 4), got;
  shape.flags = CK_ARRAY_SURFACE;
  ck_array_t *array = make(&shape);
  ck_array_get_options(array, &got);
  CHECK(is_same(&got, &shape) && ck_array_rank(array) == 3);
  CHECK(ck_array_element_bytes(array) == 4 && ck_array_bytes(array) == 8 * 8 * 4 * 4);
  CHECK(ck_array_native(array) != NULL);
  ck_array_release(array);
}

TEST(buffers_that_do_not_fit)
{
  ck_buffer_t *buffer = bench_buffer(&bench, 1024);
  const ck_texture_resource_t linear = {
      .struct_size = sizeof linear, .buffer = buffer, .dtype = CK_U8, .channels = 1, .width = 1024};
  ck_texture_resource_t resource = linear;
  ck_texture_t *texture;
  CHECK_OK(ck_texture_create(&resource, NULL, &texture));
  ck_texture_release(texture);
  resource.width = 2048;
  CHECK_STATUS(ck_texture_create(&resource, NULL, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("2048 bytes at offset 0, the buffer has 1024 bytes");
  resource.width = (size_t)1 << 40;
  CHECK_STATUS(ck_texture_create(&resource, NULL, &texture), CK_INVALID_ARGUMENT);
  CHECK_ERROR("width 1099511627776, ");
  for (int is_pitched = 0; is_pitched < 2; ++is_pitched) {
    resource = linear;
    resource.width = 8;
    resource.height = is_pitched ? 2 : 0;
    resource.channels = 3;
    CHECK_STATUS(ck_texture_create(&resource, NULL, &texture), CK_INVALID_ARGUMENT);
    CHECK_ERROR("1, 2 or 4 channels, not 3");
    resource.channels = 1;
    resource.dtype = CK_NONE;
    CHECK_STATUS(ck_texture_create(&resource, NULL, &texture), CK_INVALID_ARGUMENT);
    resource.dtype = CK_F64;
    CHECK_STATUS(ck_texture_create(&resource, NULL, &texture), CK_INVALID_ARGUMENT);
    CHECK(!texture);
  }
  ck_buffer_release(buffer);
}

TEST(modes_that_are_none)
{
  const ck_texture_options_t none = CK_OPTIONS_INIT(ck_texture_options_t);
  ck_texture_options_t how = none;
  how.filter = (ck_filter_t)2;
  refuse_options(CK_F32, how, "filter 2");
  how = none;
  how.level_filter = (ck_filter_t)5;
  refuse_options(CK_F32, how, "level filter 5");
  how = none;
  how.struct_size = 3;
  refuse_options(CK_F32, how, "ck_texture_options_t");
}

TEST(mipmaps_that_are_none)
{
  ck_array_options_t shape = shape_of(CK_F64, 1, 8, 8, 0);
  ck_mipmap_t *mipmap;
  CHECK_STATUS(ck_mipmap_create(bench.device, &shape, 2, &mipmap), CK_INVALID_ARGUMENT);
  CHECK_ERROR("not f64");
  shape = shape_of(CK_U8, 3, 8, 8, 0);
  CHECK_STATUS(ck_mipmap_create(bench.device, &shape, 2, &mipmap), CK_INVALID_ARGUMENT);
  CHECK_ERROR("channels, not 3");
  shape = shape_of(CK_U8, 1, 0, 8, 0);
  CHECK_STATUS(ck_mipmap_create(bench.device, &shape, 1, &mipmap), CK_INVALID_ARGUMENT);
  CHECK(!mipmap);
}

/* Mipmaps have lower limits than arrays. */
TEST(large_mipmaps)
{
  size_t line = limit(CK_DEVICE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH);
  size_t width = limit(CK_DEVICE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH);
  size_t height = limit(CK_DEVICE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT);
  ck_array_options_t shapes[] = {shape_of(CK_U8, 1, line, 0, 0), shape_of(CK_U8, 1, width, 1, 0),
                                 shape_of(CK_U8, 1, 1, height, 0)};
  for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
    ck_mipmap_t *mipmap;
    CHECK_OK(ck_mipmap_create(bench.device, &shapes[i], 2, &mipmap));
    ck_mipmap_release(mipmap);
    ++*(i == 2 ? &shapes[i].height : &shapes[i].width);
    CHECK_STATUS(ck_mipmap_create(bench.device, &shapes[i], 2, &mipmap), CK_INVALID_ARGUMENT);
    CHECK_ERROR(i == 2 ? "the array's height is" : "the array's width is");
  }
}

TEST(mipmapped_array_level_outlives_dropped_parent)
{
  ck_array_options_t shape = shape_of(CK_U32, 1, 16, 16, 0);
  uint32_t in[64], out[64];
  ck_mipmap_t *mipmap;
  ck_array_t *level;
  CHECK_OK(ck_mipmap_create(bench.device, &shape, 3, &mipmap));
  CHECK_OK(ck_mipmap_get_level(mipmap, 1, &level));
  ck_mipmap_release(mipmap);
  for (uint32_t i = 0; i < 64; ++i) in[i] = i;
  CHECK_OK(ck_array_write(level, in, sizeof in, bench.stream));
  CHECK_OK(ck_array_read(level, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(!memcmp(in, out, sizeof out));
  ck_array_release(level);
}

/* Arrays that a graph copies live as long as the graph. */
TEST(captured_copy)
{
  uint32_t words[COUNT], out[COUNT];
  ck_array_t *array = make_iota(words);
  ck_buffer_t *buffer = bench_buffer(&bench, COUNT * 4);
  ck_array_copy_t copy = CK_OPTIONS_INIT(ck_array_copy_t);
  copy.src.array = array;
  copy.dst.buffer = buffer;
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  CHECK_OK(ck_array_copy(&copy, ck_graph_builder_stream(builder)));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_stream_sync(bench.stream)); /* the array is written */
  ck_array_release(array);
  CHECK_OK(ck_graph_launch(graph, bench.stream));
  CHECK_OK(ck_buffer_read(buffer, 0, out, sizeof out, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  CHECK(!memcmp(words, out, sizeof out));
  ck_graph_release(graph);
  ck_buffer_release(buffer);
}

int main(void)
{
  bench_open_any(&bench);
  run_all();
  bench_close(&bench);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
