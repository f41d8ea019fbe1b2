// Bytes that an expression accesses behind a barrier in one of its operands are in use at its end.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
kernel read(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    var acc = x[thread.x];
    { shared q: u32[64]; q[thread.x] = acc; acc += q[63 - thread.x + 0 * u32(block.any(acc > 1))]; }
    { shared r: u64[64]; r[thread.x] = u64(acc); block.sync(); y[thread.x] = u32(r[63 - thread.x]); }
}
// CHECK-LABEL: define {{.*}}@read
// CHECK: load i32, ptr addrspace(3)
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: store i64
