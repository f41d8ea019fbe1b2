/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stencil.c - many launches in one stream: 100 steps of heat flow between two buffers that are
 * swapped. The host waits only before it reads the result.
 */
#include "example.h"
#include "stencil.ck.text"

enum { H = 157, W = 211, STEPS = 100 };

static float at(const float *a, int r, int c)
{
  return r < 0 || c < 0 || r >= H || c >= W ? 0 : a[r * W + c];
}

static void step(const float *a, float *b, float rate)
{
  for (int r = 0; r < H; ++r)
    for (int c = 0; c < W; ++c) {
      float mean = 0.25f * (at(a, r - 1, c) + at(a, r + 1, c) + at(a, r, c - 1) + at(a, r, c + 1));
      b[r * W + c] = at(a, r, c) + rate * (mean - at(a, r, c));
    }
}

int main(void)
{
  const float rate = 0.75f, tolerance = 1e-4f;
  size_t bytes = sizeof(float) * H * W, wrong = 0;
  float *a = array_new(H * W, sizeof *a), *b = array_new(H * W, sizeof *b);
  float *result = array_new(H * W, sizeof *result);
  for (int i = 0; i < H * W; ++i) a[i] = (float)(i * 7919 % 100);
  Place place = place_open();
  ck_kernel_t *kernel = place_kernel(&place, stencil_ck, "stencil");
  ck_buffer_t *da = place_buffer(&place, a, bytes), *db = place_buffer(&place, NULL, bytes);
  for (int i = 0; i < STEPS; i += 2) {
    TRY(ck_launch(place.stream, NULL, kernel, H, W, rate, da, db));
    TRY(ck_launch(place.stream, NULL, kernel, H, W, rate, db, da));
  }
  place_read(&place, da, result);
  for (int i = 0; i < STEPS; i += 2) {
    step(a, b, rate);
    step(b, a, rate);
  }
  for (int i = 0; i < H * W; ++i) {
    float difference = result[i] - a[i];
    wrong += !(difference < tolerance && difference > -tolerance);
  }
  int failed = report(&place, "stencil: 100 steps on 157x211 points", wrong);
  ck_buffer_release(da);
  ck_buffer_release(db);
  ck_kernel_release(kernel);
  place_close(&place);
  free(a);
  free(b);
  free(result);
  return failed;
}
