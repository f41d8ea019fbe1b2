/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* inverse.c - inverts matrices of several sizes by instances of one kernel, and checks that a
 * matrix times its inverse is the identity. The diagonals are zero, so that every matrix needs
 * pivoting.
 */
#include "example.h"
#include "inverse.ck.text"

#include <math.h>

static size_t inverse(const Place *place, uint32_t n, uint64_t matrices)
{
  char instance[32];
  snprintf(instance, sizeof instance, "inverse<f32, %u>", n);
  ck_kernel_t *kernel = place_kernel(place, inverse_ck, instance);
  size_t each = (size_t)n * n, bytes = sizeof(float) * matrices * each, wrong = 0;
  uint64_t state = n;
  float *a = array_new(matrices * each, sizeof *a), *b = array_new(matrices * each, sizeof *b);
  for (size_t i = 0; i < matrices * each; ++i) {
    size_t r = i % each / n, c = i % n; /* large elements next to the diagonal */
    float value = random_float(&state, -0.5f, 0.5f);
    a[i] = n > 1 && r == c ? 0 : c == (r + 1) % n ? value + (float)n : value;
  }
  ck_buffer_t *da = place_buffer(place, a, bytes), *db = place_buffer(place, NULL, bytes);
  TRY(ck_launch(place->stream, NULL, kernel, matrices, da, db));
  place_read(place, db, b);
  for (size_t i = 0; i < matrices * each; ++i) {
    const float *m = a + i / each * each, *inverted = b + i / each * each;
    size_t r = i % each / n, c = i % n;
    double sum = 0;
    for (size_t k = 0; k < n; ++k) sum += (double)m[r * n + k] * inverted[k * n + c];
    wrong += !(fabs(sum - (r == c)) < 1e-5);
  }
  ck_buffer_release(da);
  ck_buffer_release(db);
  ck_kernel_release(kernel);
  free(a);
  free(b);
  return wrong;
}

int main(void)
{
  Place place = place_open();
  size_t wrong = inverse(&place, 1, 1) + inverse(&place, 3, 127) + inverse(&place, 4, 100003) +
                 inverse(&place, 8, 1001);
  int failed = report(&place, "inverse: matrices of 1x1 to 8x8", wrong);
  place_close(&place);
  return failed;
}
