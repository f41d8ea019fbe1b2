// Shared memory is in address space 3, aligned to 16, not initialised.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(y: out f32[1]) { shared s: f32[4, 8]; s[1, 2] = 3; block.sync(); y[0] = s[1, 2]; }
// CHECK:      @k.s = internal addrspace(3) global [4 x [8 x float]] undef, align 16
// CHECK:      store float
// CHECK:      call void @llvm.nvvm.barrier0()
// CHECK:      load float, ptr addrspace(3) getelementptr
