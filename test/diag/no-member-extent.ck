// The sizes of a span by the names that other libraries give them.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(x: in f32[,], y: in f32[]) {
    let a = x.len(0);
    let b = x.shape(1);
    let c = y.len();
}
// CHECK: [[@LINE-4]]:13: error: 'in f32[,]' has no member 'len' [no_member]
// CHECK: hint: The elements are counted by x.len, those along axis k by x.extent(k).
// CHECK: [[@LINE-5]]:13: error: 'in f32[,]' has no member 'shape' [no_member]
// CHECK: hint: The elements are counted by x.len, those along axis k by x.extent(k).
// CHECK: [[@LINE-6]]:13: error: 'in f32[]' has no member 'len' [no_member]
// CHECK: hint: The elements are counted by x.len.
kernel k(n: u64, x: in f32[n, n], y: in f32[n]) launch(block = 32, grid = 1) { f(x, y); }
