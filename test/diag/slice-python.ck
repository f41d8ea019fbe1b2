// A slice of Python's with a step is a view of CK's: of every second element, or backwards.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[8]) {
    let a = x[::2];
    let b = x[::-1];
    let c = x[6:2:-1];
    let d = x[1:7:2];
}
// CHECK: 4:15: error: '::2' is Python [foreign_spelling]
// CHECK: hint: Every second element is strided(x, 2).
// CHECK: 5:15: error: '::-1' is Python
// CHECK: hint: Backwards it is x.reverse().
// CHECK: 6:15: error: '6:2:-1' is Python
// CHECK: hint: Backwards it is x.reverse().
// CHECK: 7:15: error: '1:7:2' is Python
// CHECK: hint: Every second element is strided(x, 2).
