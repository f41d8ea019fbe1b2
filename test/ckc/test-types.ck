// Expressions round to types, look at bits, pick by indices, and name values on the way.
// RUN: not %ckc test --device=host %s 2>&1 | FileCheck %s
// CHECK: types.ck:[[#@LINE+26]]: on host: the index 4 is outside of 4 elements
// CHECK: types.ck:[[#@LINE+27]]: on host: 'v' has no value yet
// CHECK: types.ck:[[#@LINE+28]]: on host: view(u16) takes an array of a type of as many bits
// CHECK: types.ck:[[#@LINE+29]]: on host: bincount counts whole numbers from 0 on, this is -0.5
// CHECK: 4 passed, 4 failed
kernel k(n: u32, x: in f32[n], y: out f32[n], z: out u32[n]) launch(block = 1, grid = 1)
{
    for (i in 0..n) (y[i], z[i]) = (x[i], bit_cast<u32>(x[i]));
}
kernel narrow(n: u32, x: in i64[n], y: out bf16[n]) launch(block = 1, grid = 1) { for (i in 0..n) y[i] = bf16(x[i]); }
// CALL: k(x=[1, -0.0, 3.5, 4])
// EXPECT: y = x[[0, 1, 2, -1]]
// EXPECT: z = f32(x[arange(4)]).view(u32)
// EXPECT: y = u32(x.view(u32)).view(f32)
// EXPECT: y = [v := x, *[v := v + i for i in range(3)]][-1] - 3
// EXPECT: y = (a := x * 2) - a / 2
// EXPECT: y = [*unique([4, 1, 1, 3.5, -0.0, 4])[[1, 0, 2]], 4]
// CALL: k(x=u16([1, 0x3f80]).view(bf16))
// EXPECT: y = [2**-133, bf16(1 + 2**-8 + 2.0**-50) - 2**-7]
// TOLERANCE: exact
// CALL: narrow(x=[2**61 + 2**53 + 1, 2**61 + 2**53, -(2**61 + 2**53) - 1, u8(258), i8(-129)])
// EXPECT: y = [2**61 + 2**54, 2**61, -(2**61) - 2**54, 2, 127]
// TOLERANCE: exact
// CALL: narrow(x=bincount([5, 7, 7, 5, 7], minlength=9))
// EXPECT: y = [0, 0, 0, 0, 0, 2, 0, 3, 0]
// CALL: k(x=[1, 2, 3, 4])
// EXPECT: y = x[[0, 1, 2, 4]]
// CALL: k(x=[1])
// EXPECT: y = [v := 1 for i in range(0)] + [v]
// CALL: k(x=[1])
// EXPECT: z = x.view(u16)
// CALL: k(x=[1])
// EXPECT: y = bincount([-0.5])
