// The program may add to a group.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn block.half -> u32 = block.size / 2;
fn block.both(a: u32) -> u32 = a * block.half;
fn f() { let a = block.both(3); }
// CHECK:      let a : u32
