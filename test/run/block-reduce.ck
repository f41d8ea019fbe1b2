// block.reduce gives one value to all threads: any block, type and operator, by each algorithm.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Affine { a: u32; b: u32; }                       // x -> a * x + b; not commutative
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
// CALL: reduce<16,8,1>(sums=zeros:3, maps=zeros:6, best=zeros:256)
// EXPECT: sums = [sum(i * i for i in range(128))] * 3
// CALL: reduce<33,1,1>(sums=zeros:3, maps=zeros:6, best=zeros:256)
// EXPECT: sums = [sum(i * i for i in range(33))] * 3
// CALL: reduce<5,3,2>(sums=zeros:3, maps=zeros:6, best=zeros:256)
// EXPECT: sums = [sum(i * i for i in range(30))] * 3
// EXPECT: maps = [pow(3, 30, 2**32), sum(i * pow(3, 29 - i, 2**32) for i in range(30)) % 2**32] * 3
// CALL: reduce<64,16,1>(sums=zeros:3, maps=zeros:6, best=zeros:1024)
// EXPECT: sums = [sum(i * i for i in range(1024))] * 3
// EXPECT: maps = [pow(3, 1024, 2**32), sum(i * pow(3, 1023 - i, 2**32) for i in range(1024)) % 2**32] * 3
// EXPECT: best = [float(1023)] * 1024
// CALL: reduce<1,1,1>(sums=zeros:3, maps=zeros:6, best=zeros:1)
// EXPECT: maps = [3, 0] * 3
kernel reduce<const X: u32, const Y: u32, const Z: u32>(sums: out u64[3], maps: out u32[3, 2], best: out f64[])
    launch(block = (X, Y, Z), grid = 1)
{
    let i = thread.rank;
    let map = Affine(3, i);
    let values = (u64(i * i), 0);
    let squares = (block.reduce(u64(i * i), +), block.reduce<raking>(u64(i * i), +),
                   block.reduce<raking_commutative_only>(values[0], |a, b| a + b));
    let (by_warps, by_raking) = (block.reduce<warp_reductions>(map, then), block.reduce<raking>(map, then));
    let any = block.reduce(map, then);
    best[i] = block.reduce(f64(i), max);
    if (i == block.size - 1) {
        (sums[0], sums[1], sums[2]) = squares;
        (maps[0, 0], maps[0, 1], maps[1, 0], maps[1, 1]) = (by_warps.a, by_warps.b, by_raking.a, by_raking.b);
        (maps[2, 0], maps[2, 1]) = (any.a, any.b);
    }
}
export reduce<16, 8, 1>, reduce<33, 1, 1>, reduce<5, 3, 2>, reduce<64, 16, 1>, reduce<1, 1, 1>;
