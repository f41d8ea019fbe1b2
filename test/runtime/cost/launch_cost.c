/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch_cost.c - measures ck_launch: nanoseconds over a driver whose cuLaunchKernelEx does
 * nothing.
 *
 *   launch_cost [launches]      prints a line per kernel
 */
#include "fixture.h"

static CUresult launch_nothing(const CUlaunchConfig *config, CUfunction function, void **args,
                               void **extra)
{
  (void)config, (void)function, (void)args, (void)extra;
  return CUDA_SUCCESS;
}

static void measure(const char *name, ck_stream_t *stream, ck_kernel_t *kernel,
                    const ck_arg_t *args, size_t arg_count, unsigned launches)
{
  double best = 1;
  for (int round = 0; round < 5; ++round) {
    double start = seconds_now();
    for (unsigned i = 0; i < launches; ++i)
      if (ck_launch_args(stream, NULL, kernel, args, arg_count) != CK_OK) abort();
    double seconds = (seconds_now() - start) / launches;
    if (seconds < best) best = seconds;
  }
  printf("%-10s %zu arguments: %6.1f ns above cuLaunchKernelEx\n", name, arg_count, 1e9 * best);
}

int main(int argc, char **argv)
{
  unsigned launches = argc > 1 ? (unsigned)atoi(argv[1]) : 200000;
  use_private_cache();
  Driver driver = *driver_host();
  driver.cuLaunchKernelEx = launch_nothing;
  Bench bench;
  CHECK_OK(device_open(&driver, 0, &bench.device));
  CHECK_OK(ck_stream_create(bench.device, NULL, &bench.stream));
  CHECK_OK(compile_stub("any", bench.device, &bench.code));
  ck_buffer_t *x = bench_buffer(&bench, 4000), *y = bench_buffer(&bench, 4000),
              *z = bench_buffer(&bench, 4000);
  ck_kernel_t *empty = bench_kernel(&bench, "empty"), *saxpy = bench_kernel(&bench, "saxpy"),
              *sum = bench_kernel(&bench, "block_sum"), *fill2d = bench_kernel(&bench, "fill2d"),
              *scalars = bench_kernel(&bench, "scalars");
  const ck_arg_t saxpy_args[] = {ck_arg(1000), ck_arg(2.0f), ck_arg(x), ck_arg(y), ck_arg(z)};
  const ck_arg_t sum_args[] = {ck_span(x, 10, 500), ck_arg(z)};
  const ck_arg_t fill2d_args[] = {ck_arg(20), ck_arg(50), ck_arg(z)};
  const ck_arg_t scalars_args[] = {
      ck_arg((bool)true),  ck_arg((int8_t)-1), ck_arg((int16_t)-2), ck_arg((int32_t)-3),
      ck_arg((int64_t)-4), ck_arg((uint8_t)5), ck_arg((uint16_t)6), ck_arg((uint32_t)7),
      ck_arg((uint64_t)8), ck_f16(0x3c00),     ck_bf16(0x3f80),     ck_arg(1.5f),
      ck_arg(2.5),         ck_arg(x)};
  measure("empty", bench.stream, empty, NULL, 0, launches);
  measure("saxpy", bench.stream, saxpy, saxpy_args, COUNT_OF(saxpy_args), launches);
  measure("block_sum", bench.stream, sum, sum_args, COUNT_OF(sum_args), launches);
  measure("fill2d", bench.stream, fill2d, fill2d_args, COUNT_OF(fill2d_args), launches);
  measure("scalars", bench.stream, scalars, scalars_args, COUNT_OF(scalars_args), launches);
  ck_kernel_release(scalars);
  ck_kernel_release(empty);
  ck_kernel_release(saxpy);
  ck_kernel_release(sum);
  ck_kernel_release(fill2d);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_buffer_release(z);
  ck_cache_clear();
  bench_close(&bench);
  return 0;
}
