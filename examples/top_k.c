/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* top_k.c - the greatest elements of rows and their indices, which are two outputs. */
#include "example.h"
#include "top_k.ck.text"

enum { K = 10 };

static int descending(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x < y) - (x > y);
}

static size_t top(const Place *place, ck_kernel_t *kernel, uint32_t rows, uint32_t n)
{
  size_t count = (size_t)rows * n, wrong = 0;
  uint64_t state = count;
  float *x = array_new(count, sizeof *x), *sorted = array_new(n, sizeof *sorted);
  float *values = array_new((size_t)rows * K, sizeof *values);
  uint32_t *indices = array_new((size_t)rows * K, sizeof *indices);
  for (size_t i = 0; i < count; ++i) x[i] = random_float(&state, -1, 1);
  ck_buffer_t *dx = place_buffer(place, x, count * sizeof *x);
  ck_buffer_t *dvalues = place_buffer(place, NULL, sizeof *values * rows * K);
  ck_buffer_t *dindices = place_buffer(place, NULL, sizeof *indices * rows * K);
  TRY(ck_launch(place->stream, NULL, kernel, rows, n, dx, dvalues, dindices));
  place_read(place, dvalues, values);
  place_read(place, dindices, indices);
  for (size_t r = 0; r < rows; ++r) {
    memcpy(sorted, x + r * n, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, descending);
    for (size_t k = 0; k < K; ++k) {
      uint32_t index = indices[r * K + k];
      wrong += values[r * K + k] != sorted[k] || index >= n || x[r * n + index] != sorted[k];
    }
  }
  ck_buffer_release(dx);
  ck_buffer_release(dvalues);
  ck_buffer_release(dindices);
  free(x);
  free(sorted);
  free(values);
  free(indices);
  return wrong;
}

int main(void)
{
  static const uint32_t sizes[][2] = {{1, 10}, {5, 1023}, {3, 1024}, {33, 10007}};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, top_k_ck, "top_k<f32, 10>");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += top(&place, kernel, sizes[i][0], sizes[i][1]);
  int failed = report(&place, "top_k: 10 of 10 to 10007 a row", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
