/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ckrt.c - the time from process start to the first result with libckrt; run.sh compares it with
 * driver.c.
 */
#include "scale.ck.h"

#include <stdio.h>

enum { COUNT = 1 << 20 };

static float x[COUNT];

#define TRY(call)                                                                                  \
  if ((call) != CK_OK) return fprintf(stderr, "%s\n", ck_last_error()), 1

int main(void)
{
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *buffer;
  for (int i = 0; i < COUNT; ++i) x[i] = (float)i;
  TRY(ck_device_open(0, &device));
  TRY(ck_stream_create(device, NULL, &stream));
  TRY(ck_buffer_create(device, sizeof x, stream, &buffer));
  TRY(ck_buffer_write(buffer, 0, x, sizeof x, stream));
  TRY(scale_f32_launch(stream, NULL, COUNT, 2, (float *)(uintptr_t)ck_buffer_native(buffer)));
  TRY(ck_buffer_read(buffer, 0, x, sizeof x, stream));
  TRY(ck_stream_sync(stream));
  ck_embedded_close(&scale_ck_embedded);
  ck_buffer_release(buffer);
  ck_stream_release(stream);
  ck_device_release(device);
  return x[COUNT - 1] != 2.0f * (COUNT - 1);
}
