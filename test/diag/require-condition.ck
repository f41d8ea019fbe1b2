// @require has one form.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
@require(80)
fn f() {}
@require(sm > 80)
fn g() {}
// CHECK: :3:1: error: '@require' takes 'sm >= N' [require_condition]
// CHECK: :5:1: error: '@require' takes 'sm >= N' [require_condition]
