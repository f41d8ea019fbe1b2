// The elements of a rectangle of a span of two extents, row by row, to read, to write, to count and to
// add up in an algorithm.
// RUN: %run-test %s
kernel copies(h: u64, w: u64, m: in f32[h, w], y: out f32[6], z: inout f32[3, 4]) launch(block = 1, grid = 1) {
    let part = m.region(1, 2, 3, 2);
    for (i in 0..6) y[i] = part[i];
    for (i in 0..4) z.region(0, 1, 2, 2)[i] = f32(i + 1);
    z[2, 0] = f32(part.reverse().len) + part.reverse()[0];
}
algorithm counted(h: u64, w: u64, r: u64, c: u64, m: in u8[h, w], counts: out u32[256]) {
    histogram(m.region(r, c, h - 2 * r, w - 2 * c), counts, 0, 256);
}
algorithm inner(h: u64, w: u64, r: u64, c: u64, m: in i32[h, w]) -> i32 = reduce(m.region(r, c, h - 2 * r, w - 2 * c), +, 0);
// CALL: copies(h=5, w=6, m=iota:5x6, y=zeros:6, z=zeros:3x4)
// EXPECT: y = [8, 9, 14, 15, 20, 21]
// EXPECT: z = [[0, 1, 2, 0], [0, 3, 4, 0], [27, 0, 0, 0]]
// FOR: c in 0, 4, 16, 25
// CALL: counted(h=300, w=512, r=1, c=c, m=iota:300x512, counts=zeros:256)
// EXPECT: counts = 298 * ((511 - c - arange(256)) // 256 - (c - 1 - arange(256)) // 256)
// FOR: c in 0, 4, 5
// CALL: inner(h=301, w=512, r=2, c=c, m=ones:301x512)
// EXPECT: result = 297 * (512 - 2 * c)
