// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hashtable.cu - the kernels of hashtable.ck in CUDA C++.

typedef unsigned long long Slot;
constexpr Slot EMPTY = ~0ull;
constexpr unsigned BLOCK = 256;

static __device__ unsigned hash(unsigned h)
{
  h = (h ^ h >> 16) * 0x85ebca6b;
  h = (h ^ h >> 13) * 0xc2b2ae35;
  return h ^ h >> 16;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
hash_insert(unsigned n, unsigned slots, const unsigned *__restrict__ keys,
            const unsigned *__restrict__ values, Slot *__restrict__ table)
{
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i];
  Slot mine = Slot(key) << 32 | values[i];
  unsigned at = hash(key) & (slots - 1);
  while (true) {
    Slot old = atomicCAS(&table[at], EMPTY, mine);
    if (old == EMPTY) return;
    if (unsigned(old >> 32) == key) {
      if (old < mine) atomicMax(&table[at], mine);
      return;
    }
    at = (at + 1) & (slots - 1);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
hash_lookup(unsigned n, unsigned slots, const unsigned *__restrict__ keys,
            const Slot *__restrict__ table, unsigned *__restrict__ found)
{
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i];
  unsigned at = hash(key) & (slots - 1);
  Slot slot = table[at];
  while (unsigned(slot >> 32) != key && slot != EMPTY) {
    at = (at + 1) & (slots - 1);
    slot = table[at];
  }
  found[i] = unsigned(slot);
}
