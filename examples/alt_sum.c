/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* alt_sum.c - launches an algorithm, which works like a kernel launch: the result goes to device
 * memory, passed as the last argument. The host waits only before it reads the result.
 */
#include "alt_sum.ck.text"
#include "example.h"

int main(void)
{
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, alt_sum_ck, "alt_sum");
  ck_buffer_t *result;
  TRY(ck_buffer_create(place.device, sizeof(int64_t), place.stream, &result));
  int wrong = 0;
  for (int64_t n = 0; n < 100000; n = 3 * n + 1) {
    int64_t sum = 0, want = n % 2 ? (n + 1) / 2 : -n / 2;
    TRY(ck_launch(place.stream, NULL, kernel, (uint64_t)n, result));
    TRY(ck_buffer_read(result, 0, &sum, sizeof sum, place.stream));
    TRY(ck_stream_sync(place.stream));
    wrong += sum != want;
  }
  printf("alt_sum: on %s: %s\n", ck_device_name(place.device), wrong ? "WRONG" : "right");
  ck_buffer_release(result);
  ck_kernel_release(kernel);
  place_close(&place);
  return wrong != 0;
}
