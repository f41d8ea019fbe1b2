// for visits the elements of spans, arrays and iterators.
// RUN: %run-test %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// CALL: each(x=iota:6, y=zeros:9)
// EXPECT: y = [15, 4, 21, 6, 45, 30, 5, 9, 0]
struct Evens { len: u64; fn [](i: u64) -> u32 = u32(i) * 2; }
kernel each(n: u64, x: in f32[n], y: inout f32[9]) launch(block = 1, grid = 1)
{
    for (v in x) y[0] += v;
    for (v in x[1..5]) {                // 1 + 3
        if (v == 2) continue;
        if (v == 4) break;
        y[1] += v;
    }
    for (v: f32 in x.take(3).map(|v| v * 7)) y[2] += v;
    var a = [1, 2, 3];
    unroll for (v in a) y[3] += f32(v);
    for (v in a) for (w in [v, 9]) y[4] += f32(v + w);
    for (v in a) a[2] = 4;              // the array itself, not a copy
    for (v in Evens(6)) y[5] += f32(v);
    for (v in x.drop(5)) { let f = |w| w * v; y[6] = f(1.0); }
    shared s: f32[3];
    for (i in 0..3) s[i] = 3;
    for (v in s) y[7] += v;
    for (v in x.drop(10)) y[8] = v;     // none
}
