// A value of <...> may be given by its name among the arguments.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn many<T: number, const N: u32 = 2>(x: T) -> T[N] { var v: T[N]; return v; }
fn f() { let a = many(1.0, N = 4); let b = many<f64>(1, N = 3); let c = many(1u8); }
// CHECK: let a : f32[4]
// CHECK: let b : f64[3]
// CHECK: let c : u8[2]
