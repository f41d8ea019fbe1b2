// Rows and elements of arrays.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(i: u32, j: u32, y: out f32[2]) { var a: f32[4, 8]; a[i, j] = 2; a[1] = a[i]; y[0] = a[i][j]; }
// CHECK:      %a = alloca [4 x [8 x float]]
// CHECK:      getelementptr inbounds [4 x [8 x float]], ptr %a, i64 0, i64 %{{.*}}, i64 %{{.*}}
// CHECK:      call void @llvm.memcpy
