// RUN: %run-test %s
// What an algorithm gives to its launches may ask for the shape of the block: it sees that of each launch.
fn apply<F: fn>(x: in u32[], y: out u32[], f: F)
{
    for (i in grid.stride(x.len)) y[i] = f(x[i]);
}
fn size() -> u32 = block.size;
algorithm sized(n: u64, x: in u32[n], y: out u32[n], z: out u32[n])
{
    let unit = size();
    let f = |v| v + unit;
    launch apply(block = 32, grid = 1, x, y, f);
    launch apply(block = 96, grid = 2, x, z, f);
}
algorithm twice(n: u64, x: in u32[n], y: out u32[n], z: out u32[n])
{
    scratch w: u32[n];
    sized(n, x, w, z);
    sized(n, w, y, z);
}
algorithm ones(n: u64, x: in u32[n], y: out u32[n]) { transform(x, y, |v| v + size() / block.size); }
// FOR: n in 1, 100, 1000
// CALL: sized(x=iota:n, y=zeros:n, z=zeros:n)
// EXPECT: y = x + 32
// EXPECT: z = x + 96
// FOR: n in 1, 100, 1000
// CALL: twice(x=iota:n, y=zeros:n, z=zeros:n)
// EXPECT: y = x + 64
// EXPECT: z = x + 128
// FOR: n in 1, 100, 1000
// CALL: ones(x=iota:n, y=zeros:n)
// EXPECT: y = x + 1
