// In an algorithm the program's own function comes before a step, the library's beside it.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn reduce(a: u32) -> u32 = a + 1;
algorithm own(n: u32) -> u32 = reduce(n);
algorithm both(n: u32, x: in f32[n], y: out f32[n]) -> u64 = select(x.map(|v| select(v > 0, v, 0.0)), |v| v > 1, y);
// CHECK: kernel own
// CHECK: name __give
// CHECK: call : u32
// CHECK-NEXT: name reduce
// CHECK: function both
// CHECK: call : u64
// CHECK-NEXT: name select
