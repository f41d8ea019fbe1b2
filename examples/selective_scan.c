/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* selective_scan.c - the state space model of Mamba, compared with its recurrence in double
 * precision, step by step.
 */
#include "example.h"
#include "selective_scan.ck.text"

#include <math.h>

enum { N = 16 };

static float *random_array(size_t count, float low, float high)
{
  uint64_t state = count + (uint64_t)(high * 1000);
  float *array = array_new(count, sizeof *array);
  for (size_t i = 0; i < count; ++i) array[i] = random_float(&state, low, high);
  return array;
}

static size_t scan(const Place *place, ck_kernel_t *kernel, uint32_t batches, uint32_t channels,
                   uint32_t length)
{
  size_t count = (size_t)batches * channels * length, shared = (size_t)batches * N * length;
  float *x = random_array(count, -1, 1), *dt = random_array(count, 0, 0.1f);
  float *a = random_array((size_t)channels * N, -4, 0), *d = random_array(channels, -1, 1);
  float *b = random_array(shared, -1, 1), *c = random_array(shared, -1, 2);
  float *y = array_new(count, sizeof *y);
  ck_buffer_t *dx = place_buffer(place, x, count * sizeof *x);
  ck_buffer_t *ddt = place_buffer(place, dt, count * sizeof *dt);
  ck_buffer_t *da = place_buffer(place, a, sizeof *a * channels * N);
  ck_buffer_t *db = place_buffer(place, b, shared * sizeof *b);
  ck_buffer_t *dc = place_buffer(place, c, shared * sizeof *c);
  ck_buffer_t *dd = place_buffer(place, d, channels * sizeof *d);
  ck_buffer_t *dy = place_buffer(place, NULL, count * sizeof *y);
  TRY(ck_launch(place->stream, NULL, kernel, batches, channels, length, dx, ddt, da, db, dc, dd,
                dy));
  place_read(place, dy, y);
  size_t wrong = 0;
  for (size_t row = 0; row < (size_t)batches * channels; ++row) {
    size_t channel = row % channels, batch = row / channels;
    double h[N] = {0};
    for (size_t t = 0; t < length; ++t) {
      double step = dt[row * length + t], in = x[row * length + t], sum = d[channel] * in;
      for (size_t n = 0; n < N; ++n) {
        size_t at = (batch * N + n) * length + t;
        h[n] = exp(step * a[channel * N + n]) * h[n] + step * b[at] * in;
        sum += c[at] * h[n];
      }
      wrong += fabs(y[row * length + t] - sum) > 1e-4;
    }
  }
  ck_buffer_release(dx);
  ck_buffer_release(ddt);
  ck_buffer_release(da);
  ck_buffer_release(db);
  ck_buffer_release(dc);
  ck_buffer_release(dd);
  ck_buffer_release(dy);
  free(x);
  free(dt);
  free(a);
  free(b);
  free(c);
  free(d);
  free(y);
  return wrong;
}

int main(void)
{
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, selective_scan_ck, "selective_scan<f32>");
  size_t wrong = scan(&place, kernel, 1, 1, 1) + scan(&place, kernel, 2, 5, 1023) +
                 scan(&place, kernel, 1, 7, 3001);
  int failed = report(&place, "selective_scan: 16 states, 1 to 3001 steps", wrong);
  ck_kernel_release(kernel);
  place_close(&place);
  return failed;
}
