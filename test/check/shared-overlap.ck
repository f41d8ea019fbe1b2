// Blocks that follow each other share bytes; a barrier stands between what touched them and the next.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s --check-prefix=GEN
kernel k(y: inout f32[64]) launch(block = 64, grid = 1)
{
    shared always: f32[64];
    { shared a: f32[64]; a[thread.x] = 1; block.sync(); y[thread.x] = a[63 - thread.x]; }
    { shared b: f64[64]; b[thread.x] = 2; block.sync(); y[thread.x] += f32(b[63 - thread.x]); block.sync(); }
    { shared c: u8[64]; c[thread.x] = 3; }
    always[thread.x] = 1;
}
// CHECK: "shared_bytes": 768
// GEN-DAG: @k.always = internal addrspace(3) global [64 x float]
// GEN-DAG: @k.shared = internal addrspace(3) global [512 x i8]
// GEN: store float 1.0
// GEN: call void @llvm.nvvm.barrier0()
// GEN: load float
// GEN: call void @llvm.nvvm.barrier0()
// GEN: store double
// GEN: call void @llvm.nvvm.barrier0()
// GEN: load double
// GEN: call void @llvm.nvvm.barrier0()
// GEN-NOT: @llvm.nvvm.barrier0
// GEN: store i8 3
// GEN-NOT: call void @llvm.nvvm.barrier0()
// GEN: ret void
