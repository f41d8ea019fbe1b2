// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// named.ck - compares the algorithms that can be selected by name: `ckc bench named.ck` on a GPU.
// Each kernel executes 64 rounds (sorts 8) in 528 blocks; a round's result is the next one's input.

kernel rank<const HOW: u32, const BITS: u32, const B: u32, const N: u32>(x: in u32[528 * B * N], y: out u32[528 * B * N])
    launch(block = B, grid = 528)
{
    var v = block.load<transpose>(x, block.id.x * B * N, N);
    for (r in 0..64) {
        var d: u32[N];
        for (k in 0..N) d[k] = v[k] >> (r % 4) & ((1u32 << BITS) - 1);
        let ranks = block.radix_rank<BITS, HOW>(d);
        for (k in 0..N) v[k] = v[k] * 5 + ranks[k];
    }
    block.store<transpose>(y, block.id.x * B * N, v);
}
// Sorts f32 keys, with values if PAIRS. HOW and BITS 0: the sort's defaults.
kernel sort<const HOW: u32, const BITS: u32, const B: u32, const N: u32, const PAIRS: bool>(x: in f32[528 * B * N], y: out f32[528 * B * N])
    launch(block = B, grid = 528)
{
    var v = block.load<transpose>(x, block.id.x * B * N, N);
    var w: u32[N];
    unroll(1) for (r in 0..8) {
        comptime if (PAIRS) (v, w) = block.radix_sort<blocked, HOW>(v, w, bits = BITS);
        else v = block.radix_sort<blocked, HOW>(v, bits = BITS);
        for (k in 0..N) v[k] = bit_cast<f32>(bit_cast<u32>(v[k]) * 1664525 + w[k] + k);
        for (k in 0..N) w[k] += k;
    }
    block.store<transpose>(y, block.id.x * B * N, v);
}
kernel exchange<const SHUFFLE: bool, const N: u32>(x: in u32[528 * 256 * N], y: out u32[528 * 256 * N])
    launch(block = 256, grid = 528)
{
    var v = block.load<striped>(x, block.id.x * 256 * N, N);
    for (r in 0..64) {
        v = warp.exchange<blocked_to_striped>(v, shuffle = SHUFFLE);
        for (k in 0..N) v[k] += k;
    }
    block.store<striped>(y, block.id.x * 256 * N, v);
}
kernel top<const K: u32, const N: u32>(x: in u32[528 * 256 * N], y: out u32[528 * 256 * N])
    launch(block = 256, grid = 528)
{
    var v = block.load<striped>(x, block.id.x * 256 * N, N);
    for (r in 0..64) {
        let best = warp.top_k(v, K);
        for (k in 0..N) v[k] = v[k] * 1664525 + best[0];
    }
    block.store<striped>(y, block.id.x * 256 * N, v);
}
kernel tile_sum<const G: u32>(x: in u32[528 * 256], y: out u32[528 * 256]) launch(block = 256, grid = 528)
{
    var v = block.load<striped>(x, block.id.x * 256, 1);
    for (r in 0..64) v[0] += warp.tile<G>.sum(v[0]);
    block.store<striped>(y, block.id.x * 256, v);
}
kernel reduce<const HOW: u32, const B: u32>(x: in u32[528 * B], y: out u32[528 * B]) launch(block = B, grid = 528)
{
    var v = block.load<striped>(x, block.id.x * B, 1);
    for (r in 0..64) v[0] += block.reduce<HOW>(v[0], +);
    block.store<striped>(y, block.id.x * B, v);
}
// BENCH: rank<match, 4, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<match_early_counts_any, 4, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<basic, 4, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<memoize, 4, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<match, 5, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<match_early_counts_any, 5, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<basic, 5, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<memoize, 5, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<match, 8, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<match_early_counts_any, 8, 128, 4>(x=rand:270336) bytes = 2162688
// BENCH: rank<match, 4, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<match_early_counts_any, 4, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<basic, 4, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<memoize, 4, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<match, 5, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<match_early_counts_any, 5, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<basic, 5, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<memoize, 5, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<match, 8, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: rank<match_early_counts_any, 8, 256, 8>(x=rand:1081344) bytes = 8650752
// BENCH: sort<0, 0, 64, 4, false>(x=rand:135168) bytes = 1081344
// BENCH: sort<match, 8, 64, 4, false>(x=rand:135168) bytes = 1081344
// BENCH: sort<basic, 4, 64, 4, false>(x=rand:135168) bytes = 1081344
// BENCH: sort<memoize, 4, 64, 4, false>(x=rand:135168) bytes = 1081344
// BENCH: sort<memoize, 5, 64, 4, false>(x=rand:135168) bytes = 1081344
// BENCH: sort<0, 0, 64, 4, true>(x=rand:135168) bytes = 1081344
// BENCH: sort<match, 8, 64, 4, true>(x=rand:135168) bytes = 1081344
// BENCH: sort<basic, 4, 64, 4, true>(x=rand:135168) bytes = 1081344
// BENCH: sort<memoize, 4, 64, 4, true>(x=rand:135168) bytes = 1081344
// BENCH: sort<memoize, 5, 64, 4, true>(x=rand:135168) bytes = 1081344
// BENCH: sort<0, 0, 128, 4, false>(x=rand:270336) bytes = 2162688
// BENCH: sort<match, 8, 128, 4, false>(x=rand:270336) bytes = 2162688
// BENCH: sort<basic, 4, 128, 4, false>(x=rand:270336) bytes = 2162688
// BENCH: sort<memoize, 4, 128, 4, false>(x=rand:270336) bytes = 2162688
// BENCH: sort<memoize, 5, 128, 4, false>(x=rand:270336) bytes = 2162688
// BENCH: sort<0, 0, 128, 4, true>(x=rand:270336) bytes = 2162688
// BENCH: sort<match, 8, 128, 4, true>(x=rand:270336) bytes = 2162688
// BENCH: sort<basic, 4, 128, 4, true>(x=rand:270336) bytes = 2162688
// BENCH: sort<memoize, 4, 128, 4, true>(x=rand:270336) bytes = 2162688
// BENCH: sort<memoize, 5, 128, 4, true>(x=rand:270336) bytes = 2162688
// BENCH: sort<0, 0, 128, 8, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<match, 8, 128, 8, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<basic, 4, 128, 8, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 4, 128, 8, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 5, 128, 8, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<0, 0, 128, 8, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<match, 8, 128, 8, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<basic, 4, 128, 8, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 4, 128, 8, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 5, 128, 8, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<0, 0, 256, 4, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<match, 8, 256, 4, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<basic, 4, 256, 4, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 4, 256, 4, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 5, 256, 4, false>(x=rand:540672) bytes = 4325376
// BENCH: sort<0, 0, 256, 4, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<match, 8, 256, 4, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<basic, 4, 256, 4, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 4, 256, 4, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<memoize, 5, 256, 4, true>(x=rand:540672) bytes = 4325376
// BENCH: sort<0, 0, 256, 8, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<match, 8, 256, 8, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<basic, 4, 256, 8, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 4, 256, 8, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 5, 256, 8, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<0, 0, 256, 8, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<match, 8, 256, 8, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<basic, 4, 256, 8, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 4, 256, 8, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 5, 256, 8, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<0, 0, 512, 4, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<match, 8, 512, 4, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<basic, 4, 512, 4, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 4, 512, 4, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 5, 512, 4, false>(x=rand:1081344) bytes = 8650752
// BENCH: sort<0, 0, 512, 4, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<match, 8, 512, 4, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<basic, 4, 512, 4, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 4, 512, 4, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<memoize, 5, 512, 4, true>(x=rand:1081344) bytes = 8650752
// BENCH: sort<0, 0, 512, 8, false>(x=rand:2162688) bytes = 17301504
// BENCH: sort<match, 8, 512, 8, false>(x=rand:2162688) bytes = 17301504
// BENCH: sort<basic, 4, 512, 8, false>(x=rand:2162688) bytes = 17301504
// BENCH: sort<memoize, 4, 512, 8, false>(x=rand:2162688) bytes = 17301504
// BENCH: sort<memoize, 5, 512, 8, false>(x=rand:2162688) bytes = 17301504
// BENCH: sort<0, 0, 512, 8, true>(x=rand:2162688) bytes = 17301504
// BENCH: sort<match, 8, 512, 8, true>(x=rand:2162688) bytes = 17301504
// BENCH: sort<basic, 4, 512, 8, true>(x=rand:2162688) bytes = 17301504
// BENCH: sort<memoize, 4, 512, 8, true>(x=rand:2162688) bytes = 17301504
// BENCH: sort<memoize, 5, 512, 8, true>(x=rand:2162688) bytes = 17301504
// BENCH: exchange<false, 2>(x=rand:270336) bytes = 2162688
// BENCH: exchange<true, 2>(x=rand:270336) bytes = 2162688
// BENCH: exchange<false, 4>(x=rand:540672) bytes = 4325376
// BENCH: exchange<true, 4>(x=rand:540672) bytes = 4325376
// BENCH: exchange<false, 8>(x=rand:1081344) bytes = 8650752
// BENCH: exchange<true, 8>(x=rand:1081344) bytes = 8650752
// BENCH: exchange<false, 16>(x=rand:2162688) bytes = 17301504
// BENCH: exchange<true, 16>(x=rand:2162688) bytes = 17301504
// BENCH: exchange<false, 32>(x=rand:4325376) bytes = 34603008
// BENCH: exchange<true, 32>(x=rand:4325376) bytes = 34603008
// BENCH: top<1, 1>(x=rand:135168) bytes = 1081344
// BENCH: top<2, 1>(x=rand:135168) bytes = 1081344
// BENCH: top<4, 1>(x=rand:135168) bytes = 1081344
// BENCH: top<8, 1>(x=rand:135168) bytes = 1081344
// BENCH: top<16, 1>(x=rand:135168) bytes = 1081344
// BENCH: top<1, 4>(x=rand:540672) bytes = 4325376
// BENCH: top<2, 4>(x=rand:540672) bytes = 4325376
// BENCH: top<4, 4>(x=rand:540672) bytes = 4325376
// BENCH: top<8, 4>(x=rand:540672) bytes = 4325376
// BENCH: top<16, 4>(x=rand:540672) bytes = 4325376
// BENCH: tile_sum<4>(x=rand:135168) bytes = 1081344
// BENCH: tile_sum<8>(x=rand:135168) bytes = 1081344
// BENCH: tile_sum<16>(x=rand:135168) bytes = 1081344
// BENCH: tile_sum<32>(x=rand:135168) bytes = 1081344
// BENCH: reduce<warp_reductions, 128>(x=rand:67584) bytes = 540672
// BENCH: reduce<warp_reductions, 512>(x=rand:270336) bytes = 2162688
// BENCH: reduce<warp_reductions, 1024>(x=rand:540672) bytes = 4325376
// BENCH: reduce<warp_reductions_nondeterministic, 128>(x=rand:67584) bytes = 540672
// BENCH: reduce<warp_reductions_nondeterministic, 512>(x=rand:270336) bytes = 2162688
// BENCH: reduce<warp_reductions_nondeterministic, 1024>(x=rand:540672) bytes = 4325376
// BENCH: reduce<raking, 128>(x=rand:67584) bytes = 540672
// BENCH: reduce<raking, 512>(x=rand:270336) bytes = 2162688
// BENCH: reduce<raking, 1024>(x=rand:540672) bytes = 4325376
