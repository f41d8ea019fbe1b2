// A literal argument gives a lambda's parameter its type: a mistake inside shows which one did.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn less(n: u32) -> u32 {
    let g = |a| n - a;
    return g(1);
}
fn right(n: u32) -> u32 {
    let g = |a: u32| n - a;
    let h = |a| n - a;
    return g(1) + h(1u32);
}
fn typed(n: u32, v: i32) -> u32 {
    let g = |a| n - a;
    return g(v);
}
kernel k(n: u32, y: out u32[1]) { y[0] = less(n) + right(n) + typed(n, 1); }
// CHECK:     4:17: error: '-' of 'u32' and 'i32': neither type holds the other's values [no_common_type]
// CHECK:     5:14: note: 1 makes 'a' an i32 here
// CHECK:     hint: A parameter's type is written |a: u32|, a literal's 1u32.
// CHECK:     13:17: error: '-' of 'u32' and 'i32'
// CHECK-NOT: makes
// CHECK-NOT: error:
