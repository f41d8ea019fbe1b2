/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graphics.c - tests OpenGL buffers and images and their contents: cuda.core's test_graphics.py in
 * C. On a GPU with the machine's OpenGL, and skipped without; on the host device with a fake OpenGL
 * (support/fake_gl.c), each call of which fails in turn. */
#include "fake_gl.h"
#include "faults.h"

enum { BYTES = 4096, FLOATS = 256, WIDTH = 16, HEIGHT = 8, TEXELS = WIDTH * HEIGHT };

static Bench bench;
static const Gl *gl;
static bool is_fake;

static unsigned gl_buffer(size_t bytes)
{
  return gl->make_buffer(bytes, NULL);
}

static ck_graphics_t *register_buffer(unsigned name, uint32_t flags)
{
  ck_graphics_t *graphics = NULL;
  CHECK_OK(ck_graphics_from_gl_buffer(bench.device, name, flags, &graphics));
  return graphics;
}

static ck_graphics_t *register_image(unsigned name, uint32_t flags)
{
  ck_graphics_t *graphics = NULL;
  CHECK_OK(ck_graphics_from_gl_image(bench.device, name, GL_TEXTURE_2D, flags, &graphics));
  return graphics;
}

static ck_buffer_t *map(ck_graphics_t *graphics)
{
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_graphics_map(graphics, bench.stream, &buffer));
  return buffer;
}

static ck_array_t *get_array(ck_graphics_t *graphics, uint32_t level)
{
  ck_array_t *array = NULL;
  CHECK_OK(ck_graphics_get_array(graphics, 0, level, &array));
  return array;
}

static bool is_lost(const ck_buffer_t *buffer)
{
  return ck_buffer_flags(buffer) & CK_MEMORY_CLOSED && !ck_buffer_native(buffer) &&
         !ck_buffer_bytes(buffer);
}

/* Checks that nothing is registered or mapped any more, and that OpenGL was used correctly. */
static bool is_clean(void)
{
  return !gl->has_error() && (!is_fake || (!fake_gl_told.registered && !fake_gl_told.mapped));
}

static void end_with_buffer(ck_graphics_t *graphics, unsigned name)
{
  ck_graphics_release(graphics);
  gl->delete_buffer(name);
  CHECK(is_clean());
}

/* registering --------------------------------------------------------------------------------- */

TEST(register_flags)
{
  static const uint32_t of_buffers[] = {0, CK_GRAPHICS_READ_ONLY, CK_GRAPHICS_WRITE_DISCARD};
  static const uint32_t of_images[] = {CK_GRAPHICS_SURFACE,
                                       CK_GRAPHICS_SURFACE | CK_GRAPHICS_READ_ONLY,
                                       CK_GRAPHICS_WRITE_DISCARD, CK_GRAPHICS_GATHER};
  unsigned name = gl_buffer(BYTES);
  for (size_t i = 0; i < COUNT_OF(of_buffers); ++i) {
    ck_graphics_release(register_buffer(name, of_buffers[i]));
    CHECK(!is_fake || fake_gl_told.flags == of_buffers[i]);
  }
  gl->delete_buffer(name);
  name = gl->make_image(WIDTH, HEIGHT, 1, NULL);
  for (size_t i = 0; i < COUNT_OF(of_images); ++i) {
    ck_graphics_release(register_image(name, of_images[i]));
    CHECK(!is_fake || fake_gl_told.flags == of_images[i]);
  }
  gl->delete_image(name);
  CHECK(is_clean());
}

TEST(flags_that_are_none)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = (ck_graphics_t *)&bench;
  const uint32_t both = CK_GRAPHICS_READ_ONLY | CK_GRAPHICS_WRITE_DISCARD;
  CHECK_STATUS(ck_graphics_from_gl_buffer(bench.device, name, 16, &graphics), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_from_gl_buffer: flags are 0x10, it takes those of 0x3");
  CHECK(graphics == NULL);
  CHECK_STATUS(ck_graphics_from_gl_buffer(bench.device, name, CK_GRAPHICS_SURFACE, &graphics),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_from_gl_buffer(bench.device, name, both, &graphics),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("both READ_ONLY and WRITE_DISCARD");
  CHECK_STATUS(ck_graphics_from_gl_image(bench.device, 1, GL_TEXTURE_2D, 64, &graphics),
               CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_from_gl_image: flags are 0x40, it takes those of 0xf");
  CHECK_STATUS(ck_graphics_from_gl_image(bench.device, 1, 0, 0, &graphics), CK_INVALID_ARGUMENT);
  CHECK_ERROR("the target is 0");
  gl->delete_buffer(name);
}

TEST(register_default_flags)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, 0);
  CHECK(ck_graphics_native(graphics) != NULL);
  CHECK(ck_graphics_device(graphics) == bench.device);
  CHECK(!ck_graphics_is_mapped(graphics));
  end_with_buffer(graphics, name);
}

TEST(close_is_idempotent)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  CHECK_OK(ck_graphics_close(graphics, NULL));
  CHECK(ck_graphics_native(graphics) == NULL);
  CHECK_OK(ck_graphics_close(graphics, NULL));
  CHECK(ck_graphics_native(graphics) == NULL);
  end_with_buffer(graphics, name);
}

TEST(names_of_nothing)
{
  ck_graphics_t *graphics = NULL;
  CHECK_STATUS(ck_graphics_from_gl_buffer(bench.device, 4711, 0, &graphics), CK_DRIVER);
  CHECK_ERROR("OpenGL's buffer 4711, whose context has to be current, on '");
  CHECK(graphics == NULL);
  CHECK_STATUS(ck_graphics_from_gl_image(bench.device, 4711, GL_TEXTURE_2D, 0, &graphics),
               CK_DRIVER);
  CHECK_ERROR("OpenGL's image 4711");
  CHECK(graphics == NULL);
  gl->has_error(); /* a driver may have called OpenGL */
}

TEST(no_context)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = NULL;
  gl->set_current(0);
  CHECK_STATUS(ck_graphics_from_gl_buffer(bench.device, name, 0, &graphics), CK_DRIVER);
  CHECK_ERROR("whose context has to be current");
  gl->set_current(1);
  CHECK(graphics == NULL);
  end_with_buffer(register_buffer(name, 0), name);
}

TEST(without_opengl)
{
  ck_device_t *host = NULL;
  ck_graphics_t *graphics = NULL;
  CHECK_OK(ck_device_open_host(&host));
  CHECK_STATUS(ck_graphics_from_gl_buffer(host, 1, 0, &graphics), CK_UNSUPPORTED);
  CHECK_ERROR("the host device has no cuGraphicsGLRegisterBuffer, which is for GPUs");
  CHECK_STATUS(ck_graphics_from_gl_image(host, 1, GL_TEXTURE_2D, 0, &graphics), CK_UNSUPPORTED);
  ck_device_release(host);
}

TEST(arguments_that_are_null)
{
  ck_graphics_t *graphics = NULL;
  ck_buffer_t *buffer = NULL;
  ck_array_t *array = NULL;
  CHECK_STATUS(ck_graphics_from_gl_buffer(NULL, 1, 0, &graphics), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_from_gl_buffer(bench.device, 1, 0, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_from_gl_image(NULL, 1, GL_TEXTURE_2D, 0, &graphics),
               CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_map(NULL, NULL, &buffer), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_map_image(NULL, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_get_array(NULL, 0, 0, &array), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_unmap(NULL, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_close(NULL, NULL), CK_INVALID_ARGUMENT);
  ck_graphics_release(NULL);
}

/* buffers ------------------------------------------------------------------------------------- */

TEST(map_returns_buffer)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  ck_buffer_t *buffer = map(graphics);
  CHECK(ck_graphics_is_mapped(graphics));
  CHECK(ck_buffer_bytes(buffer) == BYTES && ck_buffer_native(buffer));
  CHECK(ck_buffer_flags(buffer) == CK_MEMORY_DEVICE && ck_buffer_device(buffer) == bench.device);
  CHECK_OK(ck_graphics_unmap(graphics, bench.stream));
  CHECK(is_lost(buffer) && !ck_graphics_is_mapped(graphics));
  ck_buffer_release(buffer);
  end_with_buffer(graphics, name);
}

/* Data written by OpenGL can be read here, and the other way round. */
TEST(bytes_both_ways)
{
  static unsigned char in[BYTES], out[BYTES];
  for (size_t i = 0; i < BYTES; ++i) in[i] = (unsigned char)(i * 37 + i / 256);
  unsigned name = gl->make_buffer(BYTES, in);
  ck_graphics_t *graphics = register_buffer(name, 0);
  for (unsigned round = 0; round < 3; ++round) {
    ck_buffer_t *buffer = map(graphics);
    CHECK_OK(ck_buffer_read(buffer, 0, out, BYTES, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    CHECK(!memcmp(in, out, BYTES));
    for (size_t i = 0; i < BYTES; ++i) in[i] = (unsigned char)(in[i] * 5 + round);
    CHECK_OK(ck_buffer_write(buffer, 0, in, BYTES, bench.stream));
    CHECK_OK(ck_graphics_unmap(graphics, NULL));
    ck_buffer_release(buffer);
    gl->read_buffer(name, out, BYTES);
    CHECK(!memcmp(in, out, BYTES));
  }
  end_with_buffer(graphics, name);
}

TEST(last_release_unmaps)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  ck_buffer_t *buffer = map(graphics);
  CHECK(ck_graphics_is_mapped(graphics));
  ck_buffer_release(buffer);
  CHECK(!ck_graphics_is_mapped(graphics));
  end_with_buffer(graphics, name);
}

/* The registration lasts as long as the mapped buffer. */
TEST(buffer_outlives_graphics)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  ck_buffer_t *buffer = map(graphics);
  ck_graphics_release(graphics);
  CHECK_OK(ck_buffer_fill(buffer, 0, BYTES, 7, 1, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_buffer_release(buffer);
  gl->delete_buffer(name);
  CHECK(is_clean());
}

TEST(strided_memory_view_from_mapped_buffer)
{
  unsigned name = gl_buffer(FLOATS * sizeof(float));
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  ck_buffer_t *buffer = map(graphics);
  ck_view_t view;
  CHECK_OK(ck_view_from_buffer(buffer, 0, CK_F32, 1, 1, (const int64_t[]){FLOATS}, NULL, &view));
  CHECK(ck_view_native(&view) == ck_buffer_native(buffer) && ck_view_count(&view) == FLOATS);
  CHECK_OK(ck_graphics_close(graphics, bench.stream));
  CHECK(is_lost(buffer));
  ck_buffer_release(buffer);
  end_with_buffer(graphics, name);
}

TEST(map_with_stream)
{
  unsigned name = gl_buffer(BYTES);
  ck_stream_t *other = NULL;
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  CHECK_OK(ck_stream_create(bench.device, NULL, &other));
  ck_buffer_t *buffer = map(graphics);
  CHECK(!is_fake || fake_gl_told.stream == ck_stream_native(bench.stream));
  CHECK_OK(ck_graphics_unmap(graphics, other));
  CHECK(!is_fake || fake_gl_told.stream == ck_stream_native(other));
  ck_buffer_release(buffer);
  buffer = map(graphics);
  CHECK_OK(ck_buffer_set_stream(buffer, other));
  ck_buffer_release(buffer);
  CHECK(!is_fake || fake_gl_told.stream == ck_stream_native(other));
  CHECK_OK(ck_graphics_map(graphics, NULL, &buffer)); /* the default stream */
  CHECK_OK(ck_graphics_unmap(graphics, NULL));
  CHECK(!is_fake || fake_gl_told.stream == CU_STREAM_LEGACY);
  ck_buffer_release(buffer);
  ck_stream_release(other);
  end_with_buffer(graphics, name);
}

TEST(double_map)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, 0);
  ck_buffer_t *buffer = map(graphics), *second = buffer;
  CHECK_STATUS(ck_graphics_map(graphics, bench.stream, &second), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_map: it is mapped already");
  CHECK(second == NULL && ck_buffer_bytes(buffer) == BYTES);
  CHECK_OK(ck_graphics_unmap(graphics, NULL));
  ck_buffer_release(buffer);
  end_with_buffer(graphics, name);
}

TEST(unmap_without_map)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, 0);
  CHECK_STATUS(ck_graphics_unmap(graphics, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_unmap: it is not mapped");
  end_with_buffer(graphics, name);
}

TEST(after_close)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, 0);
  ck_buffer_t *buffer = NULL;
  ck_array_t *array = NULL;
  CHECK_OK(ck_graphics_close(graphics, NULL));
  CHECK_STATUS(ck_graphics_map(graphics, bench.stream, &buffer), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_map: the graphics object is closed");
  CHECK_STATUS(ck_graphics_unmap(graphics, NULL), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_unmap: the graphics object is closed");
  CHECK_STATUS(ck_graphics_map_image(graphics, NULL), CK_INVALID_ARGUMENT);
  CHECK_STATUS(ck_graphics_get_array(graphics, 0, 0, &array), CK_INVALID_ARGUMENT);
  end_with_buffer(graphics, name);
}

TEST(close_while_mapped)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  ck_buffer_t *buffer = map(graphics);
  CHECK_OK(ck_graphics_close(graphics, NULL));
  CHECK(!ck_graphics_is_mapped(graphics) && is_lost(buffer));
  ck_buffer_release(buffer);
  end_with_buffer(graphics, name);
}

TEST(buffer_close_updates_graphics)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, CK_GRAPHICS_WRITE_DISCARD);
  ck_buffer_t *buffer = map(graphics);
  CHECK_OK(ck_buffer_close(buffer, NULL));
  CHECK(!ck_graphics_is_mapped(graphics) && is_lost(buffer));
  CHECK_OK(ck_buffer_close(buffer, NULL));
  ck_buffer_t *second = map(graphics);
  ck_buffer_release(buffer); /* of an earlier mapping: unmaps nothing */
  CHECK(ck_graphics_is_mapped(graphics));
  ck_buffer_release(second);
  end_with_buffer(graphics, name);
}

TEST(wrong_kind)
{
  unsigned name = gl_buffer(BYTES), image = gl->make_image(WIDTH, HEIGHT, 1, NULL);
  ck_graphics_t *of_buffer = register_buffer(name, 0), *of_image = register_image(image, 0);
  ck_buffer_t *buffer = NULL;
  ck_array_t *array = NULL;
  CHECK_STATUS(ck_graphics_map_image(of_buffer, bench.stream), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_map_image: it is a buffer: ck_graphics_map");
  CHECK_STATUS(ck_graphics_map(of_image, bench.stream, &buffer), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_map: it is an image: ck_graphics_map_image");
  CHECK_STATUS(ck_graphics_get_array(of_buffer, 0, 0, &array), CK_INVALID_ARGUMENT);
  CHECK_ERROR("it is a buffer");
  CHECK_STATUS(ck_graphics_get_array(of_image, 0, 0, &array), CK_INVALID_ARGUMENT);
  CHECK_ERROR("it is an image that is not mapped");
  ck_graphics_release(of_image);
  gl->delete_image(image);
  end_with_buffer(of_buffer, name);
}

/* Mapping and unmapping can't be captured; a buffer that is released during a capture is unmapped
 * with the graph. */
TEST(captured_streams)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = register_buffer(name, 0);
  ck_graph_builder_t *builder = NULL;
  ck_graph_t *graph = NULL;
  ck_buffer_t *buffer = NULL;
  CHECK_OK(ck_graph_builder_create(bench.device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  ck_stream_t *captured = ck_graph_builder_stream(builder);
  CHECK_STATUS(ck_graphics_map(graphics, captured, &buffer), CK_INVALID_ARGUMENT);
  CHECK_ERROR("ck_graphics_map: the stream is captured");
  buffer = map(graphics);
  CHECK_STATUS(ck_graphics_unmap(graphics, captured), CK_INVALID_ARGUMENT);
  CHECK_OK(ck_buffer_fill(buffer, 0, BYTES, 9, 1, captured));
  CHECK_OK(ck_buffer_set_stream(buffer, captured));
  ck_buffer_release(buffer);
  CHECK(ck_graphics_is_mapped(graphics));
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  CHECK_OK(ck_graph_launch(graph, bench.stream));
  CHECK_OK(ck_stream_sync(bench.stream));
  ck_graph_release(graph);
  CHECK(!ck_graphics_is_mapped(graphics));
  unsigned char last = 0, bytes[BYTES];
  gl->read_buffer(name, bytes, BYTES);
  last = bytes[BYTES - 1];
  CHECK(last == 9);
  end_with_buffer(graphics, name);
}

/* images -------------------------------------------------------------------------------------- */

TEST(register_image_and_map)
{
  unsigned name = gl->make_image(WIDTH, HEIGHT, 1, NULL);
  ck_graphics_t *graphics = register_image(name, 0);
  CHECK(ck_graphics_native(graphics) != NULL && !ck_graphics_is_mapped(graphics));
  CHECK_OK(ck_graphics_map_image(graphics, bench.stream));
  CHECK(ck_graphics_is_mapped(graphics));
  CHECK_STATUS(ck_graphics_map_image(graphics, bench.stream), CK_INVALID_ARGUMENT);
  ck_array_t *array = get_array(graphics, 0);
  ck_array_options_t shape;
  ck_array_get_options(array, &shape);
  CHECK(shape.dtype == CK_U8 && shape.channels == 4 && shape.width == WIDTH &&
        shape.height == HEIGHT && !shape.depth && !shape.layers);
  ck_array_release(array);
  CHECK_OK(ck_graphics_unmap(graphics, bench.stream));
  ck_graphics_release(graphics);
  gl->delete_image(name);
  CHECK(is_clean());
}

/* Each level through its own array, both ways. */
TEST(texels_both_ways)
{
  enum { LEVELS = 3 };
  static uint32_t in[TEXELS], out[TEXELS];
  for (uint32_t i = 0; i < TEXELS; ++i) in[i] = i * 0x01030507;
  unsigned name = gl->make_image(WIDTH, HEIGHT, LEVELS, in);
  ck_graphics_t *graphics = register_image(name, 0);
  CHECK_OK(ck_graphics_map_image(graphics, bench.stream));
  for (uint32_t level = 0; level < LEVELS; ++level) {
    ck_array_t *array = get_array(graphics, level);
    size_t bytes = sizeof in >> 2 * level;
    CHECK(ck_array_bytes(array) == bytes);
    CHECK_OK(ck_array_read(array, out, bytes, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    for (size_t i = 0; i < bytes / 4; ++i) CHECK(out[i] == (level ? 0 : in[i]));
    for (size_t i = 0; i < bytes / 4; ++i) out[i] = (uint32_t)(i * 0x05070B0D + level);
    CHECK_OK(ck_array_write(array, out, bytes, bench.stream));
    CHECK_OK(ck_stream_sync(bench.stream));
    ck_array_release(array);
  }
  CHECK_OK(ck_graphics_unmap(graphics, NULL));
  for (uint32_t level = 0; level < LEVELS; ++level) {
    gl->read_image(name, level, out);
    for (uint32_t i = 0; i < (uint32_t)TEXELS >> 2 * level; ++i)
      CHECK(out[i] == i * 0x05070B0D + level);
  }
  ck_graphics_release(graphics);
  gl->delete_image(name);
  CHECK(is_clean());
}

/* Arrays of earlier mappings are refused, and so is what was made of them. */
TEST(arrays_of_earlier_mappings)
{
  static uint32_t texels[TEXELS];
  unsigned name = gl->make_image(WIDTH, HEIGHT, 1, NULL);
  ck_graphics_t *graphics = register_image(name, CK_GRAPHICS_SURFACE);
  ck_texture_options_t options = CK_OPTIONS_INIT(ck_texture_options_t);
  ck_texture_t *texture = NULL;
  ck_surface_t *surface = NULL;
  CHECK_OK(ck_graphics_map_image(graphics, bench.stream));
  ck_array_t *array = get_array(graphics, 0);
  CHECK_OK(ck_texture_from_array(array, &options, &texture));
  CHECK_OK(ck_surface_create(array, &surface));
  ck_texture_release(texture);
  ck_surface_release(surface);
  CHECK_OK(ck_graphics_unmap(graphics, NULL));
  for (int round = 0; round < 2; ++round) {
    CHECK_STATUS(ck_array_read(array, texels, sizeof texels, bench.stream), CK_INVALID_ARGUMENT);
    CHECK_ERROR("the array is of an image of OpenGL, which was unmapped");
    CHECK_STATUS(ck_array_write(array, texels, sizeof texels, bench.stream), CK_INVALID_ARGUMENT);
    CHECK_STATUS(ck_texture_from_array(array, &options, &texture), CK_INVALID_ARGUMENT);
    CHECK_STATUS(ck_surface_create(array, &surface), CK_INVALID_ARGUMENT);
    /* The array is not of this mapping. */
    if (!round) CHECK_OK(ck_graphics_map_image(graphics, bench.stream));
  }
  ck_graphics_release(graphics);
  CHECK(!is_fake || fake_gl_told.mapped == 1); /* the array retains it */
  ck_array_release(array);
  gl->delete_image(name);
  CHECK(is_clean());
}

TEST(layers_and_levels_that_are_none)
{
  unsigned name = gl->make_image(WIDTH, HEIGHT, 2, NULL);
  ck_graphics_t *graphics = register_image(name, 0);
  ck_array_t *array = NULL;
  CHECK_OK(ck_graphics_map_image(graphics, bench.stream));
  /* Drivers have all levels of an image down to one texel, even if two were made. */
  CHECK_STATUS(ck_graphics_get_array(graphics, 0, 5, &array), CK_DRIVER);
  CHECK_ERROR("layer 0, level 5: ");
  CHECK(array == NULL);
  CHECK_STATUS(ck_graphics_get_array(graphics, 3, 0, &array), CK_DRIVER);
  CHECK(array == NULL);
  CHECK_OK(ck_graphics_close(graphics, NULL));
  ck_graphics_release(graphics);
  gl->delete_image(name);
  CHECK(is_clean());
}

/* failures ------------------------------------------------------------------------------------ */

static ck_status_t use_buffer(ck_device_t *device, ck_stream_t *stream)
{
  unsigned name = gl_buffer(BYTES);
  ck_graphics_t *graphics = NULL;
  ck_buffer_t *buffer = NULL;
  ck_status_t status;
  STEP(ck_graphics_from_gl_buffer(device, name, 0, &graphics));
  STEP(ck_graphics_map(graphics, stream, &buffer));
  STEP(ck_buffer_fill(buffer, 0, BYTES, 1, 1, stream));
  STEP(ck_graphics_unmap(graphics, NULL));
  STEP(ck_graphics_close(graphics, NULL));
done:
  ck_buffer_release(buffer);
  ck_graphics_release(graphics);
  gl->delete_buffer(name);
  return status;
}

static ck_status_t use_image(ck_device_t *device, ck_stream_t *stream)
{
  unsigned name = gl->make_image(WIDTH, HEIGHT, 2, NULL);
  ck_graphics_t *graphics = NULL;
  ck_array_t *array = NULL;
  ck_status_t status;
  STEP(ck_graphics_from_gl_image(device, name, GL_TEXTURE_2D, 0, &graphics));
  STEP(ck_graphics_map_image(graphics, stream));
  STEP(ck_graphics_get_array(graphics, 0, 1, &array));
  STEP(ck_graphics_unmap(graphics, stream));
  STEP(ck_graphics_close(graphics, stream));
done:
  ck_array_release(array);
  ck_graphics_release(graphics);
  gl->delete_image(name);
  return status;
}

TEST(each_call_fails_in_turn)
{
  int kept = 0;
  const Scenario scenarios[] = {
      {"buffers of OpenGL", .run = use_buffer, .kept = &kept, .below = fake_gl_driver()},
      {"images of OpenGL", .run = use_image, .kept = &kept, .below = fake_gl_driver()}};
  CHECK(faults_try(scenarios, COUNT_OF(scenarios)) >= 20);
  CHECK(is_clean());
}

/* Opens the machine's OpenGL, or the fake one for the host device: 0; 77, with the reason printed,
 * if a GPU has none. */
static int open_gl(void)
{
  const char *why;
  bench_open_any(&bench);
  is_fake = ck_device_is_host(bench.device);
  gl = is_fake ? fake_gl() : gl_open(bench.device->ordinal, &why);
  if (!gl) {
    printf("0 passed, 0 failed: no OpenGL: %s\n", why);
    bench_close(&bench);
    return 77;
  }
  if (!is_fake) return 0;
  bench_close(&bench);
  CHECK_OK(device_open(fake_gl_driver(), 0, &bench.device));
  CHECK_OK(ck_stream_create(bench.device, NULL, &bench.stream));
  return 0;
}

int main(void)
{
  int status = open_gl();
  if (status) return status;
  RUN(register_flags);
  RUN(flags_that_are_none);
  RUN(register_default_flags);
  RUN(close_is_idempotent);
  RUN(names_of_nothing);
  RUN(no_context);
  RUN(without_opengl);
  RUN(arguments_that_are_null);
  RUN(map_returns_buffer);
  RUN(bytes_both_ways);
  RUN(last_release_unmaps);
  RUN(buffer_outlives_graphics);
  RUN(strided_memory_view_from_mapped_buffer);
  RUN(map_with_stream);
  RUN(double_map);
  RUN(unmap_without_map);
  RUN(after_close);
  RUN(close_while_mapped);
  RUN(buffer_close_updates_graphics);
  RUN(wrong_kind);
  RUN(captured_streams);
  RUN(register_image_and_map);
  RUN(texels_both_ways);
  RUN(arrays_of_earlier_mappings);
  RUN(layers_and_levels_that_are_none);
  bench_close(&bench);
  if (is_fake) RUN(each_call_fails_in_turn);
  CHECK(atomic_load(&host_live_objects) == 0);
  return tests_report();
}
