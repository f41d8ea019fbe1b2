// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// align.cu - the kernel of align.ck, with SAME = 2, DIFFER = -1 and GAP = -2, in CUDA C++.

constexpr int SAME = 2, DIFFER = -1, GAP = -2;
constexpr unsigned LENGTH = 128, WARPS = 4, COLUMNS = 4;

extern "C" __global__ void __launch_bounds__(32 * WARPS)
align(unsigned pairs, const unsigned char *__restrict__ a, const unsigned char *__restrict__ b,
      const unsigned *__restrict__ a_length, const unsigned *__restrict__ b_length, int *__restrict__ score)
{
  __shared__ uchar4 shared[WARPS][LENGTH / COLUMNS];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  size_t pair = blockIdx.x * WARPS + warp;
  if (pair >= pairs) return;
  shared[warp][lane] = reinterpret_cast<const uchar4 *>(a + pair * LENGTH)[lane];
  __syncwarp();
  const unsigned char *text = reinterpret_cast<const unsigned char *>(shared[warp]);
  unsigned rows = a_length[pair], columns = b_length[pair];
  uchar4 four = reinterpret_cast<const uchar4 *>(b + pair * LENGTH)[lane];
  unsigned letters[COLUMNS] = {four.x, four.y, four.z, four.w};
  int row_of_f[COLUMNS] = {}, corner = 0;
  unsigned steps = rows + (columns - 1) / COLUMNS;
#pragma unroll 1
  for (unsigned step = 0; step < steps; step++) {
    int last = __shfl_up_sync(~0u, row_of_f[COLUMNS - 1], 1);
    unsigned row = step - lane;
    if (row < rows) {
      unsigned letter = text[row];
      int left = lane == 0 ? 0 : last, diagonal = corner;
      corner = left;
#pragma unroll
      for (unsigned k = 0; k < COLUMNS; k++) {
        int through = diagonal + (letter == letters[k] ? SAME - 2 * GAP : DIFFER - 2 * GAP);
        diagonal = row_of_f[k];
        left = max(max(through, diagonal), left);
        row_of_f[k] = left;
      }
    }
  }
  int last = row_of_f[0];
#pragma unroll
  for (unsigned k = 1; k < COLUMNS; k++) {
    int other = row_of_f[k];
    last = k == (columns - 1) % COLUMNS ? other : last;
  }
  last = __shfl_sync(~0u, last, (columns - 1) / COLUMNS);
  if (lane == 0) score[pair] = last + GAP * int(rows + columns);
}
