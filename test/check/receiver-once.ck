// What stands before .load and .store is worked out once: a mistake in it is one message, and vectors have neither.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) -> u32 = n;
kernel loaded(n: u32, x: in u32[8], v: in f32x4[1], y: out u32[1]) launch(block = 1, grid = 1)
{
    y[0] = x.map(missing).load<4>(0).x;
    // CHECK: :[[@LINE-1]]:18: error: 'missing' is not declared
    // CHECK-NOT: error:
    y[0] = x.take(1, 2).load<4>(0).x;
    // CHECK: :[[@LINE-1]]:12: error: 'take' takes 2 arguments, 3 are given
    // CHECK-NOT: error:
    y[0] = f(n).load<4>(0).x;
    // CHECK: :[[@LINE-1]]:12: error: {{.*}}'load'
    // CHECK-NOT: error:
    sqrt(v[0]).store(0, v[0]);
    // CHECK: :[[@LINE-1]]:5: error: {{.*}}'store'
    // CHECK-NOT: error:
}
