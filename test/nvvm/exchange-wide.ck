// 16 bytes are exchanged by .b128, with orders and scopes, in global and shared memory.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefixes=CHECK,NVPTX < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(x: inout u64x2[4], y: inout f32x4[4], p: ptr<i16x8>) launch(block = 32, grid = 1)
{
    shared s: f32x4[32];
    s[thread.x] = y[0];
    atomic.compare_exchange(x[0], u64x2(0), u64x2(1), order = seq_cst, scope = system);
    atomic.exchange(y[1], f32x4(1), order = release, scope = block);
    atomic.compare_exchange(s[thread.x], f32x4(0), f32x4(1));
    atomic.exchange(p[0], i16x8(1));
    y[2] = s[thread.x];
}
// NVPTX: .version 8.4
// CHECK: fence.sc.sys; atom.acquire.sys.global.cas.b128
// CHECK: atom.release.cta.global.exch.b128
// CHECK: atom.relaxed.gpu.shared.cas.b128
// CHECK: atom.relaxed.gpu{{(.global)?}}.exch.b128
