// The attributes that there are stand in the hint.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
@inline(1)
fn f() {}
// CHECK: :3:1: error: '@inline' is not an attribute that is known [unknown_attribute]
// CHECK: hint: There are @require(sm >= 90), @registers(64) and @blocks_per_sm(2).
