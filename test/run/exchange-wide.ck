// Exchanges of 16 bytes are one step: pairs that many threads change never mix.
// RUN: %run-test %s
// TAGS: sm_90
// CALL: pairs(x=[(0, 0)])
// EXPECT: x = [(1024, 3072)]
// CALL: swaps(x=[(0, 0, 0, 0), (9, 9, 9, 9)], seen=zeros:64)
// EXPECT: x = [(1, 2, 3, 4), (9, 9, 9, 9)]
// EXPECT: seen = where(arange(64) == 0, 0, 0)
kernel pairs(x: inout u64x2[1]) launch(block = 64, grid = 16)
{
    var seen = u64x2(0, 0);
    while (true) {
        let old = atomic.compare_exchange(x[0], seen, u64x2(seen.x + 1, seen.y + 3), order = acq_rel);
        if (old.x == seen.x && old.y == seen.y) break;
        seen = old;
    }
}
kernel swaps(x: inout u32x4[2], seen: inout u32[64]) launch(block = 64, grid = 1)
{
    let old = atomic.exchange(x[0], u32x4(1, 2, 3, 4));
    if (old.x + 1 != old.y && old.w != 0) seen[thread.x] = 1;        // never half of each
    let same = atomic.compare_exchange(x[1], u32x4(8, 9, 9, 9), u32x4(7));
    if (same.x != 9) seen[thread.x] = 2;
}
