// A byte that comes out of a word, or out of a f16, is a byte where it is compared and stored.
// RUN: %run-test %s
// CALL: sums(x=[9, 5, 1, 2, 5, 77, -3, 4], n=1, y=zeros:4)
// EXPECT: y = [7, -5, 68, 77]
kernel sums(n: u32, x: in i8[8], y: out i32[4]) launch(block = 1, grid = n)
{
    let v = x.load<8>(0);
    y[0] = i8(v[1] - v[4]) == 0 ? 7 : 9;
    y[1] = min(i8x2(-v[4]), i8x2(v[2])).x;
    y[2] = max(i8x2(72) - v[7], i8x2(v[2])).y;
    y[3] = v[5];
}

// CALL: clamped(a=[0, 1, 2, 255, 77], b=[0, 9, 2, 255, 1], x=[10, 11, 12], n=1, y=zeros:5)
// EXPECT: y = [12, 11, 12, 12, 12]
kernel clamped(n: u32, a: in u8[5], b: in u8[5], x: in i32[3], y: out i32[5]) launch(block = 5, grid = n)
{
    shared t: i32x3[5];
    let i = thread.rank;
    t[i] = i32x3(x[0], x[1], x[2]);
    block.sync();
    let low: u8 = a[i] == b[i] ? 255 : 0;
    y[i] = t[(i + 1) % 5][clamp(a[i], low, 2u8) % 3];
}

// CALL: halves(x=[1.5, -100, 0.0999755859375], y=zeros:2x3)
// EXPECT: y = [[0, 64, 102], [192, 200, 205]]
kernel halves(x: in f32[3], y: out u8[2, 3]) launch(block = 3, grid = 1)
{
    y[0, thread.rank] = u8(bit_cast<u16>(f16(x[thread.rank])));
    y[1, thread.rank] = u8(bit_cast<u16>(bf16(x[thread.rank])));
}
