/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sort_tile.c - sorts tiles of 1024 keys with their values; the last tile may be short. */
#include "example.h"
#include "sort_tile.ck.text"

enum { TILE = 128 * 8 };

static size_t sort_tiles(const Place *place, ck_kernel_t *kernel, uint64_t n)
{
  uint32_t *keys = array_new(n, sizeof *keys), *sorted = array_new(n, sizeof *sorted), odd = 0;
  float *vals = array_new(n, sizeof *vals);
  size_t wrong = 0;
  for (uint64_t i = 0; i < n; ++i) {
    keys[i] = (uint32_t)i * 2654435761u >> 22; /* each key occurs several times */
    vals[i] = (float)(2 * i);
  }
  ck_buffer_t *dkeys = place_buffer(place, keys, n * sizeof *keys);
  ck_buffer_t *dvals = place_buffer(place, vals, n * sizeof *vals);
  ck_buffer_t *dodd = place_buffer(place, &odd, sizeof odd);
  TRY(ck_launch(place->stream, NULL, kernel, n, dkeys, dvals, dodd));
  place_read(place, dkeys, sorted);
  place_read(place, dvals, vals);
  for (uint64_t i = 0; i < n; ++i) {
    /* the original position: same tile, same key, after equal keys that were before it */
    uint64_t from = (uint64_t)vals[i];
    wrong += from / TILE != i / TILE || keys[from] != sorted[i];
    if (i % TILE == 0) continue;
    wrong += sorted[i - 1] > sorted[i] || (sorted[i - 1] == sorted[i] && vals[i - 1] >= vals[i]);
  }
  ck_buffer_release(dkeys);
  ck_buffer_release(dvals);
  ck_buffer_release(dodd);
  free(keys);
  free(sorted);
  free(vals);
  return wrong;
}

int main(void)
{
  static const uint64_t sizes[] = {1, 1000, 1024, 50000};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, sort_tile_ck, "sort_tile");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += sort_tiles(&place, kernel, sizes[i]);
  int failed = report(&place, "sort_tile: 1 to 50000 keys", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
