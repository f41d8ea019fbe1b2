// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kmeans.cu - the kernel of kmeans.ck in CUDA C++.

constexpr unsigned D = 8, K = 32, BLOCK = 256, POINTS = 4, PASSES = 2;

extern "C" __global__ void __launch_bounds__(BLOCK, 4)
kmeans_step(unsigned n, const float *__restrict__ points, const float *__restrict__ centroids,
            unsigned *__restrict__ assigned, float *__restrict__ sums, unsigned *__restrict__ counts)
{
  __shared__ float4 centroid[K][D / 4];
  __shared__ float half[K], total[D][K];
  __shared__ unsigned members[K];
  unsigned c = threadIdx.x / D, d = threadIdx.x % D;
  reinterpret_cast<float *>(centroid)[threadIdx.x] = centroids[threadIdx.x];
  total[d][c] = 0;
  if (threadIdx.x < K) {
    float squares = 0;
#pragma unroll
    for (unsigned j = 0; j < D; j++) {
      float v = centroids[threadIdx.x * D + j];
      squares += v * v;
    }
    half[threadIdx.x] = squares / 2;
    members[threadIdx.x] = 0;
  }
  __syncthreads();

#pragma unroll 1
  for (unsigned pass = 0; pass < PASSES; pass++) {
    unsigned first = (blockIdx.x * PASSES + pass) * BLOCK * POINTS + threadIdx.x;
    float4 x[POINTS][D / 4];
    float best[POINTS];
    unsigned nearest[POINTS];
#pragma unroll
    for (unsigned p = 0; p < POINTS; p++) {
      const float4 *from = reinterpret_cast<const float4 *>(points + size_t(min(first + p * BLOCK, n - 1)) * D);
      x[p][0] = from[0];
      x[p][1] = from[1];
      best[p] = -INFINITY;
      nearest[p] = 0;
    }
#pragma unroll 2
    for (unsigned k = 0; k < K; k++) {
      float4 low = centroid[k][0], high = centroid[k][1];
      float start = -half[k];
#pragma unroll
      for (unsigned p = 0; p < POINTS; p++) {
        float4 a = x[p][0], b = x[p][1];
        float score = fmaf(a.x, low.x, start);
        score = fmaf(a.y, low.y, score);
        score = fmaf(a.z, low.z, score);
        score = fmaf(a.w, low.w, score);
        score = fmaf(b.x, high.x, score);
        score = fmaf(b.y, high.y, score);
        score = fmaf(b.z, high.z, score);
        score = fmaf(b.w, high.w, score);
        if (score > best[p]) {
          best[p] = score;
          nearest[p] = k;
        }
      }
    }
#pragma unroll
    for (unsigned p = 0; p < POINTS; p++) {
      unsigned i = first + p * BLOCK;
      if (i < n) {
        unsigned k = nearest[p];
        float4 a = x[p][0], b = x[p][1];
        assigned[i] = k;
        atomicAdd(&members[k], 1);
        atomicAdd(&total[0][k], a.x);
        atomicAdd(&total[1][k], a.y);
        atomicAdd(&total[2][k], a.z);
        atomicAdd(&total[3][k], a.w);
        atomicAdd(&total[4][k], b.x);
        atomicAdd(&total[5][k], b.y);
        atomicAdd(&total[6][k], b.z);
        atomicAdd(&total[7][k], b.w);
      }
    }
  }
  __syncthreads();
  if (members[c] > 0) atomicAdd(&sums[threadIdx.x], total[d][c]);
  if (threadIdx.x < K) atomicAdd(&counts[threadIdx.x], members[threadIdx.x]);
}
