// In a function the block waits before a split and behind it: other functions' roles have the same barriers.
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t && FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
fn f(x: inout u32[]) {
    split {
        a(warps = 1) { x[a.rank] += 1; a.sync(); x[31 - a.rank] += 2; }
        b(warps = 1) { x[32 + b.rank] += 3; }
    }
}
kernel k(x: inout u32[64]) launch(block = 64, grid = 1) { f(x); }
// CHECK: bar.sync{{[[:space:]]+}}0;
// CHECK: bar.sync 1, 32;
// CHECK: bar.sync{{[[:space:]]+}}0;
