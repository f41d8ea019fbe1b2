// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/compact.ck - compaction: the items of a warp or tile whose flag is set.
//
// warp.compact(items, keep)   moves the items whose flag in keep: bool[N] is set to the front; warp.tile<G>.compact
//
//   shape         a warp or G lanes of one, in any block of constant size; N items a lane, of any type
//   arrangement   blocked, in and out; compact<striped>: the result is striped
//   called by     all lanes of the group
//   result        (items, count): the first `count` items of the group; the others are unspecified
//   shared bytes  that of exchange.ck with ranks
//   steps         a vote for each item if there are up to 8, else a scan; then an exchange
//   target        any
//   CUB           beyond CUB   warp.compact(items, keep)
//
//   kernel odd(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
//   {
//       let i = thread.rank;
//       let (kept, n) = warp.compact([x[i]], [x[i] % 2 == 1]);
//       y[i] = warp.lane < n ? kept[0] : 0;
//   }
//   CALL: odd(x=iota:64)
//   EXPECT: y = where(arange(64) % 32 < 16, arange(64) // 32 * 32 + 2 * (arange(64) % 32) + 1, 0)
//   COST: 272 bytes, 0 barriers

// The number of kept items before each item, and of all.
fn __kept_before<const G: u32, const N: u32>(keep: bool[N]) -> (u32[N], u32) {
    var ranks: u32[N];
    comptime if (N > 8) {
        unroll for (k in 0..N) ranks[k] = u32(keep[k]);
        return __with_total<G>(__scan_items<false, G>(ranks, +, ~0u32), ~0u32, N);
    } else {
        var (before, count) = (0u32, 0u32);
        unroll for (k in 0..N) {
            let lanes = __voted<G>(keep[k]);
            before += popcount(lanes & ((1u32 << __lane()) - 1));
            count += popcount(lanes);
        }
        unroll for (k in 0..N) {
            ranks[k] = before;
            before += u32(keep[k]);
        }
        return (ranks, count);
    }
}
fn __group_compact<const TO: u32, const G: u32, T: type, const N: u32>(items: T[N], keep: bool[N]) -> (T[N], u32) {
    static_assert(TO <= striped, "compact leaves its result blocked or striped");
    const HOW = TO == striped ? scatter_to_striped : scatter_to_blocked;
    let (ranks, count) = __kept_before<G>(keep);
    return (__group_scatter<HOW, G, true>(items, ranks, keep), count);
}

fn warp.compact<const to: u32 = 0, T: type, const N: u32>(items: T[N], keep: bool[N]) -> (T[N], u32) {
    let (kept, count) = __group_compact<to, 32>(items, keep);
    return (kept, __assume_warp(count));
}
fn warp.tile.compact<const G: u32, const to: u32 = 0, T: type, const N: u32>(items: T[N], keep: bool[N]) -> (T[N], u32) {
    let (kept, count) = __group_compact<to, G>(items, keep);
    return (kept, __assume_tile(G, count));
}
