// A half that is used alone, and chosen against another, keeps its value in both.
// RUN: %run-test %s
kernel k<T: float>(x: in T[4], z: in T[4], b: in T[4], take: in bool[4], d: out T[4], e: out T[4])
    launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let v = x[t];
    let w = z[t];
    let c = b[t];
    let first = v - c;
    let chosen = take[t] ? v : w;
    let second = chosen - c;
    d[t] = first;
    e[t] = first * second;
}
// CALL: k<bf16>(x=[1, 2, 3, 4], z=[10, 20, 30, 40], b=[1, 1, 2, 2], take=[true, false, true, false])
// EXPECT: d = [0, 1, 1, 2]
// EXPECT: e = [0, 19, 1, 76]
// CALL: k<f16>(x=[1, 2, 3, 4], z=[10, 20, 30, 40], b=[1, 1, 2, 2], take=[true, false, true, false])
// EXPECT: d = [0, 1, 1, 2]
// EXPECT: e = [0, 19, 1, 76]
// CALL: pair(x=[(1, 2), (3, 4)], z=[(10, 20), (30, 40)], b=[1, 2], take=[true, false])
// EXPECT: d = [0, 1]
// EXPECT: e = [0, 28]
kernel pair(x: in f16x2[2], z: in f16x2[2], b: in f16[2], take: in bool[2], d: out f16[2], e: out f16[2])
    launch(block = 2, grid = 1)
{
    let t = thread.rank;
    let v = x[t];
    let w = z[t];
    let c = b[t];
    let first = v[0] - c;
    let chosen = bit_cast<f16x2>(take[t] ? bit_cast<u32>(v) : bit_cast<u32>(w));
    d[t] = first;
    e[t] = first * (chosen[0] - c);
}
