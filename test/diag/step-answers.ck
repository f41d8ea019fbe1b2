// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
// What predicates and offsets of steps give is checked at the call: each mistake is reported once.
algorithm a(n: u64, x: in u32[n], y: out u32[n], z: out u32[n], o: in f32[4], v: in f64[n]) -> u64 {
    let k = select(x, |v| v + 1, y);
    let u = unique(x, y, |v, w| v - w);
    segmented_reduce(x, o, y, +, 0);
    transform_if(x, y, |v| v, |v| f32(v));
    return find_if(v, |v| v);
}
// CHECK: [[@LINE-6]]:13: error: static_assert failed: the function gives a bool: whether it holds for the element
// CHECK: [[@LINE-6]]:13: error: static_assert failed: the function gives a bool: whether the two elements are the same
// CHECK: [[@LINE-6]]:5: error: static_assert failed: offsets, places and lengths are integers
// CHECK: [[@LINE-6]]:5: error: static_assert failed: the function gives a bool: whether it holds for the element
// CHECK: [[@LINE-6]]:12: error: static_assert failed: the function gives a bool: whether it holds for the element
