// Inline PTX: typed operands, immediates, several results, options.
// RUN: %ckc %s --stop-after=gen --target=sm_90 | FileCheck %s
kernel k(n: u32, x: in f32[n], y: out u32[9])
{
    y[0] = asm<u32>("add.u32 $0, $1, $2;", n, 7u32);
    // CHECK: call i32 asm "add.u32 $0, $1, $2;", "=r,r,n"(i32 %n, i32 7) #[[PURE:[0-9]+]]
    let (lo, hi) = asm<(u32, u32)>("mov.b64 {$0, $1}, $2;", u64(n));
    // CHECK: call { i32, i32 } asm "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64
    asm("// $0", n);
    // CHECK: call void asm sideeffect "// $0", "r"(i32 %n) #[[NOUNWIND:[0-9]+]]
    y[1] = asm<u32>("activemask.b32 $0;", volatile = true, convergent = true);
    // CHECK: call i32 asm sideeffect "activemask.b32 $0;", "=r"() #[[CONVERGENT:[0-9]+]]
    asm("membar.cta;", memory = true);
    // CHECK: call void asm sideeffect "membar.cta;", "~{memory}"()
    y[2] = u32(asm<i8>("mov.b16 $0, $1;", i8(n)));
    // CHECK: call i16 asm "mov.b16 $0, $1;", "=h,h"(i16
    y[3] = u32(asm<f32>("ex2.approx.f32 $0, $1;", 2.5));
    // CHECK: call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float 2.500000e+00)
    (y[4], y[5]) = (lo, hi);
}
// CHECK-DAG: attributes #[[PURE]] = { nounwind willreturn memory(none) }
// CHECK-DAG: attributes #[[NOUNWIND]] = { nounwind }
// CHECK-DAG: attributes #[[CONVERGENT]] = { convergent nounwind }
