// Textures and surfaces are arguments of tests: arrays, makers and files with the way they are read; surfaces are results too.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 10 passed, 0 failed
kernel sample(n: u32, t: texture<2, f32>, x: in f32[n], r: in f32[n], y: out f32[n])
    launch(block = 32, grid = ceil_div(n, 32)) { let i = u32(grid.thread_rank); if (i < n) y[i] = t.sample(x[i], r[i]); }
kernel pick(n: u32, t: texture<1, u16x2>, y: out u16x2[n]) launch(block = 1, grid = n) { y[block.id.x] = t.fetch(block.id.x); }
kernel layer(n: u32, t: texture_array<1, f32x4>, y: out f32x4[n]) launch(block = 1, grid = n) { y[block.id.x] = t.fetch(1, block.id.x); }
kernel level(n: u32, t: texture<2, f32>, y: out f32[n]) launch(block = 1, grid = n) { y[block.id.x] = t.lod(0.5, 0.5, f32(block.id.x)); }
kernel negative(h: u32, w: u32, t: texture<2, u8x4>, s: surface<2, u8x4>) launch(block = 1, grid = (w, h))
    { s.store(block.id.x, block.id.y, ~t.fetch(block.id.x, block.id.y)); }
// FOR: k in 1, 40
// CALL: sample(t=rand:3 x k, x=arange(k) + 0.5, r=1.5 + 0 * arange(k))
// EXPECT: y = t[1]
// CALL: sample(t=[[1, 2], [3, 5]], x=[0.5, 1.5, 9], r=[0.5, 1.5, 0])
// EXPECT: y = [t[0, 0], 5, 2]
// CALL: sample(t=texture([[1, 2], [3, 5]], filter=linear, address=(mirror, wrap), normalized=true), x=[0.5, 0.25, 1.25], r=[0.5, 0.25, 1.25])
// EXPECT: y = [2.75, 1, 2]
// CALL: sample(t=texture([[0, 255], [51, 102]], type=u8, address=border, border=0.25), x=[1, 0, 5], r=[0, 1, 5])
// EXPECT: y = [1, 0.2, 0.2509804]
// CALL: sample(t=texture(rand:2x3, type=f16, of=buffer), x=[2], r=[1])
// EXPECT: y = t[1, 2]
// CALL: pick(t=texture(iota:3, of=buffer), n=3)
// EXPECT: y = [[0, 1], [2, 3], [4, 5]]
// CALL: layer(t=rand:2x3, n=2)
// EXPECT: y = t[:, 1]
// CALL: level(t=texture(ones:4x4, [[2, 2], [2, 2]], [[3]], normalized=true, level_filter=linear), n=3)
// EXPECT: y = [1, 2, 3]
// CALL: negative(t=rand:2x3, s=zeros:2x3, h=2, w=2)
// EXPECT: s[:, :2] = 255 - t[:, :2]
// EXPECT: s[:, 2] = 0
// THEN: negative(t=s, s=ones:2x3)
// EXPECT: s[:, :2] = 255 - t[:, :2]
