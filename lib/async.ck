// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async.ck - asynchronous copies from global to shared memory. The thread that starts a copy
// continues immediately, and the data doesn't pass through registers.
//
// memcpy_async<N>(to, from), with `valid = n`; pipeline.commit(), pipeline.wait<PRIOR>();
// block.memcpy_async(tile, x, base, count), block.memcpy_async(tile, x, row, column); in bulk:
// block.init(bar), block.memcpy_async(tile, x, base, count, bar), block.wait(bar). One thread's bulk
// copies are in bulk.ck.
//
//   shape         any block; elements of 1, 2, 4, 8 or 16 bytes; N of them, 4, 8 or 16 bytes together
//   arrangement   memcpy_async: the thread's own copies; block.memcpy_async: any, each thread
//                 copies a part
//   called by     a thread for itself; block.memcpy_async: all threads of the block
//   result        the data is in shared memory when the thread has waited for its group; data that
//                 other threads copied also needs a barrier. With valid only the first n elements
//                 are read, and the others become zeros; block.memcpy_async: elements outside of x
//                 become zeros
//   commit, wait  a thread's copies since its last commit form a group; wait leaves at most PRIOR
//                 groups in flight
//   bar           `shared bar: barrier;`: initialised once, then used for one copy at a time, from
//                 its start to its wait. From sm_90 on the copy engine (TMA) transfers all whole
//                 rows of 16 bytes, if both sides are aligned to 16; one thread starts it, and the
//                 others spend neither registers nor instructions. The remaining bytes, and
//                 everything on older GPUs, are copied as without bar. No block.sync() is needed
//                 between earlier uses of the tile and the copy, nor after block.wait. Each copy
//                 must be waited for before the tile's block { } ends
//   alignment     to and from are aligned to the size of one copy. block.memcpy_async copies 16
//                 bytes at a time where both sides are aligned to 16, else element by element;
//                 elements of less than 4 bytes are then copied synchronously
//   shared bytes  the program's tile and barrier alone
//   steps         a copy for each 16 bytes of the tile, distributed over the threads; in bulk one
//                 copy, with a barrier before it and one after the wait
//   target        any; cp.async from sm_80 on, cp.async.bulk from sm_90 on; on older GPUs and on
//                 the host, a load and a store
//   CUB           BlockLoadToShared(temp_storage)          block.init(bar)
//                 BlockLoadToShared::CopyAsync(dst, src)   block.memcpy_async(tile, x, base, count, bar)
//                     without bar by cp.async
//                 ::Commit()                               pipeline.commit()
//                     of copies without bar; copies with bar start immediately
//                 ::Wait(token)                            block.wait(bar)
//                     without bar pipeline.wait<PRIOR>(), then block.sync()
//
//   kernel reversed(x: in u32[128], y: out u32[128]) launch(block = 64, grid = 1)
//   {
//       shared tile: u32[128];
//       block.memcpy_async(tile, x, 0, 128);
//       pipeline.wait();
//       block.sync();
//       for (i in block.stride(128)) y[i] = tile[127 - i];
//   }
//   CALL: reversed(x=iota:128)
//   EXPECT: y = 127 - x
//   COST: 512 bytes, 1 barrier
//
//   kernel swapped(x: in u32[128], y: out u32[128]) launch(block = 64, grid = 1)
//   {
//       shared tile: u32[2, 64];
//       shared bar: barrier[2];
//       for (k in 0..2) block.init(bar[k]);
//       block.memcpy_async(tile[0], x, 0, 64, bar[0]);
//       block.memcpy_async(tile[1], x, 64, 64, bar[1]);
//       block.wait(bar[0]);
//       y[64 + thread.rank] = tile[0, thread.rank];
//       block.wait(bar[1]);
//       y[thread.rank] = tile[1, thread.rank];
//   }
//   CALL: swapped(x=iota:128)
//   EXPECT: y = (x + 64) % 128
//   COST: 544 bytes, 4 barriers

// Copies N elements from global memory at `from` to shared memory at `to`: 4, 8 or 16 bytes in all,
// to which both addresses are aligned. 16 bytes are the fastest.
fn memcpy_async<const N: u32 = 1, T: type>(to: out __place<T, shared, N>, from: in __place<T, global, N>) = __memory("copy", to, from, N);
// Copies the first `valid` elements, 0 to N; the others become zeros and are not read.
fn memcpy_async<const N: u32 = 1, T: type>(to: out __place<T, shared, N>, from: in __place<T, global>, valid: u32) = __memory("copy_some", to, from, N, valid);

// Closes a group: the thread's copies since the last commit.
fn pipeline.commit() = __memory("copy_commit");
// Waits until at most the thread's last `prior` groups are in flight; without `prior`, until all
// copies have completed.
fn pipeline.wait<const prior: u32 = 0>() = __memory("copy_wait", prior);


// ---- by all threads of the block: each thread's share belongs to its next group ----

fn __is_wide(a: u64, b: u64) -> bool = (a | b) % 16 == 0;

// Copies element base + j of x to element j of the tile; zero if j >= there.
fn __copy_one<T: type>(tile: out T[], x: in T[], base: u64, j: u32, there: u32) {
    comptime if (sizeof<T> >= 4) {
        memcpy_async(tile[j], x[j < there ? base + j : base], valid = u32(j < there));
    } else {
        var value: T;
        if (j < there) value = x[base + j];
        tile[j] = value;
    }
}

// Copies elements base to base + count - 1 of x to elements 0 to count - 1 of the tile; zeros after
// the end of x. 16 bytes at a time where both sides are aligned to 16, else element by element;
// elements of less than 4 bytes are then copied synchronously.
fn block.memcpy_async<T: type>(tile: out T[], x: in T[], base: u64, count: u32) {
    __together();
    static_assert(16 % sizeof<T> == 0, "elements of 1, 2, 4, 8 or 16 bytes are copied asynchronously");
    const N: u32 = 16 / sizeof<T>;
    let there = u32(base < x.len ? min(u64(count), x.len - base) : 0);
    if (there == 0) {
        var zero: T;
        for (i in block.stride(count)) tile[i] = zero;
        return;
    }
    let is_wide = N > 1 && __is_wide(u64(address(tile[0])), u64(address(x[base])));
    let wide = is_wide ? count / N : 0;
    for (k in block.stride(wide)) {
        let i = k * N;
        let valid = i < there ? min(there - i, N) : 0;
        memcpy_async<N>(tile[i], x[valid > 0 ? base + i : base], valid);
    }
    for (k in block.stride(count - wide * N)) __copy_one(tile, x, base, wide * N + k, there);
}

// Copies a part of x with the tile's extents, N elements at a time.
fn __copy_tile<const N: u32, T: type>(tile: out T[,], x: in T[,], row: u64, column: u64) {
    let in_row = u32(tile.extent(1)) / N;
    for (k in block.stride(u32(tile.extent(0)) * in_row)) {
        let r = k / in_row;
        let c = k % in_row * N;
        let is_inside = row + r < x.extent(0) && column + c < x.extent(1);
        let valid = is_inside ? u32(min(x.extent(1) - column - c, u64(N))) : 0;
        comptime if (N * sizeof<T> >= 4) {
            memcpy_async<N>(tile[r, c], x[is_inside ? row + r : 0, is_inside ? column + c : 0], valid);
        } else {
            var value: T;
            if (is_inside) value = x[row + r, column + c];
            tile[r, c] = value;
        }
    }
}

// Fills the tile from x, starting at row `row` and column `column`; zeros outside of x.
fn block.memcpy_async<T: type>(tile: out T[,], x: in T[,], row: u64, column: u64) {
    __together();
    static_assert(16 % sizeof<T> == 0, "elements of 1, 2, 4, 8 or 16 bytes are copied asynchronously");
    const N: u32 = 16 / sizeof<T>;
    if (x.len == 0) {
        var zero: T;
        for (r in 0..tile.extent(0)) for (c in block.stride(tile.extent(1))) tile[r, c] = zero;
        return;
    }
    let is_even = (tile.extent(1) | x.extent(1) | column) % N == 0;
    if (is_even && __is_wide(u64(address(tile[0, 0])), u64(address(x[0, 0])))) __copy_tile<N>(tile, x, row, column);
    else __copy_tile<1>(tile, x, row, column);
}

// ---- in bulk: the copy engine counts the arrived bytes in an mbarrier in shared memory ----

// PTX ISA, "mbarrier": a phase completes when the thread has arrived and the expected number of
// bytes has been written; then the phase's parity flips. `__turn` is the parity of the next phase,
// first 0; its other bits are __BARRIER, which shows that the barrier is initialised.
struct barrier { __state: u64; __turn: u32; }
const __BARRIER: u32 = 0x62617200;

fn __in_shared<T: type>(at: ptr<T>) -> ptr<T, shared> = ptr<T, shared>(at);
fn __has_bulk() -> bool = !target.is_host && __sm() >= 90;
fn __turn_of(bar: ptr<barrier, shared>) -> u32 {
    let turn = bar[0].__turn ^ __BARRIER;
    assert(turn <= 1, "the barrier is not initialised: block.init(bar) comes before its first copy");
    return turn;
}

// Initialises the barrier: once, before its first copy, by all threads of the block.
fn block.init(bar: __place<barrier, shared>) { block.init(address(bar)); }
fn block.init(bar: ptr<barrier, shared>) {
    __together();
    if (thread.rank == 0) {
        bar[0].__turn = __BARRIER;
        comptime if (__has_bulk()) mbarrier.init(bar[0], 1);
    }
}

fn block.memcpy_async<T: type>(tile: out T[], x: in T[], base: u64, count: u32, bar: __place<barrier, shared>) { block.memcpy_async(tile, x, base, count, address(bar)); }
fn block.memcpy_async<T: type>(tile: out T[], x: in T[], base: u64, count: u32, bar: ptr<barrier, shared>) {
    __together();
    comptime if (__has_bulk()) bulk.fence();
    block.sync(); // after the threads' earlier uses of the tile
    let turn = __turn_of(bar);
    comptime if (__has_bulk()) {
        static_assert(16 % sizeof<T> == 0, "elements of 1, 2, 4, 8 or 16 bytes are copied asynchronously");
        assert(count <= tile.len, "the tile has fewer elements than are copied");
        let there = u32(base < x.len ? min(u64(count), x.len - base) : 0);
        let whole = u64(address(tile[0])) % 16 == 0 ? bulk.whole(x, base, count) : 0;
        if (thread.rank == 0) {
            mbarrier.arrive(bar[0], bytes = u32(whole * sizeof<T>));
            bulk.load(tile, x, base, whole, bar[0]);
        }
        var zero: T;
        for (j in (whole + thread.rank..count).step(block.size)) {
            if (there > 0) __copy_one(tile, x, base, j, there);
            else tile[j] = zero;
        }
    } else {
        block.memcpy_async(tile, x, base, count);
    }
}
// Waits until the copy that was started with `bar` is in its tile, for all threads of the block.
fn block.wait(bar: __place<barrier, shared>) { block.wait(address(bar)); }
fn block.wait(bar: ptr<barrier, shared>) {
    __together();
    let turn = __turn_of(bar);
    pipeline.wait();
    comptime if (__has_bulk()) mbarrier.wait(bar[0], turn);
    block.sync();
    if (thread.rank == 0) bar[0].__turn = (turn ^ 1) | __BARRIER;
}
