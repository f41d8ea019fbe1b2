// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bfs.cu - the kernel of bfs.ck in CUDA C++. __ldcg and __stcg compile to the instructions of relaxed atomic loads and
// stores of device scope, and keep the global address space, which cuda::atomic_ref loses.

constexpr unsigned FAR = 0xffffffff, BLOCK = 256, LANES = 8;

extern "C" __global__ void __launch_bounds__(BLOCK)
bfs_level(unsigned level, unsigned vertices, unsigned edges, const unsigned *__restrict__ start,
          const unsigned *__restrict__ to, unsigned *__restrict__ distance, unsigned *__restrict__ found)
{
  unsigned v = blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;
  bool has_found = false;
  if (v < vertices && __ldcg(&distance[v]) == level) {
    unsigned end = start[v + 1];
#pragma unroll 1
    for (unsigned e = start[v] + threadIdx.x % LANES; e < end; e += LANES) {
      unsigned *neighbour = &distance[to[e]];
      if (__ldcg(neighbour) == FAR) {
        __stcg(neighbour, level + 1);
        has_found = true;
      }
    }
  }
  if (__syncthreads_or(has_found) && threadIdx.x == 0) __stcg(found, 1u);
}
