/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* warp.c - data exchange between the lanes of a warp: shuffles, votes, matches, reductions.
 *
 * The scheduler (block.c) calls host_exchange when all lanes of a warp operation have arrived; each
 * lane has its input in thread->value and gets its result there. Results are those of PTX's
 * shfl.sync, vote.sync, match.sync and redux.sync. A shuffle from a lane outside of the mask
 * returns the lane's own value.
 */
#include <string.h>

#include "host.h"

enum { WARP = 32 };

static uint32_t reduce_two(uint32_t exchange, uint32_t a, uint32_t b)
{
  switch (exchange) {
  case CK_HOST_EXCHANGE_sum: return a + b;
  case CK_HOST_EXCHANGE_min_i: return (int32_t)b < (int32_t)a ? b : a;
  case CK_HOST_EXCHANGE_min_u: return b < a ? b : a;
  case CK_HOST_EXCHANGE_max_i: return (int32_t)b > (int32_t)a ? b : a;
  case CK_HOST_EXCHANGE_max_u: return b > a ? b : a;
  case CK_HOST_EXCHANGE_and: return a & b;
  case CK_HOST_EXCHANGE_or: return a | b;
  default: return a ^ b;
  }
}

/* The lane from which `lane` reads, or `lane` itself if that is out of range (PTX ISA,
 * "shfl.sync"). */
static inline uint32_t source_lane(uint32_t exchange, const ck_host_thread_t *thread, uint32_t lane)
{
  uint32_t segment = thread->clamp >> 8 & 31, bound = thread->clamp & 31,
           operand = thread->operand & 31;
  uint32_t most = (lane & segment) | (bound & ~segment), least = lane & segment;
  switch (exchange) {
  case CK_HOST_EXCHANGE_shuffle_up:
    return lane >= operand && lane - operand >= most ? lane - operand : lane;
  case CK_HOST_EXCHANGE_shuffle_down: return lane + operand <= most ? lane + operand : lane;
  case CK_HOST_EXCHANGE_shuffle_xor: return (lane ^ operand) <= most ? lane ^ operand : lane;
  default: {
    uint32_t source = least | (operand & ~segment);
    return source <= most ? source : lane;
  }
  }
}

/* Always called with a constant `exchange`, so that inlining gives each case its own loop. */
static inline void shuffle(uint32_t exchange, ck_host_thread_t *warp, const uint64_t *values,
                           uint32_t lanes)
{
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    uint32_t source = source_lane(exchange, &warp[lane], lane);
    if (lanes >> source & 1) warp[lane].value = values[source];
  }
}

static uint32_t lanes_equal(const uint64_t *values, uint32_t lanes, uint64_t value)
{
  uint32_t equal = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    equal |= (uint32_t)(values[lane] == value) << lane;
  }
  return equal;
}

/* The result of a vote or reduction, which is the same in all lanes. */
static uint32_t common_result(uint32_t exchange, const uint64_t *values, uint32_t lanes)
{
  uint32_t total = (uint32_t)values[__builtin_ctz(lanes)];
  switch (exchange) {
  case CK_HOST_EXCHANGE_all: return lanes_equal(values, lanes, 0) == 0;
  case CK_HOST_EXCHANGE_any: return lanes_equal(values, lanes, 0) != lanes;
  case CK_HOST_EXCHANGE_ballot: return lanes & ~lanes_equal(values, lanes, 0);
  default:
    for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1)
      total = reduce_two(exchange, total, (uint32_t)values[__builtin_ctz(rest)]);
    return total;
  }
}

static void give_to_all(ck_host_thread_t *warp, uint32_t lanes, uint64_t value)
{
  for (uint32_t rest = lanes; rest; rest &= rest - 1) warp[__builtin_ctz(rest)].value = value;
}

static void give_equal(ck_host_thread_t *warp, const uint64_t *values, uint32_t lanes)
{
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    warp[lane].value = lanes_equal(values, lanes, values[lane]);
  }
}

/* Stores the result of an exchange in each participating lane. */
static void give_results(uint32_t exchange, ck_host_thread_t *warp, const uint64_t *values,
                         uint32_t lanes)
{
  switch ((ck_host_exchange_t)exchange) {
  case CK_HOST_EXCHANGE_none:
  case CK_HOST_EXCHANGE_same: return;
  case CK_HOST_EXCHANGE_shuffle_idx:
    shuffle(CK_HOST_EXCHANGE_shuffle_idx, warp, values, lanes);
    return;
  case CK_HOST_EXCHANGE_shuffle_up:
    shuffle(CK_HOST_EXCHANGE_shuffle_up, warp, values, lanes);
    return;
  case CK_HOST_EXCHANGE_shuffle_down:
    shuffle(CK_HOST_EXCHANGE_shuffle_down, warp, values, lanes);
    return;
  case CK_HOST_EXCHANGE_shuffle_xor:
    shuffle(CK_HOST_EXCHANGE_shuffle_xor, warp, values, lanes);
    return;
  case CK_HOST_EXCHANGE_match_any: give_equal(warp, values, lanes); return;
  case CK_HOST_EXCHANGE_match_all: {
    uint64_t value = values[__builtin_ctz(lanes)];
    give_to_all(warp, lanes, lanes_equal(values, lanes, value) == lanes ? lanes : 0);
    return;
  }
  default: give_to_all(warp, lanes, common_result(exchange, values, lanes)); return;
  }
}

bool host_exchange(ck_host_thread_t *warp, uint32_t lanes, uint32_t *out_lane)
{
  uint64_t values[WARP]; /* valid for `lanes` only */
  const ck_host_thread_t *first = &warp[__builtin_ctz(lanes)];
  uint32_t exchange = first->exchange;
  uint64_t value = first->value;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    values[lane] = warp[lane].value;
    bool is_same = exchange != CK_HOST_EXCHANGE_same || values[lane] == value;
    if (warp[lane].exchange == exchange && is_same) continue;
    *out_lane = lane;
    return false;
  }
  if (exchange == CK_HOST_EXCHANGE_none) return true;
  give_results(exchange, warp, values, lanes);
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    warp[__builtin_ctz(rest)].exchange = CK_HOST_EXCHANGE_none;
  return true;
}
