// Segments of lanes are reduced and scanned on their own, in a warp and in a tile; the order stays.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: segments<96,1,1,8>(h=rand:96:96:0..3, y=zeros:96x4)
// EXPECT: y = [[sum(k * pow(3, b - 1 - k, 2**32) for k in range(a, b)) % 2**32 for a, b in [[t, min(j for j in range(t + 1, 136) if j % 32 == 0 or j >= 96 or h[j] == 0)], [t, min(j for j in range(t + 1, 136) if j % 8 == 0 or j >= 96 or h[j] == 0)], [max(j for j in range(t // 8 * 8, t + 1) if j % 8 == 0 or h[j] == 0), t + 1], [max(j for j in range(t // 32 * 32, t + 1) if j % 32 == 0 or h[j] == 0), t]]] for t in range(96)]
// CALL: segments<5,5,2,16>(h=rand:50:50:0..3, y=zeros:50x4)
// EXPECT: y = [[sum(k * pow(3, b - 1 - k, 2**32) for k in range(a, b)) % 2**32 for a, b in [[t, min(j for j in range(t + 1, 98) if j % 32 == 0 or j >= 50 or h[j] == 0)], [t, min(j for j in range(t + 1, 98) if j % 16 == 0 or j >= 50 or h[j] == 0)], [max(j for j in range(t // 16 * 16, t + 1) if j % 16 == 0 or h[j] == 0), t + 1], [max(j for j in range(t // 32 * 32, t + 1) if j % 32 == 0 or h[j] == 0), t]]] for t in range(50)]
// CALL: segments<1,1,1,2>(h=rand:1:1:0..3, y=zeros:1x4)
// EXPECT: y = [[sum(k * pow(3, b - 1 - k, 2**32) for k in range(a, b)) % 2**32 for a, b in [[t, min(j for j in range(t + 1, 35) if j % 32 == 0 or j >= 1 or h[j] == 0)], [t, min(j for j in range(t + 1, 35) if j % 2 == 0 or j >= 1 or h[j] == 0)], [max(j for j in range(t // 2 * 2, t + 1) if j % 2 == 0 or h[j] == 0), t + 1], [max(j for j in range(t // 32 * 32, t + 1) if j % 32 == 0 or h[j] == 0), t]]] for t in range(1)]
// x -> a * x + b; one after the other is not commutative.
struct Affine { a: u32; b: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
kernel segments<const X: u32, const Y: u32, const Z: u32, const G: u32>(h: in u32[X * Y * Z], y: out u32[X * Y * Z, 4]) launch(block = (X, Y, Z), grid = 1)
{
    let i = thread.rank;
    let t = warp.tile<G>;
    let map = Affine(3, i);
    let (is_head, is_tail) = (h[i] == 0, i + 1 < block.size && h[min(i + 1, block.size - 1)] == 0);
    y[i, 0] = warp.segmented_reduce(map, is_head, then).b;
    y[i, 1] = t.segmented_reduce(map, then, tails = is_tail).b;
    y[i, 2] = t.segmented_inclusive_scan(map, is_head, then).b;
    y[i, 3] = warp.segmented_exclusive_scan(map, is_head, then, init = Affine(1, 0)).b;
}
// Without a value before the first, an exclusive scan starts with zero; operators of numbers.
// CALL: sums(h=rand:40:7:0..3, y=zeros:40x3)
// EXPECT: y = [[sum(range(max(j for j in range(t // 8 * 8, t + 1) if j % 8 == 0 or h[j] == 0), t)), max(j for j in range(t // 4 * 4, t + 1) if j % 4 == 0 or h[j] == 0), min(j for j in range(t + 1, 90) if j % 32 == 0 or j >= 40 or h[j] == 0) - 1] for t in range(40)]
kernel sums(h: in u32[40], y: out f32[40, 3]) launch(block = 40, grid = 1)
{
    let i = thread.rank;
    y[i, 0] = f32(warp.tile<8>.segmented_exclusive_scan(i, h[i] == 0, +));
    y[i, 1] = warp.tile<4>.segmented_inclusive_scan(f32(i), h[i] == 0, min);
    y[i, 2] = f32(warp.segmented_reduce(f64(i), h[i] == 0, max));
}
export segments<96, 1, 1, 8>, segments<5, 5, 2, 16>, segments<1, 1, 1, 2>;
