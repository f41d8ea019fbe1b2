// A switch over an enumeration has a case for each value, or a default.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
enum C { a, b }
fn f(c: C) { switch (c) { case C.a: ; } switch (c) { case C.a: ; default: ; } switch (c) { case C.b, C.a: ; } switch (c) { case 1: ; default: ; } }
// CHECK: error: the switch has no case for 'C.b' [switch_missing]
// CHECK: hint: Give it a case, or write default: for the rest.
// CHECK: :129: error: cannot convert {{.*}} to 'C' [type_mismatch]
// CHECK: hint: Its values have names: C.a.
