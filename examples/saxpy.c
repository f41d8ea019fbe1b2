/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* saxpy.c - the walk-through at the start of the guide to CUDA Python, call by call: text is
 * compiled while the program runs, loaded, and launched with 32768 blocks of 512 threads.
 *
 * The kernel has no launch contract, so the launch specifies block and grid.
 */
#include "example.h"

enum { BLOCKS = 32768, THREADS = 512, N = BLOCKS * THREADS };

static const char saxpy[] =
    "kernel saxpy(a: f32, x: in f32[n], y: in f32[n], out: out f32[n], n: u64)\n"
    "{\n"
    "    let i = grid.thread_rank;\n"
    "    if (i < n) out[i] = a * x[i] + y[i];\n"
    "}\n";

int main(void)
{
  const float a = 2;
  float *x = array_new(N, sizeof *x), *y = array_new(N, sizeof *y), *z = array_new(N, sizeof *z);
  for (int i = 0; i < N; ++i) {
    x[i] = (float)(i % 4096);
    y[i] = (float)(i % 1023);
  }

  /* A device: the first GPU, or the host. The rest is the same on both. */
  ck_device_t *device;
  ck_stream_t *stream;
  TRY(ck_device_open_auto(&device));
  TRY(ck_stream_create(device, NULL, &stream));

  /* Compile the text for this device; the second run of this program finds the code in the
   * cache. */
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  TRY(ck_program_create(saxpy, strlen(saxpy), NULL, &program));
  TRY(ck_program_compile(program, device, &code));
  TRY(ck_kernel_from_code(code, device, "saxpy", &kernel));

  /* Allocate memory, and copy the inputs. */
  ck_buffer_t *dx, *dy, *dz;
  TRY(ck_buffer_create(device, N * sizeof *x, stream, &dx));
  TRY(ck_buffer_create(device, N * sizeof *y, stream, &dy));
  TRY(ck_buffer_create(device, N * sizeof *z, stream, &dz));
  TRY(ck_buffer_write(dx, 0, x, N * sizeof *x, stream));
  TRY(ck_buffer_write(dy, 0, y, N * sizeof *y, stream));

  /* Launch. Number, types and lengths of the arguments are checked against the kernel. */
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = BLOCKS;
  config.block[0] = THREADS;
  TRY(ck_launch(stream, &config, kernel, a, dx, dy, dz, N));

  TRY(ck_buffer_read(dz, 0, z, N * sizeof *z, stream));
  TRY(ck_stream_sync(stream));
  size_t wrong = 0;
  for (int i = 0; i < N; ++i) wrong += z[i] != a * x[i] + y[i];
  printf("saxpy: %d blocks of %d threads on %s: %s\n", BLOCKS, THREADS, ck_device_name(device),
         wrong ? "WRONG" : "right");

  /* Release in any order: objects are reference counted, and stay while others need them. */
  ck_buffer_release(dx);
  ck_buffer_release(dy);
  ck_buffer_release(dz);
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_stream_release(stream);
  ck_device_release(device);
  free(x);
  free(y);
  free(z);
  return wrong != 0;
}
