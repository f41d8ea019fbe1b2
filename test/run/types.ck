// Every element type goes in and comes out as it is, whole blocks or not.
// REQUIRES: ckc
// RUN: %run-test %s
// FOR: k in 1, 31, 33, 1003
// CALL: both<i8>(x=rand:k)
// EXPECT: y = x
// FOR: k in 1, 33
// CALL: both<u8>(x=rand:k)
// EXPECT: y = x
// CALL: both<i16>(x=[-32768, 0, 32767])
// EXPECT: y = [-32768, 0, 32767]
// CALL: both<u16>(x=[0, 65535])
// EXPECT: y = [0, 65535]
// CALL: both<i32>(x=rand:1003)
// EXPECT: y = x
// CALL: both<u32>(x=[0, 4294967295])
// EXPECT: y = [0, 4294967295]
// CALL: both<i64>(x=[-9223372036854775808, 9223372036854775807])
// EXPECT: y = [-9223372036854775808, 9223372036854775807]
// CALL: both<u64>(x=[0, 18446744073709551615])
// EXPECT: y = [0, 18446744073709551615]
// CALL: both<f32>(x=[0.1, -inf, 3.4e38])
// EXPECT: y = x
// CALL: both<f64>(x=rand:1003)
// EXPECT: y = x
// CALL: both<f32>(x=[1], y=[1, 2])
// EXPECT-ERROR: 'y' has 2 elements
// TOLERANCE: exact

kernel both<T: number = f32>(n: u64, x: in T[n], y: out T[n])
    launch(block = 32, grid = ceil_div(n, 32))
{
    let i = grid.thread_rank;
    if (i < n) y[i] = x[i];
}
