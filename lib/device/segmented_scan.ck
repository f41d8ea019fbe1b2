// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/segmented_scan.ck - the running values of each segment of a sequence, by a launch of a kernel.
//
// inclusive_segmented_scan(it, offsets, to, f), inclusive_segmented_scan(it, offsets, to, f, init),
// exclusive_segmented_scan(it, offsets, to, f, init), in an algorithm. Segment s is it[offsets[s]] to
// it[offsets[s + 1] - 1], and may be empty
//
//   it, to        iterators; `it` is finite, `to` is writable and has room for as many
//   offsets       a span or iterator of integers in order, each at most it.len; one more than there
//                 are segments
//   overlap       of inclusive scans, `it` and `to`: allowed for slices of a span that are the same, or
//                 have no common element; else what is read and what is written: rejected
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   result        to[i] is what the scan of i's segment alone gives there. Where i is before the first
//                 segment or behind the last, to[i] stays as it is
//   launches      1
//   scratch       words of persistent memory for each tile, one for each 4 bytes of a flag and a value
//   steps         a scan of pairs of a flag and a value (device/scan.ck). Whether a segment begins at
//                 an element is found by binary search of its index in the offsets, which costs
//                 log2(offsets.len) reads an element, most of them from a cache
//   target        any
//   CUB           DeviceSegmentedScan::InclusiveSegmentedSum(x, y, begins, ends, n)         inclusive_segmented_scan(x, offsets, y, +)
//                 DeviceSegmentedScan::InclusiveSegmentedScan(x, y, begins, ends, n, f)     inclusive_segmented_scan(x, offsets, y, f)
//                 DeviceSegmentedScan::ExclusiveSegmentedSum(x, y, begins, ends, n)         exclusive_segmented_scan(x, offsets, y, +, 0)
//                 DeviceSegmentedScan::ExclusiveSegmentedScan(x, y, begins, ends, n, f, i)  exclusive_segmented_scan(x, offsets, y, f, i)
//
//   algorithm running(n: u64, rows: u64, x: in f32[n], starts: in u32[rows + 1], y: out f32[n]) {
//       inclusive_segmented_scan(x, starts, y, +);
//   }
//   CALL: running(x=[1, 2, 3, 4, 5], starts=[0, 2, 2, 5], y=zeros:5)
//   EXPECT: y = [1, 3, 3, 7, 12]
//
// Behind a flag, values are scanned anew:
//
//     (a, v) and (b, w) give b ? (b, w) : (a, f(v, w))
//
//     offsets  0 2 2 5          flags   1 0 1 0 0
//     value    1 2 3 4 5        scan    1 3 3 7 12

const __BEGINS: u32 = 1; // a segment begins at the element, or it is in none
const __INSIDE: u32 = 2; // the element is in a segment

// Element i of the scan: its flags, and what is added. EXCLUSIVE: init, or the value before.
fn __segment_item<const EXCLUSIVE: bool, const HAS_INIT: bool, T: type, I: type, X: type, F: fn>(it: I, offsets: X, i: u64, f: F, init: T) -> (u32, T) {
    let s = upper_bound(offsets, i, |a, b| u64(a) < u64(b)); // offsets up to i
    let is_inside = s > 0 && s < offsets.len;
    let begins = !is_inside || u64(offsets[max(s, 1) - 1]) == i;
    var v = init;
    comptime if (EXCLUSIVE) {
        if (!begins) v = it[i - 1];
    } else {
        v = it[i];
        comptime if (HAS_INIT) {
            if (begins) v = f(init, v);
        }
    }
    return ((begins ? __BEGINS : 0) | (is_inside ? __INSIDE : 0), v);
}

// Stores the value of a pair if its element is in a segment.
struct __StoreInside<O: type> {
    to: O;
    fn len -> u64 = __room(self.to);
}
fn []=<O: type, J: int, T: type>(m: __StoreInside<O>, i: J, p: (u32, T)) {
    if (p[0] & __INSIDE != 0) m.to[i] = p[1];
}

algorithm device.__segmented_scan<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    let starts = take(offsets, __finite(__most(offsets)));
    __apart(starts, f, to);
    let elements = take(it, __finite(__most(it)));
    comptime if (EXCLUSIVE || sizeof(__moves(it, to)) == 2) __apart(elements, to);
    else __in_step(it, to);
    __fits(offsets.len, 1, "'offsets'");
    __fits(__room(to), it.len, "'to'");
    let items = it.enumerate().map(|p| __segment_item<EXCLUSIVE, HAS_INIT>(it, offsets, p[0], f, init));
    device.__scan_apart<false, false>(items, __StoreInside(to), |a, b| b[0] & __BEGINS != 0 ? b : (a[0] & __BEGINS | b[0], f(a[1], b[1])), __zero(items[0u64]));
}

algorithm device.inclusive_segmented_scan<I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, f: F) {
    device.__segmented_scan<false, false>(it, offsets, to, f, __zero(it[0u64]));
}
algorithm device.inclusive_segmented_scan<I: type, X: type, O: type, F: fn, T: type = element_of<I>>(it: I, offsets: X, to: O, f: F, init: T) {
    device.__segmented_scan<false, true>(it, offsets, to, f, init);
}
algorithm device.exclusive_segmented_scan<I: type, X: type, O: type, F: fn, T: type = element_of<I>>(it: I, offsets: X, to: O, f: F, init: T) {
    device.__segmented_scan<true, true>(it, offsets, to, f, init);
}
