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
fn __comes_first(a: bool, b: bool) -> bool = !a && b;
fn __comes_later<T: type>(a: T, b: T) -> bool = a > b;
fn __comes_later<T: float>(a: T, b: T) -> bool = a > b || (b != b && a == a);
fn __comes_later(a: bool, b: bool) -> bool = a && !b;

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

// The order of the numbers of a type as that of unsigned integers of 32 or 64 bits; NaN are the greatest.
// GREATEST: the reverse order, where NaN are the greatest as well.
fn __order_key<const GREATEST: bool, T: int>(v: T) -> u64 {
    const BITS: u32 = sizeof<T> == 8 ? 64 : 32;
    const MASK: u64 = BITS == 64 ? 0xffffffffffffffff : 0xffffffff;
    const SIGN: u64 = T(0) - 1 < 0 ? 1u64 << u64(BITS - 1) : 0;
    let key = u64(v) & MASK ^ SIGN;
    return GREATEST ? ~key & MASK : key;
}
fn __order_key<const GREATEST: bool>(v: bool) -> u64 = u64(v != GREATEST);
fn __order_key<const GREATEST: bool, T: float>(v: T) -> u64 {
    comptime if (sizeof<T> == 8) {
        let bits = bit_cast<u64>(v == 0 ? 0.0f64 : f64(v)); // both zeros are equal
        let key = bits >> 63 == 1 ? ~bits : bits | 1u64 << 63;
        return v != v ? 0xffffffffffffffff : GREATEST ? ~key : key;
    } else {
        let bits = bit_cast<u32>(v == 0 ? 0.0f32 : f32(v));
        let key = bits >> 31 == 1 ? ~bits : bits | 1u32 << 31;
        return v != v ? 0xffffffff : u64(GREATEST ? ~key : key);
    }
}

// The best of all lanes, in all lanes: the least key, and then the first place.
fn __best_lane<const GREATEST: bool, T: type>(v: (T, u64)) -> (T, u64) {
    var key = __order_key<GREATEST>(v[0]);
    if (v[1] == __NOWHERE) key = __NOWHERE; // no key is above it, no place behind
    let (high, low) = (u32(key >> 32), u32(key));
    var is_best = true;
    comptime if (sizeof<T> == 8) is_best = high == warp.min(high);
    let least = warp.min(is_best ? low : ~0u32);
    is_best = is_best && low == least;
    let far = warp.min(is_best ? u32(v[1] >> 32) : ~0u32);
    is_best = is_best && u32(v[1] >> 32) == far;
    let near = warp.min(is_best ? u32(v[1]) : ~0u32);
    is_best = is_best && u32(v[1]) == near;
    return (warp.shuffle(v[0], ctz(warp.ballot(is_best))), u64(far) << 32 | u64(near));
}

// What device.__reduce asks: see __Plain. Any order:
struct __Best<L: fn> {
    less: L;
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T = __best_of(self.less, row, at);
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = __keep_first(self.less, a, b);
    fn none<F: fn, T: type>(f: F, init: T) -> T = init;
    fn fold_lanes<T: type, F: fn>(v: T, f: F) -> T = __fold_lanes(v, f);
    fn fold_copies<const WARPS: u32, T: type, F: fn>(v: T, none: T, f: F) -> T = __fold_copies<WARPS>(v, none, f);
}
struct __BestTwo<L: fn, G: fn> {
    less: L;
    greater: G;
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T =
        (__best_of(self.less, row, at), __best_of(self.greater, row, at));
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = (__keep_first(self.less, a[0], b[0]), __keep_first(self.greater, a[1], b[1]));
    fn none<F: fn, T: type>(f: F, init: T) -> T = init;
    fn fold_lanes<T: type, F: fn>(v: T, f: F) -> T = __fold_lanes(v, f);
    fn fold_copies<const WARPS: u32, T: type, F: fn>(v: T, none: T, f: F) -> T = __fold_copies<WARPS>(v, none, f);
}
// Numbers in their own order:
struct __Extreme<const GREATEST: bool, L: fn> {
    less: L;
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T = __best_of(self.less, row, at);
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = __keep_first(self.less, a, b);
    fn none<F: fn, T: type>(f: F, init: T) -> T = init;
    fn fold_lanes<T: type, F: fn>(v: T, f: F) -> T = __best_lane<GREATEST>(v);
    fn fold_copies<const WARPS: u32, T: type, F: fn>(v: T, none: T, f: F) -> T = __best_lane<GREATEST>(v);
}
struct __Extremes<L: fn, G: fn> {
    less: L;
    greater: G;
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T =
        (__best_of(self.less, row, at), __best_of(self.greater, row, at));
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = (__keep_first(self.less, a[0], b[0]), __keep_first(self.greater, a[1], b[1]));
    fn none<F: fn, T: type>(f: F, init: T) -> T = init;
    fn fold_lanes<T: type, F: fn>(v: T, f: F) -> T = (__best_lane<false>(v[0]), __best_lane<true>(v[1]));
    fn fold_copies<const WARPS: u32, T: type, F: fn>(v: T, none: T, f: F) -> T = (__best_lane<false>(v[0]), __best_lane<true>(v[1]));
}

fn __nowhere<T: type>(like: T) -> (T, u64) {
    var zeros: T;
    return (zeros, __NOWHERE);
}
fn __both<F: fn, G: fn>(f: F, g: G) = |a, b| (f(a[0], b[0]), g(a[1], b[1]));

algorithm device.argmin<I: type, L: fn>(it: I, less: L) -> (element_of<I>, u64) =
    device.__reduce<true>(it, __Best(less), __better(less), __nowhere(__zero(it[0u64])));
algorithm device.argmax<I: type, L: fn>(it: I, less: L) -> (element_of<I>, u64) = device.argmin(it, |a, b| less(b, a));
algorithm device.argminmax<I: type, L: fn>(it: I, less: L) -> ((element_of<I>, u64), (element_of<I>, u64)) {
    let greater = |a, b| less(b, a);
    let none = __nowhere(__zero(it[0u64]));
    return device.__reduce<true>(it, __BestTwo(less, greater), __both(__better(less), __better(greater)), (none, none));
}

algorithm device.__extreme<const GREATEST: bool, I: type, L: fn>(it: I, less: L) -> (element_of<I>, u64) =
    device.__reduce<true>(it, __Extreme<GREATEST, L>(less), __better(less), __nowhere(__zero(it[0u64])));
algorithm device.__extremes<I: type, L: fn, G: fn, T: type>(it: I, less: L, greater: G, none: T) -> (T, T) =
    device.__reduce<true>(it, __Extremes(less, greater), __both(__better(less), __better(greater)), (none, none));
algorithm device.argmin<I: type>(it: I) -> (element_of<I>, u64) = device.__extreme<false>(it, __comes_first);
algorithm device.argmax<I: type>(it: I) -> (element_of<I>, u64) = device.__extreme<true>(it, __comes_later);
algorithm device.argminmax<I: type>(it: I) -> ((element_of<I>, u64), (element_of<I>, u64)) =
    device.__extremes(it, __comes_first, __comes_later, __nowhere(__zero(it[0u64])));
