// Atomic updates of vectors are steps of their components, in global and shared memory.
// RUN: %run-test %s
kernel k(f2: inout f32x2[2], f4: inout f32x4[2], i4: inout i32x4[3], c4: inout u8x4[3], d2: inout f64x2[1], s: out f32[4])
    launch(block = 64, grid = 1)
{
    shared t: f32x2[2];
    if (thread.x < 2) t[thread.x] = f32x2(0);
    block.sync();
    let i = thread.x;
    atomic.add(f2[0], f32x2(1, f32(i)));
    atomic.add(f4[0], f32x4(1, 2, 3, f32(i)), order = seq_cst);
    atomic.add(i4[0], i32x4(1, 2, 3, i32(i)));
    atomic.max(i4[1], i32x4(i32(i), -1, 1, 7 - i32(i)));
    atomic.or(c4[0], u8x4(u8(i), 1, 2, 4));
    atomic.add(c4[1], u8x4(1, 2, 3, u8(i)));
    atomic.add(d2[0], f64x2(1, 2));
    atomic.add(t[i % 2], f32x2(1, 2), scope = block);
    if (i == 0) {
        atomic.store(c4[2], u8x4(9));
        f2[1] = atomic.load(f2[1]) * 2;
    }
    block.sync();
    if (i < 2) { s[2 * i] = t[i].x; s[2 * i + 1] = t[i].y; }
}
// CALL: k(f2=ones:2, f4=zeros:2, i4=zeros:3, c4=zeros:3, d2=zeros:1, s=zeros:4)
// EXPECT: d2 = [[64, 128]]
// EXPECT: f2 = [[65, 2017], [2, 2]]
// EXPECT: f4 = [[64, 128, 192, 2016], [0, 0, 0, 0]]
// EXPECT: i4 = [[64, 128, 192, 2016], [63, 0, 1, 7], [0, 0, 0, 0]]
// EXPECT: c4 = [[63, 1, 2, 4], [64, 128, 192, 224], [9, 9, 9, 9]]
// EXPECT: s = [32, 64, 32, 64]
