// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/bitonic.ck - bitonic sort: a sorting network, whose comparisons don't depend on the values.
//
// block.bitonic_sort(v, less), warp.bitonic_sort(v, less), warp.tile<G>.bitonic_sort(v, less).
//
//   shape         any block, for block.bitonic_sort one of constant size; one value per thread, or
//                 N, a power of two
//   arrangement   blocked, in and out: thread t has the values t * N to t * N + N - 1 of the order
//   less          a strict order on any type. Values of which neither is less come in any order:
//                 the network isn't stable, merge_sort is
//   called by     all threads of the block, of the warp, or of the tile
//   result        sorted; the values of the block, of the warp, or of the tile
//   shared bytes  block: the values, in blocks of more than one warp. warp, tile: none
//   steps         for V values, log2(V) * (log2(V) + 1) / 2 comparisons each: between the values of
//                 a thread in registers, within a warp by shuffles, otherwise through shared memory
//                 with two barriers
//   target        any
//   source        Batcher, Sorting networks and their applications (1968); each merge first
//                 compares with the mirrored position, so that every comparison puts the smaller
//                 value first
//   CUB           detail::WarpBitonicSort::Sort(keys, less)   warp.bitonic_sort(keys, less)
//                     blocked, CUB's is striped; of tiles too
//                 ::Sort(keys, values, less)                  warp.merge_sort(keys, values, less)
//                     by a network: a struct of both
//                 ::Sort(keys, less, valid)                   warp.merge_sort(keys, less, valid = n)
//                     with values too; by a network: what is not valid as the greatest
//                 beyond CUB                                  block.bitonic_sort(keys, less)
//
//   kernel sort(x: in u32[128], y: out u32[128], z: out u32[128]) launch(block = 64, grid = 1)
//   {
//       let v = block.load(x, 0, 2);
//       block.store(y, 0, block.bitonic_sort(v, <));
//       block.store(z, 0, warp.tile<16>.bitonic_sort(v, <));
//   }
//   CALL: sort(x=127 - arange(128))
//   EXPECT: y = arange(128)
//   EXPECT: z = 96 - 32 * (arange(128) // 32) + arange(128) % 32
//   COST: 512 bytes, 3 barriers

fn __in_order<T: type, F: fn>(a: T, b: T, less: F) -> (T, T) {
    let swaps = __is_less(less(b, a));
    return (swaps ? b : a, swaps ? a : b);
}
// What the lower or upper of two threads keeps. TOTAL: values of which neither is less are
// identical, so either may be kept.
fn __bitonic_kept<const TOTAL: bool, T: type, F: fn>(mine: T, other: T, is_low: bool, less: F) -> T {
    comptime if (TOTAL) return less(other, mine) == is_low ? other : mine;
    else {
        let takes = __is_less(less(is_low ? other : mine, is_low ? mine : other));
        return takes ? other : mine;
    }
}

// Compares the values of a thread at distance D, then D / 2, and so on.
fn __bitonic_clean<const D: u32, T: type, const N: u32, F: fn>(v: T[N], less: F) -> T[N] {
    comptime if (D == 0) return v;
    else {
        var r = v;
        unroll for (k in 0..N) {
            if ((k & D) == 0) {
                let (a, b) = __in_order(r[k], r[k + D], less);
                r[k] = a;
                r[k + D] = b;
            }
        }
        return __bitonic_clean<D / 2>(r, less);
    }
}
// Sorts runs of SIZE values of a thread, then of twice as many, up to all N.
fn __bitonic_own<const SIZE: u32, T: type, const N: u32, F: fn>(v: T[N], less: F) -> T[N] {
    comptime if (SIZE > N) return v;
    else {
        var r = v;
        unroll for (k in 0..N) {
            let mirrored = k ^ (SIZE - 1);
            if (k < mirrored) {
                let (a, b) = __in_order(r[k], r[mirrored], less);
                r[k] = a;
                r[mirrored] = b;
            }
        }
        return __bitonic_own<SIZE * 2>(__bitonic_clean<SIZE / 4>(r, less), less);
    }
}

// What a thread keeps of its own and its partner's values.
fn __bitonic_step<const TOTAL: bool, T: type, const N: u32, F: fn>(v: T[N], others: T[N], is_low: bool, less: F) -> T[N] {
    var r: T[N];
    unroll for (k in 0..N) r[k] = __bitonic_kept<TOTAL>(v[k], others[k], is_low, less);
    return r;
}
// Compares with the lane of the group whose rank differs in `mask`, if it exists; `top` is the
// mask's highest bit. MIRRORED: with its values in reverse order.
fn __bitonic_lane<const TOTAL: bool, const MIRRORED: bool, const G: u32, T: type, const N: u32, F: fn>(v: T[N], mask: u32, top: u32, less: F) -> T[N] {
    var others: T[N];
    unroll for (k in 0..N) others[k] = __shuffle<3>(__lanes<G>(), v[MIRRORED ? N - 1 - k : k], mask, __clamp<G>());
    if (block.size % G > 0 && (thread.rank ^ mask) >= block.size) return v;
    return __bitonic_step<TOTAL>(v, others, (warp.lane & top) == 0, less);
}
// Compares with the thread whose rank differs in `mask`, if it exists.
fn __bitonic_thread<const TOTAL: bool, T: type, const N: u32, F: fn>(v: T[N], mask: u32, mirrored: bool, less: F) -> T[N] {
    shared all: T[block.size * N];
    let other = thread.rank ^ mask;
    let flip = mirrored ? N - 1 : 0;
    unroll for (k in 0..N) all[k * block.size + thread.rank] = v[k];
    block.sync();
    var r = v;
    if (other < block.size) {
        var others: T[N];
        unroll for (k in 0..N) others[k] = all[(k ^ flip) * block.size + other];
        r = __bitonic_step<TOTAL>(v, others, thread.rank < other, less);
    }
    block.sync();
    return r;
}
// Each round merges runs of size / 2 threads. All rounds share the code of one step, which keeps
// the code short and fast to compile.
fn __bitonic<const TOTAL: bool, const MOST: u32, const G: u32 = 32, T: type, const N: u32, F: fn>(v: T[N], less: F) -> T[N] {
    static_assert((N & (N - 1)) == 0, "bitonic_sort takes a power of two of values a thread");
    var r = __bitonic_own<2>(v, less);
    var size = 2u32;
    while (size < 2 * MOST) {
        var mask = size / 4;
        if (size <= 32) {
            r = __bitonic_lane<TOTAL, true, G>(r, size - 1, size / 2, less);
        } else {
            comptime if (MOST > 32) {
                mask = size - 1;
                while (mask >= 32) {
                    let mirrored = mask == size - 1;
                    r = __bitonic_thread<TOTAL>(r, mask, mirrored, less);
                    mask = mirrored ? size / 4 : mask / 2;
                }
            }
        }
        while (mask > 0) {
            r = __bitonic_lane<TOTAL, false, G>(r, mask, mask, less);
            mask /= 2;
        }
        r = __bitonic_clean<N / 2>(r, less);
        size *= 2;
    }
    return r;
}

fn warp.bitonic_sort<T: type, const N: u32, F: fn>(v: T[N], less: F) -> T[N] = __bitonic<false, 32>(v, less);
fn warp.bitonic_sort<T: type, F: fn>(v: T, less: F) -> T = __bitonic<false, 32>([v], less)[0];
fn warp.tile.bitonic_sort<const G: u32, T: type, const N: u32, F: fn>(v: T[N], less: F) -> T[N] = __bitonic<false, G, G>(v, less);
fn warp.tile.bitonic_sort<const G: u32, T: type, F: fn>(v: T, less: F) -> T = __bitonic<false, G, G>([v], less)[0];
fn block.bitonic_sort<T: type, const N: u32, F: fn>(v: T[N], less: F) -> T[N] = __bitonic<false, block.size>(v, less);
fn block.bitonic_sort<T: type, F: fn>(v: T, less: F) -> T = __bitonic<false, block.size>([v], less)[0];
