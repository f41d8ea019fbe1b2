// A function's span carries its own length.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32, x: in f32[n]) {}
// CHECK: error: a span that a function takes carries its own length: write 'in f32[]' [span_extents]
