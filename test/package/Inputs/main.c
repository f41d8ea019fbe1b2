/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* main.c - launches both kernels on the host device and prints their results. */
#include "double.ck.h"
#include "plain.ck.h"

#include <stdio.h>

ck_status_t launch_set(ck_stream_t *stream, float *x);

int main(void)
{
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *buffer;
  float values[2] = {4, 0};
  if (ck_device_open_host(&device) || ck_stream_create(device, NULL, &stream) ||
      ck_buffer_create(device, sizeof values, stream, &buffer) ||
      ck_buffer_write(buffer, 0, values, sizeof values, stream))
    return 1;
  float *x = (float *)(uintptr_t)ck_buffer_native(buffer);
  if (twice_f32_launch(stream, NULL, 1, x) || launch_set(stream, x + 1) ||
      ck_buffer_read(buffer, 0, values, sizeof values, stream) || ck_stream_sync(stream)) {
    fprintf(stderr, "%s\n", ck_last_error());
    return 1;
  }
  printf("%g %g\n", values[0], values[1]);
  ck_buffer_release(buffer);
  ck_stream_release(stream);
  ck_device_release(device);
  return 0;
}
