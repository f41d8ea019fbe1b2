// philox is Philox4x32-10: the known answers of its authors' Random123, and what the distributions make of it.
// RUN: %run-test %s
kernel words(seed: u64, s: u64, i: u64, y: out u32x4[1]) launch(block = 1, grid = 1) { y[0] = philox(seed, s, i); }
// CALL: words(seed=0, s=0, i=0)
// EXPECT: y = [[1713891541, 3781805453, 3159862348, 2600524760]]
// CALL: words(seed=18446744073709551615, s=18446744073709551615, i=18446744073709551615)
// EXPECT: y = [[1083123565, 1103641358, 2718681030, 1834242557]]
// CALL: words(seed=0x299f31d0a4093822, s=0x0370734413198a2e, i=0x85a308d3243f6a88)
// EXPECT: y = [[3513581065, 2499661035, 1342301216, 605187745]]
kernel sums(y: out f64[8]) launch(block = 256, grid = 1)
{
    var s: f64[8];
    for (i in 0u64..64) {
        let bits = philox(7, u64(thread.rank), i);
        let (u, n, e) = (f64(random_uniform(bits.x)), random_normal(bits), f64(random_exponential(bits.y)));
        let k = f64(random_below(bits.z, 10));
        let (a, b) = (f64(n.x), f64(n.w));
        s = [s[0] + u, s[1] + u * u, s[2] + a + b, s[3] + a * a + b * b, s[4] + e, s[5] + e * e, s[6] + k, s[7] + a * b];
    }
    let n = 64.0f64 * 256;
    unroll for (k in 0..8) {
        let total = block.reduce(s[k], +);
        if (thread.rank == 0) y[k] = total / n;
    }
}
// CALL: sums()
// EXPECT: y = [0.5, 0.33333, 0, 2, 1, 2, 4.5, 0]
// TOLERANCE: 0.1
kernel ends(y: out f64[6]) launch(block = 1, grid = 1)
{
    let (a, b) = (f64(random_uniform(0u32)), f64(random_uniform(~0u32)));
    (y[0], y[1]) = (a, b);
    y[2] = random_uniform(0u64);
    y[3] = random_uniform(~0u64);
    y[4] = f64(random_below(~0u32, 6));
    y[5] = f64(random_below(~0u32, 0));
}
// CALL: ends()
// EXPECT: y = [2 ** -33, 1, 2 ** -54, 1, 5, 0]
// TOLERANCE: exact
