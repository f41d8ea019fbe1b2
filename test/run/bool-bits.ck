// The bits of a bool as a number are those of 1 or 0, made wider as well.
// RUN: %run-test %s
// CALL: single(c=[1, 0, 1, 3], a=[1, 0, 0, 0], z=zeros:1, y=zeros:4)
// EXPECT: y = [1065353216, 0, 0, 1065353216]
// CALL: half(c=[1, 0, 1, 3], a=[1, 0, 0, 0], z=zeros:1, y=zeros:4)
// EXPECT: y = [15360, 0, 0, 15360]
fn other(c: in u32[], a: in u32[], z: inout u32[]) -> bool {
    let t = thread.rank;
    var is_set = a[t] != 0;
    if (c[t] == 0) is_set = atomic.exchange(z[0], 0) != 0;
    return is_set != (c[t] == 3);
}
kernel single(c: in u32[4], a: in u32[4], z: inout u32[1], y: out u64[4])
    launch(block = 4, grid = 1)
{
    y[thread.rank] = u64(bit_cast<u32>(f32(other(c, a, z))));
}
kernel half(c: in u32[4], a: in u32[4], z: inout u32[1], y: out u64[4]) launch(block = 4, grid = 1)
{
    y[thread.rank] = u64(bit_cast<u16>(f16(other(c, a, z))));
}
