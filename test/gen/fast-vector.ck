// A fast quotient of vectors is one of each pair of components, whatever the vectors are made by.
// RUN: %ckc %s --target=sm_90 --stop-after=gen --dump=gen | FileCheck %s
kernel k(a: f32x2, x: in f32[2], y: out f32x2[2]) launch(block = 1, grid = 1)
{
    y[0] = fast { x.load<2>(0) / a };
    y[1] = fast { a / 3 };
}
// CHECK-COUNT-4: call float @llvm.nvvm.div.approx.f(float
// CHECK-NOT: div.approx.f(
// CHECK: declare
