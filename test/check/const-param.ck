// A constant among the parameters is given in its place, or by its name; in methods too.
// RUN: %run-test %s
// REQUIRES: ckc, host
// CALL: k(y=zeros:5)
// EXPECT: y = [6, 10, 9, 22, 3]
fn block.first<T: type>(v: T, const n: u32, by: T) -> T { var r: T[n]; for (k in 0..n) r[k] = v * by; return r[n - 1] + T(n); }
fn repeat<T: number>(v: T, const n: u32 = 2) -> T[n] { var r: T[n]; for (k in 0..n) r[k] = v; return r; }
struct P { x: u32; fn times(const n: u32) -> u32 { var r: u32[n]; for (k in 0..n) r[k] = self.x; return r[0] * n; } }
fn warp.three -> u32 = 3;
kernel k(y: out u32[5]) launch(block = 1, grid = 1)
{
    y[0] = block.first(1u32, 4, 2);
    y[1] = block.first(2u32, by = 3, n = 4);
    y[2] = repeat(9u32, 3)[2];
    y[3] = P(11).times(2);
    var v: u32[warp.three];
    v[2] = 3;
    y[4] = v[2];
}
