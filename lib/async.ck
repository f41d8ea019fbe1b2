// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async.ck - copies from global to shared memory that a thread starts and does not wait for. They
// pass no registers.
//
// memcpy_async<N>(to, from), with `valid = n`; pipeline.commit(), pipeline.wait<PRIOR>();
// block.memcpy_async(tile, x, base, count), block.memcpy_async(tile, x, row, column).
//
//   shape         any block; elements of 1, 2, 4, 8 or 16 bytes; N of them, 4, 8 or 16 bytes together
//   arrangement   a thread's own copies; the block's: any, each thread copies a part
//   called by     a thread for itself; block.memcpy_async: all threads of the block
//   result        there when the thread has waited for its group, of other threads' copies behind a
//                 barrier as well. With valid the first n elements, the others become zeros and are
//                 not read; block.memcpy_async: what lies outside of x is zero
//   commit, wait  a thread's copies since its last commit are a group; wait says how many groups may
//                 still be under way
//   alignment     to and from are aligned to all that one copy takes. block.memcpy_async takes 16 bytes
//                 at a time where both are aligned so, else element by element; elements of less than 4
//                 bytes are there at once then
//   shared bytes  the program's tile alone
//   steps         a copy for each 16 bytes of the tile, shared among the threads
//   target        any; cp.async from sm_80 on; before, and on the host, a load and a store
//   CUB           BlockLoadToShared::CopyAsync(dst, src)   block.memcpy_async(tile, x, base, count)
//                     CUB's takes cp.async.bulk from sm_90 on
//                 ::Commit()                               pipeline.commit()
//                 ::Wait(token)                            pipeline.wait<PRIOR>()
//                     then block.sync()
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

// Copies N elements from memory at `from` to shared memory at `to`: 4, 8 or 16 bytes in all, to which
// both are aligned. 16 bytes are the fastest.
fn memcpy_async<const N: u32 = 1, T: type>(to: out __place<T, shared, N>, from: in __place<T, global, N>) = __memory("copy", to, from, N);
// The same for the first `valid` of them, 0 to N; the others become zeros, and are not read.
fn memcpy_async<const N: u32 = 1, T: type>(to: out __place<T, shared, N>, from: in __place<T, global>, valid: u32) = __memory("copy_some", to, from, N, valid);

// Makes a group of the thread's copies since the last commit.
fn pipeline.commit() = __memory("copy_commit");
// Waits until all but the thread's last `prior` groups are there; without it, for all copies.
fn pipeline.wait<const prior: u32 = 0>() = __memory("copy_wait", prior);


// ---- the block together: all of its threads call these; what each copied is in its next group ----

fn __is_wide(a: u64, b: u64) -> bool = (a | b) % 16 == 0;

// Element j of the tile, from element base + j of x if j < there.
fn __copy_one<T: type>(tile: out T[], x: in T[], base: u64, j: u32, there: u32) {
    comptime if (sizeof<T> >= 4) {
        memcpy_async(tile[j], x[j < there ? base + j : base], valid = u32(j < there));
    } else {
        var value: T;
        if (j < there) value = x[base + j];
        tile[j] = value;
    }
}

// Elements base to base + count - 1 of x to elements 0 to count - 1 of the tile. What lies behind the
// end of x is zero. 16 bytes at a time where both are aligned so, else element by element; elements
// of less than 4 bytes are there at once then.
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

// The same N elements at a time, of a part of x with the tile's extents.
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

// All of the tile, from row `row` and column `column` of x on. What lies outside of x is zero.
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
