// A loop of min(n, m) iterations, unrolled by 3, keeps the iterations that remain.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
// RUN: %ckc %s --no-repair=loop_end --emit=ptx --target=sm_90 --backend=libnvvm -o - \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(n: u32, m: u32, y: inout u32[100]) launch(block = 1, grid = 1)
{
    unroll(3) for (i in 0..min(n, m)) y[i] += 1;
}
// Four times: three in a round, and one in the loop behind it.
// CHECK-COUNT-4: st.global.u32
// WITHOUT-COUNT-3: st.global.u32
// WITHOUT-NOT:     st.global.u32
