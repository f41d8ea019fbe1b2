// Components of a vector of 4 f64 get into one of 16 one by one: LLVM's shuffle of them may have wrong ones.
// The wrong components depend on the processor: with AVX-512, run/vector-wide.ck is right without the repair too.
// REQUIRES: ckc, host
// RUN: %ckc %s %repair --emit=llvm --target=host | FileCheck %s
// RUN: %ckc %s --no-repair=vectors --emit=llvm --target=host | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in f64x4[64], y: inout f64x16[64]) launch(block = 32, grid = 1)
{
    let v = x[thread.rank];
    y[thread.rank] = f64x16(f64x8(v.xxyy, v.zzww), f64x8(v.wzyx, v.xyzw));
}
// CHECK-NOT: shufflevector <4 x double>{{.*}} <16 x i32>
// CHECK:     store
// WITHOUT:   shufflevector <4 x double>{{.*}} <16 x i32>
