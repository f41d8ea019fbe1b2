// A tile of items, in each arrangement; what lies behind the end is the default, and not stored.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: tile<0>(x=iota:300, y=zeros:300, z=zeros:128x4)
// EXPECT: y = [2 * i for i in range(300)]
// EXPECT: z = [[(2 * (4 * t + k) if 4 * t + k < 300 else 7) for k in range(4)] for t in range(128)]
// CALL: tile<1>(x=iota:300, y=zeros:300, z=zeros:128x4)
// EXPECT: y = [2 * i for i in range(300)]
// EXPECT: z = [[(2 * (t + 128 * k) if t + 128 * k < 300 else 7) for k in range(4)] for t in range(128)]
// CALL: tile<2>(x=iota:512, y=zeros:512, z=zeros:128x4)
// EXPECT: y = [2 * i for i in range(512)]
// EXPECT: z = [[2 * (t // 32 * 128 + t % 32 + 32 * k) for k in range(4)] for t in range(128)]
// CALL: tile<3>(x=iota:512, y=zeros:512, z=zeros:128x4)
// EXPECT: y = [2 * i for i in range(512)]
// EXPECT: z = [[2 * (4 * t + k) for k in range(4)] for t in range(128)]
// CALL: tile<4>(x=iota:511, y=zeros:511, z=zeros:128x4)
// EXPECT: y = [2 * i for i in range(511)]
// EXPECT: z = [[(2 * (4 * t + k) if 4 * t + k < 511 else 7) for k in range(4)] for t in range(128)]
// CALL: tile<5>(x=iota:300, y=zeros:300, z=zeros:128x4)
// EXPECT: y = [2 * i for i in range(300)]
// EXPECT: z = [[(2 * (4 * t + k) if 4 * t + k < 300 else 7) for k in range(4)] for t in range(128)]
kernel tile<const HOW: u32>(n: u64, x: in f32[n], y: inout f32[n], z: out f32[128, 4]) launch(block = 128, grid = 1)
{
    let doubled = block.load<HOW>(x.map(|v| v * 2), 0, 4, default = 7);
    for (k in 0..4) z[thread.x, k] = doubled[k];
    var items = block.load<HOW>(x, 0, 4);
    for (k in 0..4) items[k] = 2 * items[k];
    block.store<HOW>(y, 0, items);
}
export tile<blocked>, tile<striped>, tile<warp_striped>, tile<vectorized>, tile<transpose>, tile<warp_transpose>;
