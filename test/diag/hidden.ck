// A name that is declared where it can't be seen: the note says where.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, x: in f32[n], y: out f32[n]) {
    if (n > 0) { let v = x[0]; }
    y[0] = v;
    y[1] = late;
    let late = 1.0;
}
// CHECK:      5:12: error: 'v' is not declared [undeclared]
// CHECK:      4:22: note: 'v' is declared here, in a block that has ended
// CHECK:      hint: Declare it before the block, with 'var', and assign it inside.
// CHECK:      6:12: error: 'late' is not declared [undeclared]
// CHECK:      7:9: note: 'late' is declared here, after its use
