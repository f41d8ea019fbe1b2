// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// search.ck - the position of a value in a sorted sequence, by binary search.
//
// lower_bound(sorted, value), upper_bound(sorted, value), with `less` as a third argument.
//
//   shape         one thread; a sequence of any type
//   arrangement   sorted: a span, an array (also of shared memory) or an iterator that ends, sorted by
//                 less
//   less          less(a, b): a comes before b. Default: <. For a value of another type than the
//                 elements', lower_bound calls less(element, value), upper_bound less(value,
//                 element)
//   called by     a thread for itself
//   result        u64, 0 to sorted.len. lower_bound: the number of elements before value, which is
//                 also the index of the first element equal to it; upper_bound: the index of the
//                 first element after those equal to it
//   shared bytes  none
//   steps         log2(sorted.len) + 1 elements are read
//   target        any
//   CUB           LowerBound(sorted, n, value)   lower_bound(sorted, value)
//                     a thread's; with less as a third argument too
//                 UpperBound(sorted, n, value)   upper_bound(sorted, value)
//                     a thread's; with less as a third argument too
//
//   kernel bins(n: u32, edges: in f32[5], x: in f32[n], y: out u32[n]) launch(block = 64, grid = ceil_div(n, 64))
//   {
//       let i = grid.thread_rank;
//       if (i < n) y[i] = u32(upper_bound(edges, x[i]) - 1);
//   }
//   CALL: bins(edges=[0, 10, 20, 30, 100], x=iota:100)
//   EXPECT: y = where(x < 30, x // 10, 3)
//   COST: 0 bytes, 0 barriers

fn __search<I: type, T: type, F: fn>(sorted: I, value: T, less: F) -> u64 {
    var (first, count) = (0u64, sorted.len);
    while (count > 0) {
        let half = count / 2;
        if (less(sorted[first + half], value)) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

// Arrays and spans are passed by reference; everything else is an iterator, passed by value.
fn lower_bound<E: type, T: type = E, F: fn>(sorted: in E[], value: T, less: F) -> u64 = __search(sorted, value, less);
fn lower_bound<E: type, T: type = E>(sorted: in E[], value: T) -> u64 = __search(sorted, value, |element, v| element < v);
fn lower_bound<I: type, T: type = element_of<I>, F: fn>(sorted: I, value: T, less: F) -> u64 = __search(sorted, value, less);
fn lower_bound<I: type, T: type = element_of<I>>(sorted: I, value: T) -> u64 = __search(sorted, value, |element, v| element < v);

fn upper_bound<E: type, T: type = E, F: fn>(sorted: in E[], value: T, less: F) -> u64 = __search(sorted, value, |element, v| !less(v, element));
fn upper_bound<E: type, T: type = E>(sorted: in E[], value: T) -> u64 = __search(sorted, value, |element, v| !(v < element));
fn upper_bound<I: type, T: type = element_of<I>, F: fn>(sorted: I, value: T, less: F) -> u64 = __search(sorted, value, |element, v| !less(v, element));
fn upper_bound<I: type, T: type = element_of<I>>(sorted: I, value: T) -> u64 = __search(sorted, value, |element, v| !(v < element));
