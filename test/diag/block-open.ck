// A size that has to be constant, in a block that is none. A function that no kernel calls may ask.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn unused(v: f32) -> f32 { shared part: f32[block.size]; part[thread.rank] = v; return part[0]; }
fn first(v: f32) -> f32 {
    shared part: f32[block.size];
    comptime if (block.dim.x > 32) return 0;
    else return v;
}
kernel k(n: u32, x: inout f32[n]) launch(block = n, grid = 1) { x[thread.rank] = first(x[0]); }
// CHECK: :5:22: error: the block's size is not known at compile time [block_open]
// CHECK: :9:8: note: 'k' is declared here
// CHECK: hint: Give the kernel 'k' a constant block: launch(block = 256, ...).
// CHECK: :6:18: error: the block's size is not known at compile time [block_open]
// CHECK-NOT: error
