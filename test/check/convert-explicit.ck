// T(value) converts between all scalars.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f<T: type>(x: T) {
  let bool_ = bool(x);
  let i8_ = i8(x);
  let i16_ = i16(x);
  let i32_ = i32(x);
  let i64_ = i64(x);
  let u8_ = u8(x);
  let u16_ = u16(x);
  let u32_ = u32(x);
  let u64_ = u64(x);
  let f32_ = f32(x);
  let f64_ = f64(x);
}
kernel k() { f(true); f(i8(1)); f(i16(1)); f(i32(1)); f(i64(1)); f(u8(1)); f(u16(1)); f(u32(1)); f(u64(1)); f(f32(1)); f(f64(1)); }
// CHECK:      kernel k
