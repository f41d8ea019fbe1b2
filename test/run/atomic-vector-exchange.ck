// Atomic loads, stores and exchanges of halves and of vectors of at most 8 bytes, each in one step.
// RUN: %run-test %s
// CALL: k(h=zeros:1, b=ones:1, h2=zeros:2, b2=zeros:2, f2=ones:1, c4=zeros:1)
// EXPECT: h = 2
// EXPECT: b = 2
// EXPECT: h2 = [[4, 5], [0, 0]]
// EXPECT: b2 = [[7, 8], [0, 0]]
// EXPECT: f2 = 2
// EXPECT: c4 = 9
kernel k(h: inout f16[1], b: inout bf16[1], h2: inout f16x2[2], b2: inout bf16x2[2], f2: inout f32x2[1],
         c4: inout u8x4[1])
    launch(block = 1, grid = 1)
{
    h2[1] = atomic.exchange(h2[0], f16x2(4, 5));
    b2[1] = atomic.compare_exchange(b2[0], bf16x2(0), bf16x2(7, 8));
    atomic.store(h[0], 2);
    b[0] = atomic.load(b[0]) + 1;
    atomic.store(c4[0], u8x4(9));
    f2[0] = atomic.load(f2[0]) * 2;
}
