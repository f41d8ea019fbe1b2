/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* softmax.c - a kernel with one block per row; each row of the result sums to 1 and equals the C
 * library's.
 */
#include "example.h"
#include "softmax.ck.text"

#include <math.h>

static size_t softmax(const Place *place, ck_kernel_t *kernel, uint32_t rows, uint32_t n)
{
  size_t count = (size_t)rows * n, wrong = 0;
  float *x = array_new(count, sizeof *x), *y = array_new(count, sizeof *y);
  for (size_t i = 0; i < count; ++i) x[i] = (float)(i * 37 % 101) / 10 - 5;
  ck_buffer_t *dx = place_buffer(place, x, count * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, NULL, count * sizeof *y);
  TRY(ck_launch(place->stream, NULL, kernel, rows, n, dx, dy));
  place_read(place, dy, y);
  for (uint32_t r = 0; r < rows; ++r) {
    const float *row = x + (size_t)r * n;
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += exp(row[i]);
    for (uint32_t i = 0; i < n; ++i)
      wrong += fabs(y[(size_t)r * n + i] - exp(row[i]) / sum) > 1e-5 * exp(row[i]) / sum;
  }
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  free(x);
  free(y);
  return wrong;
}

int main(void)
{
  static const uint32_t sizes[][2] = {{1, 1}, {3, 31}, {2, 256}, {5, 1000}};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, softmax_ck, "softmax<f32>");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += softmax(&place, kernel, sizes[i][0], sizes[i][1]);
  int failed = report(&place, "softmax: 1x1 to 5x1000", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
