// What has no compile-time parameters takes none.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: u32) {}
fn f() { g<u32>(1); }
// CHECK: error: 'g' has no compile-time parameters [not_generic]
