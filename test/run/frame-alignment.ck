// A wide vector that is kept over a barrier has its alignment on the host device.
// RUN: %run-test %s
// CALL: k(n=64, x=iota:64, y=zeros:64)
// EXPECT: y = 3 * x + 3 * ((x + 1) % 64)
kernel k(n: u32, x: in f64[n], y: out f64[n]) launch(block = 64, grid = 1)
{
    shared all: f64[64];
    let i = thread.x;
    var a = f64x16(x[i]);
    a.xy = f64x2(2 * x[i], 0);
    all[i] = a.z;
    block.sync();
    let b = f64x16(all[(i + 1) % 64]);
    block.sync();
    a += b;
    block.sync();
    y[i] = a.x + a.w + b.x - a.y + b.y;
}
