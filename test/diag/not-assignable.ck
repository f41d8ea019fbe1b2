// A value is no place; a function writes arrays that can change.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: inout i32[]) {}
kernel k(n: u32) { n + 1 = 2; shared s: f32[4]; var t: f32[4]; s = t; let a: i32[2] = b(); g(a); }
fn b() -> i32[2] { var v: i32[2]; return v; }
// CHECK: error: this can't be assigned to [not_assignable]
// CHECK: error: this can't be assigned to [not_assignable]
// CHECK: hint: Shared memory is assigned element by element.
// CHECK: error: this can't be assigned to [not_assignable]
// CHECK: hint: An array that a function writes is a 'var' or 'shared'.
