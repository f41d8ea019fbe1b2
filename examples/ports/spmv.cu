// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// spmv.cu - the kernel of spmv.ck in CUDA C++.

constexpr unsigned BLOCK = 256, STEPS = 7, TILE = BLOCK * STEPS, WARPS = BLOCK / 32;

struct Carry { unsigned row; float sum; };

static __device__ Carry join(Carry a, Carry b) { return {b.row, b.sum + (a.row == b.row ? a.sum : 0)}; }

// The number of rows that end before step `diagonal` of the path; called by a warp.
static __device__ unsigned rows_before(const unsigned *__restrict__ offsets, unsigned rows, unsigned nonzeros,
                                       unsigned diagonal)
{
  unsigned low = diagonal - min(diagonal, nonzeros), high = min(diagonal, rows);
  while (low < high) {
    unsigned part = (high - low + 31) / 32;
    unsigned last = low + part * (threadIdx.x % 32 + 1) - 1;
    unsigned parts = __popc(__ballot_sync(~0u, last < high && offsets[last + 1] + last < diagonal));
    low += part * parts;
    high = min(high, low + part - 1);
  }
  return low;
}

// The sum of the threads before this one, {0, 0} for the first; `all`: of the block.
static __device__ Carry scan(Carry v, Carry *all)
{
  __shared__ Carry part[WARPS];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    Carry other = {__shfl_up_sync(~0u, v.row, d), __shfl_up_sync(~0u, v.sum, d)};
    if (lane >= d) v = join(other, v);
  }
  if (lane == 31) part[warp] = v;
  Carry before = {__shfl_up_sync(~0u, v.row, 1), __shfl_up_sync(~0u, v.sum, 1)};
  __syncthreads();
  Carry total = part[0], outside = {0, 0};
#pragma unroll
  for (unsigned w = 1; w < WARPS; w++) {
    if (warp == w) outside = total;
    total = join(total, part[w]);
  }
  *all = total;
  return lane == 0 ? outside : warp == 0 ? before : join(outside, before);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 8)
spmv(unsigned rows, unsigned columns, unsigned nonzeros, const unsigned *__restrict__ offsets,
     const unsigned *__restrict__ column, const float *__restrict__ value, const float *__restrict__ x,
     float *__restrict__ y)
{
  __shared__ unsigned bounds[2];
  __shared__ unsigned ends[TILE + 1];
  __shared__ float products[TILE];
  unsigned from = blockIdx.x * TILE, to = min(from + TILE, rows + nonzeros);
  if (threadIdx.x < 64) {
    unsigned bound = rows_before(offsets, rows, nonzeros, threadIdx.x < 32 ? from : to);
    if (threadIdx.x % 32 == 0) bounds[threadIdx.x / 32] = bound;
  }
  __syncthreads();
  unsigned first_row = bounds[0], row_count = bounds[1] - first_row, first = from - first_row;
  unsigned count = to - from - row_count;
  const float *values = value + first + threadIdx.x;
  const unsigned *column_at = column + first + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < STEPS; k++) {
    unsigned i = k * BLOCK + threadIdx.x;
    products[i] = i < count ? values[k * BLOCK] * x[column_at[k * BLOCK]] : 0;
  }
  for (unsigned i = threadIdx.x; i < row_count; i += BLOCK) ends[i] = offsets[first_row + i + 1] - first;
  if (threadIdx.x == 0) ends[row_count] = ~0u;
  __syncthreads();

  unsigned diagonal = min(threadIdx.x * STEPS, to - from);
  unsigned start = diagonal - min(diagonal, count), high = min(diagonal, row_count);
  while (start < high) {
    unsigned middle = (start + high) / 2;
    if (ends[middle] + middle < diagonal) start = middle + 1;
    else high = middle;
  }
  unsigned row = start, at = diagonal - start, end = ends[start];
  float sum = 0, of_start = 0;
#pragma unroll
  for (unsigned k = 0; k < STEPS; k++) {
    if (at < end) {
      sum += products[at];
      at++;
    } else {
      if (row == start) of_start = sum;
      else y[first_row + row] = sum;
      sum = 0;
      row++;
      end = ends[row];
    }
  }
  Carry all, before = scan({row, sum}, &all);
  if (row > start) {
    if (start == 0) atomicAdd(&y[first_row], of_start + before.sum);
    else y[first_row + start] = of_start + before.sum;
  }
  if (threadIdx.x == 0 && first_row + all.row < rows) atomicAdd(&y[first_row + all.row], all.sum);
}
