// Arrays are cleared and copied as memory: small ones at once, large ones in a loop over words.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(i: u32, y: out f32[1]) { var a: f32[100]; a[i] = 1; let b = a; y[0] = b[i]; }
kernel l(i: u32, y: out f32[1]) { var a: f32[1000]; a[i] = 1; let b = a; y[0] = b[i]; }
// CHECK:      call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 400
// CHECK:      call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 400
// CHECK:      call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 4000
// CHECK:      copy.body:
// CHECK:      load i32
// CHECK:      store i32
// CHECK:      icmp ult i64 {{.*}}, 1000
// CHECK-NEXT: br i1 {{.*}}, label %copy.body, label %copy.end, !llvm.loop
