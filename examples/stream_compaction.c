/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stream_compaction.c - compaction in one pass that keeps the order: blocks publish how many
 * elements they keep, and no block waits for a later one. Cases: no element, a part, and all are
 * kept.
 */
#include "example.h"
#include "stream_compaction.ck.text"

enum { TILE = 128 * 8 };

static size_t compact(const Place *place, ck_kernel_t *kernel, uint64_t n, float limit)
{
  uint64_t tiles = (n + TILE - 1) / TILE, state = n, kept = 0, got;
  float *x = array_new(n, sizeof *x), *y = array_new(n, sizeof *y);
  uint64_t *zeros = array_new(tiles, sizeof *zeros);
  size_t wrong = 0;
  for (uint64_t i = 0; i < n; ++i) x[i] = random_float(&state, -1, 1);
  ck_buffer_t *dx = place_buffer(place, x, n * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, y, n * sizeof *y);
  ck_buffer_t *dkept = place_buffer(place, NULL, sizeof kept);
  ck_buffer_t *dtiles = place_buffer(place, zeros, tiles * sizeof *zeros);
  TRY(ck_launch(place->stream, NULL, kernel, n, limit, dx, dy, dkept, dtiles));
  place_read(place, dy, y);
  place_read(place, dkept, &got);
  for (uint64_t i = 0; i < n; ++i)
    if (x[i] > limit) wrong += y[kept++] != x[i];
  wrong += got != kept;
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  ck_buffer_release(dkept);
  ck_buffer_release(dtiles);
  free(x);
  free(y);
  free(zeros);
  return wrong;
}

int main(void)
{
  static const uint64_t sizes[] = {1, 1023, 1025, 1000003};
  static const float limits[] = {-2, 0, 0.99f, 2};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, stream_compaction_ck, "stream_compaction");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (size_t k = 0; k < sizeof limits / sizeof *limits; ++k)
      wrong += compact(&place, kernel, sizes[i], limits[k]);
  int failed = report(&place, "stream_compaction: 1 to 1000003 elements", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
