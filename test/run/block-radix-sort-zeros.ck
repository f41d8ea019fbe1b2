// -0 and 0 are equal keys, and stay in the order in which they came, up and down, alone and with values.
// RUN: %run-test %s
// CALL: zeros(x=where(arange(128) % 3 == 0, -0.0, arange(128) % 5 // 2 * (arange(128) % 2 - 0.5)), y=zeros:128, z=zeros:128, at=zeros:128)
// EXPECT: y = f32(x[argsort(x, kind="stable")]).view(u32)
// EXPECT: z = f32(x[argsort(-x, kind="stable")]).view(u32)
// EXPECT: at = argsort(x, kind="stable")
kernel zeros(x: in f32[128], y: out u32[128], z: out u32[128], at: out u32[128]) launch(block = 32, grid = 1)
{
    let v = block.load(x, 0, 4);
    let up = block.radix_sort(v);
    let down = block.radix_sort<striped>(v, descending = true);
    let (same, from) = block.radix_sort(v, block.load(count<u32>(), 0, 4));
    for (k in 0..4u32) {
        let i = thread.rank * 4 + k;
        assert(bit_cast<u32>(same[k]) == bit_cast<u32>(up[k]));
        (y[i], at[i]) = (bit_cast<u32>(up[k]), from[k]);
        z[thread.rank + k * 32] = bit_cast<u32>(down[k]);
    }
}
// Of f64, with values that are larger than a place, in passes as well as by the network.
// CALL: large(x=where(arange(384) % 5 == 0, -0.0, arange(384) % 3 - 1.0), at=zeros:384, more=zeros:384)
// EXPECT: at = argsort(x, kind="stable")
// EXPECT: more = [*argsort(-x[0:256], kind="stable")] + [0] * 128
kernel large(x: in f64[384], at: out u64[384], more: out u64[384]) launch(block = 128, grid = 1)
{
    let (a, from) = block.radix_sort(block.load(x, 0, 3), block.load(count<u64>(), 0, 3));
    block.store(at, 0, from);
    let (b, first) = block.radix_sort(block.load(x, 0, 2), block.load(count<u64>(), 0, 2), descending = true);
    block.store(more, 0, first);
}
