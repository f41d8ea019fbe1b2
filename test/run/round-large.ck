// An integer that is no f16 is rounded as it says, also where it has few digits.
// RUN: %run-test %s
// CALL: k(x=[9223372036854775808, 5, 65536, 65504], y=zeros:4, z=zeros:4)
// EXPECT: y = [65504, 0, 0, 0]
// EXPECT: z = [65504, 5, 65504, 65504]
kernel k(x: in u64[4], y: out f16[4], z: out f16[4]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    y[t] = f16(x[t] & 0x8000000000000000, round = zero);
    z[t] = f16(x[t], round = zero);
}
