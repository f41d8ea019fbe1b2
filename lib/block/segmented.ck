// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/segmented.ck - segmented reductions and scans over a block, which restart at each head.
//
// block.segmented_inclusive_scan(v, heads, f), block.segmented_exclusive_scan(v, heads, f), with
// `init = value` before the first of each segment; block.segmented_reduce(v, heads, f).
//
//   shape         any block of constant size; N items of any type a thread, and heads: bool[N]; or a
//                 value and a bool
//   arrangement   blocked; heads[k]: item k starts a segment, as from block.heads. The block's
//                 first item always starts one
//   f             associative; need not be commutative
//   called by     all threads of the block; init is the same in all of them
//   result        scans: as in scan.ck, over the items of the segment. Without init the first value
//                 of each segment in exclusive_scan is zero. reduce: at a segment's first item f of
//                 all its items; elsewhere zero
//   algorithms    those of scan.ck
//   shared bytes  scans: a scan's of a struct of T and a bool; reduce: a scan's of T and a u32, and T
//                 an item, 1/32 more
//   steps         a scan; reduce: also a barrier
//   target        any
//   CUB           beyond CUB   block.segmented_reduce(v, heads, f)
//                     CUB has it of a warp: warp.segmented_reduce
//                 beyond CUB   block.segmented_inclusive_scan(v, heads, f)
//                 beyond CUB   block.segmented_exclusive_scan(v, heads, f)
//
//   kernel sums(keys: in u32[64], x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
//   {
//       let starts = block.heads([keys[thread.rank]], !=);
//       y[thread.rank] = block.segmented_reduce(x[thread.rank], starts[0], +);
//   }
//   CALL: sums(keys=arange(64) // 8, x=iota:64)
//   EXPECT: y = where(arange(64) % 8 == 0, 8 * x + 28, 0)
//   COST: 288 bytes, 4 barriers

struct __Segment<T: type> { value: T; is_head: bool; }
struct __Numbered<T: type> { value: T; head: u32; }     // the position of the last head + 1

fn __scan_segments<const METHOD: u32, const INCLUSIVE: bool, const HAS: bool, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F, init: T) -> T[N] {
    let join = |a: __Segment<T>, b: __Segment<T>| b.is_head ? b : __Segment(f(a.value, b.value), a.is_head);
    var all = __Segment(v[0], heads[0]);
    unroll for (k in 1..N) all = join(all, __Segment(v[k], heads[k]));
    var upto = __scan_block<METHOD, false, N>(all, join)[0].value;
    var r: T[N];
    unroll for (k in 0..N) {
        let starts = heads[k] || (k == 0 && thread.rank == 0);
        comptime if (!INCLUSIVE) {
            comptime if (HAS) r[k] = starts ? init : f(init, upto);
            else if (!starts) r[k] = upto;
        }
        upto = starts ? v[k] : f(upto, v[k]);
        comptime if (INCLUSIVE) {
            comptime if (HAS) r[k] = f(init, upto);
            else r[k] = upto;
        }
    }
    return r;
}

fn __reduce_segments<const METHOD: u32, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F) -> T[N] {
    shared all: T[block.size * N + block.size * N / 32 + 1];
    let first = thread.rank * N;
    let join = |a: __Numbered<T>, b: __Numbered<T>| b.head > 0 ? b : __Numbered(f(a.value, b.value), a.head);
    var starts = heads;
    if (thread.rank == 0) starts[0] = true;
    var mine = __Numbered(v[0], starts[0] ? first + 1 : 0);
    unroll for (k in 1..N) mine = join(mine, __Numbered(v[k], starts[k] ? first + k + 1 : 0));
    var upto = __scan_block<METHOD, false, N>(mine, join)[0];
    unroll for (k in 0..N) { // a head has the total of the previous segment
        if (starts[k]) {
            if (first + k > 0) all[__padded<N>(upto.head - 1)] = upto.value;
            upto = __Numbered(v[k], first + k + 1);
        } else {
            upto.value = f(upto.value, v[k]);
        }
    }
    if (thread.rank == block.size - 1) all[__padded<N>(upto.head - 1)] = upto.value;
    block.sync();
    var r: T[N];
    unroll for (k in 0..N) {
        if (starts[k]) r[k] = all[__padded<N>(first + k)];
    }
    return r;
}

fn block.segmented_inclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F) -> T[N] = __scan_segments<method, true, false>(v, heads, f, v[0]);
fn block.segmented_inclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, heads: bool, f: F) -> T = __scan_segments<method, true, false>([v], [heads], f, v)[0];
fn block.segmented_inclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F, init: T) -> T[N] = __scan_segments<method, true, true>(v, heads, f, init);
fn block.segmented_inclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T = __scan_segments<method, true, true>([v], [heads], f, init)[0];

fn block.segmented_exclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F) -> T[N] = __scan_segments<method, false, false>(v, heads, f, v[0]);
fn block.segmented_exclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, heads: bool, f: F) -> T = __scan_segments<method, false, false>([v], [heads], f, v)[0];
fn block.segmented_exclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F, init: T) -> T[N] = __scan_segments<method, false, true>(v, heads, f, init);
fn block.segmented_exclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T = __scan_segments<method, false, true>([v], [heads], f, init)[0];

fn block.segmented_reduce<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], heads: bool[N], f: F) -> T[N] = __reduce_segments<method>(v, heads, f);
fn block.segmented_reduce<const method: u32 = 0, T: type, F: fn>(v: T, heads: bool, f: F) -> T = __reduce_segments<method>([v], [heads], f)[0];
