// Scans over a block: arrays, structs, operators that do not commute.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Affine { a: u32; b: u32; }                       // x -> a * x + b
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
// CALL: scan<33>(z=zeros:33x3, maps=zeros:33x2)
// EXPECT: z = [[3 * i * (3 * i - 1) // 2, (3 * i + 1) * 3 * i // 2, (3 * i + 2) * (3 * i + 1) // 2] for i in range(33)]
// EXPECT: maps = [[pow(3, i + 1, 2**32), sum(j * pow(3, i - j, 2**32) for j in range(i + 1)) % 2**32] for i in range(33)]
// CALL: scan<128>(z=zeros:128x3, maps=zeros:128x2)
// EXPECT: z = [[3 * i * (3 * i - 1) // 2, (3 * i + 1) * 3 * i // 2, (3 * i + 2) * (3 * i + 1) // 2] for i in range(128)]
// EXPECT: maps = [[pow(3, i + 1, 2**32), sum(j * pow(3, i - j, 2**32) for j in range(i + 1)) % 2**32] for i in range(128)]
kernel scan<const N: u32>(z: out u32[N, 3], maps: out u32[N, 2]) launch(block = N, grid = 1)
{
    let i = thread.rank;
    let map = block.inclusive_scan<raking>(Affine(3, i), then);
    let same = block.exclusive_scan([Affine(3, i), Affine(1, 0)], then)[1];
    if (map == same) (maps[i, 0], maps[i, 1]) = (map.a, map.b);
    let three = block.exclusive_scan([3 * i, 3 * i + 1, 3 * i + 2], +);
    (z[i, 0], z[i, 1], z[i, 2]) = (three[0], three[1], three[2]);
}
// CALL: first(y=zeros:64)
// EXPECT: y = [0 if i == 0 else max(j * 37 % 64 for j in range(i)) + 1000 * i for i in range(64)]
kernel first(y: out i32[64]) launch(block = 64, grid = 1)
{
    let i = i32(thread.rank);
    y[i] = block.exclusive_scan(i * 37 % 64, max) + block.exclusive_scan(1, +, init = 0) * 1000;
}
export scan<33>, scan<128>;
