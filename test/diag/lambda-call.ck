// What is wrong in a lambda is reported where it stands, with the call that led there.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn apply<F: fn>(f: F, x: f32) -> f32 = f(x);
kernel k(y: out f32[9]) launch(block = 1, grid = 1) {
    let add = |a, b| a + b;
    y[0] = add(1);
    y[1] = add(1, true);
    y[2] = add;
    y[3] = apply(2, 1);
    y[4] = apply(|v| v && true, 3);
    y[5] = sqrt;
    let h = |v: nothing| v;
}
// CHECK: :7:12: note: in '|a, b| a + b', instantiated here
// CHECK: :6:12: error: '|a, b| a + b' takes 2 arguments, 1 are given [argument_count]
// CHECK: :5:15: note: 'the lambda' is declared here
// CHECK: :8:12: error: cannot convert '|a, b| a + b' to 'f32' [type_mismatch]
// CHECK: hint: Call it: add(...).
// CHECK: :9:12: error: 'F' is 'i32', which is not 'fn' [constraint]
// CHECK: :10:22: error: '&&' does not take 'f32' [bad_operand]
// CHECK: :3:40: note: in '|v| v && true', instantiated here
// CHECK: :10:12: note: in 'apply<|v| v && true>', instantiated here
// CHECK: :11:12: error: cannot convert 'a function' to 'f32' [type_mismatch]
// CHECK: hint: Call it: sqrt(...).
// CHECK: :12:17: error: 'nothing' is not declared [undeclared]
