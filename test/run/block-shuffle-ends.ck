// Items moved by one place, and the one that leaves; scans from a value, with their total.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: ends<40,3>(n=120, y=zeros:120x8)
// EXPECT: y = [[max(i - 1, 0), n - 1, min(i + 1, n - 1), 0, 77 if i == 0 else i - 1, 88 if i == n - 1 else i + 1, i + 101, n] for i in range(n)]
// CALL: ends<1,2>(n=2, y=zeros:2x8)
// EXPECT: y = [[max(i - 1, 0), n - 1, min(i + 1, n - 1), 0, 77 if i == 0 else i - 1, 88 if i == n - 1 else i + 1, i + 101, n] for i in range(n)]
kernel ends<const B: u32, const N: u32>(n: u32, y: out u32[B * N, 8]) launch(block = B, grid = 1)
{
    let items = block.load(count<u32>(), 0, N);
    var ones: u32[N];
    for (k in 0..N) ones[k] = 1;
    let (up, last) = block.shuffle_up_last(items);
    let (down, first) = block.shuffle_down_first(items);
    let up_from = block.shuffle_up_last(items, before = 77)[0];
    let down_from = block.shuffle_down_first(items, after = 88)[0];
    let (upto, total) = block.inclusive_scan_total(ones, +, init = 100);
    let (before, same) = block.exclusive_scan_total(ones, +, init = 101);
    let (scalar, all) = block.exclusive_scan_total(N, +, init = 7);
    for (k in 0..N) {
        let i = thread.rank * N + k;
        (y[i, 0], y[i, 1], y[i, 2], y[i, 3]) = (up[k], last, down[k], first);
        (y[i, 4], y[i, 5], y[i, 6], y[i, 7]) = (up_from[k], down_from[k], upto[k], total);
        if (before[k] != upto[k] || same != total || scalar != thread.rank * N + 7 || all != total) y[i, 7] = 0;
    }
}
export ends<40, 3>, ends<1, 2>;
