/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scan_central.c - the running sums of a long array by scan_central.ck, twice with the same words
 * of memory, in two epochs.
 */
#include "example.h"
#include "scan_central.ck.text"

enum { N = (1 << 20) + 12345, TILE = 12 * 4 * 128, WORDS = N / TILE + 1 };

int main(void)
{
  Place place = place_open();
  int has_copies = 0;
  TRY(ck_device_get_attribute(place.device, CK_DEVICE_TENSOR_MAP_ACCESS_SUPPORTED, &has_copies));
  if (!has_copies) {
    place_close(&place);
    return 77; /* before sm_90 */
  }
  ck_kernel_t *kernel = place_kernel(&place, scan_central_ck, "scan_central");
  float *x = array_new(N, sizeof *x), *y = array_new(N, sizeof *y);
  void *zeros = array_new(WORDS, 8);
  ck_buffer_t *sums = place_buffer(&place, zeros, WORDS * 8),
              *before = place_buffer(&place, zeros, WORDS * 8),
              *dy = place_buffer(&place, NULL, N * sizeof *y);
  size_t wrong = 0;
  for (uint32_t epoch = 1; epoch <= 2; ++epoch) {
    for (int i = 0; i < N; ++i) x[i] = (float)(i % (int)(epoch + 2));
    ck_buffer_t *dx = place_buffer(&place, x, N * sizeof *x);
    TRY(ck_launch(place.stream, NULL, kernel, N, epoch, dx, dy, WORDS, sums, before));
    place_read(&place, dy, y);
    float sum = 0; /* of small integers: exact */
    for (int i = 0; i < N; ++i) {
      sum += x[i];
      wrong += y[i] != sum;
    }
    ck_buffer_release(dx);
  }
  int failed = report(&place, "scan_central: running sums of 1060921 elements", wrong);
  ck_buffer_release(sums);
  ck_buffer_release(before);
  ck_buffer_release(dy);
  ck_kernel_release(kernel);
  free(zeros);
  free(x);
  free(y);
  place_close(&place);
  return failed;
}
