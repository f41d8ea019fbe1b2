// block.memcpy_async with a barrier: in bulk where 16 bytes fit, the rest one by one; zeros outside.
// RUN: %run-test %s
kernel row<T: type = f32>(base: u64, count: u32, x: in T[], y: out T[100]) launch(block = 32, grid = 1)
{
    shared t: T[100];
    shared bar: barrier;
    block.init(address(bar));
    for (i in block.stride(100u32)) t[i] = T(1);
    block.memcpy_async(t, x, base, count, address(bar));
    block.wait(address(bar));
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
// CALL: row<f16>(base=8, count=50, x=iota:90, y=zeros:100)
// EXPECT: y = [x[8 + i] if i < 50 else 1 for i in range(100)]
kernel turns(n: u32, x: in u32[n], y: out u32[n]) launch(block = 64, grid = 1)
{
    shared t: u32[3, 128];                      // two are on their way while one is read
    shared bar: barrier[3];
    for (k in 0..3) block.init(bar[k]);
    let tiles = ceil_div(n, 128);
    for (k in 0..min(tiles, 2)) block.memcpy_async(t[k], x, k * 128, 128, bar[k]);
    for (k in 0..tiles) {
        let next = k + 2;
        if (next < tiles) block.memcpy_async(t[next % 3], x, next * 128, 128, bar[next % 3]);
        block.wait(bar[k % 3]);
        for (i in block.stride(min(128, n - k * 128))) y[k * 128 + i] = t[k % 3, i] + k;
    }
}
// FOR: m in 1, 128, 1000, 100001
// CALL: turns(x=rand:m, y=zeros:m)
// EXPECT: y = x + arange(m) // 128
