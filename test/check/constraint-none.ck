// A type parameter without a constraint takes any type.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn same<T>(v: T) -> T = v;
fn f() { let a = same(true); let b = same((1, 2.5)); let c = same([1, 2]); }
// CHECK: let a : bool
// CHECK: let b : (i32, f32)
// CHECK: let c : i32[2]
