// Each way to rank digits gives the same places, and tells how many there are of each.
// REQUIRES: ckc, host
// RUN: %run-test %s
fn tell(all: inout u32[], counts: u32[1]) { if (thread.rank < 16) all[thread.rank] = counts[0]; }
kernel rank<const HOW: u32>(n: u32, wrong: out u32[1], all: inout u32[16], more: inout u32[16]) launch(block = 70, grid = 1)
{
    const IS_BLOCKED: bool = HOW == basic || HOW == memoize;
    let items = block.load(count<u32>(), 0, 3);
    let digits = [items[0] * 7 % 13, items[1] * 7 % 13, items[2] * 7 % 13];
    let stripes = block.exchange<blocked_to_warp_striped>(digits);
    let (up, before) = block.radix_rank_prefix<4>(stripes);
    var mine = IS_BLOCKED ? digits : stripes;
    let (r, p) = block.radix_rank_prefix<4, HOW>(mine, counts = |c| tell(all, c));
    let (s, q) = block.radix_rank_prefix<4, HOW>(mine, counts = |c| tell(more, c), descending = true, scan = raking);
    let wanted = IS_BLOCKED ? block.exchange<warp_striped_to_blocked>(up) : up;
    var off = u32(thread.rank < 16 && p[0] != before[0]);
    for (k in 0..3) {
        off += u32(wanted[k] != r[k]) + u32(block.radix_rank<4, HOW>(mine)[k] != r[k]);
        off += u32(block.radix_rank<4, HOW>(mine, descending = true)[k] != s[k]);
    }
    let sum = block.reduce<warp_reductions_nondeterministic>(off, +);
    if (thread.rank == 0) wrong[0] = sum + u32(q[0] != n - more[0]);
}
export rank<match>, rank<match_early_counts_any>, rank<basic>, rank<memoize>;
// CALL: rank<match>(n=210, wrong=zeros:1, all=zeros:16, more=zeros:16)
// EXPECT: wrong = [0]
// EXPECT: all = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// EXPECT: more = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// CALL: rank<match_early_counts_any>(n=210, wrong=zeros:1, all=zeros:16, more=zeros:16)
// EXPECT: wrong = [0]
// EXPECT: all = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// EXPECT: more = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// CALL: rank<basic>(n=210, wrong=zeros:1, all=zeros:16, more=zeros:16)
// EXPECT: wrong = [0]
// EXPECT: all = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// EXPECT: more = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// CALL: rank<memoize>(n=210, wrong=zeros:1, all=zeros:16, more=zeros:16)
// EXPECT: wrong = [0]
// EXPECT: all = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
// EXPECT: more = [sum(i * 7 % 13 == d for i in range(210)) for d in range(16)]
