// Each value has one case, which is a constant of the switch's type; a range of one has some.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u8) { switch (n) { case 300: ; case 1, 1: ; case 0..3: ; case 4..4: ; case n: ; default: ; default: ; } }
// CHECK: error: 300 does not fit in 'u8' [constant_range]
// CHECK: error: '1' has a case already [switch_twice]
// CHECK: note: '1' stands here
// CHECK: error: '0..3' has a case already [switch_twice]
// CHECK: error: the range 4..4 is empty [switch_empty]
// CHECK: error: this is not known at compile time [not_constant]
// CHECK: error: 'default' has a case already [switch_twice]
