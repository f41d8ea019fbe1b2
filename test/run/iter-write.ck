// Iterators that write, against NumPy.
// RUN: %run-test %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// FOR: k in 1, 2, 255, 1..5000
// CALL: written(x=rand:k, y=zeros:k, z=zeros:2 * k, w=zeros:k + 1)
// EXPECT: y = x[::-1] + 1
// EXPECT: z = where(arange(2 * k) % 2 == 0, 2 * x[arange(2 * k) // 2], 0)
// EXPECT: w = where(arange(k + 1) == 0, 0, x[arange(k + 1) - 1])
// FOR: k in 1, 2, 255, 1..5000
// CALL: scattered(x=rand:k, y=zeros:k)
// EXPECT: y = x
kernel written(n: u64, x: in f32[n], y: out f32[n], z: inout f32[2 * n], w: inout f32[n + 1]) launch(block = 128, grid = ceil_div(n, 128))
{
    let all = zip(y.reverse().map_store(|v| v + 1), z.strided(2), w.drop(1).take(n), discard<f32>());
    for (i in grid.stride(n)) all[i] = (x[i], x[i] * 2, x[i], x[i]);
}
// What is gathered in a random order and scattered in the same one is where it was.
kernel scattered(n: u64, x: in f32[n], y: inout f32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    let order = shuffle(n, seed = 7);
    for (i in grid.stride(n)) y.scatter(order)[i] += x.gather(order)[i];
}
