// Shared memory behind a loop whose body holds names, numbers and calls of several depths.
// RUN: %run-test %s
// CALL: k(m=iota:8, y=zeros:8)
// EXPECT: y = where(arange(8) < 4, 2 * m, 0)
fn bits_of(x: f32) -> u64 = x != x ? 1 : u64(bit_cast<u32>(x));
kernel k(m: in f32[8], y: out f32[8]) launch(block = 8, grid = 1)
{
    let t = thread.rank;
    var v: i32[4];
    for (n in 0..4) v[n] = i32(bits_of(ceil(m[t / 2 % 4 * 2])) & 1);
    shared s: f32[8];
    s[t] = t < 4 ? 2 * m[t] : f32(v[0] * 0);
    block.sync();
    y[t] = s[t];
}
