// Atomic updates of halves and of pairs of them, in one step or through compare-and-swap.
// RUN: %run-test %s
kernel k(h: inout f16[3], b: inout bf16[3], h2: inout f16x2[4], b2: inout bf16x2[4], h8: inout f16x8[1], old: out f32[64])
    launch(block = 64, grid = 1)
{
    let i = thread.x;
    atomic.add(h[0], 1);
    old[i] = f32(atomic.add(b[0], 1, order = acq_rel, scope = block));
    atomic.max(h[1], f16(i));
    atomic.min(b[1], bf16(i));
    atomic.add(h2[0], f16x2(1, 2));
    atomic.sub(b2[0], bf16x2(1, 2));
    atomic.max(h2[1], f16x2(f16(i), 5));
    atomic.add(h8[0], f16x8(1, 2, 3, 4, 5, 6, 7, 8), order = release, scope = system);
    if (i > 0) return;
    h2[3] = atomic.exchange(h2[2], f16x2(4, 5));
    b2[3] = atomic.compare_exchange(b2[2], bf16x2(0), bf16x2(7, 8));
    atomic.store(h[2], 2);
    b[2] = atomic.load(b[2]) + 1;
}
// CALL: k(h=zeros:3, b=ones:3, h2=zeros:4, b2=zeros:4, h8=zeros:1, old=zeros:64)
// EXPECT: h = [64, 63, 2]
// EXPECT: b = [65, 0, 2]
// EXPECT: h2 = [[64, 128], [63, 5], [4, 5], [0, 0]]
// EXPECT: b2 = [[-64, -128], [0, 0], [7, 8], [0, 0]]
// EXPECT: h8 = [[64, 128, 192, 256, 320, 384, 448, 512]]
