/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* transpose.c - two-dimensional arrays and grids: extents are arguments of the launch, and the grid
 * is computed from them.
 */
#include "example.h"
#include "transpose.ck.text"

static size_t transpose(const Place *place, ck_kernel_t *kernel, uint32_t h, uint32_t w)
{
  size_t n = (size_t)h * w, wrong = 0;
  float *a = array_new(n, sizeof *a), *b = array_new(n, sizeof *b);
  for (size_t i = 0; i < n; ++i) a[i] = (float)i;
  ck_buffer_t *da = place_buffer(place, a, n * sizeof *a);
  ck_buffer_t *db = place_buffer(place, NULL, n * sizeof *b);
  TRY(ck_launch(place->stream, NULL, kernel, h, w, da, db));
  place_read(place, db, b);
  for (size_t r = 0; r < h; ++r)
    for (size_t c = 0; c < w; ++c) wrong += b[c * h + r] != a[r * w + c];
  ck_buffer_release(da);
  ck_buffer_release(db);
  free(a);
  free(b);
  return wrong;
}

int main(void)
{
  static const uint32_t sizes[][2] = {{1, 1}, {1, 33}, {31, 32}, {1000, 4}, {1003, 997}};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, transpose_ck, "transpose");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += transpose(&place, kernel, sizes[i][0], sizes[i][1]);
  int failed = report(&place, "transpose: 1x1 to 1003x997", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
