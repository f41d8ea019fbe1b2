// A tile that is prefetched is an instruction for each line of 128 bytes, and no load.
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=nvptx -o %t && FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(n: u64, x: in f32[n]) launch(block = 64, grid = 1) { block.prefetch(x, 7, 1000); }
// CHECK-NOT: ld.global
// CHECK: and.b64 {{.*}}, -128;
// CHECK: prefetch.global.L2 [
// CHECK-NOT: ld.global
