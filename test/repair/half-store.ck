// Eight f16 side by side, in an array and in shared memory: libNVVM refuses the vectors that it makes of
// them for targets before sm_100, and is then asked to make none.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: not %ckc %s --no-repair=half_store --emit=ptx --target=sm_90 --backend=libnvvm -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: unsupported operation [libnvvm_failed]
// CHECK: .entry k(
kernel k(x: in f16[8], at: in u32[8], y: out f16[8]) launch(block = 8, grid = 1)
{
    shared s: f16[64];
    var v: f16[2, 4];
    let t = thread.x;
    for (i in 0..2) for (j in 0..4) v[i, j] = x[4 * i + j] + x[7];
    for (i in 0u32..8) s[8 * t + i] = x[7];
    block.sync();
    var most = x[0];
    for (i in 0u32..8) most = max(most, s[8 * i + t]);
    y[t] = v[at[t] / 4, at[t] % 4] + most;
}
