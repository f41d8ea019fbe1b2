/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* odd_sorted.c - a number of elements that is computed on the device and used there. */
#include "example.h"
#include "odd_sorted.ck.text"

enum { N = 20011 };

static int compare(const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

int main(void)
{
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, odd_sorted_ck, "odd_sorted");
  int32_t *x = array_new(N, sizeof *x), *y = array_new(N, sizeof *y),
          *odd = array_new(N, sizeof *odd);
  uint64_t count = 0, wrong = 0, got;
  for (int i = 0; i < N; ++i) {
    x[i] = (int32_t)((uint32_t)i * 2654435761u);
    if (x[i] & 1) odd[count++] = x[i];
  }
  qsort(odd, count, sizeof *odd, compare);
  ck_buffer_t *dx = place_buffer(&place, x, N * sizeof *x);
  ck_buffer_t *dy = place_buffer(&place, NULL, N * sizeof *y);
  ck_buffer_t *result = place_buffer(&place, NULL, sizeof got);
  TRY(ck_launch(place.stream, NULL, kernel, N, dx, dy, result));
  place_read(&place, result, &got);
  /* The rest of y wasn't written. */
  if (got <= N) TRY(ck_buffer_read(dy, 0, y, got * sizeof *y, place.stream));
  TRY(ck_stream_sync(place.stream));
  wrong = got != count;
  for (uint64_t i = 0; i < count; ++i) wrong += y[i] != odd[i];
  printf("odd_sorted: %llu of %d on %s: %s\n", (unsigned long long)got, N,
         ck_device_name(place.device), wrong ? "WRONG" : "right");
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  ck_buffer_release(result);
  ck_kernel_release(kernel);
  place_close(&place);
  free(x);
  free(y);
  free(odd);
  return wrong != 0;
}
