// NaN * NaN is not greater than a number below 0: the comparison is the negation of its opposite.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s
// RUN: %ckc %s --no-repair=nan_sign --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=nan_sign --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
kernel k(x: in f32[32], z: in f32[32], y: out u32[32]) launch(block = 32, grid = 1)
{
    let v = x[thread.rank];
    y[thread.rank] = v * v > -abs(z[thread.rank]) ? 1 : 2;
}
// CHECK:        setp.leu.f32 [[P:%p[0-9]+]],
// CHECK-NEXT:   not.pred [[P]], [[P]];
// WITHOUT-NOT:  not.pred
// Without it, |x| is above -1 whatever x is, and x isn't even loaded.
kernel above(x: in f32[32], y: out u32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = abs(x[thread.rank]) > -1 ? 1 : 2;
}
// WRONG-LABEL:  .text.above:
// WRONG-NOT:    LDG
// WRONG:        EXIT
