// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cub_block.cu - CUB's side of block.c where NVIDIA's own cells end: loads and stores in each
// arrangement, histograms, items of 16 bytes, sorts of floats and of pairs.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 cub_block.cu -o cub_block && ./cub_block
//
// Prints CSV: who,primitive,type,block,items,ns_per_call,checksum, as block.c does, of the same
// kernels, inputs, shapes and rounds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/cub.cuh>

constexpr int REPEAT = 64, GRID = 132 * 4, BLOCK_MOST = 512, ITEMS_MOST = 8, WARM = 3, ROUNDS = 15;

static void check(cudaError_t error)
{
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

struct Four { uint32_t a, b, c, d; };
struct Plus {
  __device__ Four operator()(Four x, Four y) const { return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d}; }
};
struct Less {
  __device__ bool operator()(Four x, Four y) const { return x.a < y.a; }
};
__device__ uint32_t &first_word(uint32_t &x) { return x; }
__device__ uint32_t &first_word(Four &x) { return x.a; }

// Each round loads the tile and stores it: the thread that stored an element loads it again.
template <cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S, class T, int B, int I>
__global__ void __launch_bounds__(B) load_store(const T *in, T *out)
{
  using Load = cub::BlockLoad<T, B, I, L>;
  using Store = cub::BlockStore<T, B, I, S>;
  __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } shared;
  size_t base = (size_t)blockIdx.x * B * I;
  for (int k = 0; k < I; ++k) out[base + threadIdx.x + k * B] = in[base + threadIdx.x + k * B];
  __syncthreads();
#pragma unroll 1
  for (int r = 0; r < REPEAT; ++r) {
    T v[I];
    Load(shared.load).Load(out + base, v);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < I; ++k) first_word(v[k]) += k;
    Store(shared.store).Store(out + base, v);
    __syncthreads();
  }
}

template <cub::BlockHistogramAlgorithm A, class T, int B, int I>
__global__ void __launch_bounds__(B) histogram(const T *in, T *out)
{
  using Histogram = cub::BlockHistogram<uint8_t, B, I, 256, A>;
  __shared__ typename Histogram::TempStorage shared;
  __shared__ uint32_t counts[256];
  T v[I];
  uint8_t bins[I];
  size_t base = ((size_t)blockIdx.x * B + threadIdx.x) * I;
  for (int k = 0; k < I; ++k) v[k] = in[base + k];
#pragma unroll 1
  for (int r = 0; r < REPEAT; ++r) {
    for (int k = 0; k < I; ++k) bins[k] = (uint8_t)v[k];
    Histogram(shared).Histogram(bins, counts);
    __syncthreads();
    for (int k = 0; k < I; ++k) v[k] = v[k] * 2654435761u + counts[v[k] & 255];
    __syncthreads();
  }
  for (int k = 0; k < I; ++k) out[base + k] = v[k];
}

// Keys, and with PAIRS values that say where they were; the next keys are made of both.
template <bool PAIRS, int B, int I> __global__ void __launch_bounds__(B) radix(const float *in, float *out)
{
  float v[I];
  uint32_t w[I];
  size_t base = ((size_t)blockIdx.x * B + threadIdx.x) * I;
  for (int k = 0; k < I; ++k) v[k] = in[base + k];
  for (int k = 0; k < I; ++k) w[k] = threadIdx.x * I + k;
#pragma unroll 1
  for (int r = 0; r < REPEAT; ++r) {
    if constexpr (PAIRS) {
      using Sort = cub::BlockRadixSort<float, B, I, uint32_t>;
      __shared__ typename Sort::TempStorage shared;
      Sort(shared).Sort(v, w);
    } else {
      using Sort = cub::BlockRadixSort<float, B, I>;
      __shared__ typename Sort::TempStorage shared;
      Sort(shared).Sort(v);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < I; ++k) v[k] = __uint_as_float(__float_as_uint(v[k]) * 2654435761u + (PAIRS ? w[k] : k));
  }
  for (int k = 0; k < I; ++k) out[base + k] = v[k];
}

enum Kind { SCAN, EXCHANGE, MERGE_SORT };
template <Kind K, class T, int B, int I>
__global__ void __launch_bounds__(B) items(const T *in, T *out)
{
  T v[I];
  size_t base = ((size_t)blockIdx.x * B + threadIdx.x) * I;
  for (int k = 0; k < I; ++k) v[k] = in[base + k];
#pragma unroll 1
  for (int r = 0; r < REPEAT; ++r) {
    if constexpr (K == SCAN) {
      using Scan = cub::BlockScan<T, B>;
      __shared__ typename Scan::TempStorage shared;
      Scan(shared).ExclusiveScan(v, v, T{0, 0, 0, 0}, Plus());
      __syncthreads();
      for (int k = 0; k < I; ++k) v[k].a ^= k + 1;
    } else if constexpr (K == EXCHANGE) {
      using Exchange = cub::BlockExchange<T, B, I>;
      __shared__ typename Exchange::TempStorage shared;
      Exchange(shared).BlockedToStriped(v, v);
      __syncthreads();
      for (int k = 0; k < I; ++k) v[k].a += k;
    } else {
      using Sort = cub::BlockMergeSort<T, B, I>;
      __shared__ typename Sort::TempStorage shared;
      Sort(shared).StableSort(v, Less());
      __syncthreads();
      for (int k = 0; k < I; ++k) v[k].a = v[k].a * 2654435761u + k;
    }
  }
  for (int k = 0; k < I; ++k) out[base + k] = v[k];
}

static void *in, *out;

template <class T, class Kernel>
static void bench(const char *primitive, const char *type, Kernel *kernel, int block, int count)
{
  cudaEvent_t start, stop;
  std::vector<float> times;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  for (int r = 0; r < WARM + ROUNDS; ++r) {
    float ms;
    check(cudaEventRecord(start));
    kernel<<<GRID, block>>>((const T *)in, (T *)out);
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&ms, start, stop));
    if (r >= WARM) times.push_back(ms * 1e6f / REPEAT);
  }
  std::sort(times.begin(), times.end());
  std::vector<uint32_t> words((size_t)GRID * block * count * sizeof(T) / 4);
  check(cudaMemcpy(words.data(), out, words.size() * 4, cudaMemcpyDeviceToHost));
  uint64_t sum = 0;
  for (uint32_t word : words) sum = sum * 1099511628211ull + word;
  std::printf("cub,%s,%s,%d,%d,%.1f,%016llx\n", primitive, type, block, count,
              times[times.size() / 2], (unsigned long long)sum);
}

template <int B> static void all()
{
#define LOAD_STORE(how, HOW)                                                                       \
  bench<uint32_t>("load_store_" how, "u32",                                                        \
                  load_store<cub::BLOCK_LOAD_##HOW, cub::BLOCK_STORE_##HOW, uint32_t, B, 8>, B, 8); \
  bench<Four>("load_store_" how, "4xu32",                                                          \
              load_store<cub::BLOCK_LOAD_##HOW, cub::BLOCK_STORE_##HOW, Four, B, 2>, B, 2)
  LOAD_STORE("blocked", DIRECT);
  LOAD_STORE("striped", STRIPED);
  LOAD_STORE("transpose", TRANSPOSE);
  LOAD_STORE("warp_transpose", WARP_TRANSPOSE);
  bench<uint32_t>("load_store_vectorized", "u32",
                  load_store<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE, uint32_t, B, 8>, B, 8);
  bench<uint32_t>("histogram", "u32", histogram<cub::BLOCK_HISTO_ATOMIC, uint32_t, B, 8>, B, 8);
  bench<uint32_t>("histogram_sort", "u32", histogram<cub::BLOCK_HISTO_SORT, uint32_t, B, 8>, B, 8);
  bench<Four>("scan", "4xu32", items<SCAN, Four, B, 2>, B, 2);
  bench<Four>("exchange", "4xu32", items<EXCHANGE, Four, B, 2>, B, 2);
  bench<Four>("merge_sort", "4xu32", items<MERGE_SORT, Four, B, 2>, B, 2);
  bench<float>("radix_sort", "f32", radix<false, B, 4>, B, 4);
  bench<float>("radix_sort", "f32", radix<false, B, 8>, B, 8);
  bench<float>("radix_pairs", "f32", radix<true, B, 4>, B, 4);
  bench<float>("radix_pairs", "f32", radix<true, B, 8>, B, 8);
}

__global__ void fill(uint32_t *words, size_t count)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
    uint32_t x = (uint32_t)i * 4;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    words[i] = x ^ x >> 16;
  }
}

int main()
{
  size_t count = (size_t)GRID * BLOCK_MOST * ITEMS_MOST * 2 + 64;
  check(cudaMalloc(&in, count * 4));
  check(cudaMalloc(&out, count * 4));
  fill<<<2048, 256>>>((uint32_t *)in, count);
  std::printf("who,primitive,type,block,items,ns_per_call,checksum\n");
  all<128>();
  all<256>();
  all<512>();
}
