// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layernorm.cu - the kernels of layernorm.ck, N = 1024, in CUDA C++.

constexpr unsigned N = 1024, BLOCK = 256, WARPS = BLOCK / 32;

static __device__ float warp_sum(float v)
{
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

// The sum over the block, in all of its threads. `part` may be reused after the next barrier.
static __device__ float block_sum(float v, float *part)
{
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  float all = 0;
#pragma unroll
  for (unsigned w = 0; w < WARPS; w++) all += part[w];
  return all;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
layernorm(unsigned rows, const float *__restrict__ x, const float *__restrict__ gamma,
          const float *__restrict__ beta, float *__restrict__ y, float *__restrict__ mean,
          float *__restrict__ rstd)
{
  __shared__ float part[2][WARPS];
  size_t row = blockIdx.x;
  float4 v = reinterpret_cast<const float4 *>(x + row * N)[threadIdx.x];
  float m = block_sum((v.x + v.y) + (v.z + v.w), part[0]) / N;
  float4 a = {v.x - m, v.y - m, v.z - m, v.w - m};
  float squares = block_sum((a.x * a.x + a.y * a.y) + (a.z * a.z + a.w * a.w), part[1]);
  float scale = rsqrtf(squares / N + 1e-5f);
  float4 g = reinterpret_cast<const float4 *>(gamma)[threadIdx.x];
  float4 b = reinterpret_cast<const float4 *>(beta)[threadIdx.x];
  float4 r = {a.x * scale * g.x + b.x, a.y * scale * g.y + b.y, a.z * scale * g.z + b.z,
              a.w * scale * g.w + b.w};
  reinterpret_cast<float4 *>(y + row * N)[threadIdx.x] = r;
  if (threadIdx.x == 0) {
    mean[row] = m;
    rstd[row] = scale;
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
layernorm_backward(unsigned rows, unsigned blocks, const float *__restrict__ dy,
                   const float *__restrict__ x, const float *__restrict__ gamma,
                   const float *__restrict__ mean, const float *__restrict__ rstd,
                   float *__restrict__ dx, float *__restrict__ dgamma, float *__restrict__ dbeta)
{
  __shared__ float2 part[2][WARPS];     // double buffering: one barrier a row
  float4 g = reinterpret_cast<const float4 *>(gamma)[threadIdx.x];
  float4 of_gamma = {}, of_beta = {};
  unsigned turn = 0;
  for (size_t row = blockIdx.x; row < rows; row += blocks, turn ^= 1) {
    float4 s = reinterpret_cast<const float4 *>(dy + row * N)[threadIdx.x];
    float4 v = reinterpret_cast<const float4 *>(x + row * N)[threadIdx.x];
    float m = mean[row], r = rstd[row];
    float4 h = {(v.x - m) * r, (v.y - m) * r, (v.z - m) * r, (v.w - m) * r};
    float4 c = {s.x * g.x, s.y * g.y, s.z * g.z, s.w * g.w};
    float a = warp_sum((c.x + c.y) + (c.z + c.w));
    float b = warp_sum((c.x * h.x + c.y * h.y) + (c.z * h.z + c.w * h.w));
    if (threadIdx.x % 32 == 0) part[turn][threadIdx.x / 32] = {a, b};
    __syncthreads();
    a = b = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
      a += part[turn][w].x;
      b += part[turn][w].y;
    }
    a /= N;
    b /= N;
    float4 d = {r * (c.x - a - h.x * b), r * (c.y - a - h.y * b), r * (c.z - a - h.z * b),
                r * (c.w - a - h.w * b)};
    reinterpret_cast<float4 *>(dx + row * N)[threadIdx.x] = d;
    of_gamma.x += s.x * h.x, of_gamma.y += s.y * h.y, of_gamma.z += s.z * h.z, of_gamma.w += s.w * h.w;
    of_beta.x += s.x, of_beta.y += s.y, of_beta.z += s.z, of_beta.w += s.w;
  }
  reinterpret_cast<float4 *>(dgamma + size_t(blockIdx.x) * N)[threadIdx.x] = of_gamma;
  reinterpret_cast<float4 *>(dbeta + size_t(blockIdx.x) * N)[threadIdx.x] = of_beta;
}
