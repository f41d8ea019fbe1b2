// Scans over a block: a value a thread, by each algorithm.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: scan<16,8,1>(y=zeros:128x5)
// EXPECT: y = [[i * (i + 1) // 2, i * (i - 1) // 2, i * (i + 1) // 2 + 5, i * (i - 1) // 2 + 128 * 127 // 2, 128 * 127 // 2] for i in range(128)]
// CALL: scan<5,3,2>(y=zeros:30x5)
// EXPECT: y = [[i * (i + 1) // 2, i * (i - 1) // 2, i * (i + 1) // 2 + 5, i * (i - 1) // 2 + 30 * 29 // 2, 30 * 29 // 2] for i in range(30)]
// CALL: scan<320,1,2>(y=zeros:640x5)
// EXPECT: y = [[i * (i + 1) // 2, i * (i - 1) // 2, i * (i + 1) // 2 + 5, i * (i - 1) // 2 + 640 * 639 // 2, 640 * 639 // 2] for i in range(640)]
kernel scan<const X: u32, const Y: u32, const Z: u32>(y: out u64[X * Y * Z, 5])
    launch(block = (X, Y, Z), grid = 1)
{
    let i = thread.rank;
    y[i, 0] = block.inclusive_scan(u64(i), +);
    let (before, total) = block.exclusive_scan_total<warp_scans>(u64(i), +);
    y[i, 1] = before;
    y[i, 2] = block.inclusive_scan<raking>(u64(i), |a, b| a + b, init = 5);
    y[i, 3] = block.exclusive_scan<raking_memoize>(u64(i), +, prefix = |t| t);
    y[i, 4] = total;
}
export scan<16, 8, 1>, scan<5, 3, 2>, scan<320, 1, 2>;
