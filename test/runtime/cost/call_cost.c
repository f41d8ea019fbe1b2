/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* call_cost.c - measures the runtime's overhead: nanoseconds for each call, over a driver whose
 * functions do nothing.
 *
 *   call_cost [calls]      prints a line per call, with the device's context current (as the driver
 *                          API requires it), and with no context current
 */
#include "fixture.h"

static Bench bench;
static ck_event_t *event;
static ck_buffer_t *a, *b;

static CUresult record(CUevent handle, CUstream stream)
{
  (void)handle, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult wait(CUstream stream, CUevent handle, unsigned flags)
{
  (void)handle, (void)stream, (void)flags;
  return CUDA_SUCCESS;
}

static CUresult allocate(CUdeviceptr *out, size_t bytes, CUmemoryPool pool, CUstream stream)
{
  (void)bytes, (void)pool, (void)stream;
  *out = 4096;
  return CUDA_SUCCESS;
}

static CUresult give_back(CUdeviceptr address, CUstream stream)
{
  (void)address, (void)stream;
  return CUDA_SUCCESS;
}

static CUresult copy(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
  (void)dst, (void)src, (void)bytes, (void)stream;
  return CUDA_SUCCESS;
}

static ck_status_t do_record(void)
{
  return ck_stream_record(bench.stream, event);
}

static ck_status_t do_wait(void)
{
  return ck_stream_wait(bench.stream, event);
}

static ck_status_t do_buffer(void)
{
  ck_buffer_t *buffer;
  CK_TRY(ck_buffer_create(bench.device, 4096, bench.stream, &buffer));
  ck_buffer_release(buffer);
  return CK_OK;
}

static ck_status_t do_copy(void)
{
  return ck_buffer_copy(b, 0, a, 0, 64, bench.stream);
}

static void measure(const char *name, ck_status_t (*call)(void), unsigned calls)
{
  double best = 1;
  for (int round = 0; round < 5; ++round) {
    double start = seconds_now();
    for (unsigned i = 0; i < calls; ++i)
      if (call() != CK_OK) abort();
    double seconds = (seconds_now() - start) / calls;
    if (seconds < best) best = seconds;
  }
  printf("  %-18s %6.1f ns\n", name, 1e9 * best);
}

static void measure_all(const char *title, unsigned calls)
{
  printf("%s\n", title);
  measure("record", do_record, calls);
  measure("wait", do_wait, calls);
  measure("allocate and free", do_buffer, calls);
  measure("copy", do_copy, calls);
}

int main(int argc, char **argv)
{
  unsigned calls = argc > 1 ? (unsigned)atoi(argv[1]) : 200000;
  Driver driver = *driver_host();
  CHECK_OK(device_open(&driver, 0, &bench.device));
  CHECK_OK(ck_stream_create(bench.device, NULL, &bench.stream));
  CHECK_OK(ck_event_create(bench.device, NULL, &event));
  a = bench_buffer(&bench, 64);
  b = bench_buffer(&bench, 64);
  Driver real = driver;
  driver.cuEventRecord = record;
  driver.cuStreamWaitEvent = wait;
  driver.cuMemAllocFromPoolAsync = allocate;
  driver.cuMemFreeAsync = give_back;
  driver.cuMemcpyAsync = copy;
  measure_all("no context is current:", calls);
  CHECK_OK(ck_context_set_current(bench.device, ck_device_context(bench.device)));
  measure_all("the device's context is current:", calls);
  CHECK_OK(ck_context_set_current(bench.device, NULL));
  driver = real;
  ck_buffer_release(a);
  ck_buffer_release(b);
  ck_event_release(event);
  bench_close(&bench);
  return 0;
}
