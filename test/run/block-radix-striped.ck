// A sort that leaves its result striped: by passes and by the network, keys and values, both directions.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: sort<128,4>(x=rand:512:3, y=zeros:512, z=zeros:512, v=zeros:512)
// EXPECT: y = np.sort(x)
// EXPECT: z = np.sort(x)[::-1]
// EXPECT: v = np.argsort(x % 32, kind='stable')
// CALL: sort<40,3>(x=rand:120:5, y=zeros:120, z=zeros:120, v=zeros:120)
// EXPECT: y = np.sort(x)
// EXPECT: z = np.sort(x)[::-1]
// EXPECT: v = np.argsort(x % 32, kind='stable')
kernel sort<const B: u32, const N: u32>(x: in u32[B * N], y: out u32[B * N], z: out u32[B * N], v: out u32[B * N]) launch(block = B, grid = 1)
{
    let keys = block.load(x, 0, N);
    block.store<striped>(y, 0, block.radix_sort<striped>(keys));
    block.store<striped>(z, 0, block.radix_sort<striped>(keys, descending = true, begin_bit = 0));
    let (k, i) = block.radix_sort<striped>(keys, block.load(count<u32>(), 0, N), end_bit = 5);
    block.store<striped>(v, 0, i);
}
export sort<128, 4>, sort<40, 3>;
