/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vector_add.c - the smallest complete program: compile, copy in, launch, copy out, compare.
 *
 * The grid comes from the kernel's launch contract, so one call serves every length.
 */
#include "example.h"
#include "vector_add.ck.text"

static size_t add(const Place *place, ck_kernel_t *kernel, uint64_t n)
{
  float *a = array_new(n, sizeof *a), *b = array_new(n, sizeof *b), *c = array_new(n, sizeof *c);
  for (uint64_t i = 0; i < n; ++i) {
    a[i] = (float)(i % 1000);
    b[i] = 0.5f * (float)(i % 777);
  }
  ck_buffer_t *da = place_buffer(place, a, n * sizeof *a);
  ck_buffer_t *db = place_buffer(place, b, n * sizeof *b);
  ck_buffer_t *dc = place_buffer(place, NULL, n * sizeof *c);
  TRY(ck_launch(place->stream, NULL, kernel, n, da, db, dc));
  place_read(place, dc, c);
  size_t wrong = 0;
  for (uint64_t i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
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
  static const uint64_t lengths[] = {1, 31, 33, 256, 257, 1000003};
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, vector_add_ck, "vector_add");
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    wrong += add(&place, kernel, lengths[i]);
  int failed = report(&place, "vector_add: 1 to 1000003 elements", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
