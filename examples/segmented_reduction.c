/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* segmented_reduction.c - sums of segments given by an array of offsets: first three segments of
 * four numbers each, then 10007 of all lengths, including empty ones.
 */
#include "example.h"
#include "segmented_reduction.ck.text"

static size_t reduce(const Place *place, ck_kernel_t *kernel, uint32_t segments,
                     const uint64_t *offsets, const int32_t *x)
{
  uint64_t n = offsets[segments];
  int32_t *y = array_new(segments, sizeof *y);
  ck_buffer_t *doffsets = place_buffer(place, offsets, (segments + 1) * sizeof *offsets);
  ck_buffer_t *dx = place_buffer(place, x, n * sizeof *x);
  ck_buffer_t *dy = place_buffer(place, NULL, segments * sizeof *y);
  TRY(ck_launch(place->stream, NULL, kernel, segments, n, doffsets, dx, dy));
  place_read(place, dy, y);
  size_t wrong = 0;
  for (uint32_t s = 0; s < segments; ++s) {
    int32_t sum = 0;
    for (uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) sum += x[i];
    wrong += y[s] != sum;
  }
  ck_buffer_release(doffsets);
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  free(y);
  return wrong;
}

int main(void)
{
  enum { SEGMENTS = 10007, LONGEST = 1009 };
  static const uint64_t three[] = {0, 4, 8, 12};
  static const int32_t twelve[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, segmented_reduction_ck, "segmented_reduction");
  size_t wrong = reduce(&place, kernel, 3, three, twelve);

  uint64_t *offsets = array_new(SEGMENTS + 1, sizeof *offsets);
  for (uint64_t s = 0; s < SEGMENTS; ++s) offsets[s + 1] = offsets[s] + s * s % LONGEST;
  int32_t *x = array_new(offsets[SEGMENTS], sizeof *x);
  for (uint64_t i = 0; i < offsets[SEGMENTS]; ++i) x[i] = (int32_t)(i % 2001) - 1000;
  wrong += reduce(&place, kernel, SEGMENTS, offsets, x);

  int failed = report(&place, "segmented_reduction: 3 and 10007 segments", wrong);
  free(offsets);
  free(x);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
