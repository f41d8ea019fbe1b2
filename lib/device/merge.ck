// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/merge.ck - merges two sorted sequences, by one launch of a kernel.
//
// merge(a, b, to, less), in an algorithm
//
//   a, b, to      iterators; a and b are finite, sorted by less and of one type; `to` has room for all of
//                 their elements
//   overlap       a and b: allowed
//                 a, b or less and to: rejected
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   result        the elements of both, sorted; of equal ones those of a come first
//   launches      1
//   scratch       none
//   steps         a block takes adjacent tiles of the result, first searches where all of them begin in
//                 a and in b, and merges each in shared memory (device/merge_tiles.ck)
//   target        any
//   CUB           DeviceMerge::MergeKeys(x, n, y, m, z, less)             merge(x, y, z, less)
//                 DeviceMerge::MergePairs(x, v, n, y, w, m, z, u, less)   merge(zip(x, v), zip(y, w), zip(z, u), |a, b| less(a[0], b[0]))
//   Thrust        merge, merge_by_key                                     merge(x, y, z, less)
//
//   algorithm both(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n + m]) { merge(x, y, z, <); }
//   CALL: both(n=2, m=3, x=[1, 5], y=[2, 5, 6], z=zeros:5)
//   EXPECT: z = [1, 2, 5, 5, 6]

fn __merge_two<const N: u32, A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, most: u64, less: F) {
    let n = a.len + b.len;
    let items = __merge_share<element_of<A>>(most);
    let (first, last) = __merge_part_of(most, n, items);
    if (first >= last) return;
    __merge_range<N>(__memory_of(a), __memory_of(b), a.len, __memory_of(to), 0, n, a.len, n, first, last, items, less);
}

fn __merge_two_serial<A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) {
    var (i, j) = (0u64, 0u64);
    for (k in 0..a.len + b.len) {
        if (j < b.len && (i >= a.len || __is_less(less(b[j], a[i])))) {
            to[k] = b[j];
            j += 1;
        } else {
            to[k] = a[i];
            i += 1;
        }
    }
}

// Named as the step in messages.
algorithm device.__merge<A: type, B: type, O: type, F: fn>(a: A, b: B, less: F, to: O) { __apart(a, b, less, to); }
algorithm device.merge<A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) {
    let (n, m) = (__finite(__most(a)), __finite(__most(b)));
    device.__merge(take(a, n), take(b, m), less, to); // spans of one parameter count as overlapping as well
    __fits(__room(to), a.len + b.len, "'to'");
    const N: u32 = __merge_items<element_of<A>>();
    const MERGERS: u32 = __merge_threads<element_of<A>>();
    comptime if (__is_serial()) {
        launch __merge_two_serial(block = 1, grid = 1, a, b, to, less);
    } else {
        launch __merge_two<N>(block = MERGERS, blocks_per_sm = __merge_blocks<element_of<A>>(),
            grid = min(ceil_div(n + m, u64(MERGERS * __merge_share<element_of<A>>(n + m))), u64(resident)), a, b, to, n + m, less);
    }
}
