// -check compares the launch with what the kernel was compiled for, on the GPU itself.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx -check | FileCheck %s
kernel k(n: u32, y: out f32[n]) launch(block = 64, grid = n)
{
  y[block.id.x] = 1;
}
// CHECK:      %[[B:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK:      icmp eq i32 %[[B]], 64
// CHECK:      call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
// CHECK:      call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
// CHECK:      %[[G:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
// CHECK:      icmp eq i32 %[[G]], 1
