// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bilateral.cu - the kernel of bilateral.ck in CUDA C++.

constexpr int RADIUS = 4, TILE = 32, ROWS = 4, SIDE = TILE + 2 * RADIUS, THREADS = TILE * TILE / ROWS;
constexpr float LOG2_E = 1.442695f;

// 2^x; subnormal results become 0.
static __device__ float exp2_or_zero(float x)
{
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

extern "C" __global__ void __launch_bounds__(THREADS, 8)
bilateral(unsigned h, unsigned w, float space, float range, const float *__restrict__ image,
          float *__restrict__ y)
{
  __shared__ float tile[SIDE][SIDE];
  int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  for (int i = threadIdx.y * TILE + threadIdx.x; i < SIDE * SIDE; i += THREADS) {
    int row = min(max(top + i / SIDE - RADIUS, 0), int(h) - 1);
    int column = min(max(left + i % SIDE - RADIUS, 0), int(w) - 1);
    tile[i / SIDE][i % SIDE] = image[size_t(row) * w + column];
  }
  __syncthreads();

  int first = threadIdx.y * ROWS;
  float mine[ROWS], total[ROWS] = {}, weight[ROWS] = {};
#pragma unroll
  for (int k = 0; k < ROWS; k++) mine[k] = tile[first + RADIUS + k][threadIdx.x + RADIUS];
  float a = -LOG2_E * space, b = -LOG2_E * range;
#pragma unroll 1
  for (int dx = 0; dx <= 2 * RADIUS; dx++) {
    float across = dx - RADIUS;
#pragma unroll
    for (int r = 0; r < ROWS + 2 * RADIUS; r++) {
      float pixel = tile[first + r][threadIdx.x + dx];
#pragma unroll
      for (int k = 0; k < ROWS; k++) {
        int down = r - k - RADIUS;
        if (down < -RADIUS || down > RADIUS) continue;
        float apart = pixel - mine[k];
        float part = exp2_or_zero(fmaf(apart * apart, b, a * (across * across + down * down)));
        total[k] += part * pixel;
        weight[k] += part;
      }
    }
  }
  unsigned column = left + threadIdx.x;
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    unsigned row = top + first + k;
    if (row < h && column < w) y[size_t(row) * w + column] = __fdividef(total[k], weight[k]);
  }
}
