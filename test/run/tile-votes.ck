// Tiles of a warp vote, match and reduce for themselves, several times behind a barrier of the block in a loop.
// RUN: %run-test %s
kernel votes(rounds: u32, x: in u32[256], wrong: inout u32[64]) launch(block = 64, grid = 1)
{
    let t = warp.tile<16>;
    for (k in 0..rounds) {
        let v = x[(thread.rank + k * 64) % 256];
        block.sync();
        let votes = (t.ballot((v & 1) == 0), t.ballot((v & 2) == 0), t.ballot((v & 4) == 0));
        let flags = (t.any(v < 3), t.all(v < 250), t.match_all(v & 8), t.match_any(v & 3), t.match_any(v & 1));
        let sums = (t.sum(v & 15), t.min(v), t.or(v & 7));
        var own = (0u32, 0u32, 0u32);            // the same, lane by lane
        var same = (false, true, true, 0u32, 0u32);
        var all = (0u32, ~0u32, 0u32);
        for (l in 0u32..16) {
            let w = t.shuffle(v, l);
            own = (own[0] | u32((w & 1) == 0) << l, own[1] | u32((w & 2) == 0) << l, own[2] | u32((w & 4) == 0) << l);
            same = (same[0] || w < 3, same[1] && w < 250, same[2] && (w & 8) == (v & 8), same[3] | u32((w & 3) == (v & 3)) << l, same[4] | u32((w & 1) == (v & 1)) << l);
            all = (all[0] + (w & 15), min(all[1], w), all[2] | w & 7);
        }
        same[2] = t.ballot(same[2]) == 0xffff;
        wrong[thread.rank] += u32(votes != own) + 2 * u32(flags != same) + 4 * u32(sums != all);
    }
}
// CALL: votes(rounds=1, x=rand:256, wrong=zeros:64)
// EXPECT: wrong = [0] * 64
// CALL: votes(rounds=4, x=rand:256:2, wrong=zeros:64)
// EXPECT: wrong = [0] * 64
// CALL: votes(rounds=4, x=[i % 2 * 8 + i // 16 * 32 for i in range(256)], wrong=zeros:64)
// EXPECT: wrong = [0] * 64
// CALL: votes(rounds=4, x=[i // 16 for i in range(256)], wrong=zeros:64)
// EXPECT: wrong = [0] * 64
