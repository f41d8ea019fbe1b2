// A texture of a THEN reads the array that a surface wrote, and keeps its options; what is no texture takes its elements.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 3 passed, 0 failed
kernel fill(by: f32, s: surface<2, f32>) launch(block = 1, grid = (3, 2))
    { s.store(block.id.x, block.id.y, by * f32(10 * block.id.y + block.id.x)); }
kernel sample(n: u32, t: texture<2, f32>, x: in f32[n], r: in f32[n], y: out f32[n])
    launch(block = 32, grid = ceil_div(n, 32)) { let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(x[i], r[i]); }
kernel bytes(s8: surface<2, u8>) launch(block = 1, grid = 3) { s8.store(block.id.x, 0, u8(51 * block.id.x)); }
kernel twice(n: u32, x: in f32[2, n], y: out f32[2, n]) launch(block = 1, grid = n)
    { for (i in 0..2) y[i, block.id.x] = 2 * x[i, block.id.x]; }
// CALL: fill(by=1, s=zeros:2x3)
// EXPECT: s = [[0, 1, 2], [10, 11, 12]]
// THEN: sample(t=texture(s, filter=linear), x=[1, 2], r=[1, 0.5])
// EXPECT: y = [5.5, 1.5]
// THEN: fill(by=2)
// EXPECT: s = 2 * t
// THEN: sample(x=[1, 3], r=[1, 9])
// EXPECT: y = [11, 24]
// THEN: sample(t=texture(t, filter=point), x=[1], r=[1])
// EXPECT: y = [t[1, 1]]
// EXPECT: s = [[0, 2, 4], [20, 22, 24]]
// THEN: twice(x=s)
// EXPECT: y = 2 * s
// THEN: sample(t=y, x=[2.5], r=[1.5])
// EXPECT: y = [48]
// CALL: bytes(s8=ones:1x3)
// THEN: sample(t=s8, x=[0.5, 1.5, 2.5], r=[0.5, 0.5, 0.5])
// EXPECT: y = [0, 0.2, 0.4]
// CALL: fill(by=1, s=rand:2x3)
// THEN: fill(by=3, s=s)
// EXPECT: s[1] = [30, 33, 36]
