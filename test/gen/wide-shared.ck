// A thread's run in a shared tile is loaded and stored by accesses of 16 bytes, by both back ends.
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=nvptx -o %t.1 && FileCheck %s < %t.1
// RUN: %if ptxas %{ %ptxas-verify < %t.1 %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 -o %t.2 && FileCheck %s < %t.2 %}
kernel k(x: inout f32[640]) launch(block = 32, grid = 1)
{
    shared tile: f32[2, 640];
    for (i in block.stride(640u32)) tile[1, i] = x[i];
    block.sync();
    var v = thread.load<20>(tile[1], thread.rank);
    for (k in 1..20) v[k] += v[k - 1];
    thread.store(tile[0], thread.rank, v, swizzle = false);
    block.sync();
    for (i in block.stride(640u32)) x[i] = tile[0, i];
}
// CHECK-NOT: .local
// CHECK-COUNT-5: ld.shared.v4.f32
// CHECK-COUNT-5: st.shared.v4.f32
