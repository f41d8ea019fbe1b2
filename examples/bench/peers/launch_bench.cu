// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer figures: what a launch, a sync and a graph replay cost through the raw CUDA driver API, and the SAXPY kernel that nvcc makes.
// Build:  nvcc -O3 -std=c++17 -arch=sm_90 launch_bench.cu -o launch_bench -lcuda
// Prints CSV: peer,workload,value,unit   (median of 15 rounds)
#include <cuda.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x) do { int e_ = (int)(x); if (e_) { std::fprintf(stderr, "%s:%d: %s -> %d\n", __FILE__, __LINE__, #x, e_); std::exit(1); } } while (0)
extern "C" __global__ void empty_kernel(float *, float, size_t) {}
extern "C" __global__ void saxpy(float a, const float *x, const float *y, float *out, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
static double now_us() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
template <class F> static double med(F f) { std::vector<double> v; for (int i = 0; i < 15; ++i) v.push_back(f()); std::sort(v.begin(), v.end()); return v[7]; }
int main() {
  CK(cudaFree(0));
  CUfunction fn, sx; CK(cudaGetFuncBySymbol(&fn, (void *)empty_kernel)); CK(cudaGetFuncBySymbol(&sx, (void *)saxpy));
  CUstream s; CK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  CUdeviceptr p; CK(cuMemAlloc(&p, 1 << 20));
  float f = 1; size_t n = 1024; void *args[] = {&p, &f, &n};
  for (int i = 0; i < 1000; ++i) CK(cuLaunchKernel(fn, 4, 1, 1, 256, 1, 1, 0, s, args, 0)); CK(cuStreamSynchronize(s));
  std::printf("peer,workload,value,unit\n");
  std::printf("driver,launch_enqueue,%.4f,us\n", med([&] { double t = now_us(); for (int i = 0; i < 500; ++i) cuLaunchKernel(fn, 4, 1, 1, 256, 1, 1, 0, s, args, 0); t = now_us() - t; cuStreamSynchronize(s); return t / 500; }));
  std::printf("driver,launch_throughput,%.4f,us\n", med([&] { double t = now_us(); for (int i = 0; i < 5000; ++i) cuLaunchKernel(fn, 4, 1, 1, 256, 1, 1, 0, s, args, 0); cuStreamSynchronize(s); return (now_us() - t) / 5000; }));
  std::printf("driver,launch_sync,%.4f,us\n", med([&] { double t = now_us(); for (int i = 0; i < 200; ++i) { cuLaunchKernel(fn, 4, 1, 1, 256, 1, 1, 0, s, args, 0); cuStreamSynchronize(s); } return (now_us() - t) / 200; }));
  std::printf("driver,alloc_free_async,%.4f,us\n", med([&] { double t = now_us(); for (int i = 0; i < 500; ++i) { CUdeviceptr q; cuMemAllocAsync(&q, 1 << 16, s); cuMemFreeAsync(q, s); } t = now_us() - t; cuStreamSynchronize(s); return t / 500; }));
  CUgraph g; CUgraphExec ge; CK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  for (int i = 0; i < 100; ++i) CK(cuLaunchKernel(fn, 4, 1, 1, 256, 1, 1, 0, s, args, 0));
  CK(cuStreamEndCapture(s, &g)); CK(cuGraphInstantiate(&ge, g, 0)); CK(cuGraphUpload(ge, s)); for (int i = 0; i < 20; ++i) CK(cuGraphLaunch(ge, s)); CK(cuStreamSynchronize(s));
  std::printf("driver,graph100_replay_per_node,%.4f,us\n", med([&] { double t = now_us(); for (int i = 0; i < 50; ++i) cuGraphLaunch(ge, s); cuStreamSynchronize(s); return (now_us() - t) / 50 / 100; }));
  for (size_t N : {(size_t)512 * 32768, (size_t)1 << 28}) {
    CUdeviceptr x, y, o; CK(cuMemAlloc(&x, N * 4)); CK(cuMemAlloc(&y, N * 4)); CK(cuMemAlloc(&o, N * 4)); CK(cuMemsetD32(x, 0x3f8ccccd, N)); CK(cuMemsetD32(y, 0x3e99999a, N));
    float a = 2.f; void *sa[] = {&a, &x, &y, &o, &N}; CUevent e0, e1; cuEventCreate(&e0, 0); cuEventCreate(&e1, 0);
    for (int i = 0; i < 5; ++i) cuLaunchKernel(sx, (unsigned)((N + 511) / 512), 1, 1, 512, 1, 1, 0, s, sa, 0);
    double us = med([&] { cuEventRecord(e0, s); for (int i = 0; i < 10; ++i) cuLaunchKernel(sx, (unsigned)((N + 511) / 512), 1, 1, 512, 1, 1, 0, s, sa, 0); cuEventRecord(e1, s); cuEventSynchronize(e1); float ms; cuEventElapsedTime(&ms, e0, e1); return ms * 1e3 / 10; });
    std::printf("nvcc,saxpy_%zu,%.3f,us\nnvcc,saxpy_%zu,%.1f,GB/s\n", N, us, N, 12.0 * N / us * 1e-3);
    cuMemFree(x); cuMemFree(y); cuMemFree(o);
  }
}
