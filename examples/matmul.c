/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* matmul.c - matrix products of awkward sizes, compared with a loop on the CPU. */
#include "example.h"
#include "matmul.ck.text"

static size_t multiply(const Place *place, ck_kernel_t *kernel, uint32_t m, uint32_t k, uint32_t n)
{
  float *a = array_new((size_t)m * k, sizeof *a), *b = array_new((size_t)k * n, sizeof *b);
  float *c = array_new((size_t)m * n, sizeof *c);
  for (size_t i = 0; i < (size_t)m * k; ++i) a[i] = (float)(i % 13) - 6;
  for (size_t i = 0; i < (size_t)k * n; ++i) b[i] = (float)(i % 7) - 3;
  ck_buffer_t *da = place_buffer(place, a, sizeof *a * m * k);
  ck_buffer_t *db = place_buffer(place, b, sizeof *b * k * n);
  ck_buffer_t *dc = place_buffer(place, NULL, sizeof *c * m * n);
  TRY(ck_launch(place->stream, NULL, kernel, m, k, n, da, db, dc));
  place_read(place, dc, c);
  size_t wrong = 0;
  for (size_t row = 0; row < m; ++row)
    for (size_t col = 0; col < n; ++col) {
      float sum = 0; /* of small integers: exact in any order */
      for (size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
      wrong += c[row * n + col] != sum;
    }
  ck_buffer_release(da);
  ck_buffer_release(db);
  ck_buffer_release(dc);
  free(a);
  free(b);
  free(c);
  return wrong;
}

int main(void)
{
  static const uint32_t sizes[][3] = {{1, 1, 1}, {1, 31, 33}, {16, 16, 16}, {257, 100, 131}};
  static const char *const names[] = {"matmul", "matmul_async"};
  Place place = place_open();
  size_t wrong = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    ck_kernel_t *kernel = place_kernel(&place, matmul_ck, names[k]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      wrong += multiply(&place, kernel, sizes[i][0], sizes[i][1], sizes[i][2]);
    ck_kernel_release(kernel);
  }
  int failed = report(&place, "matmul, matmul_async: 1x1x1 to 257x100x131", wrong);
  place_close(&place);
  return failed;
}
