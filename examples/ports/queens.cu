// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queens.cu - queens_tasks and queens_solve of queens.ck in CUDA C++.

constexpr unsigned BLOCK = 128, LEVELS = 13;

struct Board {
  unsigned columns, left, right, free;

  __device__ Board with_queen(unsigned square, unsigned all) const
  {
    unsigned c = columns | square, l = (left | square) << 1, r = (right | square) >> 1;
    return {c, l, r, all & ~(c | l | r)};
  }
  __device__ uint2 packed() const { return {__byte_perm(columns, free, 0x5410), __byte_perm(left, right, 0x5410)}; }
};

static __device__ Board unpacked(uint2 v) { return {v.x & 0xffff, v.y & 0xffff, v.y >> 16, v.x >> 16}; }

static __device__ uint2 places(unsigned lanes, unsigned *counter)
{
  unsigned lane = threadIdx.x % 32, first = 0;
  if (lane == 0) first = atomicAdd(counter, __popc(lanes));
  first = __shfl_sync(~0u, first, 0);
  return {first + __popc(lanes & ((1u << lane) - 1)), first + __popc(lanes)};
}

extern "C" __global__ void __launch_bounds__(BLOCK)
queens_tasks(unsigned n, unsigned depth, unsigned prefixes, unsigned capacity, uint2 *__restrict__ queue,
             unsigned *__restrict__ tail)
{
  unsigned lane = threadIdx.x % 32;
  unsigned prefix = blockIdx.x * BLOCK + threadIdx.x, all = (1u << n) - 1;
  Board board = {0, 0, 0, all};
  bool is_possible = prefix < prefixes;
  unsigned digits = prefix;
  for (unsigned row = 0; row < depth; row++) {
    unsigned square = 1u << digits % n;
    is_possible = is_possible && (board.free & square) != 0;
    board = board.with_queen(square, all);
    digits /= n;
  }
  unsigned lanes = __ballot_sync(~0u, is_possible && board.free != 0);
  unsigned place = places(lanes, tail).x;
  if ((lanes >> lane & 1) != 0 && place < capacity) queue[place] = board.packed();
}

extern "C" __global__ void __launch_bounds__(BLOCK)
queens_solve(unsigned n, unsigned capacity, const uint2 *__restrict__ queue, const unsigned *__restrict__ tail,
             unsigned *__restrict__ head, unsigned *__restrict__ solutions)
{
  __shared__ uint2 stack[LEVELS * BLOCK];
  unsigned tasks = min(*tail, capacity), all = (1u << n) - 1;
  unsigned count = 0, top = threadIdx.x;
  bool is_open = true;
  Board board = {};
  while (true) {
    unsigned idle = __ballot_sync(~0u, board.free == 0 && top < BLOCK);
    if (idle != 0) {
      if (is_open) {
        uint2 task = places(idle, head);
        if (board.free == 0 && top < BLOCK && task.x < tasks) board = unpacked(queue[task.x]);
        is_open = task.y < tasks;
      } else if (idle == ~0u) {
        break;
      }
    }
    if (board.free == 0 && top >= BLOCK) {
      top -= BLOCK;
      board = unpacked(stack[top]);
    }
    if (board.free != 0) {
      unsigned square = board.free & -board.free;
      board.free ^= square;
      if (board.free != 0) {
        stack[top] = board.packed();
        top += BLOCK;
      }
      board = board.with_queen(square, all);
      if (board.columns == all) count++;
    }
  }
  count = __reduce_add_sync(~0u, count);
  if (threadIdx.x % 32 == 0) atomicAdd(solutions, count);
}
