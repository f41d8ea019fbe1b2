// A method has the group before its name; without (...) it is a property.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn block.sync() {}
fn block.dim.x -> u32 = 1;
// CHECK:      a function sync
// CHECK-NEXT: b receiver block
// CHECK-NEXT: d block
// CHECK:      a function x
// CHECK-NEXT: b receiver block.dim
// CHECK-NEXT: c name u32
// CHECK-NEXT: d block
