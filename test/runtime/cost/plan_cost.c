/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* plan_cost.c - measures the launch of algorithms of several kernels: nanoseconds over a driver
 * whose cuLaunchKernelEx does nothing, for the call and for each kernel.
 *
 *   plan_cost [launches]      prints a line per algorithm and size
 */
#include "fixture.h"

static const char source[] =
    "algorithm sum(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);\n"
    "algorithm running(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y, +); }\n"
    "algorithm merged(n: u64, x: in u32[n], y: out u32[n]) { merge_sort(x, y, <); }\n"
    "algorithm sorted(n: u64, x: in u32[n], y: out u32[n]) { radix_sort(x, to = y); }\n";

static unsigned kernels;

static CUresult launch_nothing(const CUlaunchConfig *config, CUfunction function, void **args,
                               void **extra)
{
  (void)config, (void)function, (void)args, (void)extra;
  ++kernels;
  return CUDA_SUCCESS;
}

static Bench bench;

static void measure(const char *name, uint64_t n, ck_buffer_t *x, ck_buffer_t *y, unsigned launches)
{
  const ck_arg_t args[] = {ck_arg(n), ck_arg(x), ck_arg(y)};
  ck_kernel_t *kernel = bench_kernel(&bench, name);
  double best = 1;
  CHECK_OK(ck_launch_args(bench.stream, NULL, kernel, args, COUNT_OF(args))); /* opens the steps */
  kernels = 0;
  for (int round = 0; round < 5; ++round) {
    double start = seconds_now();
    for (unsigned i = 0; i < launches; ++i)
      if (ck_launch_args(bench.stream, NULL, kernel, args, COUNT_OF(args)) != CK_OK) abort();
    double seconds = (seconds_now() - start) / launches;
    if (seconds < best) best = seconds;
  }
  double each = (double)kernels / launches / 5;
  printf("%-8s %8llu elements, %4.0f kernels: %7.1f ns above cuLaunchKernelEx, %6.1f a kernel\n",
         name, (unsigned long long)n, each, 1e9 * best, 1e9 * best / each);
  ck_kernel_release(kernel);
}

int main(int argc, char **argv)
{
  unsigned launches = argc > 1 ? (unsigned)atoi(argv[1]) : 20000;
  const char *build = getenv("CK_BUILD");
  char path[4096];
  snprintf(path, sizeof path, "%s/lib/libckc.so", build ? build : ".");
  if (build && !getenv("CK_LIBCKC")) setenv("CK_LIBCKC", path, 1);
  use_private_cache();
  Driver driver = *driver_host();
  driver.cuLaunchKernelEx = launch_nothing;
  CHECK_OK(device_open(&driver, 0, &bench.device));
  CHECK_OK(ck_stream_create(bench.device, NULL, &bench.stream));
  ck_program_t *program;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.flags = CK_COMPILE_CHECK; /* the forms of a GPU */
  options.opt_level = CK_OPT_1;
  if (ck_program_create(source, sizeof source - 1, &options, &program) ||
      ck_program_compile(program, bench.device, &bench.code)) {
    printf("%s\n", ck_last_error());
    return strstr(ck_last_error(), "CK_UNAVAILABLE") ? 77 : 1;
  }
  static const uint64_t sizes[] = {1 << 10, 1 << 16, 1 << 20};
  ck_buffer_t *x = bench_buffer(&bench, 4 << 20), *y = bench_buffer(&bench, 4 << 20);
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    measure("sum", sizes[i], x, y, launches);
    measure("running", sizes[i], x, y, launches);
    measure("merged", sizes[i], x, y, launches);
    measure("sorted", sizes[i], x, y, launches);
  }
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_program_release(program);
  bench_close(&bench);
  return tests_report();
}
