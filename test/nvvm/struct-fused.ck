// Structs of iterators and functions leave no trace: one load, one fma, one store.
// REQUIRES: nvvm, ptxas
// RUN: %ckc %s --target=sm_90 --emit=ptx | tee %t | FileCheck %s
// RUN: %ptxas-verify < %t
struct Map<I: type, F: fn> { it: I; f: F; fn [](i: u64) = self.f(self.it[i]); }
fn map<I: type, F: fn>(it: I, f: F) -> Map<I, F> = Map(it, f);
// CHECK-NOT: .local
// CHECK: ld.global.nc.f32
// CHECK-NEXT: fma.rn.f32
// CHECK-NOT: ld.
// CHECK: st.global.f32
kernel fused(n: u64, x: in f32[n], y: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let m = x.map(|v| v * 2).map(|v| v + 1);
    let i = grid.thread_rank;
    if (i < n) y[i] = m[i];
}
