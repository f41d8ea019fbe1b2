// saxpy.ck - z = a * x + y: the shortest kernel that does something.
// FOR: k in 1, 256, 100000
// CALL: saxpy(a=0.5, x=rand:k, y=rand:k, z=zeros:k)
// EXPECT: z = a * x + y
// BENCH: saxpy(a=0.5, x=rand:2**24, y=rand:2**24) bytes = 12 * n, flops = 2 * n
// EXPECT: z = a * x + y

kernel saxpy(n: u64, a: f32, x: in f32[n], y: in f32[n], z: out f32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) z[i] = a * x[i] + y[i];
}
