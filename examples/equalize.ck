// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// equalize.ck - the histogram of an image's grey levels is spread over all of them, so that the image
// has more contrast. A level becomes the share of the pixels that are as dark or darker.
//
//     level     0   1   2   3      pixels     .  2  4  2
//     pixels    .   2   4   2      as dark    0  2  6  8     new level  (as dark - 2) / (8 - 2) * 255
//
// CALL: equalize(x=[1, 2, 2, 3, 2, 1, 3, 2], y=zeros:8)
// EXPECT: y = [0, 170, 170, 255, 170, 0, 255, 170]
// CALL: equalize(x=[7, 7, 7], y=ones:3)
// EXPECT: y = [7, 7, 7]
// FOR: n in 0, 32, 320000
// CALL: equalize(x=arange(n) % 32, y=zeros:n)
// EXPECT: y = (arange(n) % 32 * 255 / 31 + 0.5) // 1

algorithm equalize(n: u64, x: in u8[n], y: out u8[n]) {
    scratch pixels: u32[256];
    scratch as_dark: u32[256];
    histogram(x, pixels, 0, 256);
    inclusive_scan(pixels, as_dark, +);
    let least = reduce(as_dark.map(|c| c > 0 ? c : ~0u32), min, ~0u32);
    let range = as_dark.map(|c| c - min(c, least));
    transform(x, y, |v| least == as_dark[255] ? v : u8(f32(as_dark[v] - least) / f32(as_dark[255] - least) * 255 + 0.5));
}
