// Load, sort, exchange, scan, discontinuity and store follow each other in one kernel.
// REQUIRES: ckc, host
// RUN: %run-test %s
// FOR: n in 1, 127, 384, 1000
// CALL: chain(x=rand:n:1:0..50, y=zeros:n, runs=zeros:n)
// EXPECT: y = np.concatenate([np.sort(x[i:i + 384]) for i in range(0, n, 384)])
// EXPECT: runs = np.concatenate([1 + np.cumsum([0, *(s[1:] != s[:-1])]) for i in range(0, n, 384) for s in [np.sort(x[i:i + 384])]])
// CALL: chain(x=rand:1000:2:0..9, y=zeros:1000, runs=zeros:1000) -check
// EXPECT: y = np.concatenate([np.sort(x[i:i + 384]) for i in range(0, 1000, 384)])
kernel chain(n: u64, x: in u32[n], y: out u32[n], runs: out u32[n])
    launch(block = 96, grid = ceil_div(n, 384))
{
    let base = block.rank * 384;
    let read = block.load<transpose>(x, base, 4, default = ~0u32);
    let sorted = block.radix_sort(read);
    let starts = block.heads(sorted, !=);               // where a run starts
    var ones: u32[4];
    unroll for (k in 0..4) ones[k] = u32(starts[k]);
    let number = block.inclusive_scan(ones, +);         // which run it is
    let striped_keys = block.exchange<blocked_to_striped>(sorted);
    block.store<striped>(y, base, striped_keys);
    block.store<transpose>(runs, base, number);
}
