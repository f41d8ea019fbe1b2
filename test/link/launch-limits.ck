// ptxas keeps to the limits: what needs more registers spills, and --time says so.
// REQUIRES: nvjitlink
// RUN: %ckc %s --target=sm_90 --time -o %t.cubin 2>&1 | FileCheck %s
// RUN: %ckc %s --target=sm_90 --emit=manifest | FileCheck --check-prefix=MANIFEST %s
fn mix(x: inout f32[], at: u32)
{
    var v: f32[64];
    unroll for (i in 0u32..64) v[i] = x[at + 256 * i];
    unroll for (round in 0u32..4) unroll for (i in 0u32..64) v[i] = v[i] * v[(i + 7 * round + 1) % 64] + 1;
    unroll for (i in 0u32..64) x[at + 256 * i] = v[i];
}
kernel free(x: inout f32[64 * 256]) launch(block = 256, grid = 1) { mix(x, thread.x); }
@registers(32)
kernel bounded(x: inout f32[64 * 256]) launch(block = 256, grid = 1) { mix(x, thread.x); }
@blocks_per_sm(8)
kernel many(x: inout f32[64 * 256]) launch(block = 256, grid = 1) { mix(x, thread.x); }
// CHECK: free sm_90 {{[6-9][0-9]|1[0-9][0-9]}} 0 0 0
// CHECK: bounded sm_90 32 of 32 0 {{[1-9][0-9]*}}
// CHECK: many sm_90 32 0 {{[1-9][0-9]*}}
// MANIFEST: "name": "bounded"
// MANIFEST: "registers_max": 32
// MANIFEST: "name": "many"
// MANIFEST: "blocks_per_sm": 8
