// A slice keeps its span's access, has no step, and is no place itself.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn fill(x: out f32[]) {}
kernel k(x: in f32[8], y: inout f32[8]) {
    x[1..2][0] = 1;
    // CHECK: error: 'x' is 'in': it can't be written [assign_in]
    fill(x[1..2]);
    // CHECK: error: cannot convert 'in f32[]' to 'out f32[]' [type_mismatch]
    y[1..3] = x[1..3];
    // CHECK: error: this can't be assigned to [not_assignable]
    // CHECK: hint: A slice is assigned element by element.
    let z = y[(0..4).step(2)];
    // CHECK: error: an index is an integer, this is 'range<i32>' [index_type]
    let (p, q) = (address(y[0]), address(x[1]));
    let w = p + q;
    // CHECK: error: '+' does not take 'ptr<f32>' [bad_operand]
}
