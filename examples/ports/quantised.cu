// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantised.cu - the kernel of quantised.ck in CUDA C++.
#include <cuda_fp16.h>

constexpr unsigned GROUP = 128, ROWS = 4, WARPS = 4;

static __device__ float weight(unsigned word, int place)
{
  return __uint_as_float((word >> (4 * place) & 15) | 0x4b000000) - 8388616;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
matvec_int4(unsigned rows, unsigned k, const unsigned *__restrict__ w,
            const __half *__restrict__ scale, const float *__restrict__ x, float *__restrict__ y)
{
  unsigned lane = threadIdx.x % 32;
  unsigned row = (blockIdx.x * WARPS + threadIdx.x / 32) * ROWS;
  if (row >= rows) return;
  float sums[ROWS] = {};
#pragma unroll 2
  for (unsigned at = 0; at < k; at += 256) {
    unsigned first = at + 8 * lane;
    float4 low = reinterpret_cast<const float4 *>(x + first)[0];
    float4 high = reinterpret_cast<const float4 *>(x + first)[1];
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
      unsigned word = w[size_t(row + r) * (k / 8) + first / 8];
      float part = weight(word, 0) * low.x;
      part += weight(word, 1) * low.y;
      part += weight(word, 2) * low.z;
      part += weight(word, 3) * low.w;
      part += weight(word, 4) * high.x;
      part += weight(word, 5) * high.y;
      part += weight(word, 6) * high.z;
      part += weight(word, 7) * high.w;
      sums[r] += part * __half2float(scale[size_t(row + r) * (k / GROUP) + first / GROUP]);
    }
  }
#pragma unroll
  for (unsigned r = 0; r < ROWS; r++) {
    float total = sums[r];
#pragma unroll
    for (int d = 16; d > 0; d /= 2) total += __shfl_xor_sync(~0u, total, d);
    if (lane == 0) y[row + r] = total;
  }
}
