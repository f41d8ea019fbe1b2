// A launch with early = true waits where its function says; blocks_per_sm bounds the registers.
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx -o - | FileCheck %s
fn first(x: out u32[]) { x[block.rank] = 1; }
fn second(x: in u32[], y: out u32[]) {
    let v = clock64();
    grid.wait_dependencies();
    grid.launch_dependents();
    y[block.rank] = x[block.rank] + u32(v);
}
algorithm both(n: u64, x: inout u32[n], y: out u32[n]) {
    launch first(block = 256, grid = n, x);
    launch second(block = 1024, grid = n, blocks_per_sm = 2, early = true, x, y);
}
// CHECK-LABEL: .entry both_1_first
// CHECK-NOT: .minnctapersm
// CHECK: griddepcontrol.wait
// CHECK-LABEL: .entry both_2_second
// CHECK: .reqntid 1024
// CHECK: .minnctapersm 2
// CHECK-NOT: griddepcontrol
// CHECK: %clock64
// CHECK: griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK-NOT: griddepcontrol
