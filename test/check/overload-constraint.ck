// Of overloads that fit alike, the narrower constraint is taken, and none of a plain function's before it.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f<K: type>(k: K) -> u8 = 1;
fn f<K: number>(k: K) -> u16 = 2;
fn f<K: int>(k: K) -> u32 = 3;
fn f(k: f32) -> u64 = 4;
fn pair<A: number, B: number>(a: A, b: B) -> u8 = 1;
fn pair<A: number, B: int>(a: A, b: B) -> u16 = 2;
fn first<A: int, B: number>(a: A, b: B) -> u8 = 1;
fn first<A: number, B: int>(a: A, b: B) -> u16 = 2;
fn g(i: i32, d: f64, s: f32, b: bool)
{
    let w = f(b);
    let x = f(d);
    let y = f(i);
    let z = f(s);
    let p = pair(d, i);
    let q = pair(i, d);
    let r = first(i, i);
}
// CHECK: let w : u8
// CHECK: let x : u16
// CHECK: let y : u32
// CHECK: let z : u64
// CHECK: let p : u16
// CHECK: let q : u8
// CHECK: let r : u8
