// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// philox.cu - the kernels of philox.ck in CUDA C++.

typedef unsigned long long u64;
constexpr unsigned BLOCK = 256;

static __device__ uint4 philox(u64 seed, u64 sequence, u64 index)
{
  uint4 c = {unsigned(index), unsigned(index >> 32), unsigned(sequence), unsigned(sequence >> 32)};
  uint2 key = {unsigned(seed), unsigned(seed >> 32)};
#pragma unroll
  for (int i = 0; i < 10; i++) {
    c = {__umulhi(c.z, 0xcd9e8d57) ^ c.y ^ key.x, c.z * 0xcd9e8d57,
         __umulhi(c.x, 0xd2511f53) ^ c.w ^ key.y, c.x * 0xd2511f53};
    key.x += 0x9e3779b9;
    key.y += 0xbb67ae85;
  }
  return c;
}

static __device__ float uniform(unsigned bits) { return fmaf(float(bits), 0x1p-32f, 0x1p-33f); }

static __device__ float2 normal(unsigned a, unsigned b)
{
  float radius = sqrtf(-2 * logf(uniform(a))), sine, cosine;
  sincospif(2 * uniform(b), &sine, &cosine);
  return {radius * sine, radius * cosine};
}

// Stores up to four elements from index `at` on.
template <typename T, typename T4> static __device__ void put(T *y, unsigned n, unsigned at, T4 v)
{
  if (at + 4 <= n) {
    *reinterpret_cast<T4 *>(y + at) = v;
  } else {
    if (at < n) y[at] = v.x;
    if (at + 1 < n) y[at + 1] = v.y;
    if (at + 2 < n) y[at + 2] = v.z;
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
philox_bits(unsigned n, u64 seed, u64 sequence, u64 first, unsigned *__restrict__ y)
{
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  put(y, n, 4 * i, philox(seed, sequence, first + i));
}

extern "C" __global__ void __launch_bounds__(BLOCK)
philox_uniform(unsigned n, u64 seed, u64 sequence, u64 first, float *__restrict__ y)
{
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  uint4 bits = philox(seed, sequence, first + i);
  put(y, n, 4 * i, float4{uniform(bits.x), uniform(bits.y), uniform(bits.z), uniform(bits.w)});
}

extern "C" __global__ void __launch_bounds__(BLOCK)
philox_normal(unsigned n, u64 seed, u64 sequence, u64 first, float *__restrict__ y)
{
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  uint4 bits = philox(seed, sequence, first + i);
  float2 low = normal(bits.x, bits.y), high = normal(bits.z, bits.w);
  put(y, n, 4 * i, float4{low.x, low.y, high.x, high.y});
}
