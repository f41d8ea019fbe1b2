// Bytes to which a variable was led in an inner block or by a function are in use up to the variable's end.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
fn hold(to: inout ptr<f32, shared>[], p: ptr<f32, shared>) { to[0] = p; }
fn again(x: in f32[], y: out f32[]) {
    shared d: f32[64];
    d[thread.x] = x[63 - thread.x];
    block.sync();
    y[thread.x] = d[63 - thread.x];
}
kernel assigned(x: in f32[64], y: out f32[64], z: out f32[64], n: u32) launch(block = 64, grid = 1)
{
    {
        shared c: f32[64];
        c[thread.x] = x[thread.x];
        var p: ptr<f32, shared>;
        if (n > 3) { p = address(c[0]); } else { p = address(c[1]); }
        block.sync();
        y[thread.x] = p[62 - thread.x % 63];
    }
    again(x, z);
}
// CHECK-LABEL: define {{.*}}@assigned
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NEXT: call void @ck.again
kernel held(x: in f32[64], y: out f32[64], z: out f32[64]) launch(block = 64, grid = 1) {
    {
        shared c: f32[64];
        c[thread.x] = x[thread.x];
        var p: ptr<f32, shared>[1];
        hold(p, address(c[0]));
        block.sync();
        y[thread.x] = p[0][63 - thread.x];
    }
    again(x, z);
}
// CHECK-LABEL: define {{.*}}@held
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NEXT: call void @ck.again
