// Another word is no suggestion, and what is two letters away no fix.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn clok(x: f32) -> f32 = x;
kernel k(x: inout f32[4]) launch(block = 1, grid = 1) {
    x[0] = sinxy(x[0]);
    x[1] = blick(1.0);
    x[2] = blcok(x[0]);
    x[3] = accumultor(x[0]);
}
fn accumulator_(x: f32) -> f32 = x;
// CHECK:      5:12: error: 'sinxy' is not declared
// CHECK-NOT:  hint:
// CHECK:      6:12: error: 'blick' is not declared
// CHECK:      hint: Did you mean 'block'?
// CHECK:      7:12: error: 'blcok' is not declared
// CHECK:      hint: Did you mean 'block'?
// CHECK:      8:12: error: 'accumultor' is not declared
// CHECK:      hint: Did you mean 'accumulator_'?
// CHECK-NOT:  fix:
