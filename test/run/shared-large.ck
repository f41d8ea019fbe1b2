// Shared memory over 48 KB lies in dynamic shared memory, which the runtime asks for.
// RUN: %run-test %s
kernel flip(x: in f32[14000], n: u32, y: out f32[14000]) launch(block = 128, grid = 1)
{
    shared a: f32[14000];
    shared b: f32[dyn n];
    for (i in block.stride(14000u32)) a[i] = x[i];
    for (i in block.stride(n)) b[i] = f32(i);
    block.sync();
    for (i in block.stride(14000u32)) y[i] = a[13999 - i] + b[i % n];
}
// CALL: flip(x=rand:14000, n=100, y=zeros:14000)
// EXPECT: y = x[::-1] + np.arange(14000) % 100
