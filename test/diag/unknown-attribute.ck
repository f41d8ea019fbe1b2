// There is one attribute.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
@inline(1)
fn f() {}
// CHECK: :3:1: error: '@inline' is not an attribute that is known [unknown_attribute]
