// A note on a lambda of the library's own would show names that only the library has.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct P { a: f32; }
kernel k(p: P, y: out f32[1]) launch(block = 64, grid = 1)
{
    let q = block.segmented_inclusive_scan(p, thread.rank == 0, +);
    y[0] = q.a;
}
// CHECK-NOT: {{__[A-Z]}}
// CHECK: [[@LINE-4]]:65: error: '+' does not take 'P' [bad_operand]
// CHECK-NOT: {{__[A-Z]}}
// CHECK: note: in 'block.segmented_inclusive_scan<0,P,+>', instantiated here
// CHECK-NOT: {{__[A-Z]}}
