// Arrays are cleared and copied as memory.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(i: u32, y: out f32[1]) { var a: f32[1000]; a[i] = 1; let b = a; y[0] = b[i]; }
// CHECK:      call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 4000
// CHECK:      call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 4000
