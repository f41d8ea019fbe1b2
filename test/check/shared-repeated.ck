// A variable that a loop's body declares has the same bytes in each iteration. A barrier stands before it if the block waits behind it, in the same braces, and not at the body's end.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
// RUN: %ckc test %s --device=host -check
kernel k(m: in u32[1], x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    var acc = x[thread.x];
    for (i in 0..m[0]) { shared q: u32[64]; q[thread.x] = acc + 1; block.sync(); acc = q[63 - thread.x]; }
    y[thread.x] = acc;
}
// CALL: k(m=[3], x=iota:64, y=zeros:64)
// EXPECT: y = 66 - arange(64)
// CHECK-LABEL: define {{.*}}@k(
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: store i32
// CHECK: call void @llvm.nvvm.barrier0()
kernel some(m: in u32[1], x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    var (acc, i) = (x[thread.x], 0u32);
    while (i < m[0]) {
        if (x[i] != 1) { shared q: u32[64]; q[thread.x] = acc + 1; block.sync(); acc = q[63 - thread.x]; }
        i += 1;
    }
    y[thread.x] = acc;
}
// CALL: some(m=[4], x=iota:64, y=zeros:64)
// EXPECT: y = 66 - arange(64)
// CHECK-LABEL: define {{.*}}@some(
// CHECK-COUNT-2: call void @llvm.nvvm.barrier0()
kernel ends(m: in u32[1], x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    var acc = x[thread.x];
    for (i in 0..m[0]) { shared q: u32[64]; q[thread.x] = acc + 1; block.sync(); acc = q[63 - thread.x]; block.sync(); }
    y[thread.x] = acc;
}
// CHECK-LABEL: define {{.*}}@ends(
// CHECK-COUNT-2: call void @llvm.nvvm.barrier0()
// CHECK-NOT: barrier0
