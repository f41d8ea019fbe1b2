/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* spread.c - an algorithm whose result is a struct: it has the same layout in C. */
#include "example.h"
#include "spread.ck.text"

typedef struct MinMax {
  float lo, hi;
} MinMax;

enum { N = 100003 };

int main(void)
{
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, spread_ck, "spread");
  float *x = array_new(N, sizeof *x);
  MinMax want = {0, 0}, got;
  for (int i = 0; i < N; ++i) {
    x[i] = (float)(i * 7919 % N) / 8 - 6000;
    if (i == 0 || x[i] < want.lo) want.lo = x[i];
    if (i == 0 || x[i] > want.hi) want.hi = x[i];
  }
  ck_buffer_t *dx = place_buffer(&place, x, N * sizeof *x);
  ck_buffer_t *result = place_buffer(&place, NULL, sizeof got);
  TRY(ck_launch(place.stream, NULL, kernel, N, dx, result));
  place_read(&place, result, &got);
  int wrong = got.lo != want.lo || got.hi != want.hi;
  printf("spread: %g to %g on %s: %s\n", (double)got.lo, (double)got.hi,
         ck_device_name(place.device), wrong ? "WRONG" : "right");
  ck_buffer_release(dx);
  ck_buffer_release(result);
  ck_kernel_release(kernel);
  place_close(&place);
  free(x);
  return wrong;
}
