// An array in a variable is aligned for vectors of its elements, also where a barrier is waited for.
// RUN: %run-test %s
// CALL: k(x=iota:32, y=zeros:32)
// EXPECT: y = x + 1
fn bytes(x: u8) -> u8 {
    var odd: u8[5];
    odd[x % 5] = x;
    var v: u8[16];
    v.store(0, u8x16(odd[x % 5]) + 1);
    return v[7];
}
kernel k(x: in u8[32], y: out u8[32]) launch(block = 32, grid = 1)
{
    var one: u8[3];
    var v: u8[32];
    one[thread.x % 3] = x[thread.x];
    v.store(16, u8x16(one[thread.x % 3]));
    block.sync();
    v.store(16, v.load<16>(16) + 1);
    block.sync();
    y[thread.x] = (v[20] + bytes(x[thread.x])) / 2;
}
