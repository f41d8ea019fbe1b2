// Atomic updates of halves and of vectors, each component by itself, in global and shared memory.
// RUN: %run-test %s
kernel k(h: inout f16[3], b: inout bf16[3], h2: inout f16x2[4], b2: inout bf16x2[4], f2: inout f32x2[2],
         f4: inout f32x4[2], h8: inout f16x8[1], i4: inout i32x4[3], c4: inout u8x4[3], d2: inout f64x2[1],
         old: out f32[64], s: out f32[4])
    launch(block = 64, grid = 1)
{
    shared t: f32x2[2];
    if (thread.x < 2) t[thread.x] = f32x2(0);
    block.sync();
    let i = thread.x;
    atomic.add(h[0], 1);
    old[i] = f32(atomic.add(b[0], 1, order = acq_rel, scope = block));
    atomic.max(h[1], f16(i)); atomic.min(b[1], bf16(i));
    atomic.add(h2[0], f16x2(1, 2)); atomic.sub(b2[0], bf16x2(1, 2));
    atomic.max(h2[1], f16x2(f16(i), 5));
    atomic.add(f2[0], f32x2(1, f32(i)));
    atomic.add(f4[0], f32x4(1, 2, 3, f32(i)), order = seq_cst);
    atomic.add(h8[0], f16x8(1, 2, 3, 4, 5, 6, 7, 8), order = release, scope = system);
    atomic.add(i4[0], i32x4(1, 2, 3, i32(i)));
    atomic.max(i4[1], i32x4(i32(i), -1, 1, 7 - i32(i)));
    atomic.or(c4[0], u8x4(u8(i), 1, 2, 4));
    atomic.add(c4[1], u8x4(1, 2, 3, u8(i)));
    atomic.add(d2[0], f64x2(1, 2));
    atomic.add(t[i % 2], f32x2(1, 2), scope = block);
    block.sync();
    if (i < 2) { s[2 * i] = t[i].x; s[2 * i + 1] = t[i].y; }
}
// CALL: k(h=zeros:3, b=ones:3, h2=zeros:4, b2=zeros:4, f2=ones:2, f4=zeros:2, h8=zeros:1, i4=zeros:3, c4=zeros:3, d2=zeros:1, old=zeros:64, s=zeros:4)
// EXPECT: h = [64, 63, 0]
// EXPECT: b = [65, 0, 1]
// EXPECT: h2 = [[64, 128], [63, 5], [0, 0], [0, 0]]
// EXPECT: b2 = [[-64, -128], [0, 0], [0, 0], [0, 0]]
// EXPECT: f2 = [[65, 2017], [1, 1]]
// EXPECT: f4 = [[64, 128, 192, 2016], [0, 0, 0, 0]]
// EXPECT: h8 = [[64, 128, 192, 256, 320, 384, 448, 512]]
// EXPECT: i4 = [[64, 128, 192, 2016], [63, 0, 1, 7], [0, 0, 0, 0]]
// EXPECT: d2 = [[64, 128]]
// EXPECT: c4 = [[63, 1, 2, 4], [64, 128, 192, 224], [0, 0, 0, 0]]
// EXPECT: s = [32, 64, 32, 64]
