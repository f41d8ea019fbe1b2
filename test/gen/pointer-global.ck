// A ptr<T, global> is accessed as a buffer's memory, a ptr<T> as any memory.
// RUN: %ckc %s --emit=llvm --target=sm_90 --backend=libnvvm | FileCheck %s
kernel k(x: inout f32[4])
{
    let p = ptr<f32, global>(u64(address(x[0])));
    p[0] = 1;
    // CHECK: store float 1.0{{.*}}, ptr addrspace(1)
    let q = ptr<f32>(p);
    q[1] = 2;
    // CHECK: store float 2.0{{.*}}, ptr %
}
