// The first n elements of a tile are loaded and stored, each way; the span's end counts too.
// REQUIRES: ckc, host
// RUN: %run-test %s
// FOR: n in 0, 1, 37, 100, 256
// CALL: copy<64,4>(n=n, x=iota:250, y=zeros:1800, z=zeros:1800)
// EXPECT: y = [i if 8 <= i < min(8 + n, 250) else 7 if 8 <= i < 264 else 0 for i in range(300)] * 6
// EXPECT: z = [i if 8 <= i < min(8 + n, 250) else 0 for i in range(300)] * 6
// CALL: copy<50,5>(n=33, x=iota:250, y=zeros:1800, z=zeros:1800)
// EXPECT: y = [i if 8 <= i < 41 else 7 if 8 <= i < 258 else 0 for i in range(300)] * 6
// EXPECT: z = [i if 8 <= i < 41 else 0 for i in range(300)] * 6
kernel copy<const B: u32, const N: u32>(n: u32, x: in u32[250], y: inout u32[1800], z: inout u32[1800]) launch(block = B, grid = 1)
{
    way<blocked, N>(n, x, y[0..300], z[0..300]);
    way<striped, N>(n, x, y[300..600], z[300..600]);
    way<warp_striped, N>(n, x, y[600..900], z[600..900]);
    way<vectorized, N>(n, x, y[900..1200], z[900..1200]);
    way<transpose, N>(n, x, y[1200..1500], z[1200..1500]);
    way<warp_transpose, N>(n, x, y[1500..1800], z[1500..1800]);
}
fn way<const HOW: u32, const N: u32>(n: u32, x: in u32[], y: inout u32[], z: inout u32[]) {
    let items = block.load<HOW>(x, 8, N, default = 7, valid = n);
    block.store<HOW>(y, 8, items, valid = N * block.size);
    block.store<HOW>(z[0..250], 8, block.load<HOW>(x, 8, N, valid = n), valid = n);
}
export copy<64, 4>, copy<50, 5>;
