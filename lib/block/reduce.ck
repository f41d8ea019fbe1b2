// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/reduce.ck - reductions over a block: one value of all threads' values.
//
// block.reduce(v, f), block.reduce_to(rank, v, f); with `valid = n` the first n values alone.
//
//   shape         any block of constant size, 1 to 1024 threads in 1 to 3 dimensions
//   arrangement   a value a thread, in the order of thread.rank; or an array: its elements in order,
//                 then the next thread's (blocked)
//   f             associative, on any type; with raking_commutative_only also commutative: the left
//                 argument is that of the earlier values
//   called by     all threads of the block; n is the same in all of them, 1 or more
//   result        reduce: in all threads. reduce_to: in thread `rank`; in others unspecified
//   algorithms    warp_reductions  shuffles in each warp, then across warps: types of up to 8 bytes
//                 raking           through shared memory, one warp reduces: larger ones
//                 raking_commutative_only   raking without bank conflicts in any layout
//                 warp_reductions_nondeterministic   shuffles in each warp, then atomic operations in shared
//                                  memory: + min max & | ^ of numbers. The order of the warps varies, so
//                                  that a sum of floats may differ from run to run in its last bits.
//                                  Slower than warp_reductions (1.2 to 1.5 times its time, u32, H200)
//   shared bytes  warp_reductions: sizeof<T> a warp, none in blocks of one; raking: of W warps 32 * (W
//                 + 1) values, of one 32; raking_commutative_only: 32 * W;
//                 warp_reductions_nondeterministic: sizeof<T>, none in blocks of one warp
//   steps         warp_reductions: 5 shuffles, one barrier, then a step for each warp (up to 8
//                 warps and 64 bytes in all), or 5 shuffles of one warp and, for reduce, a second
//                 barrier; blocks of one warp have no barrier. +, min, max, &, |, ^ of u32 and i32
//                 from sm_80 on: one instruction instead of the shuffles, and no second barrier.
//                 raking: one barrier, then one warp takes a step for each warp and 5 shuffles; a
//                 second barrier, except in reduce_to(0, v, f). warp_reductions_nondeterministic: 5
//                 shuffles, two barriers and an atomic operation of each warp
//   target        any
//   CUB           BlockReduce::Reduce(v, f)                       block.reduce_to(0, v, f)
//                     block.reduce(v, f): in all threads
//                 ::Reduce(items, f)                              block.reduce_to(0, items, f)
//                 ::Reduce(v, f, valid)                           block.reduce_to(0, v, f, valid = n)
//                     of items too
//                 ::Sum(v), (items), (v, valid)                   block.reduce_to(0, v, +)
//                     * min max & | ^ too
//                 BLOCK_REDUCE_WARP_REDUCTIONS                    block.reduce<warp_reductions>(v, f)
//                 BLOCK_REDUCE_RAKING                             block.reduce<raking>(v, f)
//                 BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY            block.reduce<raking_commutative_only>(v, f)
//                 BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC   block.reduce<warp_reductions_nondeterministic>(v, +)
//                     min max & | ^ too; only if named: the others give the same bits in every run
//
//   kernel squares(x: in u32[100], y: out u32[2]) launch(block = 100, grid = 1)
//   {
//       let v = x[thread.rank];
//       let total = block.reduce(v * v, +);
//       let most = block.reduce_to(0, v, max, valid = 10);
//       if (thread.rank == 0) (y[0], y[1]) = (total, most);
//   }
//   CALL: squares(x=iota:100)
//   EXPECT: y = [328350, 9]
//   COST: 16 bytes, 3 barriers

// Lane 0 gets f of lanes 0 to count - 1; count <= MOST. FULL: all 32 lanes have values.
fn __fold_warp<const FULL: bool, const MOST: u32 = 32, T: type, F: fn>(v: T, f: F, count: u32) -> T {
    comptime if (FULL && __operator(v, f) < 6) {
        return warp.reduce(v, f);
    } else {
        var r = v;
        const STEPS = 32 - clz(MOST - 1);
        unroll for (k in 0..STEPS) {
            let other = warp.shuffle_down(r, 1u32 << k);
            comptime if (FULL) {
                // computed also in lanes whose value isn't used: a short f needs no branch
                var next = __any(r);
                if (warp.lane % (2u32 << k) == 0) next = f(r, other);
                r = next;
            } else if (warp.lane + (1u32 << k) < count) {
                r = f(r, other);
            }
        }
        return r;
    }
}

// f of the first `count` elements; at least of the first one.
fn __fold<const FULL: bool, T: type, const N: u32, F: fn>(v: T[N], f: F, count: u32) -> T {
    var r = v[0];
    unroll for (k in 1..N) {
        comptime if (FULL) r = f(r, v[k]);
        else if (k < count) r = f(r, v[k]);
    }
    return r;
}

// The number of values from `first` on, of `count`, at most `most`.
fn __within(count: u32, first: u32, most: u32) -> u32 = count > first ? min(count - first, most) : 0;

// Every thread reduces the partial results of `count` warps serially.
fn __fold_parts<const FULL: bool, const W: u32, T: type, F: fn>(part: inout T[], f: F, count: u32) -> T {
    var r = part[0];
    unroll for (w in 1..W) {
        comptime if (FULL) r = f(r, part[w]);
        else if (w < count) r = f(r, part[w]);
    }
    return r;
}

// Has the block's last warp fewer lanes than there are warps? Then it can't reduce their partial
// results with one lane each.
fn __is_short() -> bool = block.size % 32 > 0 && block.size % 32 < (block.size + 31) / 32;

// The second of the two steps of a reduction by warps: f of the warps' partial results in `part`.
fn __fold_across<const ALL: bool, const FULL: bool, T: type, F: fn>(part: inout T[], v: T, f: F, count: u32, to: u32) -> T {
    const WARPS = (block.size + 31) / 32;
    comptime if (ALL && WARPS <= 8 && WARPS * (sizeof<T>) <= 64) {
        return __fold_parts<FULL, WARPS>(part, f, count);
    } else {
        var r = v;
        if (!ALL && __is_short() && to / 32 == WARPS - 1) {
            if (warp.rank == WARPS - 1) r = __fold_parts<FULL, WARPS>(part, f, count);
        } else if (warp.rank == (ALL ? 0 : to / 32)) {
            r = __fold_warp<false, WARPS>(part[min(warp.lane, WARPS - 1)], f, count);
            comptime if (!ALL) r = warp.shuffle(r, 0);
            else if (warp.lane == 0) part[0] = r;
        }
        comptime if (ALL) {
            block.sync();
            r = part[0];
        }
        return r;
    }
}
// One instruction folds a warp (redux): each warp does, and none waits.
fn __across<const ALL: bool, const FULL: bool, T: type, F: fn>(part: inout T[], v: T, f: F, count: u32, to: u32) -> T =
    __fold_across<ALL, FULL>(part, v, f, count, to);
fn __across<const ALL: bool, const FULL: bool, F: fn>(part: inout u32[], v: u32, f: F, count: u32, to: u32) -> u32 {
    comptime if (ALL && block.size > 256 && !__is_short() && __sm() >= 80 && __operator(v, f) < 6)
        return warp.reduce(part[min(warp.lane, (block.size - 1) / 32)], f, valid = count);
    else return __fold_across<ALL, FULL>(part, v, f, count, to);
}
fn __across<const ALL: bool, const FULL: bool, F: fn>(part: inout i32[], v: i32, f: F, count: u32, to: u32) -> i32 {
    comptime if (ALL && block.size > 256 && !__is_short() && __sm() >= 80 && __operator(v, f) < 6)
        return warp.reduce(part[min(warp.lane, (block.size - 1) / 32)], f, valid = count);
    else return __fold_across<ALL, FULL>(part, v, f, count, to);
}

// ALL: in all threads; otherwise in thread `to`.
fn __reduce_warps<const ALL: bool, const FULL: bool, T: type, F: fn>(v: T, f: F, count: u32, to: u32) -> T {
    const WARPS = (block.size + 31) / 32;
    const EVEN = FULL && block.size % 32 == 0;
    var r = __fold_warp<EVEN>(v, f, __within(count, thread.rank & ~31u32, 32));
    comptime if (WARPS == 1) {
        comptime if (ALL) r = warp.shuffle(r, 0);
        else if (to > 0) r = warp.shuffle(r, 0);
        return r;
    } else {
        shared part: T[WARPS];
        if (warp.lane == 0) part[warp.rank] = r;
        block.sync();
        return __across<ALL, FULL>(part, r, f, (count + 31) / 32, to);
    }
}

// Lane l adds up L values that follow each other; the lanes' slots are apart by an odd number.
fn __reduce_raking<const ALL: bool, const FULL: bool, const ORDERED: bool, T: type, F: fn>(v: T, f: F, count: u32, to: u32) -> T {
    const L = (block.size + 31) / 32;
    const PAD: u32 = ORDERED && L > 1 ? 1 : 0;
    const EVEN = FULL && block.size % 32 == 0;
    shared slots: T[32 * (L + PAD)];
    let rank = thread.rank;
    slots[ORDERED ? rank + rank / L * PAD : rank] = v;
    block.sync();
    var r = v;
    if (warp.rank == 0) {
        let lane = warp.lane;
        let first = ORDERED ? lane * L : lane;
        let at = ORDERED ? lane * (L + PAD) : lane;
        const STEP: u32 = ORDERED ? 1 : 32;
        if (EVEN || first < count) r = slots[at];
        unroll for (k in 1..L) {
            if (EVEN || first + k * STEP < count) r = f(r, slots[at + k * STEP]);
        }
        r = __fold_warp<EVEN>(r, f, ORDERED ? (count + L - 1) / L : min(count, 32));
        if (lane == 0) slots[0] = r;
    }
    comptime if (ALL) {
        block.sync();
        r = slots[0];
    } else if (to > 0) {
        block.sync();
        r = slots[0];
    }
    return r;
}

// The warps' partial results are combined into the first one's slot, in the order of arrival.
fn __atomic_fold<const OP: u32, T: number>(all: inout T[], v: T) {
    comptime if (OP == 0) atomic.add(all[0], v, scope = block);
    else comptime if (OP == 1) atomic.min(all[0], v, scope = block);
    else comptime if (OP == 2) atomic.max(all[0], v, scope = block);
    else comptime if (OP == 3) atomic.and(all[0], v, scope = block);
    else comptime if (OP == 4) atomic.or(all[0], v, scope = block);
    else atomic.xor(all[0], v, scope = block);
}
fn __reduce_atomic<const ALL: bool, const FULL: bool, T: number, F: fn>(v: T, f: F, count: u32, to: u32) -> T {
    static_assert(__operator(v, f) < 6, "warp_reductions_nondeterministic takes + min max & | or ^: warp_reductions takes any function");
    comptime if (block.size <= 32) {
        return __reduce_warps<ALL, FULL>(v, f, count, to);
    } else {
        shared all: T[1];
        const EVEN = FULL && block.size % 32 == 0;
        let r = __fold_warp<EVEN>(v, f, __within(count, thread.rank & ~31u32, 32));
        if (thread.rank == 0) all[0] = r;
        block.sync();
        if (warp.lane == 0 && warp.rank > 0 && (FULL || thread.rank < count)) __atomic_fold<__operator(v, f)>(all, r);
        block.sync();
        return all[0];
    }
}
fn __reduce_atomic<const ALL: bool, const FULL: bool, T: type, F: fn>(v: T, f: F, count: u32, to: u32) -> T {
    static_assert(false, "warp_reductions_nondeterministic takes numbers: raking takes any type");
    return v;
}

fn __reduce_block<const METHOD: u32, const ALL: bool, const FULL: bool, T: type, F: fn>(v: T, f: F, count: u32, to: u32) -> T {
    static_assert(METHOD == 0 || (METHOD >= warp_reductions && METHOD <= raking_commutative_only) || METHOD == warp_reductions_nondeterministic,
                  "a reduction takes warp_reductions, raking, raking_commutative_only or warp_reductions_nondeterministic");
    const ORDERED = METHOD != raking_commutative_only;
    comptime if (METHOD == warp_reductions_nondeterministic) return __reduce_atomic<ALL, FULL>(v, f, count, to);
    else comptime if (METHOD == warp_reductions || (METHOD == 0 && (sizeof<T>) <= 8))
        return __reduce_warps<ALL, FULL>(v, f, count, to);
    else return __reduce_raking<ALL, FULL, ORDERED>(v, f, count, to);
}

// Values of the first threads that are whole or begun, for n elements in arrays of N.
fn __threads_of(n: u32, per: u32) -> u32 = (n + per - 1) / per;
fn __valid_fold<T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32) -> T =
    __fold<false>(v, f, __within(valid, thread.rank * N, N));

fn block.reduce<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T =
    __assume_block(__reduce_block<method, true, true>(__fold<true>(v, f, N), f, block.size, 0));
fn block.reduce<const method: u32 = 0, T: type, F: fn>(v: T, f: F) -> T =
    __assume_block(__reduce_block<method, true, true>(v, f, block.size, 0));
fn block.reduce<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32) -> T =
    __assume_block(__reduce_block<method, true, false>(__valid_fold(v, f, __some(valid)), f, __threads_of(valid, N), 0));
fn block.reduce<const method: u32 = 0, T: type, F: fn>(v: T, f: F, valid: u32) -> T =
    __assume_block(__reduce_block<method, true, false>(v, f, min(__some(valid), block.size), 0));

fn block.reduce_to<const method: u32 = 0, T: type, const N: u32, F: fn>(rank: u32, v: T[N], f: F) -> T =
    __reduce_block<method, false, true>(__fold<true>(v, f, N), f, block.size, rank);
fn block.reduce_to<const method: u32 = 0, T: type, F: fn>(rank: u32, v: T, f: F) -> T =
    __reduce_block<method, false, true>(v, f, block.size, rank);
fn block.reduce_to<const method: u32 = 0, T: type, const N: u32, F: fn>(rank: u32, v: T[N], f: F, valid: u32) -> T =
    __reduce_block<method, false, false>(__valid_fold(v, f, __some(valid)), f, __threads_of(valid, N), rank);
fn block.reduce_to<const method: u32 = 0, T: type, F: fn>(rank: u32, v: T, f: F, valid: u32) -> T =
    __reduce_block<method, false, false>(v, f, min(__some(valid), block.size), rank);
