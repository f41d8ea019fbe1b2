// What only LLVM's optimiser finds out about a pointer's memory is an error in the kernel.
// RUN: not %ckc %s --target=sm_90 --emit=ptx --backend=nvptx 2>&1 | FileCheck %s
struct Two { p: ptr<f32>; n: u32; }
kernel k(n: u32, y: out f32[64]) launch(block = 64, grid = 1)
{
    shared all: Two[2];
    all[0].p = address(y[0]);
    ptr<f32, shared>(all[0].p)[0] = 1;
}
// CHECK: 4:8: error: this is global memory, where shared memory is expected [memory_space]
