/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - the time of a launch through ck_launch beside the driver's own call, and the speed of
 * saxpy.
 *
 * The launches are those of CUDA's smallest benchmark: 500 in a row of an empty kernel with three
 * arguments, 4 blocks of 256. Driver and runtime alternate, so that both run under the same
 * conditions. saxpy is timed as by nvcc's peer: 10 launches between two events, median of 15.
 *
 * Prints CSV: who,workload,value,unit. Exit 77 without a GPU.
 */
#include "bench.h"

static const char source[] =
    "kernel empty(x: in f32[1], a: f32, n: u64) {}\n"
    "kernel saxpy(a: f32, x: in f32[n], y: in f32[n], z: out f32[n], n: u64)\n"
    "    launch(block = 256, grid = ceil_div(n, 256))\n"
    "{\n"
    "    let i = grid.thread_rank;\n"
    "    if (i < n) z[i] = a * x[i] + y[i];\n"
    "}\n";

typedef int driver_launch_fn(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                             unsigned by, unsigned bz, unsigned shared_bytes, void *stream,
                             void **args, void **extra);

enum { LAUNCHES = 500 };

static void bench_launch(ck_device_t *device, ck_stream_t *stream, ck_object_code_t *code)
{
  static const char *const name = "cuLaunchKernel";
  driver_launch_fn *driver_launch;
  open_driver(&name, 1, &driver_launch);
  ck_kernel_t *kernel;
  ck_buffer_t *buffer;
  TRY(ck_kernel_from_code(code, device, "empty", &kernel));
  TRY(ck_buffer_create(device, 1 << 20, stream, &buffer));
  ck_launch_config_t config = CK_OPTIONS_INIT(ck_launch_config_t);
  config.grid[0] = 4;
  config.block[0] = 256;
  uint64_t address = ck_buffer_native(buffer), n = 1024;
  float a = 1;
  void *args[] = {&address, &a, &n}, *native = ck_kernel_native(kernel),
       *queue = ck_stream_native(stream);
  double ours[ROUNDS], theirs[ROUNDS];
  for (int i = 0; i < 1000; ++i) TRY(ck_launch(stream, &config, kernel, buffer, a, n));
  TRY(ck_stream_sync(stream));
  for (int round = 0; round < ROUNDS; ++round) {
    double start = now_us();
    for (int i = 0; i < LAUNCHES; ++i)
      driver_launch(native, 4, 1, 1, 256, 1, 1, 0, queue, args, NULL);
    theirs[round] = (now_us() - start) / LAUNCHES;
    TRY(ck_stream_sync(stream));
    start = now_us();
    for (int i = 0; i < LAUNCHES; ++i) TRY(ck_launch(stream, &config, kernel, buffer, a, n));
    ours[round] = (now_us() - start) / LAUNCHES;
    TRY(ck_stream_sync(stream));
  }
  double us = median(ours, ROUNDS), driver_us = median(theirs, ROUNDS);
  row("driver", "launch_enqueue", driver_us, "us");
  row("ck", "launch_enqueue", us, "us");
  row("ck", "launch_enqueue_ratio", us / driver_us, "x");
  ck_buffer_release(buffer);
  ck_kernel_release(kernel);
}

static void bench_saxpy(ck_device_t *device, ck_stream_t *stream, ck_object_code_t *code,
                        const char *who, size_t n)
{
  ck_kernel_t *kernel;
  ck_buffer_t *x, *y, *z;
  ck_event_t *start, *end;
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  timing.flags = CK_EVENT_TIMING;
  TRY(ck_kernel_from_code(code, device, "saxpy", &kernel));
  TRY(ck_buffer_create(device, n * 4, stream, &x));
  TRY(ck_buffer_create(device, n * 4, stream, &y));
  TRY(ck_buffer_create(device, n * 4, stream, &z));
  TRY(ck_event_create(device, &timing, &start));
  TRY(ck_event_create(device, &timing, &end));
  float *host = malloc(n * 4), *back = malloc(n * 4);
  if (!host || !back) exit(1);
  uint64_t state = 1;
  for (size_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    host[i] = (float)(state >> 40) * 0x1p-24f;
  }
  TRY(ck_buffer_write(x, 0, host, n * 4, stream));
  TRY(ck_buffer_write(y, 0, host, n * 4, stream));
  double us[ROUNDS];
  for (int i = 0; i < 5; ++i) TRY(ck_launch(stream, NULL, kernel, 2.0f, x, y, z, n));
  for (int round = 0; round < ROUNDS; ++round) {
    TRY(ck_stream_record(stream, start));
    for (int i = 0; i < 10; ++i) TRY(ck_launch(stream, NULL, kernel, 2.0f, x, y, z, n));
    TRY(ck_stream_record(stream, end));
    TRY(ck_event_sync(end));
    double seconds;
    TRY(ck_event_get_elapsed(start, end, &seconds));
    us[round] = seconds * 1e6 / 10;
  }
  TRY(ck_buffer_read(z, 0, back, n * 4, stream));
  TRY(ck_stream_sync(stream));
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i) wrong += back[i] != 2.0f * host[i] + host[i]; /* 2x is exact */
  char name[64];
  double median_us = median(us, ROUNDS);
  snprintf(name, sizeof name, "saxpy_%zu", n);
  row(who, name, median_us, "us");
  row(who, name, 12e-3 * (double)n / median_us, "GB/s");
  if (wrong) row(who, "saxpy_wrong", (double)wrong, "elements");
  free(host);
  free(back);
  ck_event_release(start);
  ck_event_release(end);
  ck_buffer_release(x);
  ck_buffer_release(y);
  ck_buffer_release(z);
  ck_kernel_release(kernel);
}

int main(void)
{
  ck_device_t *device;
  ck_stream_t *stream;
  if (ck_device_open(0, &device) != CK_OK) {
    fprintf(stderr, "no GPU: %s\n", ck_last_error());
    return 77;
  }
  TRY(ck_stream_create(device, NULL, &stream));
  printf("who,workload,value,unit\n");
  static const char *const names[] = {"ck_libnvvm", "ck_nvptx"};
  for (int i = 0; i < 2; ++i) {
    ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
    options.backend = i ? CK_BACKEND_NVPTX : CK_BACKEND_LIBNVVM;
    ck_program_t *program;
    ck_object_code_t *code;
    TRY(ck_program_create(source, strlen(source), &options, &program));
    TRY(ck_program_compile(program, device, &code));
    if (!i) bench_launch(device, stream, code);
    bench_saxpy(device, stream, code, names[i], (size_t)1 << 24);
    bench_saxpy(device, stream, code, names[i], (size_t)1 << 28);
    ck_object_code_release(code);
    ck_program_release(program);
  }
  ck_stream_release(stream);
  ck_device_release(device);
  return 0;
}
