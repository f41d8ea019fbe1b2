/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run_length_histogram.c - histograms from samples, counted as runs, and from given runs of
 * bins.
 */
#include "example.h"
#include "run_length_histogram.ck.text"

enum { BINS = 50021, LONGEST = 100 };

/* Runs one kernel. x holds samples, or the first bins of runs with their lengths. */
static size_t histogram(const Place *place, ck_kernel_t *kernel, uint64_t n, int is_cover)
{
  uint64_t state = n;
  size_t wrong = 0;
  uint32_t *x = array_new(n, sizeof *x), *lengths = array_new(n, sizeof *lengths);
  uint32_t *counts = array_new(BINS, sizeof *counts), *want = array_new(BINS, sizeof *want);
  ck_buffer_t *dcounts = place_buffer(place, counts, BINS * sizeof *counts); /* zeros */
  for (uint64_t i = 0; i < n; ++i) {
    uint32_t bits = random_bits(&state);
    x[i] = bits % 3 ? bits % (BINS - LONGEST) : 7; /* one bin gets a third of all samples */
    lengths[i] = is_cover ? random_bits(&state) % LONGEST : 1;
    for (uint32_t k = 0; k < lengths[i]; ++k) ++want[x[i] + k];
  }
  ck_buffer_t *dx = place_buffer(place, x, n * sizeof *x);
  ck_buffer_t *dlengths = place_buffer(place, lengths, n * sizeof *lengths);
  if (is_cover) TRY(ck_launch(place->stream, NULL, kernel, n, BINS, dx, dlengths, dcounts));
  else TRY(ck_launch(place->stream, NULL, kernel, n, BINS, dx, dcounts));
  place_read(place, dcounts, counts);
  for (int i = 0; i < BINS; ++i) wrong += counts[i] != want[i];
  ck_buffer_release(dx);
  ck_buffer_release(dlengths);
  ck_buffer_release(dcounts);
  free(x);
  free(lengths);
  free(counts);
  free(want);
  return wrong;
}

int main(void)
{
  static const char *const names[] = {"run_length_histogram", "run_length_cover"};
  static const uint64_t sizes[] = {1, 1023, 100003};
  Place place = place_open();
  size_t wrong = 0;
  for (int k = 0; k < 2; ++k) {
    ck_kernel_t *kernel = place_kernel(&place, run_length_histogram_ck, names[k]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      wrong += histogram(&place, kernel, sizes[i], k);
    ck_kernel_release(kernel);
  }
  int failed = report(&place, "run_length_histogram: 1 to 100003 samples or runs", wrong);
  place_close(&place);
  return failed;
}
