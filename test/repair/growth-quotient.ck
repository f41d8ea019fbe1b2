// Quotients of sums by constants, turn by turn, are compiled at once, by libNVVM too.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
fn turned<F: fn>(v: u32, f: F) -> u32 { var r = v; for (i in 0..40) r = f(r); return r; }
fn seventh(r: u32) -> u32 = r / 7 + 5;
fn chosen(v: u32, w: u32) -> u32 {
    var r = v;
    for (i in 0..40) {
        var most = 3;
        if (w > v) most = 9;
        if (i % 4 != 9) r = seventh(r);
        else r ^= v;
        r = i < 39 ? seventh(r) : r ^ w;
        if (most < 99) r = seventh(r);
    }
    return r;
}
kernel quotients(x: in u32[64], y: out u32[10, 64]) launch(block = 64)
{
    let t = thread.rank;
    let v = x[t];
    y[0, t] = turned(v, seventh);
    y[1, t] = turned(v, |r| mul_hi(r, 3590475139u32));
    y[2, t] = turned(v, |r| (r / 7 + 5) / 3 * 5);
    y[3, t] = turned(v, |r| (r >> 3) * 5 + 7 >> 2);
    y[4, t] = turned(v, |r| (r & 65535) * 40503 >> 16);
    y[5, t] = turned(v, |r| u32(u64(r) + 5 >> 1));
    y[6, t] = turned(v, |r| ~(r << 3) / 7);
    y[7, t] = turned(v, |r| (u32x2(r) / 7 + 5).y);
    y[8, t] = turned(v, |r| r % 7 + r / 7 * 7);
    y[9, t] = chosen(v, x[0]);
}
// CHECK: .entry quotients
// CHECK: ret;
