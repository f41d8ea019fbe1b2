// A vector with an index that is not constant is kept in memory; with a constant one it is not.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel constant_(x: in f32x4[2], y: out f32[2])
{
    var v = x[0];
    v[1] = 2;
    y[0] = v[2];
}
kernel varies(i: u32, x: in f32x4[2], y: out f32[2])
{
    var v = x[0];
    v[i] = 2;
    y[0] = v[i + 1];
}
// CHECK-LABEL: .entry constant_
// CHECK-NOT: .local
// CHECK-LABEL: .entry varies
// CHECK: .local
