/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* texture.c - scales an image to twice its size: point sampling is exact, linear sampling is
 * compared with a loop in C.
 */
#include <math.h>

#include "example.h"
#include "texture.ck.text"

enum { WIDTH = 61, HEIGHT = 37, OUT_WIDTH = 2 * WIDTH - 1, OUT_HEIGHT = 2 * HEIGHT - 1 };

static float image_at(const float *image, int x, int y)
{
  x = x < WIDTH ? x : WIDTH - 1; /* clamped */
  y = y < HEIGHT ? y : HEIGHT - 1;
  return image[y * WIDTH + x];
}

/* The image at column x / 2, row y / 2. */
static float expected(const float *image, int x, int y, int is_linear)
{
  int x0 = x / 2, y0 = y / 2;
  if (!is_linear) return image_at(image, (x + 1) / 2, (y + 1) / 2);
  float top = image_at(image, x0, y0) + image_at(image, x0 + x % 2, y0);
  float low = image_at(image, x0, y0 + y % 2) + image_at(image, x0 + x % 2, y0 + y % 2);
  return (top + low) / 4;
}

static ck_array_t *new_array(const Place *place, ck_dtype_t dtype, size_t width, size_t height,
                             uint32_t flags)
{
  ck_array_options_t shape = CK_OPTIONS_INIT(ck_array_options_t);
  ck_array_t *array;
  shape.dtype = dtype;
  shape.width = width;
  shape.height = height;
  shape.flags = flags;
  TRY(ck_array_create(place->device, &shape, &array));
  return array;
}

static size_t resample(const Place *place, ck_kernel_t *kernel, ck_array_t *array,
                       const float *image, ck_filter_t filter)
{
  ck_texture_options_t how = CK_OPTIONS_INIT(ck_texture_options_t);
  ck_texture_t *texture;
  float *y = array_new((size_t)OUT_WIDTH * OUT_HEIGHT, sizeof *y);
  ck_buffer_t *dy = place_buffer(place, NULL, (size_t)OUT_WIDTH * OUT_HEIGHT * sizeof *y);
  size_t wrong = 0;
  how.filter = filter;
  TRY(ck_texture_from_array(array, &how, &texture));
  TRY(ck_launch(place->stream, NULL, kernel, OUT_HEIGHT, OUT_WIDTH, 0.5f, texture, dy));
  place_read(place, dy, y);
  for (int r = 0; r < OUT_HEIGHT; ++r)
    for (int c = 0; c < OUT_WIDTH; ++c) {
      float is = y[r * OUT_WIDTH + c], want = expected(image, c, r, filter == CK_FILTER_LINEAR);
      wrong += filter == CK_FILTER_LINEAR ? !(fabsf(is - want) <= 1e-3f) : is != want;
    }
  ck_texture_release(texture);
  ck_buffer_release(dy);
  free(y);
  return wrong;
}

/* A small integer as f16. */
static uint16_t half_of(unsigned value)
{
  unsigned exponent = 0;
  if (!value) return 0;
  while (value >> (exponent + 1)) ++exponent;
  return (uint16_t)((15 + exponent) << 10 | (value << (10 - exponent) & 1023));
}

/* Writes through a surface: integers as f16, at the image's own size. */
static size_t resample_to(const Place *place, ck_kernel_t *kernel, ck_array_t *array,
                          const float *image)
{
  uint16_t *y = array_new((size_t)WIDTH * HEIGHT, sizeof *y);
  ck_array_t *out = new_array(place, CK_F16, WIDTH, HEIGHT, CK_ARRAY_SURFACE);
  ck_texture_t *texture;
  ck_surface_t *surface;
  size_t wrong = 0;
  TRY(ck_texture_from_array(array, NULL, &texture));
  TRY(ck_surface_create(out, &surface));
  TRY(ck_launch(place->stream, NULL, kernel, HEIGHT, WIDTH, 1.0f, texture, surface));
  TRY(ck_array_read(out, y, ck_array_bytes(out), place->stream));
  TRY(ck_stream_sync(place->stream));
  for (int i = 0; i < WIDTH * HEIGHT; ++i) wrong += y[i] != half_of((unsigned)image[i]);
  ck_surface_release(surface);
  ck_texture_release(texture);
  ck_array_release(out);
  free(y);
  return wrong;
}

int main(void)
{
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, texture_ck, "resample");
  ck_kernel_t *kernel_to = place_kernel(&place, texture_ck, "resample_to");
  float *image = array_new((size_t)WIDTH * HEIGHT, sizeof *image);
  uint64_t state = 1;
  for (int i = 0; i < WIDTH * HEIGHT; ++i) image[i] = (float)(random_bits(&state) % 256);
  ck_array_t *array = new_array(&place, CK_F32, WIDTH, HEIGHT, 0);
  TRY(ck_array_write(array, image, ck_array_bytes(array), place.stream));
  size_t wrong = resample(&place, kernel, array, image, CK_FILTER_POINT) +
                 resample(&place, kernel, array, image, CK_FILTER_LINEAR) +
                 resample_to(&place, kernel_to, array, image);
  int failed = report(&place, "texture: 61 x 37 elements, point, linear and to a surface", wrong);
  ck_array_release(array);
  ck_kernel_release(kernel);
  ck_kernel_release(kernel_to);
  free(image);
  place_close(&place);
  return failed;
}
