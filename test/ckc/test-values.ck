// Values of test lines: lists, made arrays, ranges of random numbers, expressions.
// REQUIRES: ckc, host
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: {{^}}12 passed, 0 failed, 1 unchecked{{$}}
// CALL: copy<f32>(x=[0.1, -2.5e3, 1 << 1e30, nan, 9 >> 1e30])
// EXPECT: y = [0.1, -2500, inf, nan, 0]
// CALL: copy<u64>(x=[18446744073709551615, 2**63, 7 // 2, -7 % 3])
// EXPECT: y = [18446744073709551615, 9223372036854775808, 3, 2]
// CALL: copy<f32>(x=[1 / 3, 1e-9])
// EXPECT: y = x
// TOLERANCE: exact
// CALL: copy<bool>(x=[true, false, true])
// EXPECT: y = [1, 0, 1]
// CALL: copy<i32>(x=iota:4)
// EXPECT: y = arange(4)
// CALL: copy<i8>(x=rand:1000:3:-2..5)
// EXPECT: y = min(max(x, -2), 5)
// CALL: copy<f64>(x=rand:1000:3:2..3)
// EXPECT: y = where(x < 3, where(x >= 2, x, 0), 0)
// CALL: copy<u16>(x=arange(2, 9) * 3)
// EXPECT: y = np.hypot(x, 0) + log2(1)
// FOR: k in 1, 2, 5
// CALL: copy<i64>(x=ones:(k * 2))
// EXPECT: y = sum(x) / (2 * k)
// CALL: turn(a=[[1, 2, 3], [4, 5, 6]])
// EXPECT: b = [[1, 4], [2, 5], [3, 6]]
// CALL: turn(a=rand:3 x (2 + 3))
// EXPECT: b = host

kernel copy<T: type>(n: u64, x: in T[n], y: out T[n]) launch(block = 32, grid = ceil_div(n, 32))
{
    if (grid.thread_rank < n) y[grid.thread_rank] = x[grid.thread_rank];
}
kernel turn(h: u32, w: u32, a: in i32[h, w], b: out i32[w, h]) launch(block = (w, h), grid = 1)
{
    b[thread.x, thread.y] = a[thread.y, thread.x];
}
