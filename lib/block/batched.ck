// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/batched.ck - several reductions over the block at once, one for each item of the threads.
//
// block.reduce_batched(items, f).
//
//   shape         any block of constant size; N items of any type a thread
//   arrangement   item k of all threads belongs to reduction k, in the order of thread.rank
//   f             associative; need not be commutative
//   called by     all threads of the block
//   result        T[N], in all threads: element k is f of the items k of all threads
//   shared bytes  sizeof<T> * N for each warp; sizeof<T> * N more in blocks of more than one
//   steps         in blocks of whole warps N shuffles, and 1 more for each halving of 32 that N
//                 doesn't reach (5 for each item otherwise); one barrier; in blocks of more than
//                 one warp a step for each warp by N threads, and a second barrier
//   target        any
//   how           two lanes divide the reductions between them: each gives the other one its items
//                 of the other's half; then pairs of lanes divide theirs, and so on
//   CUB           beyond CUB   block.reduce_batched(items, f)
//                     CUB has it of a warp: warp.reduce_batched
//
//   kernel moments(x: in u32[96], y: out u32[3]) launch(block = 96, grid = 1)
//   {
//       let v = x[thread.rank];
//       let sums = block.reduce_batched([v, v * v, v * v * v], +);
//       if (thread.rank == 0) (y[0], y[1], y[2]) = (sums[0], sums[1], sums[2]);
//   }
//   CALL: moments(x=iota:96)
//   EXPECT: y = [4560, 290320, 20793600]
//   COST: 64 bytes, 2 barriers

// Reduces a lane's COUNT items over the distances D, 2 * D, ... The lane ends up with items `first`
// to first + count - 1; several lanes may hold the same ones. Items from `count` on are
// unspecified.
fn __reduce_shared<const D: u32, T: type, const COUNT: u32, F: fn>(v: T[COUNT], f: F, first: u32, count: u32, part: inout T[]) {
    comptime if (D == 32) {
        unroll for (k in 0..COUNT) {
            if (k < count) part[first + k] = v[k];
        }
    } else {
        const HALF = (COUNT + 1) / 2;
        let is_upper = (warp.lane & D) != 0;
        var kept: T[HALF];
        unroll for (k in 0..HALF) {
            let (low, high) = (v[k], v[min(HALF + k, COUNT - 1)]);
            let mine = is_upper ? high : low;
            let other = warp.shuffle_xor(is_upper ? low : high, D);
            kept[k] = is_upper ? f(other, mine) : f(mine, other);
        }
        comptime if (COUNT == 1) {
            // both lanes hold the same item: the upper one doesn't write it
            __reduce_shared<D * 2>(kept, f, first, is_upper ? 0 : count, part);
        } else {
            let below = min(count, HALF);
            __reduce_shared<D * 2>(kept, f, is_upper ? first + HALF : first, is_upper ? count - below : below, part);
        }
    }
}
fn block.reduce_batched<T: type, const N: u32, F: fn>(items: T[N], f: F) -> T[N] {
    const WARPS = (block.size + 31) / 32;
    shared part: T[WARPS * N];
    let mine = part[warp.rank * N..warp.rank * N + N];
    comptime if (block.size % 32 == 0) {
        __reduce_shared<1>(items, f, 0, N, mine);
    } else {
        let count = __within(block.size, thread.rank & ~31u32, 32);
        unroll for (k in 0..N) {
            let r = __fold_warp<false>(items[k], f, count);
            if (warp.lane == 0) mine[k] = r;
        }
    }
    block.sync();
    var r: T[N];
    comptime if (WARPS == 1) {
        unroll for (k in 0..N) r[k] = part[k];
    } else {
        shared all: T[N];
        for (k in block.stride(N)) {
            var sum = part[k];
            unroll for (w in 1..WARPS) sum = f(sum, part[w * N + k]);
            all[k] = sum;
        }
        block.sync();
        unroll for (k in 0..N) r[k] = all[k];
    }
    return __assume_block(r);
}
