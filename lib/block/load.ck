// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/load.ck - loads and stores of a tile of items by a block.
//
// block.load<how>(it, base, N), with `default = value`; block.store<how>(it, base, items); with
// `valid = n` the first n elements of the tile alone.
//
//   shape         any block of constant size; N items of any type a thread
//   it            a span, an array or an iterator; elements base to base + N * block.size - 1
//   arrangement   blocked: thread t has elements base + t * N + k; striped: base + t + k * block.size;
//                 warp_striped: as exchange.ck says
//   called by     all threads of the block; base and n are the same in all of them
//   result        T[N]. An element at index it.len or base + n or above is the default, or zero;
//                 none is stored there
//   how           blocked          each thread accesses its own run: slow from 8 bytes a thread on
//                 striped, warp_striped   adjacent threads access adjacent elements
//                 vectorized       blocked, 16 bytes at a time, for a span whose elements fill them and whose
//                                  tile is aligned to 16; otherwise like blocked
//                 transpose        blocked: striped accesses and an exchange, at full speed for any N
//                 warp_transpose   blocked: warp_striped accesses, with barriers of the warp only
//                 warp_transpose_timesliced   the same, with the memory of one warp and 2 barriers each
//   shared bytes  transpose, warp_transpose: that of the exchange; others: none
//   steps         N accesses; transpose: an exchange
//   target        any
//   CUB           BlockLoad::Load(it, items)               block.load(it, base, N)
//                 ::Load(it, items, valid)                 block.load(it, base, N, valid = n)
//                     CUB leaves the other items as they were, here they are zero
//                 ::Load(it, items, valid, default)        block.load(it, base, N, default = value, valid = n)
//                 BLOCK_LOAD_DIRECT                        block.load<blocked>(it, base, N)
//                 BLOCK_LOAD_STRIPED                       block.load<striped>(it, base, N)
//                 BLOCK_LOAD_VECTORIZE                     block.load<vectorized>(it, base, N)
//                 BLOCK_LOAD_TRANSPOSE                     block.load<transpose>(it, base, N)
//                 BLOCK_LOAD_WARP_TRANSPOSE                block.load<warp_transpose>(it, base, N)
//                 BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED     block.load<warp_transpose_timesliced>(it, base, N)
//                 LoadDirectWarpStriped(tid, it, items)    block.load<warp_striped>(it, base, N)
//                 BlockStore::Store(it, items)             block.store(it, base, items)
//                 ::Store(it, items, valid)                block.store(it, base, items, valid = n)
//                 BLOCK_STORE_DIRECT                       block.store<blocked>(it, base, items)
//                 BLOCK_STORE_STRIPED                      block.store<striped>(it, base, items)
//                 BLOCK_STORE_VECTORIZE                    block.store<vectorized>(it, base, items)
//                 BLOCK_STORE_TRANSPOSE                    block.store<transpose>(it, base, items)
//                 BLOCK_STORE_WARP_TRANSPOSE               block.store<warp_transpose>(it, base, items)
//                 BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED    block.store<warp_transpose_timesliced>(it, base, items)
//                 StoreDirectWarpStriped(tid, it, items)   block.store<warp_striped>(it, base, items)
//
//   kernel doubled(n: u64, x: in f32[n], y: out f32[n]) launch(block = 128, grid = ceil_div(n, 512))
//   {
//       var v = block.load<transpose>(x, block.id.x * 512, 4, default = 1);
//       for (k in 0..4) v[k] *= 2;
//       block.store<transpose>(y, block.id.x * 512, v);
//   }
//   CALL: doubled(x=iota:1000)
//   EXPECT: y = 2 * x
//   COST: 2048 bytes, 3 barriers

fn __is_inside(i: u64, n: u64) -> bool = i < n;
fn __is_inside<T: type>(i: u64, n: __Endless<T>) -> bool = true;

// The index of the thread's first item in the tile, and the stride between its items. The tile
// belongs to OF lanes, or to the block (__of_block).
fn __tile_places<const STRIPED: u32, const N: u32, const OF: u32>() -> (u64, u64) {
    const LANES: u32 = OF < 32 ? OF : 32;
    return (u64(__first<STRIPED, N, LANES>() - __first_rank<OF>() * N), u64(__stride<STRIPED, LANES>()));
}

fn __load_items<const STRIPED: u32, const N: u32, const OF: u32 = __of_block, I: type, T: type>(it: I, base: u64, default: T) -> T[N] {
    var r: T[N];
    let (first, by) = __tile_places<STRIPED, N, OF>();
    let len = __bound(it);
    if (__is_inside(base + u64(N * __threads<OF>() - 1), len)) {
        unroll for (k in 0..N) r[k] = it[base + first + u64(k) * by];
    } else {
        unroll for (k in 0..N) {
            let i = base + first + u64(k) * by;
            r[k] = default;
            if (__is_inside(i, len)) r[k] = it[i];
        }
    }
    return r;
}
fn __store_items<const STRIPED: u32, const OF: u32 = __of_block, I: type, T: type, const N: u32>(it: I, base: u64, items: T[N]) {
    let (first, by) = __tile_places<STRIPED, N, OF>();
    let len = __bound(it);
    if (__is_inside(base + u64(N * __threads<OF>() - 1), len)) {
        unroll for (k in 0..N) it[base + first + u64(k) * by] = items[k];
    } else {
        unroll for (k in 0..N) {
            let i = base + first + u64(k) * by;
            if (__is_inside(i, len)) it[i] = items[k];
        }
    }
}
// A thread's array is passed by value.
fn __store_items<const STRIPED: u32, const OF: u32 = __of_block, A: type, const M: u32, T: type, const N: u32>(it: A[M], base: u64, items: T[N]) {
    static_assert(false, "a store takes a span: of an array a part, as tile[0..n]");
}

// Accesses 16 bytes at a time if `it` is a span, its elements fill rows of 16 bytes, and the tile
// is aligned. The forms for spans are declared first because overload resolution tries them first.
fn __is_whole<const N: u32, const OF: u32>(base: u64, len: u64) -> bool = __is_inside(base + u64(N * __threads<OF>() - 1), len);
// The rows of a thread from row `first` on. Rows of numbers are vectors: an array of small numbers
// that is cast to words would stay in local memory.
fn __read_rows<const N: u32, const ROWS: u32, I: type, T: number>(it: I, base: u64, first: u32, like: T) -> T[N] {
    const WIDTH: u32 = N / ROWS;
    let rows = ptr<vec<T, WIDTH>>(address(it[base]));
    var r: T[N];
    unroll for (j in 0..ROWS) r.store(j * WIDTH, rows[first + j]);
    return r;
}
fn __read_rows<const N: u32, const ROWS: u32, I: type, T: type>(it: I, base: u64, first: u32, like: T) -> T[N] {
    let rows = ptr<u32x4>(address(it[base]));
    var r: u32x4[ROWS];
    unroll for (j in 0..ROWS) r[j] = rows[first + j];
    return bit_cast<T[N]>(r);
}
fn __write_rows<const ROWS: u32, I: type, T: number, const N: u32>(it: I, base: u64, first: u32, items: T[N]) {
    const WIDTH: u32 = N / ROWS;
    let rows = ptr<vec<T, WIDTH>>(address(it[base]));
    unroll for (j in 0..ROWS) rows[first + j] = items.load<WIDTH>(j * WIDTH);
}
fn __write_rows<const ROWS: u32, I: type, T: type, const N: u32>(it: I, base: u64, first: u32, items: T[N]) {
    let (rows, mine) = (ptr<u32x4>(address(it[base])), bit_cast<u32x4[ROWS]>(items));
    unroll for (j in 0..ROWS) rows[first + j] = mine[j];
}
fn __load_rows<const N: u32, const OF: u32, I: type, T: type>(it: I, base: u64, default: T) -> T[N] {
    const BYTES: u32 = sizeof<T>;
    const ROWS: u32 = 16 % BYTES == 0 && N * BYTES % 16 == 0 ? N * BYTES / 16 : 0;
    comptime if (ROWS > 0) {
        if (__is_whole<N, OF>(base, it.len) && u64(address(it[base])) % 16 == 0)
            return __read_rows<N, ROWS>(it, base, __rank_in<OF>() * ROWS, default);
    }
    return __load_items<0, N, OF>(it, base, default);
}
fn __load_wide<const N: u32, const OF: u32 = __of_block, T: type>(it: inout T[], base: u64, default: T) -> T[N] = __load_rows<N, OF>(it, base, default);
fn __load_wide<const N: u32, const OF: u32 = __of_block, T: type>(it: in T[], base: u64, default: T) -> T[N] = __load_rows<N, OF>(it, base, default);
fn __load_wide<const N: u32, const OF: u32 = __of_block, I: type, T: type>(it: I, base: u64, default: T) -> T[N] = __load_items<0, N, OF>(it, base, default);
fn __store_wide<const OF: u32 = __of_block, T: type, const N: u32>(it: out T[], base: u64, items: T[N]) {
    const BYTES: u32 = sizeof<T>;
    const ROWS: u32 = 16 % BYTES == 0 && N * BYTES % 16 == 0 ? N * BYTES / 16 : 0;
    comptime if (ROWS > 0) {
        if (__is_whole<N, OF>(base, it.len) && u64(address(it[base])) % 16 == 0) {
            __write_rows<ROWS>(it, base, __rank_in<OF>() * ROWS, items);
            return;
        }
    }
    __store_items<0, OF>(it, base, items);
}
fn __store_wide<const OF: u32 = __of_block, I: type, T: type, const N: u32>(it: I, base: u64, items: T[N]) { __store_items<0, OF>(it, base, items); }

// Converts a value to T; the compiler rejects values that T can't represent.
fn __as<T: type>(value: T) -> T = value;

fn __load<const HOW: u32, const N: u32, I: type, T: type>(it: I, base: u64, default: T) -> T[N] {
    static_assert(HOW <= 6, "a load is blocked, striped, warp_striped, vectorized, transpose, warp_transpose or warp_transpose_timesliced");
    comptime if (HOW <= 2) return __load_items<HOW, N>(it, base, default);
    else comptime if (HOW == 3) return __load_wide<N>(it, base, default);
    else comptime if (HOW == 4) return __exchange<1, 0>(__load_items<1, N>(it, base, default));
    else comptime if (HOW == 5) return __exchange<2, 0>(__load_items<2, N>(it, base, default));
    else return __exchange_in_turn<2, 0>(__load_items<2, N>(it, base, default));
}
fn block.load<const how: u32 = 0, I: type, J: int>(it: I, base: J, const items: u32) = __load<how, items>(it, u64(base), __zero(it[0u64]));
fn block.load<const how: u32 = 0, I: type, J: int, T: type = element_of<I>>(it: I, base: J, const items: u32, default: T) = __load<how, items>(it, u64(base), __as<element_of<I>>(default));

fn block.store<const how: u32 = 0, I: type, J: int, T: type, const N: u32>(it: I, base: J, items: T[N]) {
    static_assert(how <= 6, "a store is blocked, striped, warp_striped, vectorized, transpose, warp_transpose or warp_transpose_timesliced");
    comptime if (how <= 2) __store_items<how>(it, u64(base), items);
    else comptime if (how == 3) __store_wide(it, u64(base), items);
    else comptime if (how == 4) __store_items<1>(it, u64(base), __exchange<0, 1>(items));
    else comptime if (how == 5) __store_items<2>(it, u64(base), __exchange<0, 2>(items));
    else __store_items<2>(it, u64(base), __exchange_in_turn<0, 2>(items));
}

fn __load_first<const HOW: u32, const N: u32, I: type, T: type>(it: I, base: u64, default: T, valid: u32) -> T[N] {
    comptime if (HOW == 3) {
        if (valid >= N * block.size) return __load_wide<N>(it, base, default);
        return __load_items<0, N>(take(it, base + u64(valid)), base, default);
    } else {
        return __load<HOW, N>(take(it, base + u64(valid)), base, default);
    }
}
fn block.load<const how: u32 = 0, I: type, J: int>(it: I, base: J, const items: u32, valid: u32) = __load_first<how, items>(it, u64(base), __zero(it[0u64]), valid);
fn block.load<const how: u32 = 0, I: type, J: int, T: type = element_of<I>>(it: I, base: J, const items: u32, default: T, valid: u32) = __load_first<how, items>(it, u64(base), __as<element_of<I>>(default), valid);
fn block.store<const how: u32 = 0, I: type, J: int, T: type, const N: u32>(it: I, base: J, items: T[N], valid: u32) {
    comptime if (how == 3) {
        if (valid >= N * block.size) __store_wide(it, u64(base), items);
        else __store_items<0>(take(it, u64(base) + u64(valid)), u64(base), items);
    } else {
        block.store<how>(take(it, u64(base) + u64(valid)), base, items);
    }
}
