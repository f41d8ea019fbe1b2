/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graphics_kernel.c - kernels that draw into OpenGL buffers and images and read them, as in
 * cuda.core's gl_interop_* examples, without a window. On a GPU with OpenGL (support/gl.c). */
#include <math.h>

#include "both.h"
#include "gl.h"

static const char source[] =
    "const T: u32 = 16;\n"
    "fn wave(v: f32) -> u8 = u8(127.5 + 127.0 * sin(v));\n"
    "kernel plasma(h: u32, w: u32, t: f32, pixels: out u8x4[h, w])\n"
    "    launch(block = (T, T), grid = (ceil_div(w, T), ceil_div(h, T)))\n"
    "{\n"
    "    let (y, x) = (block.id.y * T + thread.y, block.id.x * T + thread.x);\n"
    "    if (y < h && x < w) {\n"
    "        let (u, v) = (f32(x) / f32(w), f32(y) / f32(h));\n"
    "        pixels[y, x] = u8x4(wave(10.0 * u + t), wave(8.0 * v - t), wave(u * v + t), 255);\n"
    "    }\n"
    "}\n"
    "kernel spread(h: u32, w: u32, a: in u32[h, w], b: out u32[h, w])\n"
    "    launch(block = (T, T), grid = (ceil_div(w, T), ceil_div(h, T)))\n"
    "{\n"
    "    let (y, x) = (block.id.y * T + thread.y, block.id.x * T + thread.x);\n"
    "    if (y < h && x < w) {\n"
    "        let (up, down) = (a[(y + h - 1) % h, x], a[(y + 1) % h, x]);\n"
    "        let (left, right) = (a[y, (x + w - 1) % w], a[y, (x + 1) % w]);\n"
    "        b[y, x] = (4 * a[y, x] + up + down + left + right) / 8;\n"
    "    }\n"
    "}\n"
    "kernel colour(n: u32, a: in u32[n], pixels: out u8x4[n])\n"
    "    launch(block = 128, grid = ceil_div(n, 128))\n"
    "{\n"
    "    let i = u32(grid.thread_rank);\n"
    "    if (i < n) pixels[i] = u8x4(u8(a[i]), u8(a[i] >> 8), u8(a[i] >> 16), 255);\n"
    "}\n"
    "kernel negative(image: texture<2, u8x4>, w: u32, h: u32, result: surface<2, u8x4>)\n"
    "    launch(block = (T, T), grid = (ceil_div(w, T), ceil_div(h, T)))\n"
    "{\n"
    "    let (y, x) = (block.id.y * T + thread.y, block.id.x * T + thread.x);\n"
    "    if (y < h && x < w) result.store(x, y, u8x4(255) - image.fetch(x, y));\n"
    "}\n"
    "kernel grey(value: u8, w: u32, h: u32, result: surface<2, u8x4>)\n"
    "    launch(block = (T, T), grid = (ceil_div(w, T), ceil_div(h, T)))\n"
    "{\n"
    "    let (y, x) = (block.id.y * T + thread.y, block.id.x * T + thread.x);\n"
    "    if (y < h && x < w) result.store(x, y, u8x4(value, value, value, u8(x + y)));\n"
    "}\n";

enum { WIDTH = 320, HEIGHT = 200, PIXELS = WIDTH * HEIGHT, FRAMES = 4, STEPS = 5 };

static const Gl *gl;
static unsigned char pixels[PIXELS][4];

static ck_graphics_t *register_image(unsigned name)
{
  ck_graphics_t *graphics = NULL;
  CHECK_OK(ck_graphics_from_gl_image(device, name, GL_TEXTURE_2D, CK_GRAPHICS_SURFACE, &graphics));
  return graphics;
}

static int wave(double v)
{
  return (int)(127.5 + 127.0 * sin(v));
}

/* Compares with doubles, up to a difference of one. */
static int is_plasma(double t)
{
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) {
      const unsigned char *p = pixels[y * WIDTH + x];
      double u = (double)x / WIDTH, v = (double)y / HEIGHT;
      if (abs(p[0] - wave(10 * u + t)) > 1 || abs(p[1] - wave(8 * v - t)) > 1 ||
          abs(p[2] - wave(u * v + t)) > 1 || p[3] != 255)
        return 0;
    }
  return 1;
}

/* A frame: map, draw, unmap; then OpenGL uses it. */
TEST(plasma)
{
  unsigned name = gl->make_buffer(sizeof pixels, NULL);
  ck_kernel_t *draw = kernel("plasma");
  ck_graphics_t *graphics = NULL;
  CHECK_OK(ck_graphics_from_gl_buffer(device, name, CK_GRAPHICS_WRITE_DISCARD, &graphics));
  for (int frame = 0; frame < FRAMES; ++frame) {
    ck_buffer_t *buffer = NULL;
    CHECK_OK(ck_graphics_map(graphics, stream, &buffer));
    CHECK_OK(ck_launch(stream, NULL, draw, HEIGHT, WIDTH, 0.25f * (float)frame, buffer));
    CHECK_OK(ck_graphics_unmap(graphics, NULL));
    CHECK_FAILS(ck_launch(stream, NULL, draw, HEIGHT, WIDTH, 0.0f, buffer), CK_INVALID_ARGUMENT);
    ck_buffer_release(buffer);
    gl->read_buffer(name, pixels, sizeof pixels);
    CHECK(is_plasma(0.25 * frame));
  }
  ck_graphics_release(graphics);
  ck_kernel_release(draw);
  gl->delete_buffer(name);
  CHECK(!gl->has_error());
}

static void spread(const uint32_t *a, uint32_t *b)
{
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) {
      const uint32_t *up = a + (y + HEIGHT - 1) % HEIGHT * WIDTH;
      const uint32_t *row = a + y * WIDTH, *down = a + (y + 1) % HEIGHT * WIDTH;
      b[y * WIDTH + x] =
          (4 * row[x] + up[x] + down[x] + row[(x + WIDTH - 1) % WIDTH] + row[(x + 1) % WIDTH]) / 8;
    }
}

/* Several kernels per frame; the last writes the result for OpenGL. */
TEST(fluid)
{
  static uint32_t fields[2][PIXELS];
  unsigned name = gl->make_buffer(sizeof pixels, NULL);
  ck_kernel_t *step = kernel("spread"), *draw = kernel("colour");
  ck_buffer_t *field[2] = {zeros(sizeof *fields), zeros(sizeof *fields)}, *buffer = NULL;
  ck_graphics_t *graphics = NULL;
  for (uint32_t i = 0; i < PIXELS; ++i) fields[0][i] = i % 61 ? 0 : i << 8;
  CHECK_OK(ck_buffer_write(field[0], 0, fields[0], sizeof *fields, stream));
  CHECK_OK(ck_graphics_from_gl_buffer(device, name, CK_GRAPHICS_WRITE_DISCARD, &graphics));
  for (int frame = 0; frame < FRAMES; ++frame) {
    int now = frame * STEPS % 2;
    for (int i = 0; i < STEPS; ++i, now ^= 1) {
      CHECK_OK(ck_launch(stream, NULL, step, HEIGHT, WIDTH, field[now], field[now ^ 1]));
      spread(fields[now], fields[now ^ 1]);
    }
    CHECK_OK(ck_graphics_map(graphics, stream, &buffer));
    CHECK_OK(ck_launch(stream, NULL, draw, PIXELS, field[now], buffer));
    ck_buffer_release(buffer); /* unmaps */
    gl->read_buffer(name, pixels, sizeof pixels);
    int wrong = 0;
    for (int i = 0; i < PIXELS; ++i) {
      uint32_t value = fields[now][i];
      unsigned char wanted[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                 (unsigned char)(value >> 16), 255};
      wrong += memcmp(pixels[i], wanted, sizeof wanted) != 0;
    }
    CHECK(wrong == 0);
  }
  ck_graphics_release(graphics);
  ck_buffer_release(field[0]);
  ck_buffer_release(field[1]);
  ck_kernel_release(step);
  ck_kernel_release(draw);
  gl->delete_buffer(name);
  CHECK(!gl->has_error());
}

/* Reads an OpenGL image through a texture and writes another through a surface. */
TEST(images)
{
  for (int i = 0; i < PIXELS; ++i)
    for (int k = 0; k < 4; ++k) pixels[i][k] = (unsigned char)(i * (2 * k + 1) + i / WIDTH);
  unsigned from = gl->make_image(WIDTH, HEIGHT, 1, pixels);
  unsigned to = gl->make_image(WIDTH, HEIGHT, 1, NULL);
  ck_graphics_t *in = register_image(from), *out = register_image(to);
  ck_kernel_t *negative = kernel("negative");
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  ck_array_t *in_array = NULL, *out_array = NULL;
  ck_texture_t *texture = NULL;
  ck_surface_t *surface = NULL;
  CHECK_OK(ck_graphics_map_image(in, stream));
  CHECK_OK(ck_graphics_map_image(out, stream));
  CHECK_OK(ck_graphics_get_array(in, 0, 0, &in_array));
  CHECK_OK(ck_graphics_get_array(out, 0, 0, &out_array));
  CHECK_OK(ck_texture_from_array(in_array, &how, &texture));
  CHECK_OK(ck_surface_create(out_array, &surface));
  CHECK_OK(ck_launch(stream, NULL, negative, texture, WIDTH, HEIGHT, surface));
  CHECK_OK(ck_graphics_unmap(in, NULL));
  CHECK_FAILS(ck_launch(stream, NULL, negative, texture, WIDTH, HEIGHT, surface),
              CK_INVALID_ARGUMENT);
  CHECK_ERROR("argument 1 'image': its image of OpenGL was unmapped");
  CHECK_OK(ck_graphics_unmap(out, NULL));
  static unsigned char got[PIXELS][4];
  gl->read_image(to, 0, got);
  int wrong = 0;
  for (int i = 0; i < PIXELS; ++i)
    for (int k = 0; k < 4; ++k) wrong += got[i][k] != 255 - pixels[i][k];
  CHECK(wrong == 0);
  ck_surface_release(surface);
  ck_texture_release(texture);
  ck_array_release(in_array);
  ck_array_release(out_array);
  ck_graphics_release(in);
  ck_graphics_release(out);
  ck_kernel_release(negative);
  gl->delete_image(from);
  gl->delete_image(to);
  CHECK(!gl->has_error());
}

TEST(levels_of_an_image)
{
  enum { LEVELS = 4 };
  unsigned name = gl->make_image(WIDTH, HEIGHT, LEVELS, NULL);
  ck_graphics_t *graphics = register_image(name);
  ck_kernel_t *fill = kernel("grey");
  CHECK_OK(ck_graphics_map_image(graphics, stream));
  for (uint32_t level = 0; level < LEVELS; ++level) {
    ck_array_t *array = NULL;
    ck_surface_t *surface = NULL;
    CHECK_OK(ck_graphics_get_array(graphics, 0, level, &array));
    CHECK_OK(ck_surface_create(array, &surface));
    CHECK_OK(ck_launch(stream, NULL, fill, (uint8_t)(60 * level + 3), WIDTH >> level,
                       HEIGHT >> level, surface));
    CHECK_OK(ck_stream_sync(stream));
    ck_surface_release(surface);
    ck_array_release(array);
  }
  CHECK_OK(ck_graphics_close(graphics, NULL));
  for (unsigned level = 0; level < LEVELS; ++level) {
    int width = WIDTH >> level, height = HEIGHT >> level, wrong = 0;
    gl->read_image(name, level, pixels);
    for (int i = 0; i < width * height; ++i)
      wrong += pixels[i][0] != 60 * level + 3 || pixels[i][2] != 60 * level + 3 ||
               pixels[i][3] != (unsigned char)(i % width + i / width);
    CHECK(wrong == 0);
  }
  ck_graphics_release(graphics);
  ck_kernel_release(fill);
  gl->delete_image(name);
  CHECK(!gl->has_error());
}

static int skip(const char *why)
{
  printf("0 passed, 0 failed: no OpenGL: %s\n", why);
  ck_object_code_release(code);
  ck_stream_release(stream);
  ck_device_release(device);
  return 77;
}

int main(void)
{
  const char *why;
  int status = open_both(source);
  if (status) return status;
  if (ck_device_is_host(device)) return skip("the host device shares nothing with it");
  gl = gl_open(ck_device_ordinal(device), &why);
  if (!gl) return skip(why);
  run_all();
  return close_both();
}
