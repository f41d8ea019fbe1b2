// They come from arrays, spans and ranges too.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn a<T: type, const N: u32>(v: T[N]) -> u32 = N;
fn s<T: type>(v: in T[]) -> T = v[0];
fn r<T: int>(v: range<T>) -> T = T(0);
fn f(x: inout f64[], n: u64) { var v: i16[5]; let b = a(v); let c = s(x); let d = r(0..n); let e = r(0..3); }
// CHECK:      let b : u32
// CHECK:      let c : f64
// CHECK:      let d : u64
// CHECK:      let e : i32
