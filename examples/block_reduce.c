/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* block_reduce.c - one kernel with three algorithms: each is an instance, looked up by its name.
 * The last tile may be short.
 */
#include "block_reduce.ck.text"
#include "example.h"

enum { TILE = 128 * 4 };

static size_t reduce(const Place *place, ck_kernel_t *kernel, uint64_t n)
{
  uint64_t tiles = (n + TILE - 1) / TILE, state = n;
  int32_t *x = array_new(n, sizeof *x), *y = array_new(tiles, sizeof *y);
  size_t wrong = 0;
  for (uint64_t i = 0; i < n; ++i) x[i] = (int32_t)(random_bits(&state) % 2001) - 1000;
  ck_buffer_t *dx = place_buffer(place, x, n * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, NULL, tiles * sizeof *y);
  TRY(ck_launch(place->stream, NULL, kernel, n, dx, dy));
  place_read(place, dy, y);
  for (uint64_t tile = 0; tile < tiles; ++tile) {
    int32_t sum = 0;
    for (uint64_t i = tile * TILE; i < n && i < (tile + 1) * TILE; ++i) sum += x[i];
    wrong += y[tile] != sum;
  }
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  free(x);
  free(y);
  return wrong;
}

int main(void)
{
  static const char *const instances[] = {"block_reduce<warp_reductions>", "block_reduce<raking>",
                                          "block_reduce<raking_commutative_only>"};
  static const uint64_t sizes[] = {1, 511, 512, 100003};
  Place place = place_open();
  size_t wrong = 0;
  for (size_t k = 0; k < sizeof instances / sizeof *instances; ++k) {
    ck_kernel_t *kernel = place_kernel(&place, block_reduce_ck, instances[k]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      wrong += reduce(&place, kernel, sizes[i]);
    ck_kernel_release(kernel);
  }
  int failed = report(&place, "block_reduce: 1 to 100003 elements by 3 algorithms", wrong);
  place_close(&place);
  return failed;
}
