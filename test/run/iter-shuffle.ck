// shuffle(n, seed) gives each number below n once, in an order that the seed decides.
// RUN: %run-test %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// FOR: k in 1, 2, 3, 4, 5, 255, 256, 257, 1..5000
// FOR: s in 0, 1, 12345678901234
// CALL: counted(seed=s, seen=zeros:k)
// EXPECT: seen = 1
// CALL: differ(same=zeros:2)
// EXPECT: same = [1, 1]
kernel counted(n: u64, seed: u64, seen: inout u32[n]) launch(block = 128, grid = ceil_div(n, 128))
{
    for (i in grid.stride(n)) atomic.add(seen[shuffle(n, seed)[i]], 1);
}
kernel differ(same: out u32[2]) launch(block = 1, grid = 1)
{
    var (moved, other) = (0u32, 0u32);
    for (p in shuffle(1000, 1).zip(shuffle(1000, 2)).enumerate()) {
        if (p[0] != p[1][0]) moved++;
        if (p[1][0] != p[1][1]) other++;
    }
    same[0] = moved > 950 ? 1 : 0;
    same[1] = other > 950 ? 1 : 0;
}
