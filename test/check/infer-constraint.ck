// A literal takes the type that is asked for only where the constraint has it: an index is no f32.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn at<I: int>(i: I) -> u8 = u8(i);
fn twice<N: number>(n: N) -> N = n + n;
kernel k(y: out f32[2])
{
    y[0] = f32(at(0));
    y[1] = twice(1);
}
// CHECK:      name at : a function
// CHECK-NEXT: int 0 : i32
// CHECK:      name twice : a function
// CHECK-NEXT: float 1 : f32
