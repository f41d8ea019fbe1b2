// block.memcpy_async fills a tile from any place of a span, whatever its alignment; zeros outside.
// RUN: %run-test %s
kernel row<T: type = f32>(base: u64, count: u32, x: in T[], y: out T[100]) launch(block = 32, grid = 1)
{
    shared t: T[100];
    for (i in block.stride(100u32)) t[i] = T(1);
    block.sync();
    block.memcpy_async(t, x, base, count);
    pipeline.wait();
    block.sync();
    for (i in block.stride(100u32)) y[i] = t[i];
}
export row<f32>, row<u8>, row<f64>, row<f16>;
// FOR: b in 0, 3, 4, 80, 200
// FOR: c in 0, 1, 7, 64, 100
// CALL: row<f32>(base=b, count=c, x=iota:90, y=zeros:100) -check
// EXPECT: y = [(float(x[b + i]) if b + i < 90 else 0) if i < c else 1 for i in range(100)]
// CALL: row<u8>(base=16, count=99, x=iota:90, y=zeros:100)
// EXPECT: y = [(x[16 + i] if 16 + i < 90 else 0) if i < 99 else 1 for i in range(100)]
// CALL: row<f64>(base=5, count=99, x=iota:90, y=zeros:100)
// EXPECT: y = [(x[5 + i] if 5 + i < 90 else 0) if i < 99 else 1 for i in range(100)]
// CALL: row<f16>(base=1, count=50, x=iota:90, y=zeros:100)
// EXPECT: y = [x[1 + i] if i < 50 else 1 for i in range(100)]
kernel tile(h: u32, w: u32, row: u64, column: u64, x: in f32[h, w], y: out f32[8, 12])
    launch(block = (16, 2), grid = 1)
{
    shared t: f32[16, 12];
    block.memcpy_async(t[4..12], x, row, column);
    pipeline.wait();
    block.sync();
    for (i in block.stride(96u32)) y[i / 12, i % 12] = t[4 + i / 12, i % 12];
}
// FOR: r in 0, 5, 20
// FOR: c in 0, 4, 13, 40
// FOR: v in 16, 21
// CALL: tile(row=r, column=c, x=iota:10 x v, y=zeros:8x12) -check
// EXPECT: y = [[float(x[r + i, c + j]) if r + i < 10 and c + j < v else 0 for j in range(12)] for i in range(8)]
