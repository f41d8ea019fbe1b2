// What needs a newer GPU than the target has is reported where it is called or compiled.
// RUN: not %ckc %s --stop-after=check --target=sm_80 2>&1 | FileCheck %s
// RUN: %ckc %s --stop-after=check --target=sm_90a
// RUN: %ckc %s --stop-after=check --target=host
@require(sm >= 90)
fn f() -> u32 = 1;
@require(sm >= 89)
fn g<T: int>(x: T) -> T = x;
kernel k(y: out u32[2]) { y[0] = f(); y[1] = g(2u32); }
// CHECK: :9:34: error: 'f' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: hint: Call it inside 'comptime if (target.sm >= 90)'.
// CHECK: :9:46: error: 'g<u32>' needs sm_89, the target is sm_80 [needs_sm]
@require(sm >= 86)
kernel m() {}
// CHECK: :14:8: error: 'm' needs sm_86, the target is sm_80 [needs_sm]
