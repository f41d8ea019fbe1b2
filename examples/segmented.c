/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* segmented.c - spans that carry their lengths: the grid is derived from the length of the result,
 * and the last segment may be short.
 */
#include "example.h"
#include "segmented.ck.text"

enum { SEGMENT = 256 * 4 };

static size_t segmented(const Place *place, ck_kernel_t *kernel, size_t n)
{
  size_t segments = (n + SEGMENT - 1) / SEGMENT, wrong = 0;
  int32_t *x = array_new(n, sizeof *x), *y = array_new(segments, sizeof *y);
  for (size_t i = 0; i < n; ++i) x[i] = (int32_t)(i % 1009) - 500;
  ck_buffer_t *dx = place_buffer(place, x, n * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, NULL, segments * sizeof *y);
  TRY(ck_launch(place->stream, NULL, kernel, dx, dy));
  place_read(place, dy, y);
  for (size_t s = 0; s < segments; ++s) {
    int32_t sum = 0;
    for (size_t i = s * SEGMENT; i < n && i < (s + 1) * SEGMENT; ++i) sum += x[i];
    wrong += y[s] != sum;
  }
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  free(x);
  free(y);
  return wrong;
}

int main(void)
{
  static const size_t sizes[] = {1, 1023, 1024, 100000};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, segmented_ck, "segmented_reduce<i32>");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += segmented(&place, kernel, sizes[i]);
  int failed = report(&place, "segmented: 1 to 100000 elements", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
