/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tensor_map.c - transposes a matrix by boxes of a tensor map, then another matrix with the same
 * map.
 */
#include "example.h"
#include "tensor_map.ck.text"

enum { HEIGHT = 100, WIDTH = 72 }; /* a row must be a multiple of 16 bytes */

static size_t transpose(const Place *place, ck_kernel_t *kernel, ck_tensor_map_t *map,
                        const float *x)
{
  float *y = array_new((size_t)WIDTH * HEIGHT, sizeof *y);
  ck_buffer_t *dy = place_buffer(place, NULL, (size_t)WIDTH * HEIGHT * sizeof *y);
  size_t wrong = 0;
  TRY(ck_launch(place->stream, NULL, kernel, HEIGHT, WIDTH, map, dy));
  place_read(place, dy, y);
  for (int r = 0; r < HEIGHT; ++r)
    for (int c = 0; c < WIDTH; ++c) wrong += y[c * HEIGHT + r] != x[r * WIDTH + c];
  ck_buffer_release(dy);
  free(y);
  return wrong;
}

int main(void)
{
  Place place = place_open();
  int has_maps = 0;
  TRY(ck_device_get_attribute(place.device, CK_DEVICE_TENSOR_MAP_ACCESS_SUPPORTED, &has_maps));
  if (!has_maps) {
    place_close(&place);
    return 77; /* before sm_90 */
  }
  ck_kernel_t *kernel = place_kernel(&place, tensor_map_ck, "transpose_by_map");
  float *x = array_new((size_t)WIDTH * HEIGHT, sizeof *x);
  uint64_t state = 1;
  for (int i = 0; i < WIDTH * HEIGHT; ++i) x[i] = random_float(&state, -1, 1);
  ck_buffer_t *first = place_buffer(&place, x, (size_t)WIDTH * HEIGHT * sizeof *x);
  ck_view_t view;
  ck_tensor_map_options_t options = CK_OPTIONS_INIT(ck_tensor_map_options_t);
  ck_tensor_map_t *map;
  options.box[0] = options.box[1] = 32;
  TRY(ck_view_from_buffer(first, 0, CK_F32, 1, 2, (int64_t[]){HEIGHT, WIDTH}, NULL, &view));
  TRY(ck_tensor_map_from_view(&view, &options, &map));
  size_t wrong = transpose(&place, kernel, map, x);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) x[i] = -x[i];
  ck_buffer_t *second = place_buffer(&place, x, (size_t)WIDTH * HEIGHT * sizeof *x);
  TRY(ck_tensor_map_set_buffer(map, second, 0));
  wrong += transpose(&place, kernel, map, x);
  int failed =
      report(&place, "tensor_map: 100 x 72 elements, transposed by boxes of 32 x 32", wrong);
  ck_tensor_map_release(map);
  ck_buffer_release(first);
  ck_buffer_release(second);
  ck_kernel_release(kernel);
  free(x);
  place_close(&place);
  return failed;
}
