// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// moe.cu - the kernel of moe.ck in CUDA C++.

constexpr unsigned EXPERTS = 64, CHOSEN = 8, WARPS = 8;

static __device__ unsigned ordered(float x)
{
  unsigned bits = __float_as_uint(x + 0.0f);
  return bits ^ (int(bits) < 0 ? ~0u : 0x80000000);
}

static __device__ float float_of(unsigned key)
{
  return __uint_as_float(key ^ (int(key) < 0 ? 0x80000000 : ~0u));
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
moe_gate(unsigned tokens, const float *__restrict__ logits, unsigned *__restrict__ expert, float *__restrict__ weight)
{
  unsigned lane = threadIdx.x % 32;
  unsigned token = blockIdx.x * WARPS + threadIdx.x / 32;
  if (token >= tokens) return;
  float2 pair = reinterpret_cast<const float2 *>(logits + size_t(token) * EXPERTS)[lane];
  bool is_turned = pair.y > pair.x;
  float greater = is_turned ? pair.y : pair.x, lesser = is_turned ? pair.x : pair.y;
  unsigned front = ordered(greater), next = ordered(lesser);
  unsigned first_round = CHOSEN, last_round = CHOSEN, best = 0, lower_lanes = (1u << lane) - 1;
#pragma unroll
  for (unsigned round = 0; round < CHOSEN; round++) {
    unsigned greatest = __reduce_max_sync(~0u, front);
    if (round == 0) best = greatest;
    unsigned lanes = __ballot_sync(~0u, front == greatest);
    if (front == greatest && (lanes & lower_lanes) == 0) {
      first_round = min(first_round, round);
      last_round = round;
      front = next;
      next = 0;
    }
  }
  float of_greater = first_round < CHOSEN ? __expf(greater - float_of(best)) : 0;
  float of_lesser = last_round != first_round ? __expf(lesser - float_of(best)) : 0;
  float total = of_greater + of_lesser;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) total += __shfl_xor_sync(~0u, total, d);
  float scale = __fdividef(1, total);
  unsigned at = 2 * lane + is_turned;
  expert += size_t(token) * CHOSEN;
  weight += size_t(token) * CHOSEN;
  if (first_round < CHOSEN) {
    expert[first_round] = at;
    weight[first_round] = of_greater * scale;
  }
  if (last_round != first_round) {
    expert[last_round] = at ^ 1;
    weight[last_round] = of_lesser * scale;
  }
}
