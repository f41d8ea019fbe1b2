// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft.cu - the kernel of fft.ck in CUDA C++.

constexpr unsigned N = 1024, QUARTER = N / 4;

static __device__ float2 plus(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
static __device__ float2 minus(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
static __device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

static __device__ void four(float2 (&v)[4])
{
  float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]), c = plus(v[1], v[3]), d = minus(v[1], v[3]);
  float2 turned = {d.y, -d.x};
  v[0] = plus(a, c);
  v[1] = plus(b, turned);
  v[2] = minus(a, c);
  v[3] = minus(b, turned);
}

template <unsigned SPAN> static __device__ void stage(float2 (&v)[4], unsigned t)
{
  float angle = (t % SPAN) * (-2 * 3.14159265358979f / (4 * SPAN));
  float2 w;
  __sincosf(angle, &w.y, &w.x);
  float2 w2 = times(w, w);
  v[1] = times(v[1], w);
  v[2] = times(v[2], w2);
  v[3] = times(v[3], times(w2, w));
  four(v);
}

template <unsigned SPAN, unsigned PAD>
static __device__ void exchange(float2 *buffer, float2 (&v)[4], unsigned t)
{
  unsigned to = 4 * (t - t % SPAN) + t % SPAN + t / 4 * PAD;
#pragma unroll
  for (unsigned k = 0; k < 4; k++) buffer[to + k * SPAN] = v[k];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 4; k++) v[k] = buffer[t + t / 16 * PAD + k * (QUARTER + QUARTER / 16 * PAD)];
}

extern "C" __global__ void __launch_bounds__(QUARTER)
fft(unsigned rows, const float2 *__restrict__ x, float2 *__restrict__ y)
{
  __shared__ float2 even[N + N / 16], odd[N + N / 4];
  unsigned t = threadIdx.x;
  x += size_t(blockIdx.x) * N + t;
  y += size_t(blockIdx.x) * N + t;
  float2 v[4];
#pragma unroll
  for (unsigned k = 0; k < 4; k++) v[k] = x[k * QUARTER];
  four(v);
  exchange<1, 1>(even, v, t);
  stage<4>(v, t);
  exchange<4, 4>(odd, v, t);
  stage<16>(v, t);
  exchange<16, 0>(even, v, t);
  stage<64>(v, t);
  exchange<64, 0>(odd, v, t);
  stage<256>(v, t);
#pragma unroll
  for (unsigned k = 0; k < 4; k++) y[k * QUARTER] = v[k];
}
