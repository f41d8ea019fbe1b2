// Loads and stores of 16 bytes, and of structs, are one access each, by registers alone.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_75 -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
struct State { value: f32; tag: u32; }
struct Wide { sum: f64; tag: u16; is_last: bool; }
kernel k(a: inout State[4], b: inout Wide[4], c: inout u64x2[2]) launch(block = 1, grid = 1)
{
    let s = atomic.load(a[0], order = acquire);
    atomic.store(a[1], State(s.value + 1, s.tag));
    let w = atomic.load(b[0]);
    atomic.store(b[1], Wide(w.sum, w.tag + 1, !w.is_last), order = release, scope = system);
    atomic.store(c[1], atomic.load(c[0], order = seq_cst));
}
// CHECK-NOT: .local
// CHECK: ld.acquire.gpu.global.b64
// CHECK: st.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b128
// CHECK: st.release.sys.global.b128
// CHECK: fence.sc.gpu; ld.acquire.gpu.global.b128
// CHECK: st.relaxed.gpu.global.b128
