// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer figures: CUB's device-wide algorithms on elements of 12 bytes with functions that CUB doesn't know, and on segments.
// Build:  nvcc -O3 -std=c++17 -arch=sm_90 cub_struct_bench.cu -o cub_struct_bench
// Run:    ./cub_struct_bench [max_log2_n=28] [filter]
// Prints CSV: peer,workload,type,n,median_us,gbps,mode, as ../algorithms.c does: up to 2^20 elements a graph of 32 calls is
// replayed, above that calls run between two events. Exit status 1 if an output is wrong.
// CUB of CUDA 13.0 has no segmented scan: its rows are InclusiveSumByKey, whose keys are the numbers of the segments.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>
#include <cub/cub.cuh>
#define OK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); std::exit(1); } } while (0)
#define STRIDE(i, n) for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (n); i += (size_t)gridDim.x * blockDim.x)
constexpr int CALLS = 32, ROUNDS = 15;

struct Stat { int total, least, most; };
struct Both {
  __host__ __device__ Stat operator()(const Stat &a, const Stat &b) const {
    return {(int)((unsigned)a.total + (unsigned)b.total), a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
  }
};
struct Less { __host__ __device__ bool operator()(const Stat &a, const Stat &b) const { return a.total < b.total; } };

__host__ __device__ uint64_t mix(uint64_t z) {
  z *= 0x9E3779B97F4A7C15ull; z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull; z = (z ^ (z >> 27)) * 0x94D049BB133111EBull; return z ^ (z >> 31);
}
__device__ uint64_t hash_of(Stat a) { return mix((uint64_t)(unsigned)a.total << 32 | (unsigned)a.least) * 3 + mix((unsigned)a.most); }
__device__ bool same(Stat a, Stat b) { return a.total == b.total && a.least == b.least && a.most == b.most; }
__global__ void fill(unsigned *x, size_t words) { STRIDE(i, words) x[i] = (unsigned)mix(i + 1); }
__global__ void fill_keys(unsigned *k, size_t n, size_t length) { STRIDE(i, n) k[i] = (unsigned)(i / length); }

using Count = unsigned long long;
__global__ void check_reduce(const Stat *x, size_t n, int *z) {
  Stat s = {0, 0, 0};
  STRIDE(i, n) s = Both()(s, x[i]);
  atomicAdd(z, s.total); atomicMin(z + 1, s.least); atomicMax(z + 2, s.most);
}
__global__ void check_same(const Stat *y, const int *z, Count *bad) { if (!same(y[0], {z[0], z[1], z[2]})) bad[0] += 1; }
__global__ void check_scan(const Stat *x, const Stat *y, size_t n, Count *bad) {
  STRIDE(i, n) if (!same(y[i], i ? Both()(y[i - 1], x[i]) : x[i])) atomicAdd(bad, 1ull);
}
__global__ void check_sort(const Stat *x, const Stat *y, size_t n, Count *sum, Count *bad) {
  Count s = 0;
  STRIDE(i, n) { if (i && y[i - 1].total > y[i].total) atomicAdd(bad, 1ull); s += hash_of(x[i]) - hash_of(y[i]); }
  atomicAdd(sum, s);
}
__global__ void check_sum(const Count *sum, Count *bad) { if (sum[0]) bad[0] += 1; }
__global__ void check_segments(const int *x, const int *y, size_t n, size_t length, Count *bad) {
  STRIDE(i, n) if (y[i] != (int)((i % length ? (unsigned)y[i - 1] : 0u) + (unsigned)x[i])) atomicAdd(bad, 1ull);
}

static cudaStream_t stream;
static cudaEvent_t from, until;
static const char *filter = "";
static Count *sums; // [0] wrong elements, [1] and [2] for the checks
static void *scratch;
static size_t scratch_bytes;
static int failures;

static double batch(int launches, const std::function<void()> &f) {
  float ms;
  OK(cudaEventRecord(from, stream));
  for (int i = 0; i < launches; ++i) f();
  OK(cudaEventRecord(until, stream)); OK(cudaEventSynchronize(until)); OK(cudaEventElapsedTime(&ms, from, until));
  return ms * 1e3 / launches;
}
static double median_us(std::function<void()> f, bool by_graph) {
  if (by_graph) {
    cudaGraph_t graph; cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < CALLS; ++i) f();
    OK(cudaStreamEndCapture(stream, &graph)); OK(cudaGraphInstantiate(&exec, graph, 0));
    f = [exec] { OK(cudaGraphLaunch(exec, stream)); };
  }
  for (int i = 0; i < 3; ++i) batch(1, f);
  double one = batch(1, f);
  int launches = std::max(1, std::min(by_graph ? 20 : 200, (int)(2000 / std::max(one, 1.0))));
  std::vector<double> us;
  for (int i = 0; i < ROUNDS; ++i) us.push_back(batch(launches, f) / (by_graph ? CALLS : 1));
  std::sort(us.begin(), us.end());
  return us[ROUNDS / 2];
}
template <class F, class C> static void bench(const char *workload, const char *type, size_t n, double bytes, F call, C check) {
  if (!std::strstr(workload, filter)) return;
  size_t need = 0;
  OK(call((void *)nullptr, need));
  if (need > scratch_bytes) { OK(cudaDeviceSynchronize()); OK(cudaFree(scratch)); OK(cudaMalloc(&scratch, need)); scratch_bytes = need; }
  bool by_graph = n <= 1 << 20;
  double us = median_us([&] { size_t b = need; OK(call(scratch, b)); }, by_graph);
  OK(cudaMemsetAsync(sums, 0, 64, stream));
  check();
  Count bad = 0;
  OK(cudaMemcpyAsync(&bad, sums, 8, cudaMemcpyDeviceToHost, stream)); OK(cudaStreamSynchronize(stream));
  std::printf("cub,%s,%s,%zu,%.3f,%.1f,%s%s\n", workload, type, n, us, bytes * n / us * 1e-3, by_graph ? "graph" : "events", bad ? ",WRONG" : "");
  std::fflush(stdout);
  failures += bad > 0;
}

int main(int argc, char **argv) {
  int most = argc > 1 ? std::atoi(argv[1]) : 28;
  if (argc > 2) filter = argv[2];
  Stat *x, *y;
  unsigned *keys;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); OK(cudaEventCreate(&from)); OK(cudaEventCreate(&until));
  OK(cudaMalloc(&x, sizeof(Stat) << most)); OK(cudaMalloc(&y, sizeof(Stat) << most)); OK(cudaMalloc(&keys, 4ull << most)); OK(cudaMalloc(&sums, 64));
  fill<<<2048, 256, 0, stream>>>((unsigned *)x, 3ull << most);
  std::printf("peer,workload,type,n,median_us,gbps,mode\n");
  for (int log2 = 16; log2 <= most; log2 += 4) {
    size_t n = (size_t)1 << log2;
    int count = (int)n;
    const int *words = (const int *)x;
    int *sum = (int *)y;
    for (int length : {16, 256, 4096}) {
      char workload[32];
      std::snprintf(workload, sizeof workload, "segmented_scan_%d", length);
      fill_keys<<<2048, 256, 0, stream>>>(keys, n, length);
      bench(workload, "i32", n, 8, [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSumByKey(t, b, keys, words, sum, count, ::cuda::std::equal_to<>{}, stream); },
            [&] { check_segments<<<1024, 256, 0, stream>>>(words, sum, n, length, sums); });
    }
    bench("reduce_struct", "12 bytes", n, 12, [&](void *t, size_t &b) { return cub::DeviceReduce::Reduce(t, b, x, y, count, Both(), Stat{0, 0, 0}, stream); },
          [&] { check_reduce<<<1024, 256, 0, stream>>>(x, n, (int *)(sums + 1)); check_same<<<1, 1, 0, stream>>>(y, (int *)(sums + 1), sums); });
    bench("inclusive_scan_struct", "12 bytes", n, 24, [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, x, y, Both(), count, stream); },
          [&] { check_scan<<<1024, 256, 0, stream>>>(x, y, n, sums); });
    bench("merge_sort_struct", "12 bytes", n, 24, [&](void *t, size_t &b) { return cub::DeviceMergeSort::SortKeysCopy(t, b, x, y, count, Less(), stream); },
          [&] { check_sort<<<1024, 256, 0, stream>>>(x, y, n, sums + 1, sums); check_sum<<<1, 1, 0, stream>>>(sums + 1, sums); });
  }
  return failures > 0;
}
