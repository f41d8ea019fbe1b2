// CUDA's printf takes 32 values.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[4])
{
    var v: f32[33];
    print("{}", v);
    var w: f32x8[4];
    print("{}", w);
    print("{}", x);
    print("{:x}", (1, 1.5));
    print("{:.3}", (2.5, f32x2(1)));
}
// CHECK: :6:5: error: a print has at most 32 numbers, this one has 33 [print_count]
// CHECK-NOT: :8:
// CHECK: :9:17: error: 'print' does not take 'in f32[]' [bad_operand]
// CHECK: :10:11: error: '{:x}' in the format does not print '(i32, f32)' [print_conversion]
// CHECK-NOT: :11:
