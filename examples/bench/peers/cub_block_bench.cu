// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer figures: CUB's block and warp primitives inside a kernel, repeated so that the primitive dominates.
// Build:  nvcc -O3 -std=c++17 -arch=sm_90 cub_block_bench.cu -o cub_block_bench
// Prints CSV: peer,primitive,type,block,items,ns_per_call,checksum   (integer checksums must agree with the other side; f32 sums depend on the order)
//   ns_per_call = kernel time / REPEAT, on a grid of 132 * 4 blocks; each repetition feeds its result into the next one's input, so nothing is hoisted.
// Kernel shape (mirror it in CK): thread t of block b loads items v[k] = in[(b * BLOCK + t) * ITEMS + k]; REPEAT times: call; then store the items.
//   reduce: s = sum(v) valid in thread 0, read by all through shared memory; v[0] += s.   scan: v = exclusive_sum(v), then v[k] ^= k + 1.
//   radix_sort: v = sort(v), then v[k] = v[k] * 2654435761 + k.   merge_sort: the same with less.   exchange: v = blocked_to_striped(v), then v[k] += k.
//   warp_reduce: s = warp_sum(v[0]) in lane 0, broadcast; v[0] += s.   warp_scan: v[0] = inclusive(v[0]) ^ 1.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cub/cub.cuh>
#define OK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); std::exit(1); } } while (0)
constexpr int REPEAT = 64, GRID = 132 * 4;
struct Four { uint32_t a, b, c, d; __device__ Four operator+(const Four &o) const { return {a + o.a, b + o.b, c + o.c, d + o.d}; } };
struct Less { template <class T> __device__ bool operator()(T a, T b) const { return a < b; } };
struct Plus { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
enum Kind { REDUCE, SCAN, RADIX, MERGE, EXCHANGE, WREDUCE, WSCAN };

template <Kind K, class T, int B, int I> __global__ void __launch_bounds__(B) kernel(const T *in, T *out) {
  T v[I];
  size_t base = ((size_t)blockIdx.x * B + threadIdx.x) * I;
#pragma unroll
  for (int k = 0; k < I; ++k) v[k] = in[base + k];
#pragma unroll 1
  for (int r = 0; r < REPEAT; ++r) {
    if constexpr (K == REDUCE) {
      using P = cub::BlockReduce<T, B>; __shared__ typename P::TempStorage t; __shared__ T all;
      T s = P(t).Reduce(v, Plus()); if (threadIdx.x == 0) all = s; __syncthreads(); v[0] = v[0] + all; __syncthreads();
    } else if constexpr (K == SCAN) {
      using P = cub::BlockScan<T, B>; __shared__ typename P::TempStorage t; P(t).ExclusiveSum(v, v); __syncthreads();
#pragma unroll
      for (int k = 0; k < I; ++k) v[k] ^= (T)(k + 1);
    } else if constexpr (K == RADIX) {
      using P = cub::BlockRadixSort<T, B, I>; __shared__ typename P::TempStorage t; P(t).Sort(v); __syncthreads();
#pragma unroll
      for (int k = 0; k < I; ++k) v[k] = v[k] * (T)2654435761u + (T)k;
    } else if constexpr (K == MERGE) {
      using P = cub::BlockMergeSort<T, B, I>; __shared__ typename P::TempStorage t; P(t).Sort(v, Less()); __syncthreads();
#pragma unroll
      for (int k = 0; k < I; ++k) v[k] = v[k] * (T)2654435761u + (T)k;
    } else if constexpr (K == EXCHANGE) {
      using P = cub::BlockExchange<T, B, I>; __shared__ typename P::TempStorage t; P(t).BlockedToStriped(v, v); __syncthreads();
#pragma unroll
      for (int k = 0; k < I; ++k) v[k] = v[k] + (T)k;
    } else if constexpr (K == WREDUCE) {
      using P = cub::WarpReduce<T>; __shared__ typename P::TempStorage t[B / 32]; T s = P(t[threadIdx.x / 32]).Sum(v[0]); v[0] = v[0] + __shfl_sync(~0u, s, 0);
    } else {
      using P = cub::WarpScan<T>; __shared__ typename P::TempStorage t[B / 32]; P(t[threadIdx.x / 32]).InclusiveSum(v[0], v[0]); v[0] ^= (T)1;
    }
  }
#pragma unroll
  for (int k = 0; k < I; ++k) out[base + k] = v[k];
}
template <Kind K, class T, int B, int I> static void bench(const char *name, const char *type, const void *in, void *out) {
  cudaEvent_t a, b; OK(cudaEventCreate(&a)); OK(cudaEventCreate(&b)); std::vector<double> t; float ms;
  for (int r = 0; r < 18; ++r) { OK(cudaEventRecord(a)); kernel<K, T, B, I><<<GRID, B>>>((const T *)in, (T *)out); OK(cudaEventRecord(b)); OK(cudaEventSynchronize(b)); OK(cudaEventElapsedTime(&ms, a, b)); if (r > 2) t.push_back(ms * 1e6 / REPEAT); }
  std::sort(t.begin(), t.end()); size_t words = (size_t)GRID * B * I * sizeof(T) / 4; std::vector<uint32_t> h(words); OK(cudaMemcpy(h.data(), out, words * 4, cudaMemcpyDeviceToHost));
  uint64_t sum = 0; for (uint32_t w : h) sum = sum * 1099511628211ull + w;
  std::printf("cub,%s,%s,%d,%d,%.1f,%016llx\n", name, type, B, I, t[t.size() / 2], (unsigned long long)sum);
}
template <int B> static void all(const void *in, void *out) {
  bench<REDUCE, uint32_t, B, 1>("reduce", "u32", in, out); bench<REDUCE, uint32_t, B, 8>("reduce", "u32", in, out); bench<REDUCE, float, B, 4>("reduce", "f32", in, out); bench<REDUCE, uint64_t, B, 4>("reduce", "u64", in, out); bench<REDUCE, Four, B, 2>("reduce", "4xu32", in, out);
  bench<SCAN, uint32_t, B, 1>("scan", "u32", in, out); bench<SCAN, uint32_t, B, 8>("scan", "u32", in, out); bench<SCAN, uint64_t, B, 4>("scan", "u64", in, out);
  bench<RADIX, uint32_t, B, 4>("radix_sort", "u32", in, out); bench<RADIX, uint32_t, B, 8>("radix_sort", "u32", in, out); bench<RADIX, uint64_t, B, 4>("radix_sort", "u64", in, out);
  bench<MERGE, uint32_t, B, 4>("merge_sort", "u32", in, out); bench<MERGE, uint32_t, B, 8>("merge_sort", "u32", in, out); bench<MERGE, uint64_t, B, 4>("merge_sort", "u64", in, out);
  bench<EXCHANGE, uint32_t, B, 4>("exchange", "u32", in, out); bench<EXCHANGE, uint32_t, B, 8>("exchange", "u32", in, out); bench<EXCHANGE, uint64_t, B, 4>("exchange", "u64", in, out);
  bench<WREDUCE, uint32_t, B, 1>("warp_reduce", "u32", in, out); bench<WREDUCE, float, B, 1>("warp_reduce", "f32", in, out); bench<WSCAN, uint32_t, B, 1>("warp_scan", "u32", in, out);
}
__global__ void fill(uint32_t *p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint32_t x = (uint32_t)i * 4; x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; p[i] = x; } }
int main() {
  size_t words = (size_t)GRID * 512 * 8 * 2 + 64; void *in, *out; OK(cudaMalloc(&in, words * 4)); OK(cudaMalloc(&out, words * 4)); fill<<<2048, 256>>>((uint32_t *)in, words); OK(cudaDeviceSynchronize());
  std::printf("peer,primitive,type,block,items,ns_per_call,checksum\n"); all<128>(in, out); all<256>(in, out); all<512>(in, out); OK(cudaDeviceSynchronize()); return 0;
}
