// Iterators that read, against NumPy.
// RUN: %run-test %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// FOR: k in 1, 2, 255, 1..5000
// CALL: parts(x=rand:k, y=rand:k:7, r=zeros:k)
// EXPECT: r = x[::-1] * 2 + y
// FOR: k in 1, 2, 255, 1..5000
// CALL: stepped(x=rand:9 * k, r=zeros:3 * k)
// EXPECT: r = x[2::3] - arange(3 * k)
// FOR: k in 1, 2, 255, 1..5000
// CALL: windows(x=rand:k + 2, r=zeros:k)
// EXPECT: r = x[:-2] + 2 * x[1:-1] + 3 * x[2:]
// FOR: k in 1, 2, 255, 1..5000
// CALL: fourfold(x=iota:k, r=zeros:k)
// EXPECT: r = 4 * arange(k) + 5
kernel parts(n: u64, x: in f32[n], y: in f32[n], r: out f32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    let it = x.reverse().map(|v| v * 2).zip(y).map(|p| p[0] + p[1]);
    for (i in grid.stride(n)) r[i] = it[i];
}
kernel stepped(n: u64, x: in f32[3 * n], r: out f32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    let it = zip(x.drop(2).strided(3), count<f32>()).take(n);
    for (i in grid.stride(it.len)) { let (v, k) = it[i]; r[i] = v - k; }
}
kernel windows(n: u64, x: in f32[n + 2], r: out f32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    let it = x[0..n + 2].window<3>();
    for (i in grid.stride(it.len)) { let w = it[i]; r[i] = w[0] + 2 * w[1] + 3 * w[2]; }
}
kernel fourfold(n: u32, x: in f32[n], r: out f32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    let it = zip(x, x.cached(cache = streaming), tabulate(|i| f32(i)), x.gather(count<u32>()));
    for (i in grid.stride(n)) {
        let (index, parts) = it.enumerate()[i];
        let (a, b, c, d) = parts;
        r[i] = a + b + c + d + zip(constant(2), constant(3.0), constant(i))[index][1] + 2;
    }
}
