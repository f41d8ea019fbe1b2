// An inout span goes where in or out is asked for, an array where a span is; no other way.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn i(x: in f32[]) {}
fn o(x: out f32[]) {}
fn io(x: inout f32[]) {}
kernel k(a: in f32[4], b: inout f32[4], c: out f32[4], d: in f64[4]) {
  var v: f32[4]; shared s: f32[2];
  i(a); i(b); o(b); io(b); o(c); i(v); io(v); o(s);
  io(a); o(a); i(c); io(c); i(d);
}
// CHECK:      cannot convert 'in f32[]' to 'inout f32[]' [type_mismatch]
// CHECK:      cannot convert 'in f32[]' to 'out f32[]'
// CHECK:      cannot convert 'out f32[]' to 'in f32[]'
// CHECK:      cannot convert 'out f32[]' to 'inout f32[]'
// CHECK:      cannot convert 'in f64[]' to 'in f32[]'
// CHECK-NOT: error:
