// A vector of 16 bytes that isn't aligned to 16 is loaded in halves: LLVM loads it by one access.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %ckc %s --no-repair=byte_load --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
fn row(x: in u8[], at: u64) -> u8[16] {
    var r: u8[16];
    unroll for (k in 0..16u32) r[k] = x[x.len - 1 - at - u64(k)];
    return r;
}
kernel k(n: u64, x: in u8[n], y: inout u32[256]) launch(block = 1, grid = 1) {
    var next = row(x, 0);
    for (at in (0..n).step(16)) { // LLVM makes a vector of what a round passes to the next one
        let now = next;
        if (at + 32 <= n) next = row(x, at + 16);
        unroll for (k in 0..16u32) atomic.add(y[now[k]], 1);
    }
}
// CHECK-NOT: ld.global{{.*}}v4
// CHECK: ld.global{{.*}}u8
// WITHOUT: ld.global{{.*}}v4.u32
