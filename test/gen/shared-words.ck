// Shared memory of 1 to 3 bytes is 4 long: what is atomic reads the 4 bytes around a value.
// REQUIRES: ckc
// RUN: %ckc %s --emit=llvm --target=sm_90 | FileCheck %s
// CHECK-DAG: @k.one = internal addrspace(3) global { i8, [3 x i8] } undef, align 16
// CHECK-DAG: @k.two = internal addrspace(3) global { [3 x i16], [2 x i8] } undef, align 16
// CHECK-DAG: @k.four = internal addrspace(3) global [2 x i16] undef, align 16
kernel k(y: inout i32[1]) launch(block = 1, grid = 1)
{
    shared one: u8;
    shared two: i16[3];
    shared four: i16[2];
    atomic.store(one, 1);
    atomic.store(two[0], 2);
    atomic.store(four[1], 3);
    y[0] = i32(one) + i32(two[0]) + i32(four[1]);
}
