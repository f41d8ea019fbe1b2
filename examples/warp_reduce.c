/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* warp_reduce.c - mean and variance of rows whose mean is large, where the formula with a sum of
 * squares would lose all digits of the variance.
 */
#include "example.h"
#include "warp_reduce.ck.text"

#include <math.h>

static size_t moments(const Place *place, ck_kernel_t *kernel, uint32_t rows, uint32_t n)
{
  size_t count = (size_t)rows * n, wrong = 0;
  uint64_t state = count;
  float *x = array_new(count, sizeof *x);
  float *mean = array_new(rows, sizeof *mean), *variance = array_new(rows, sizeof *variance);
  for (size_t i = 0; i < count; ++i) x[i] = random_float(&state, 999, 1001);
  ck_buffer_t *dx = place_buffer(place, x, count * sizeof *x);
  ck_buffer_t *dmean = place_buffer(place, NULL, rows * sizeof *mean);
  ck_buffer_t *dvariance = place_buffer(place, NULL, rows * sizeof *variance);
  TRY(ck_launch(place->stream, NULL, kernel, rows, n, dx, dmean, dvariance));
  place_read(place, dmean, mean);
  place_read(place, dvariance, variance);
  for (uint32_t r = 0; r < rows; ++r) {
    const float *row = x + (size_t)r * n;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; ++i) sum += row[i];
    for (uint32_t i = 0; i < n; ++i) squares += (row[i] - sum / n) * (row[i] - sum / n);
    wrong += fabs(mean[r] - sum / n) > 1e-3 || fabs(variance[r] - squares / n) > 1e-3;
  }
  ck_buffer_release(dx);
  ck_buffer_release(dmean);
  ck_buffer_release(dvariance);
  free(x);
  free(mean);
  free(variance);
  return wrong;
}

int main(void)
{
  static const uint32_t sizes[][2] = {{1, 1}, {3, 31}, {6, 128}, {1001, 1003}};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, warp_reduce_ck, "warp_reduce");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += moments(&place, kernel, sizes[i][0], sizes[i][1]);
  int failed = report(&place, "warp_reduce: 1x1 to 1001x1003", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
