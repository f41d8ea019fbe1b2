// A function that the library calls is reached as the library's function is, and as that decides.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
struct P { x: u32; }
fn +(a: P, b: P) -> P = P(a.x + warp.sum(b.x));
fn mine(a: u32, b: u32) -> u32 { block.sync(); return a + b; }
kernel k(n: u32, y: in u32[64], x: out u32[64]) launch(block = 64, grid = 1)
{
    let t = thread.rank;
    let m = y.map(|a| block.reduce(a, +));
    for (v in m.take(n)) x[t] = v;
    if (n > 3) x[t] = m[t];
    if (t > 3) x[t] = m[0];
    let w = y.map(|a| warp.sum(a)).zip(count<u32>());
    if (warp.rank == 0) x[t] = w[0][0];
    if (warp.lane == 0) x[t] = w[0][0];
    let s = y.map(|a| { if (a > 3) block.sync(); return a; });
    x[t] = s[n];
    x[t] = s[t];
    x[t] = u32(lower_bound(y, n, |a, b| block.reduce(a, +) < b));
    x[t] = u32(lower_bound(y, thread.rank, |a, b| block.reduce(a, +) < b));
    x[t] = block.reduce(P(y[t]), +).x;
    x[t] = block.reduce(y[t], mine);
}
// CHECK-NOT: error:
// CHECK: library-calls.ck:4:33: error: not all threads of the warp come to 'warp.sum': this differs between threads [divergent]
// CHECK: reduce.ck:{{.*}} note: this condition decides about it
// CHECK: hint: The library calls this function in some threads only: call 'warp.sum' outside of it.
// CHECK: library-calls.ck:5:34: error: not all threads of the block come to 'block.sync': this differs between threads [divergent]
// CHECK: library-calls.ck:12:9: error: not all threads of the block come to 'block.reduce': this differs between threads [divergent]
// CHECK: library-calls.ck:15:9: error: not all threads of the warp come to 'warp.sum': this differs between threads [divergent]
// CHECK: library-calls.ck:18:14: error: this differs between threads, and decides whether 'block.sync' is reached by its block [divergent_argument]
// CHECK: library-calls.ck:20:31: error: this differs between threads, and decides whether 'block.reduce' is reached by its block [divergent_argument]
// CHECK-NOT: error:
