// A shared array that a parameter of any type takes is not copied to a thread's own memory.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm | FileCheck %s %}
fn total<It: type>(it: It) -> u32 { var t = 0u32; for (i in 0..it.len) t += it[i]; return t; }
kernel summed(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[1024];
    for (i in block.stride(1024)) s[i] = u32(i);
    block.sync();
    y[thread.x] = total(s);
}
// CHECK-NOT: .local
// CHECK: ld.shared
// CHECK-NOT: .local
// CHECK: ret;
