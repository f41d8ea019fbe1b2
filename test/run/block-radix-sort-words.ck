// Each way to rank a pass of a sort gives the same order, whatever the bits of a pass and the scan.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel sort<const HOW: u32>(x: in f32[90], y: out f32[90], z: out f32[90], u: out f32[90], v: out f32[90], w: out f32[90]) launch(block = 45, grid = 1)
{
    let keys = block.load(x, 0, 2);
    block.store<striped>(y, 0, block.radix_sort<striped, HOW>(keys));
    block.store(z, 0, block.radix_sort<blocked, HOW>(keys, bits = 3, scan = raking_memoize));
    block.store(u, 0, block.radix_sort<blocked, HOW>(keys, [0u32, 1], end_bit = 32)[0]);
    block.store(v, 0, block.radix_sort<blocked, HOW>(keys, by = |k| (u8(3), k), bits = 5));
    block.store(w, 0, block.radix_sort(keys, keys, bits = 1, scan = warp_scans)[1]);
}
export sort<match>, sort<match_early_counts_any>, sort<basic>, sort<memoize>;
// CALL: sort<match>(x=rand:90, y=zeros:90, z=zeros:90, u=zeros:90, v=zeros:90, w=zeros:90)
// EXPECT: y = np.sort(x)
// EXPECT: z = np.sort(x)
// EXPECT: u = np.sort(x)
// EXPECT: v = np.sort(x)
// EXPECT: w = np.sort(x)
// CALL: sort<match_early_counts_any>(x=rand:90, y=zeros:90, z=zeros:90, u=zeros:90, v=zeros:90, w=zeros:90)
// EXPECT: y = np.sort(x)
// EXPECT: z = np.sort(x)
// EXPECT: u = np.sort(x)
// EXPECT: v = np.sort(x)
// EXPECT: w = np.sort(x)
// CALL: sort<basic>(x=rand:90, y=zeros:90, z=zeros:90, u=zeros:90, v=zeros:90, w=zeros:90)
// EXPECT: y = np.sort(x)
// EXPECT: z = np.sort(x)
// EXPECT: u = np.sort(x)
// EXPECT: v = np.sort(x)
// EXPECT: w = np.sort(x)
// CALL: sort<memoize>(x=rand:90, y=zeros:90, z=zeros:90, u=zeros:90, v=zeros:90, w=zeros:90)
// EXPECT: y = np.sort(x)
// EXPECT: z = np.sort(x)
// EXPECT: u = np.sort(x)
// EXPECT: v = np.sort(x)
// EXPECT: w = np.sort(x)
