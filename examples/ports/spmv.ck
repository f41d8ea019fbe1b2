// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// spmv.ck - y = A x of a sparse matrix in CSR, split along the merge path (Merrill and Garland, Merge-Based Parallel
// Sparse Matrix-Vector Multiplication, SC 2016). The rows' ends and the nonzeros are merged: the end of row i stands
// after the row's nonzeros, so it is step offsets[i + 1] + i of the path. Blocks, and threads in a block, process pieces
// of equal length, whatever the lengths of the rows are. Offsets 0 2 2 5 and 3 steps a thread:
//
//   nonzero 0, nonzero 1, end of row 0 | end of row 1, nonzero 2, nonzero 3 | nonzero 4, end of row 2
//   thread 0 writes y[0]               | writes y[1], carries a sum on      | adds that, writes y[2]
//
// A scan of pairs (row, sum) carries the sums of rows that don't end in their thread. The first and the last row of a
// block may be shared with other blocks, so they are added to y by atomics: y must be zero initially.
// TOLERANCE: 1e-5
// FOR: n in 1, 60, 1001
// FOR: nonzeros in 1, 4001, 9000
// NAME: rows that grow longer
// CALL: spmv(rows=n, columns=n, nonzeros=nonzeros, offsets=arange(n + 1) ** 2 * nonzeros // n ** 2, column=rand:nonzeros:3:0..n - 1, value=rand:nonzeros, x=arange(n) % 7 - 3, y=zeros:n)
// EXPECT: y = sum(where((arange(nonzeros) >= offsets[:-1, None]) & (arange(nonzeros) < offsets[1:, None]), value * (column % 7 - 3.0), 0), axis=1)
// FOR: n in 7, 5000
// NAME: all but one row are empty
// CALL: spmv(rows=n, columns=9, nonzeros=6001, offsets=where(arange(n + 1) > n // 2, 6001, 0), column=rand:6001:3:0..8, value=rand:6001, x=arange(9), y=zeros:n)
// EXPECT: y = where(arange(n) == n // 2, sum(value * column), 0)
// NAME: no nonzeros
// CALL: spmv(rows=5000, columns=1, nonzeros=1, offsets=arange(5001) // 5000, column=[0], value=[3], x=[2], y=zeros:5000)
// EXPECT: y = where(arange(5000) == 4999, 6, 0)
// BENCH: spmv(rows=2**20, columns=2**20, nonzeros=2**24, offsets=16 * arange(2**20 + 1), column=rand:2**24:3:0..2**20-1, value=rand:2**24, x=rand:2**20, y=zeros:2**20) bytes = 8 * nonzeros + 12 * rows, flops = 2 * nonzeros

const BLOCK: u32 = 256;
const STEPS: u32 = 7;                   // of a thread; odd: the threads' pieces of shared memory lie in different banks
const TILE = BLOCK * STEPS;

struct Carry { row: u32; sum: f32; }
fn join(a: Carry, b: Carry) -> Carry = Carry(b.row, b.sum + (a.row == b.row ? a.sum : 0));

// The number of rows that end before step `diagonal` of the path. In each round, the lanes divide
// the range into 32 parts.
fn warp.rows_before(offsets: in u32[], rows: u32, nonzeros: u32, diagonal: u32) -> u32
{
    var (low, high) = (diagonal - min(diagonal, nonzeros), min(diagonal, rows));
    while (low < high) {
        let part = ceil_div(high - low, 32);
        let last = low + part * (warp.lane + 1) - 1;
        let parts = popcount(warp.ballot(last < high && offsets[last + 1] + last < diagonal));
        low += part * parts;
        high = min(high, low + part - 1);
    }
    return low;
}

// full occupancy of an H100, because most steps wait for memory
@blocks_per_sm(8)
kernel spmv(rows: u32, columns: u32, nonzeros: u32, offsets: in u32[rows + 1], column: in u32[nonzeros],
            value: in f32[nonzeros], x: in f32[columns], y: inout f32[rows])
    launch(block = BLOCK, grid = ceil_div(rows + nonzeros, TILE))
{
    shared bounds: u32[2];
    shared ends: u32[TILE + 1];
    shared products: f32[TILE];
    let (from, to) = (block.id.x * TILE, min((block.id.x + 1) * TILE, rows + nonzeros));
    if (warp.rank < 2) {
        let bound = warp.rows_before(offsets, rows, nonzeros, warp.rank == 0 ? from : to);
        if (warp.lane == 0) bounds[warp.rank] = bound;
    }
    block.sync();
    let first_row = bounds[0];
    let (row_count, first) = (bounds[1] - first_row, from - first_row);
    let count = to - from - row_count;
    // The tile's nonzeros are followed by zeros; no nonzero of the tile is after the end of its
    // last row.
    let mine = u64(first + thread.x);   // 64 bits: the loads' addresses are one register and a constant each
    unroll for (k in 0..STEPS) {
        let i = k * BLOCK + thread.x;
        products[i] = i < count ? value[mine + k * BLOCK] * x[column[mine + k * BLOCK]] : 0;
    }
    for (i in (thread.x..row_count).step(BLOCK)) ends[i] = offsets[first_row + i + 1] - first;
    if (thread.x == 0) ends[row_count] = ~0u32;
    block.sync();

    let diagonal = min(thread.x * STEPS, to - from);
    var (start, high) = (diagonal - min(diagonal, count), min(diagonal, row_count));
    while (start < high) {
        let middle = (start + high) / 2;
        if (ends[middle] + middle < diagonal) start = middle + 1;
        else high = middle;
    }
    var (row, at, end) = (start, diagonal - start, ends[start]);
    var (sum, of_start) = (0.0, 0.0);
    unroll for (k in 0..STEPS) {
        if (at < end) {
            sum += products[at];
            at++;
        } else {
            if (row == start) of_start = sum;
            else y[first_row + row] = sum;
            sum = 0;
            row++;
            end = ends[row];
        }
    }
    let (before, all) = block.exclusive_scan_total<warp_scans>(Carry(row, sum), join);
    if (row > start) {
        if (start == 0) atomic.add(y[first_row], of_start + before.sum);
        else y[first_row + start] = of_start + before.sum;
    }
    if (thread.x == 0 && first_row + all.row < rows) atomic.add(y[first_row + all.row], all.sum);
}
