// @registers is .maxnreg, @blocks_per_sm is .minnctapersm, by both back ends; compile-time parameters may say them.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
@registers(64)
kernel bounded(x: inout f32[1]) launch(block = 1, grid = 1) { x[0] += 1; }
@blocks_per_sm(BLOCKS) @registers(R)
kernel many<const R: u32 = 40, const BLOCKS: u32 = R / 10>(x: inout f32[256]) launch(block = 256, grid = 1)
{
    x[thread.x] += 1;
}
export many<40>, many<64, 2>;
// CHECK-LABEL: .entry bounded(
// CHECK-NOT:   .minnctapersm
// CHECK:       .maxnreg 64
// CHECK-LABEL: .entry many_40_4(
// CHECK-DAG:   .minnctapersm 4
// CHECK-DAG:   .maxnreg 40
// CHECK-LABEL: .entry many_64_2(
// CHECK-DAG:   .minnctapersm 2
// CHECK-DAG:   .maxnreg 64
