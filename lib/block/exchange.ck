// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/exchange.ck - changes the arrangement of items within a block, through shared memory.
//
// block.exchange<how>(items), block.exchange<how>(items, ranks), with `valid = flags`; each with
// `timesliced = true`, a constant.
//
//   shape         any block of constant size, N items of any type a thread
//   arrangement   blocked: thread t has items t * N to t * N + N - 1. striped: items t, t + size,
//                 ... warp_striped: a warp has the same items as in blocked, lane l of it items l,
//                 l + 32, ... of those; the last warp strides by its own number of lanes
//   how           blocked_to_striped, striped_to_blocked, blocked_to_warp_striped,
//                 warp_striped_to_blocked; and with ranks, the destination of each item in the
//                 block: scatter_to_blocked, scatter_to_striped. Ranks are u32, or i32: an item
//                 with a negative rank is dropped
//   called by     all threads of the block
//   result        the items in the new arrangement; places that no item was sent to are unspecified
//   valid         bool[N]: which items to move
//   shared bytes  sizeof<T> * N a thread, none for N = 1; 1/32 more with ranks, and if a thread's
//                 items don't fill rows of 16 bytes; timesliced: that of 32 threads, for any block
//                 size
//   steps         one barrier; a barrier of the warp for warp_striped; timesliced: two for each
//                 warp
//   target        any
//   CUB           BlockExchange::StripedToBlocked(items)           block.exchange<striped_to_blocked>(items)
//                 ::BlockedToStriped(items)                        block.exchange<blocked_to_striped>(items)
//                 ::WarpStripedToBlocked(items)                    block.exchange<warp_striped_to_blocked>(items)
//                 ::BlockedToWarpStriped(items)                    block.exchange<blocked_to_warp_striped>(items)
//                 ::ScatterToBlocked(items, ranks)                 block.exchange<scatter_to_blocked>(items, ranks)
//                 ::ScatterToStriped(items, ranks)                 block.exchange<scatter_to_striped>(items, ranks)
//                 ::ScatterToStripedGuarded(items, ranks)          block.exchange<scatter_to_striped>(items, ranks)
//                     ranks: i32[N]; of scatter_to_blocked too
//                 ::ScatterToStripedFlagged(items, ranks, valid)   block.exchange<scatter_to_striped>(items, ranks, valid = flags)
//                     of scatter_to_blocked too
//                 each with (in, out)                              let b = block.exchange<how>(a)
//                     in place: a = block.exchange<how>(a)
//                 WARP_TIME_SLICING = true                         block.exchange<how>(items, timesliced = true)
//
//   kernel turn(x: in u32[256], y: out u32[256], z: out u32[256]) launch(block = 64, grid = 1)
//   {
//       let mine = block.load<blocked>(x, 0, 4);
//       block.store<striped>(y, 0, block.exchange<blocked_to_striped>(mine));
//       var ranks: u32[4];
//       for (k in 0u32..4) ranks[k] = 255 - (4 * thread.rank + k);
//       block.store<blocked>(z, 0, block.exchange<scatter_to_blocked>(mine, ranks));
//   }
//   CALL: turn(x=iota:256)
//   EXPECT: y = x
//   EXPECT: z = 255 - x
//   COST: 1072 bytes, 3 barriers

// If a thread's items fill M = 1, 2, 4 or 8 whole rows of 16 bytes, they are read and written as
// rows. Row r is stored at r ^ (r / 8 % M): a swizzle that puts the rows of 8 threads in 8
// different banks.
fn __row<const M: u32>(row: u32) -> u32 = row ^ (row / 8 & (M - 1));
// The position of element i, in elements.
fn __at<const BYTES: u32, const M: u32>(i: u32) -> u32 = i ^ ((i * BYTES / 128 & (M - 1)) * (16 / BYTES));
// The position of i + OFFSET: it is OFFSET further if OFFSET moves no row within its eight.
fn __at_plus<const BYTES: u32, const M: u32>(i: u32, offset: u32) -> u32 =
    offset * BYTES % (128 * M) == 0 ? __at<BYTES, M>(i) + offset : __at<BYTES, M>(i + offset);

// Otherwise items are stored in order, with one element of padding after every 32 if N is even.
fn __padded<const N: u32>(i: u32) -> u32 = N % 2 == 0 ? i + i / 32 : i;

// The index of the thread's first item, and the stride between its items. STRIPED: 0 blocked, 1
// over the block, 2 over the warp, or over groups of G lanes.
fn __first<const STRIPED: u32, const N: u32, const G: u32 = 32>() -> u32 =
    STRIPED == 0 ? thread.rank * N
  : STRIPED == 1 ? thread.rank
  : (thread.rank & ~(G - 1)) * N + (warp.lane & (G - 1));
fn __stride<const STRIPED: u32, const G: u32 = 32>() -> u32 =
    STRIPED == 0 ? 1
  : STRIPED == 1 ? block.size
  : __count<G>();

// Is the padding the same for all threads? Then a thread's own items are at the first one's
// position plus constant offsets. The compiler couldn't fold `all[padded(first + k)]` into that by
// itself, because the addition to an index might wrap.
fn __pads_alike<const AT: u32, const N: u32, const G: u32>() -> bool =
    (AT != 2 || __is_full<G>()) && (N % 2 == 1 || (AT == 0 ? 32 % N : AT == 1 ? block.size % 32 : G % 32) == 0);
fn __own_step<const AT: u32, const N: u32, const G: u32>() -> u32 = (AT == 0 ? 1 : AT == 1 ? block.size : G) * (AT > 0 && N % 2 == 0 ? 33 : 32) / 32;
fn __write_own<const AT: u32, const G: u32 = 32, T: type, const N: u32>(all: ptr<T, shared>, items: T[N]) {
    let first = __first<AT, N, G>();
    comptime if (__pads_alike<AT, N, G>()) {
        const STEP = __own_step<AT, N, G>();
        let own = ptr<T, shared>(address(all[__padded<N>(first)]));
        unroll for (k in 0..N) own[k * STEP] = items[k];
    } else {
        let by = __stride<AT, G>();
        unroll for (k in 0..N) all[__padded<N>(first + k * by)] = items[k];
    }
}
fn __read_own<const AT: u32, const N: u32, const G: u32 = 32, T: type>(all: ptr<T, shared>) -> T[N] {
    let first = __first<AT, N, G>();
    var r: T[N];
    comptime if (__pads_alike<AT, N, G>()) {
        const STEP = __own_step<AT, N, G>();
        let own = ptr<T, shared>(address(all[__padded<N>(first)]));
        unroll for (k in 0..N) r[k] = own[k * STEP];
    } else {
        let by = __stride<AT, G>();
        unroll for (k in 0..N) r[k] = all[__padded<N>(first + k * by)];
    }
    return r;
}

// Waits for the threads that exchange items with each other: of the warp or of the block.
fn __wait_exchange<const FROM: u32, const TO: u32, const G: u32>() {
    // between blocked and warp-striped: within the group
    comptime if (FROM != 1 && TO != 1) __warp_sync(__lanes<G>());
    else block.sync();
}

fn __exchange_rows<const FROM: u32, const TO: u32, const G: u32, T: type, const N: u32>(items: T[N]) -> T[N] {
    const BYTES: u32 = sizeof<T>;
    const M = N * BYTES / 16;
    shared rows: u32x4[block.size * M];
    let all = ptr<T, shared>(address(rows[0]));
    let rank = thread.rank;
    var r: T[N];
    comptime if (FROM == 0) {
        let mine = bit_cast<u32x4[M]>(items);
        unroll for (j in 0..M) rows[__row<M>(rank * M + j)] = mine[j];
    } else {
        let (from, by) = (__first<FROM, N, G>(), __stride<FROM, G>());
        unroll for (k in 0..N) all[__at_plus<BYTES, M>(from, k * by)] = items[k];
    }
    __wait_exchange<FROM, TO, G>();
    comptime if (TO == 0) {
        var mine: u32x4[M];
        unroll for (j in 0..M) mine[j] = rows[__row<M>(rank * M + j)];
        r = bit_cast<T[N]>(mine);
    } else {
        let (to, by) = (__first<TO, N, G>(), __stride<TO, G>());
        unroll for (k in 0..N) r[k] = all[__at_plus<BYTES, M>(to, k * by)];
    }
    return r;
}
fn __exchange_padded<const FROM: u32, const TO: u32, const G: u32, T: type, const N: u32>(items: T[N]) -> T[N] {
    shared memory: T[block.size * N + block.size * N / 32 + 1];
    let all = ptr<T, shared>(address(memory[0]));
    __write_own<FROM, G>(all, items);
    __wait_exchange<FROM, TO, G>();
    return __read_own<TO, N, G>(all);
}
fn __exchange<const FROM: u32, const TO: u32, const G: u32 = 32, T: type, const N: u32>(items: T[N]) -> T[N] {
    const BYTES: u32 = sizeof<T>;
    const ROW = N * BYTES;
    const ROWS = (BYTES == 4 || BYTES == 8 || BYTES == 16) && ROW % 16 == 0 && ROW <= 128 && (ROW & (ROW - 1)) == 0;
    comptime if (N == 1) return items;
    else comptime if (ROWS) return __exchange_rows<FROM, TO, G>(items);
    else return __exchange_padded<FROM, TO, G>(items);
}

// In time slices, each for the destinations of 32 threads. Items go to `places`; items whose place
// is beyond the last one are dropped.
fn __exchange_sliced<const TO: u32, T: type, const N: u32>(items: T[N], places: u32[N]) -> T[N] {
    const SLICE = (block.size < 32 ? block.size : 32) * N;
    const WARPS = (block.size + 31) / 32;
    shared all: T[SLICE + SLICE / 32 + 1];
    let (to, by) = (__first<TO, N>(), __stride<TO>());
    var r = items;
    for (w in 0..WARPS) {
        comptime if (target.is_host) { // see the form with `valid` below
            if (warp.rank == w) {
                unroll for (k in 0..N) all[__padded<N>(warp.lane * N + k)] = items[k];
            }
            block.sync();
        }
        unroll for (k in 0..N) {
            let place = places[k] - w * SLICE;
            if (place < SLICE) all[__padded<N>(place)] = items[k];
        }
        block.sync();
        unroll for (k in 0..N) {
            let place = to + k * by - w * SLICE;
            if (place < SLICE) r[k] = all[__padded<N>(place)];
        }
        block.sync();
    }
    return r;
}
fn __exchange_in_turn<const FROM: u32, const TO: u32, T: type, const N: u32>(items: T[N]) -> T[N] {
    comptime if (N == 1) return items;
    else {
        var places: u32[N];
        unroll for (k in 0..N) places[k] = __first<FROM, N>() + k * __stride<FROM>();
        return __exchange_sliced<TO>(items, places);
    }
}

fn block.exchange<const how: u32 = __no_word, const timesliced: bool = false, T: type, const N: u32>(items: T[N]) -> T[N] {
    static_assert(how != scatter_to_blocked && how != scatter_to_striped, "this exchange takes the items' ranks too");
    static_assert(how >= blocked_to_striped && how <= scatter_to_striped, "say what goes where: block.exchange<blocked_to_striped>(items), or striped_to_blocked, blocked_to_warp_striped, warp_striped_to_blocked");
    const FROM: u32 = how == striped_to_blocked ? 1 : how == warp_striped_to_blocked ? 2 : 0;
    const TO: u32 = how == blocked_to_striped ? 1 : how == blocked_to_warp_striped ? 2 : 0;
    comptime if (timesliced) return __exchange_in_turn<FROM, TO>(items);
    else return __exchange<FROM, TO>(items);
}

// Scatters items to their places, if these are below the number of items, and gathers them for the
// threads. SOME: some places may receive nothing; a checked build traps if such a place is read.
fn __scatter<const TO: u32, const SOME: bool, const SLICED: bool, T: type, const N: u32>(items: T[N], places: u32[N]) -> T[N] {
    static_assert(TO <= 1, "ranks are for scatter_to_blocked and scatter_to_striped: block.exchange<scatter_to_striped>(items, ranks)");
    comptime if (SLICED) {
        return __exchange_sliced<TO>(items, places);
    } else {
        shared all: T[block.size * N + block.size * N / 32 + 1];
        comptime if (SOME && target.is_host) {
            __write_own<0>(ptr<T, shared>(address(all[0])), items);
            block.sync();
        }
        unroll for (k in 0..N) {
            if (!SOME || places[k] < block.size * N) all[__padded<N>(places[k])] = items[k];
        }
        block.sync();
        return __read_own<TO, N>(ptr<T, shared>(address(all[0])));
    }
}
fn block.exchange<const how: u32 = __no_word, const timesliced: bool = false, T: type, const N: u32>(items: T[N], ranks: u32[N]) -> T[N] = __scatter<how - scatter_to_blocked, false, timesliced>(items, ranks);
fn block.exchange<const how: u32 = __no_word, const timesliced: bool = false, T: type, const N: u32>(items: T[N], ranks: i32[N]) -> T[N] = __scatter<how - scatter_to_blocked, true, timesliced>(items, bit_cast<u32[N]>(ranks));
fn block.exchange<const how: u32 = __no_word, const timesliced: bool = false, T: type, const N: u32>(items: T[N], ranks: u32[N], valid: bool[N]) -> T[N] {
    var places = ranks;
    unroll for (k in 0..N) if (!valid[k]) places[k] = ~0u32;
    return __scatter<how - scatter_to_blocked, true, timesliced>(items, places);
}

// Scatters items to places below `count`, and gathers M for each thread.
fn __gather_at<const M: u32, const TO: u32 = 0, T: type, const N: u32>(items: T[N], places: u32[N], count: u32) -> T[M] {
    shared all: T[block.size * M + block.size * M / 32 + 1];
    unroll for (k in 0..N) {
        if (places[k] < count) all[__padded<M>(places[k])] = items[k];
    }
    block.sync();
    var r: T[M];
    let (to, by) = (__first<TO, M>(), __stride<TO>());
    unroll for (k in 0..M) {
        if (to + k * by < count) r[k] = all[__padded<M>(to + k * by)];
    }
    return r;
}
