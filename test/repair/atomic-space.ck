// An atomic of a function whose span is shared memory where it is called is one of shared memory.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_75 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if nvvm %{ FileCheck %s < %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --no-repair=atomic_space --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
fn count(v: u32, counts: inout u32[]) -> u32 {
    atomic.add(counts[v], 1, scope = block);
    return atomic.max(counts[v + 1], v, scope = block);
}
kernel k(x: in u32[], y: out u32[], z: inout u32[]) launch(block = 256)
{
    shared counts: u32[257];
    counts[thread.x] = 0;
    block.sync();
    // CHECK: cvta.to.shared.u64 there, {{%rd[0-9]+}}; red.relaxed.cta.shared.add.u32 [there], {{.*}}; }
    // CHECK: cvta.to.shared.u64 there, {{%rd[0-9]+}}; atom.relaxed.cta.shared.max.u32 {{%r[0-9]+}}, [there], {{.*}}; }
    y[thread.x] = count(x[thread.x] & 255, counts);
    // CHECK: red.relaxed.cta.{{(global.)?}}add.u32 [%rd
    // CHECK: atom.relaxed.cta.{{(global.)?}}max.u32
    y[thread.x + 256] = count(x[thread.x] & 127, z);
}
// WITHOUT-NOT: .cta.shared.
