// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/arg.ck - where the least and the greatest elements stand, by launches of kernels.
//
// In an algorithm:
//   argmin(it), argmin(it, less)         (value, i): it[i] comes before all others; the first of equals
//   argmax(it), argmax(it, less)         (value, i): all others come before it[i]; the first of equals
//   argminmax(it), argminmax(it, less)   both: ((least, i), (greatest, k)), each element read once
//
//   it            an iterator of any type; the greatest length that it can have is known to the host
//   overlap       it and less: allowed
//   less          less(a, b): a comes before b; a strict weak order. Without it <, where a NaN is
//                 found only if there is nothing else
//   result        i is a u64. Of no elements, i is 2^64 - 1 and the value zeros
//   launches      those of reduce
//   scratch       that of reduce
//   steps         those of reduce for a function that commutes. A thread compares the elements of a
//                 vector in their order, and keeps a later one only if it comes before; values of
//                 threads and blocks are ordered by their places if they are equal
//   target        any
//   CUB           DeviceReduce::ArgMin(x, value, i, n)   argmin(x)
//                 DeviceReduce::ArgMax(x, value, i, n)   argmax(x)
//   Thrust        min_element(x)                         argmin(x)
//                 max_element(x)                         argmax(x)
//                 minmax_element(x)                      argminmax(x)
//
//   algorithm coldest(n: u64, x: in f32[n]) -> u64 {
//       let (value, i) = argmin(x);
//       return i;
//   }
//   CALL: coldest(x=[2, -7, 3])
//   EXPECT: result = 1

fn __comes_first<T: type>(a: T, b: T) -> bool = a < b;
fn __comes_first<T: float>(a: T, b: T) -> bool = a < b || (b != b && a == a);
fn __comes_later<T: type>(a: T, b: T) -> bool = a > b;
fn __comes_later<T: float>(a: T, b: T) -> bool = a > b || (b != b && a == a);

const __NOWHERE: u64 = 0xffffffffffffffff;

// Of (value, place): the better one, or the one that is there.
fn __better<L: fn>(less: L) =
    |a, b| b[1] != __NOWHERE && (a[1] == __NOWHERE || less(b[0], a[0]) || (!less(a[0], b[0]) && b[1] < a[1])) ? b : a;
// The same if b is there, and stands behind a.
fn __keep_first<L: fn, T: type>(less: L, a: T, b: T) -> T = a[1] == __NOWHERE || less(b[0], a[0]) ? b : a;
fn __best_of<L: fn, E: type, const V: u32>(less: L, row: E[V], at: u64) -> (E, u64) {
    var best = row[0];
    var place = 0u32;
    unroll for (k in 1..V) {
        if (less(row[k], best)) {
            best = row[k];
            place = k;
        }
    }
    return (best, at + u64(place));
}

// What device.__reduce asks: see __Plain.
struct __Best<L: fn> {
    less: L;
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T = __best_of(self.less, row, at);
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = __keep_first(self.less, a, b);
    fn none<I: type, F: fn, T: type>(it: I, f: F, init: T) -> T = init;
    fn none_of_parts<F: fn, T: type>(parts: in T[], f: F, init: T) -> T = init;
}
struct __BestTwo<L: fn, G: fn> {
    less: L;
    greater: G;
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T =
        (__best_of(self.less, row, at), __best_of(self.greater, row, at));
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = (__keep_first(self.less, a[0], b[0]), __keep_first(self.greater, a[1], b[1]));
    fn none<I: type, F: fn, T: type>(it: I, f: F, init: T) -> T = init;
    fn none_of_parts<F: fn, T: type>(parts: in T[], f: F, init: T) -> T = init;
}

fn __nowhere<T: type>(like: T) -> (T, u64) {
    var zeros: T;
    return (zeros, __NOWHERE);
}
fn __both<F: fn, G: fn>(f: F, g: G) = |a, b| (f(a[0], b[0]), g(a[1], b[1]));

algorithm device.__ends<I: type, L: fn, G: fn, T: type>(it: I, less: L, greater: G, none: T) -> (T, T) =
    device.__reduce<true>(it, __BestTwo(less, greater), __both(__better(less), __better(greater)), (none, none));

algorithm device.argmin<I: type, L: fn>(it: I, less: L) -> (element_of<I>, u64) =
    device.__reduce<true>(it, __Best(less), __better(less), __nowhere(__zero(it[0u64])));
algorithm device.argmax<I: type, L: fn>(it: I, less: L) -> (element_of<I>, u64) = device.argmin(it, |a, b| less(b, a));
algorithm device.argminmax<I: type, L: fn>(it: I, less: L) -> ((element_of<I>, u64), (element_of<I>, u64)) =
    device.__ends(it, less, |a, b| less(b, a), __nowhere(__zero(it[0u64])));

algorithm device.argmin<I: type>(it: I) -> (element_of<I>, u64) = device.argmin(it, __comes_first);
algorithm device.argmax<I: type>(it: I) -> (element_of<I>, u64) = device.argmin(it, __comes_later);
algorithm device.argminmax<I: type>(it: I) -> ((element_of<I>, u64), (element_of<I>, u64)) =
    device.__ends(it, __comes_first, __comes_later, __nowhere(__zero(it[0u64])));
