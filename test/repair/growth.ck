// Integers that are made of themselves twice in each turn are compiled at once, by libNVVM too.
// REQUIRES: nvvm
// RUN: timeout 20 %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
// RUN: not timeout 5 %ckc %s --no-repair=growth --emit=ptx --target=sm_90 --backend=libnvvm -o %t
fn either(x: u32, y: u32) -> u32 { var a = x; if (y > 3) a = a * y; return a * y; }
struct Pair { a: u32; b: u32; }
fn product(p: Pair) -> u32 = p.a * p.b;
fn mixed(h: u64, v: u64) -> u64 = rotate_left(h, 7) * 3 + v;
fn ended(r: u32, x: f32) -> u64 = mixed(mixed(0, u64(r)), x != x ? 1 : u64(bit_cast<u32>(x)));
fn turned<F: fn>(v: u32, f: F) -> u32 { var r = v; for (i in 0..40) r = f(r); return r; }
fn smallest(v: u32, w: u32) -> u32 {
    var r = v;
    for (i in 0..40) { if (r > w) r = w; r += r << 10; r += r >> 6; }
    return r;
}
fn power(v: u32) -> u32
{
    var r = v;
    for (i in 0..5) for (j in 0..2) for (k in 0..2) for (l in 0..2) r = r * r;
    return r;
}
kernel trees(x: in u32[64], z: in f32[64], y: out u64[12, 64], n: u32) launch(block = 64)
{
    let t = thread.rank;
    let v = x[t];
    let w = n;
    y[0, t] = ended(turned(v, |r| r * r + v), z[t]);
    y[1, t] = ended(turned(v, |r| either(r, r)), z[t]);
    y[2, t] = ended(turned(v, |r| product(Pair(r, ~r))), z[t]);
    y[3, t] = ended(turned(v, |r| r + (r >> 1)), z[t]);
    y[4, t] = ended(turned(v, |r| (r * r + v) % 1000003), z[t]);
    y[5, t] = ended(turned(v, |r| max(r, r / 3 + v)), z[t]);
    y[6, t] = ended(turned(v, |r| (r > v ? r : v) + (r > w ? r : w)), z[t]);
    y[7, t] = ended(turned(v, |r| dot(u32x4(r).zwww, ~u32x4(r, v, v, v))), z[t]);
    y[8, t] = ended(turned(v, |r| r % 1000 + (r & 255) * r), z[t]);
    y[9, t] = ended(turned(v, |r| mul_hi(r, r)), z[t]);
    y[10, t] = ended(smallest(v, w), z[t]);
    y[11, t] = ended(power(v), z[t]);
}
// CHECK: ret;
