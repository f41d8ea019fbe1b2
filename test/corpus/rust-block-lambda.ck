// a lambda with a block
kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 256, grid = ceil_div(n, 256))
{
    let f = |v| { v * 2 };
    y[0] = f(x[0]);
}
