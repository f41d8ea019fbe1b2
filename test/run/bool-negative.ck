// Less than 0, a bool of 0 is -0: its bits say so.
// RUN: %run-test %s
// CALL: half(c=[1, 0, 1, 3], a=[1, 0, 0, 0], z=zeros:1, y=zeros:4)
// EXPECT: y = [48128, 32768, 32768, 48128]
// CALL: double(c=[1, 0, 1, 3], a=[1, 0, 0, 0], z=zeros:1, m=2147483648, y=zeros:4)
// EXPECT: y = [1072693248, 0, 0, 1072693248]
fn other(c: in u32[], a: in u32[], z: inout u32[]) -> bool {
    let t = thread.rank;
    var is_set = a[t] != 0;
    if (c[t] == 0) is_set = atomic.exchange(z[0], 0) != 0;
    return is_set != (c[t] == 3);
}
kernel half(c: in u32[4], a: in u32[4], z: inout u32[1], y: out u16[4]) launch(block = 4, grid = 1)
{
    y[thread.rank] = bit_cast<u16>(-f16(other(c, a, z)));
}
kernel double(c: in u32[4], a: in u32[4], z: inout u32[1], m: u64, y: out u32[4])
    launch(block = 4, grid = 1)
{
    y[thread.rank] = u32((bit_cast<u64>(-f64(other(c, a, z))) + (m << 32)) >> 32);
}
