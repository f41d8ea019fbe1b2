// Python, Triton and Rust are recognised, too.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, y: inout f32[n]) {
    if n > 1 and True: y[0] = 1;
    let mut x = n as f32;
    y[1] = y[0] ** 2;
}
def f(x): return x;
// CHECK: 4:5: error: 'if n > 1 and True' is Python [foreign_spelling]
// CHECK: fix: write 'if (n > 1 and True)' instead
// CHECK: 4:14: error: 'and' is Python
// CHECK: fix: write '&&' instead
// CHECK: 5:9: error: 'mut' is Rust
// CHECK: hint: What changes is declared with 'var'.
// CHECK: 5:19: error: 'as f32' is Rust
// CHECK: hint: A value is converted by the type's name: f32(x).
// CHECK: 6:17: error: '**' is Python
// CHECK: hint: A power is pow(x, y); a square x * x.
// CHECK: 8:1: error: 'def' is Python
// CHECK-NOT: error:
