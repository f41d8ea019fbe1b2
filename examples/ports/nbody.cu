// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nbody.cu - the kernel of nbody.ck in CUDA C++.

constexpr unsigned TILE = 256;

extern "C" __global__ void __launch_bounds__(TILE)
nbody(unsigned n, float softening, const float4 *__restrict__ bodies, float4 *__restrict__ force)
{
  __shared__ float4 tile[TILE];
  unsigned i = blockIdx.x * TILE + threadIdx.x;
  float4 mine = i < n ? bodies[i] : float4{};
  float3 sum = {};
  for (unsigned start = 0; start < n; start += TILE) {
    unsigned j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : float4{1e9f, 1e9f, 1e9f, 0};
    __syncthreads();
#pragma unroll 16
    for (unsigned k = 0; k < TILE; k++) {
      float4 other = tile[k];
      float x = other.x - mine.x, y = other.y - mine.y, z = other.z - mine.z;
      float distance = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening)));
      float inverse = distance > 0 ? rsqrtf(distance) : 0;
      float factor = other.w * inverse * inverse * inverse;
      sum.x += x * factor;
      sum.y += y * factor;
      sum.z += z * factor;
    }
    __syncthreads();
  }
  if (i < n) force[i] = float4{sum.x, sum.y, sum.z, 0};
}
