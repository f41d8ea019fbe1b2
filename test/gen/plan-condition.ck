// The host has decided whether a step is launched, so the step doesn't look again.
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx -o - | FileCheck %s
fn few(n: u64, x: out u32[]) { x[0] = u32(n); }
fn many(n: u64, x: out u32[]) { x[1] = u32(n); }
fn rest(n: u64, x: out u32[]) { x[2] = u32(n); }
algorithm all(n: u64, x: inout u32[n]) {
    if (n <= 1000) launch few(block = 1, grid = 1, n, x);
    else launch many(block = 1, grid = 1, n, x);
    if (n == 77) return;
    launch rest(block = 1, grid = 1, n, x);
}
// CHECK-LABEL: .entry all_1_few
// CHECK-NOT: setp
// CHECK: st.global
// CHECK-LABEL: .entry all_2_many
// CHECK-NOT: setp
// CHECK: st.global
// CHECK-LABEL: .entry all_3_rest
// CHECK-NOT: setp
// CHECK: st.global
