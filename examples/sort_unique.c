/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sort_unique.c - the distinct values of rows, by one block each; and of one long array. */
#include "example.h"
#include "sort_unique.ck.text"

static int compare(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Sorts a row and compares its distinct values. */
static size_t check(uint32_t *row, size_t n, const uint32_t *unique, size_t count)
{
  size_t k = 0, wrong = 0;
  qsort(row, n, sizeof *row, compare);
  for (size_t i = 0; i < n; ++i) {
    if (i > 0 && row[i] == row[i - 1]) continue;
    wrong += k >= count || unique[k] != row[i];
    ++k;
  }
  return wrong + (k != count);
}

static size_t rows_unique(const Place *place, ck_kernel_t *kernel, uint32_t rows, uint32_t n)
{
  size_t all = (size_t)rows * n, wrong = 0;
  uint64_t state = all;
  uint32_t *x = array_new(all, sizeof *x), *y = array_new(all, sizeof *y);
  uint32_t *counts = array_new(rows, sizeof *counts);
  for (size_t i = 0; i < all; ++i) x[i] = random_bits(&state) % 500;
  ck_buffer_t *dx = place_buffer(place, x, all * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, y, all * sizeof *y);
  ck_buffer_t *dcounts = place_buffer(place, NULL, rows * sizeof *counts);
  TRY(ck_launch(place->stream, NULL, kernel, rows, n, dx, dy, dcounts));
  place_read(place, dy, y);
  place_read(place, dcounts, counts);
  for (size_t r = 0; r < rows; ++r) wrong += check(x + r * n, n, y + r * n, counts[r]);
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  ck_buffer_release(dcounts);
  free(x);
  free(y);
  free(counts);
  return wrong;
}

static size_t all_unique(const Place *place, ck_kernel_t *kernel, uint64_t n)
{
  uint64_t state = n, count = 0;
  uint32_t *x = array_new(n, sizeof *x), *y = array_new(n, sizeof *y);
  for (uint64_t i = 0; i < n; ++i) x[i] = random_bits(&state) % 20000;
  ck_buffer_t *dx = place_buffer(place, x, n * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, y, n * sizeof *y);
  ck_buffer_t *dcount = place_buffer(place, NULL, sizeof count);
  TRY(ck_launch(place->stream, NULL, kernel, n, dx, dy, dcount));
  place_read(place, dy, y);
  place_read(place, dcount, &count);
  size_t wrong = check(x, n, y, count);
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  ck_buffer_release(dcount);
  free(x);
  free(y);
  return wrong;
}

int main(void)
{
  static const uint32_t sizes[][2] = {{1, 1}, {7, 333}, {100, 1003}, {3, 1024}};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, sort_unique_ck, "sort_unique");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    wrong += rows_unique(&place, kernel, sizes[i][0], sizes[i][1]);
  ck_kernel_release(kernel);
  kernel = place_kernel(&place, sort_unique_ck, "sort_unique_all");
  wrong += all_unique(&place, kernel, 1) + all_unique(&place, kernel, 100003);
  int failed = report(&place, "sort_unique: 1x1 to 100x1003, and 100003 in all", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
