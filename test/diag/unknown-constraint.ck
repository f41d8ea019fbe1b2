// A constraint is one of six words.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<T: real>(x: T) -> T = x;
kernel k() {}
// CHECK: :3:9: error: 'real' is not a constraint: they are type, int, float, number, half and fn [unknown_constraint]
