// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp.ck - communication between the lanes of a warp or tile: shuffles, votes, matches,
// reductions.
//
// warp.shuffle(v, lane), warp.shuffle_up(v, d), warp.shuffle_down(v, d), warp.shuffle_xor(v, d),
// warp.broadcast(v, lane); warp.all(p), warp.any(p), warp.ballot(p); warp.match_any(v),
// warp.match_all(v); warp.sum(v), warp.min(v), warp.max(v), warp.and(v), warp.or(v), warp.xor(v);
// warp.elect(), warp.mask, warp.active_mask(); block.uniform(v), warp.uniform(v), grid.uniform(v).
// All of t = warp.tile<G> too but active_mask, and t.size, t.rank, t.index, t.sync().
// Reductions and scans by any function are in warp/scan.ck.
//
//   shape         a warp or G lanes of one, G 2, 4, 8, 16 or 32, in any block. If the block's size
//                 is no multiple of 32, its last warp has fewer lanes: the missing lanes take no
//                 part
//   arrangement   one value per lane, of at most 256 bytes; match_any, match_all, sum and so on
//                 take scalars
//   called by     all lanes of the group; uniform: all threads of the group
//   result        shuffles: the value of that lane; if that lane doesn't exist, the lane's own.
//                 all, any, ballot, match_all, sum and so on: the same in all lanes; bit i of
//                 ballot, match_any and mask is lane i. uniform: v
//   shared bytes  none
//   steps         a shuffle for each 32 bits; sum and so on: 1 instruction for 32-bit integers from
//                 sm_80 on, else log2(lanes) shuffles
//   target        any
//   CUB           WarpScan::Broadcast(v, lane)           warp.broadcast(v, lane)
//                 WarpReduce::Sum(v), Max(v), Min(v)     warp.sum(v); warp.max(v); warp.min(v)
//                 LOGICAL_WARP_THREADS                   warp.tile<G>.sum(v)
//                     every function of warp has this form
//                 ShuffleIndex, ShuffleUp, ShuffleDown   warp.shuffle(v, lane); warp.shuffle_up(v, d); warp.shuffle_down(v, d)
//                 beyond CUB                             warp.all(p); warp.any(p); warp.ballot(p)
//                     CUDA C++ has them as intrinsics
//                 beyond CUB                             warp.match_any(v); warp.match_all(v)
//                     CUDA C++ has them as intrinsics
//
//   kernel rows(x: in f32[8, 8], sums: out f32[8], left: out f32[64]) launch(block = 64, grid = 1)
//   {
//       let t = warp.tile<8>;
//       let v = x[thread.rank / 8, t.rank];
//       let sum = t.sum(v);
//       if (t.rank == 0) sums[thread.rank / 8] = sum;
//       left[thread.rank] = t.shuffle_up(v, 1);
//   }
//   CALL: rows(x=iota:8x8)
//   EXPECT: sums = 28 + 64 * arange(8)
//   EXPECT: left = where(arange(64) % 8 == 0, arange(64), arange(64) - 1)
//   COST: 0 bytes, 0 barriers

// ---- the lanes of a group: N is 32 for a warp, or the size of a tile ----

fn __is_full<const N: u32>() -> bool = block.size % N == 0;
fn __count<const N: u32>() -> u32 = __is_full<N>() ? N : min(N, block.size - (thread.rank & ~(N - 1)));
fn __base<const N: u32>() -> u32 = __lane() & ~(N - 1) & 31;
fn __lanes<const N: u32>() -> u32 = (~0u32 >> (32 - __count<N>())) << __base<N>();

// Functions that serve blocks and groups of lanes alike take N = 1024 for a block, which no tile
// has.
const __of_block: u32 = 1024;
fn __threads<const N: u32>() -> u32 = N == __of_block ? block.size : __count<N>();
fn __first_rank<const N: u32>() -> u32 = N == __of_block ? 0 : thread.rank & ~(N - 1);
fn __rank_in<const N: u32>() -> u32 = N == __of_block ? thread.rank : __lane() & (N - 1);

// The last operand of shfl.sync: segments of N lanes, and the last lane that exists.
fn __clamp<const N: u32>() -> u32 = ((32 - N) << 8) | (__count<N>() - 1);

// ---- one shuffle; MODE: 0 from a lane, 1 from below, 2 from above, 3 by lane ^ b ----

fn __shuffle_word<const MODE: u32>(m: u32, v: u32, b: u32, c: u32) -> u32 =
    MODE == 0 ? __shuffle_idx(m, v, b, c) : MODE == 1 ? __shuffle_up(m, v, b, c)
  : MODE == 2 ? __shuffle_down(m, v, b, c) : __shuffle_xor(m, v, b, c);
fn __shuffle<const MODE: u32, T: type>(m: u32, v: T, b: u32, c: u32) -> T {
    const WORDS = (sizeof<T> + 3) / 4;
    static_assert(WORDS <= 64, "a shuffle takes at most 256 bytes");
    var words = bit_cast<u32[WORDS]>(v);
    unroll for (k in 0..WORDS) words[k] = __shuffle_word<MODE>(m, words[k], b, c);
    return bit_cast<T>(words);
}

// ---- shuffles: the value of another lane, or the lane's own if that lane doesn't exist ----

// The value of lane `lane` % 32.
fn warp.shuffle<T: type>(v: T, lane: u32) -> T = __shuffle<0>(__lanes<32>(), v, lane, __clamp<32>());
// The value of the lane d below, d above, and of lane ^ d; d is at most 31.
fn warp.shuffle_up<T: type>(v: T, d: u32) -> T = __shuffle<1>(__lanes<32>(), v, d, 0);
fn warp.shuffle_down<T: type>(v: T, d: u32) -> T = __shuffle<2>(__lanes<32>(), v, d, __clamp<32>());
fn warp.shuffle_xor<T: type>(v: T, d: u32) -> T = __shuffle<3>(__lanes<32>(), v, d, __clamp<32>());
// The value of lane `lane`; the compiler then knows it to be the same in all lanes.
fn warp.broadcast<T: type>(v: T, lane: u32) -> T = __assume_warp(warp.shuffle(v, lane));

// ---- votes ----

fn warp.all(p: bool) -> bool = __assume_warp(__vote_all(__lanes<32>(), p));
fn warp.any(p: bool) -> bool = __assume_warp(__vote_any(__lanes<32>(), p));
// The lanes whose p is true; bit i is lane i.
fn warp.ballot(p: bool) -> u32 = __assume_warp(__ballot(__lanes<32>(), p));

// The lanes of a group whose p is true. Tiles ask all(p), any(p) and match_all(v) by it and by
// match_any: of a vote of several tiles at once, lanes can be cleared (repair vote_mask), but the one
// bit of __vote_all can't be corrected.
fn __voted<const N: u32>(p: bool) -> u32 = __ballot(__lanes<N>(), p);

// ---- equal values ----

fn __match<const ALL: bool>(m: u32, v: u32) -> u32 = ALL ? __match_all32(m, v) : __match_any32(m, v);
fn __match<const ALL: bool>(m: u32, v: i32) -> u32 = __match<ALL>(m, u32(v));
fn __match<const ALL: bool>(m: u32, v: u64) -> u32 = ALL ? __match_all64(m, v) : __match_any64(m, v);
fn __match<const ALL: bool>(m: u32, v: i64) -> u32 = __match<ALL>(m, u64(v));
fn __match<const ALL: bool>(m: u32, v: bool) -> u32 = __match<ALL>(m, u32(v));
fn __match<const ALL: bool>(m: u32, v: f16) -> u32 = __match<ALL>(m, bit_cast<u16>(v));
fn __match<const ALL: bool>(m: u32, v: bf16) -> u32 = __match<ALL>(m, bit_cast<u16>(v));
fn __match<const ALL: bool>(m: u32, v: f32) -> u32 = __match<ALL>(m, bit_cast<u32>(v));
fn __match<const ALL: bool>(m: u32, v: f64) -> u32 = __match<ALL>(m, bit_cast<u64>(v));

fn __matched<const N: u32, T: type>(v: T) -> u32 = __match<false>(__lanes<N>(), v);
fn __all_match<const N: u32, T: type>(v: T) -> bool = N == 32 ? __match<true>(__lanes<N>(), v) != 0 : __matched<N>(v) == __lanes<N>();
// The lanes that have this lane's value, bit for bit.
fn warp.match_any<T: number>(v: T) -> u32 = __match<false>(__lanes<32>(), v);
fn warp.match_any(v: bool) -> u32 = __match<false>(__lanes<32>(), v);
// Do all lanes have the same value?
fn warp.match_all<T: number>(v: T) -> bool = __assume_warp(__all_match<32>(v));
fn warp.match_all(v: bool) -> bool = __assume_warp(__all_match<32>(v));

// ---- the active lanes ----

// The lanes of the warp: all 32, fewer in the last warp of a block.
fn warp.mask -> u32 = __assume_warp(__lanes<32>());
// The lanes that execute this instruction together with this one. Which ones these are is up to the
// hardware, but for the lane itself. On the host: the lane alone.
fn warp.active_mask() -> u32 = __active_mask();
// True in one lane.
fn warp.elect() -> bool = __sm() >= 90 ? __elect(__lanes<32>()) != 0 : __lane() == 0;

// v, which the program promises to be the same in all threads of the group. The host device checks
// it.
fn warp.uniform<T: type>(v: T) -> T = __assume_warp(__check_warp(__lanes<32>(), v));
fn warp.tile.uniform<const N: u32, T: type>(v: T) -> T = __assume_tile(N, __check_warp(__lanes<N>(), v));
fn block.uniform<T: type>(v: T) -> T = __assume_block(__check_block(v));
fn grid.uniform<T: type>(v: T) -> T = __assume_grid(__check_block(v));

// ---- reductions; OP: 0 sum, 1 min, 2 max, 3 and, 4 or, 5 xor. All lanes get the result ----

fn __combine<const OP: u32, T: type>(a: T, b: T) -> T {
    comptime if (OP == 0) return a + b;
    else comptime if (OP == 1) return min(a, b);
    else comptime if (OP == 2) return max(a, b);
    else comptime if (OP == 3) return a & b;
    else comptime if (OP == 4) return a | b;
    else return a ^ b;
}

// An all-reduce by a butterfly: lane i and lane i ^ d combine their values, for log2(N) distances
// d. In a group with missing lanes, each lane d instead combines with lane + d if that exists, so
// lane 0 gets the result, which is then broadcast.
fn __butterfly<const OP: u32, const N: u32, T: type>(v: T) -> T {
    var r = v;
    let m = __lanes<N>();
    let c = __clamp<N>();
    if (__is_full<N>() && !__is_host()) {
        comptime if (N >= 32) r = __combine<OP>(r, __shuffle<3>(m, r, 16, c));
        comptime if (N >= 16) r = __combine<OP>(r, __shuffle<3>(m, r, 8, c));
        comptime if (N >= 8) r = __combine<OP>(r, __shuffle<3>(m, r, 4, c));
        comptime if (N >= 4) r = __combine<OP>(r, __shuffle<3>(m, r, 2, c));
        comptime if (N >= 2) r = __combine<OP>(r, __shuffle<3>(m, r, 1, c));
        return r;
    }
    let left = __count<N>() - (__lane() & (N - 1));
    var d = N / 2;
    while (d > 0) {
        let other = __shuffle<2>(m, r, d, c);
        if (d < left) r = __combine<OP>(r, other);
        d /= 2;
    }
    return __shuffle<0>(m, r, 0, c);
}

fn __reduce<const OP: u32, const N: u32>(v: i32) -> i32 = __sm() < 80 || N < 32 ? __butterfly<OP, N>(v)
  : OP == 1 ? __redux_min_i(__lanes<N>(), v) : OP == 2 ? __redux_max_i(__lanes<N>(), v)
  : i32(__reduce<OP, N>(u32(v)));
fn __reduce<const OP: u32, const N: u32>(v: u32) -> u32 = __sm() < 80 || N < 32 ? __butterfly<OP, N>(v)
  : OP == 0 ? __redux_sum(__lanes<N>(), v) : OP == 1 ? __redux_min_u(__lanes<N>(), v)
  : OP == 2 ? __redux_max_u(__lanes<N>(), v) : OP == 3 ? __redux_and(__lanes<N>(), v)
  : OP == 4 ? __redux_or(__lanes<N>(), v) : __redux_xor(__lanes<N>(), v);
fn __reduce<const OP: u32, const N: u32>(v: u64) -> u64 = __butterfly<OP, N>(v);
fn __reduce<const OP: u32, const N: u32>(v: i64) -> i64 = __butterfly<OP, N>(v);
fn __reduce<const OP: u32, const N: u32>(v: f32) -> f32 = __butterfly<OP, N>(v);
fn __reduce<const OP: u32, const N: u32>(v: f64) -> f64 = __butterfly<OP, N>(v);

// ---- any associative function; a of f(a, b) comes from lower lanes, as f may not commute ----

// A tree that preserves the order: with distance d, a lane holds f of d neighbours, and combines it
// with those of lane + d. Only the first `count` lanes have values.
fn __ordered<const N: u32, T: type, F: fn>(v: T, f: F, count: u32) -> T {
    var r = v;
    let m = __lanes<N>();
    let c = __clamp<N>();
    let rank = __lane() & (N - 1);
    var d = 1u32;
    while (d < N) {
        let other = __shuffle<2>(m, r, d, c);
        if (rank + d < count) r = f(r, other);
        d *= 2;
    }
    return __shuffle<0>(m, r, 0, c);
}
// __operator gives the OP that f is on a T, and 6 for every other function.
fn __reduce_by<const N: u32, T: type, F: fn>(v: T, f: F) -> T {
    comptime if (__operator(v, f) < 6) return T(__reduce<__operator(v, f), N>(v));
    else return __ordered<N>(v, f, __count<N>());
}
fn __step_any<const N: u32, const D: u32, T: type, F: fn>(v: T, f: F, count: u32) -> T {
    let other = __shuffle<1>(__lanes<N>(), v, D, (32 - N) << 8);
    let rank = __lane() & (N - 1);
    return rank >= D && rank < count ? f(other, v) : v;
}
// For a sum: shfl.sync also returns a predicate, false where the source lane doesn't exist. It
// predicates the addition, which saves a comparison.
fn __step_add(m: u32, v: u32, d: u32, c: u32) -> u32 = asm<u32>(
    "{ .reg .b32 r; .reg .pred p; shfl.sync.up.b32 r|p, $1, $2, $3, $4; @p add.u32 r, r, $1; mov.b32 $0, r; }",
    v, d, c, m, convergent = true);
fn __step_add(m: u32, v: f32, d: u32, c: u32) -> f32 = asm<f32>(
    "{ .reg .f32 r; .reg .pred p; shfl.sync.up.b32 r|p, $1, $2, $3, $4; @p add.rn.f32 r, r, $1; mov.f32 $0, r; }",
    v, d, c, m, convergent = true);
fn __step_add(m: u32, v: u64, d: u32, c: u32) -> u64 = asm<u64>(
    "{ .reg .b32 l, h; .reg .b64 r; .reg .pred p; mov.b64 {l, h}, $1; shfl.sync.up.b32 l|p, l, $2, $3, $4; shfl.sync.up.b32 h|p, h, $2, $3, $4; mov.b64 r, {l, h}; @p add.u64 r, r, $1; mov.b64 $0, r; }",
    v, d, c, m, convergent = true);
fn __scan_step<const N: u32, const D: u32, T: type, F: fn>(v: T, f: F, count: u32) -> T = __step_any<N, D>(v, f, count);
fn __scan_step<const N: u32, const D: u32, F: fn>(v: u32, f: F, count: u32) -> u32 {
    comptime if (__operator(v, f) == 0) return __step_add(__lanes<N>(), v, D, (32 - N) << 8);
    else return __step_any<N, D>(v, f, count);
}
fn __scan_step<const N: u32, const D: u32, F: fn>(v: f32, f: F, count: u32) -> f32 {
    comptime if (__operator(v, f) == 0) return __step_add(__lanes<N>(), v, D, (32 - N) << 8);
    else return __step_any<N, D>(v, f, count);
}
fn __scan_step<const N: u32, const D: u32, F: fn>(v: u64, f: F, count: u32) -> u64 {
    comptime if (__operator(v, f) == 0) return __step_add(__lanes<N>(), v, D, (32 - N) << 8);
    else return __step_any<N, D>(v, f, count);
}
fn __scan_step<const N: u32, const D: u32, F: fn>(v: i32, f: F, count: u32) -> i32 {
    comptime if (__operator(v, f) == 0) return i32(__step_add(__lanes<N>(), u32(v), D, (32 - N) << 8));
    else return __step_any<N, D>(v, f, count);
}
fn __scan_step<const N: u32, const D: u32, F: fn>(v: i64, f: F, count: u32) -> i64 {
    comptime if (__operator(v, f) == 0) return i64(__step_add(__lanes<N>(), u64(v), D, (32 - N) << 8));
    else return __step_any<N, D>(v, f, count);
}
// LONE: only this warp scans, while the others wait, so latency counts: without the shuffle's
// predicate a step's latency is shorter. Where many warps scan, throughput counts, and the
// predicate saves an instruction.
fn __step<const LONE: bool, const N: u32, const D: u32, T: type, F: fn>(v: T, f: F, count: u32) -> T {
    comptime if (LONE) return __step_any<N, D>(v, f, count);
    else return __scan_step<N, D>(v, f, count);
}
// Lane i gets f of lanes 0 to i, for the first `count` lanes; count <= MOST (Hillis and Steele).
fn __inclusive<const N: u32, const LONE: bool = false, const MOST: u32 = N, T: type, F: fn>(v: T, f: F, count: u32) -> T {
    var r = v;
    comptime if (__is_host()) { // a loop: its shuffle is one switch point for the coroutines
        var d = 1u32;
        while (d < MOST) {
            let other = __shuffle<1>(__lanes<N>(), r, d, (32 - N) << 8);
            if ((__lane() & (N - 1)) >= d && (__lane() & (N - 1)) < count) r = f(other, r);
            d *= 2;
        }
    } else {
        comptime if (MOST > 1) r = __step<LONE, N, 1>(r, f, count);
        comptime if (MOST > 2) r = __step<LONE, N, 2>(r, f, count);
        comptime if (MOST > 4) r = __step<LONE, N, 4>(r, f, count);
        comptime if (MOST > 8) r = __step<LONE, N, 8>(r, f, count);
        comptime if (MOST > 16) r = __step<LONE, N, 16>(r, f, count);
    }
    return r;
}

fn warp.sum<T: number>(v: T) -> T = __assume_warp(T(__reduce<0, 32>(v)));
fn warp.min<T: number>(v: T) -> T = __assume_warp(T(__reduce<1, 32>(v)));
fn warp.max<T: number>(v: T) -> T = __assume_warp(T(__reduce<2, 32>(v)));
fn warp.and<T: int>(v: T) -> T = __assume_warp(T(__reduce<3, 32>(v)));
fn warp.or<T: int>(v: T) -> T = __assume_warp(T(__reduce<4, 32>(v)));
fn warp.xor<T: int>(v: T) -> T = __assume_warp(T(__reduce<5, 32>(v)));

// ---- tiles: a warp cut into groups of N lanes, N 2, 4, 8, 16 or 32. Lane numbers are relative to the tile ----

fn warp.tile.size<const N: u32> -> u32 = N;
fn warp.tile.rank<const N: u32> -> u32 = __lane() & (N - 1);
// The tile's index in its warp.
fn warp.tile.index<const N: u32> -> u32 = __assume_tile(N, __lane() / N);
// The tile's lanes, as a mask of the warp.
fn warp.tile.mask<const N: u32> -> u32 = __assume_tile(N, __lanes<N>());
fn warp.tile.sync<const N: u32>() = __warp_sync(__lanes<N>());
fn warp.tile.elect<const N: u32>() -> bool = (__lane() & (N - 1)) == 0;

fn warp.tile.shuffle<const N: u32, T: type>(v: T, lane: u32) -> T = __shuffle<0>(__lanes<N>(), v, lane, __clamp<N>());
fn warp.tile.shuffle_up<const N: u32, T: type>(v: T, d: u32) -> T = __shuffle<1>(__lanes<N>(), v, d, (32 - N) << 8);
fn warp.tile.shuffle_down<const N: u32, T: type>(v: T, d: u32) -> T = __shuffle<2>(__lanes<N>(), v, d, __clamp<N>());
fn warp.tile.shuffle_xor<const N: u32, T: type>(v: T, d: u32) -> T = __shuffle<3>(__lanes<N>(), v, d, __clamp<N>());
fn warp.tile.broadcast<const N: u32, T: type>(v: T, lane: u32) -> T = __assume_tile(N, __shuffle<0>(__lanes<N>(), v, lane, __clamp<N>()));

fn warp.tile.all<const N: u32>(p: bool) -> bool = __assume_tile(N, __voted<N>(!p) == 0);
fn warp.tile.any<const N: u32>(p: bool) -> bool = __assume_tile(N, __voted<N>(p) != 0);
fn warp.tile.ballot<const N: u32>(p: bool) -> u32 = __assume_tile(N, __voted<N>(p) >> __base<N>());
fn warp.tile.match_any<const N: u32, T: number>(v: T) -> u32 = __matched<N>(v) >> __base<N>();
fn warp.tile.match_any<const N: u32>(v: bool) -> u32 = __matched<N>(v) >> __base<N>();
fn warp.tile.match_all<const N: u32, T: number>(v: T) -> bool = __assume_tile(N, __all_match<N>(v));
fn warp.tile.match_all<const N: u32>(v: bool) -> bool = __assume_tile(N, __all_match<N>(v));

fn warp.tile.sum<const N: u32, T: number>(v: T) -> T = __assume_tile(N, T(__reduce<0, N>(v)));
fn warp.tile.min<const N: u32, T: number>(v: T) -> T = __assume_tile(N, T(__reduce<1, N>(v)));
fn warp.tile.max<const N: u32, T: number>(v: T) -> T = __assume_tile(N, T(__reduce<2, N>(v)));
fn warp.tile.and<const N: u32, T: int>(v: T) -> T = __assume_tile(N, T(__reduce<3, N>(v)));
fn warp.tile.or<const N: u32, T: int>(v: T) -> T = __assume_tile(N, T(__reduce<4, N>(v)));
fn warp.tile.xor<const N: u32, T: int>(v: T) -> T = __assume_tile(N, T(__reduce<5, N>(v)));
