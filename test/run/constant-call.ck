// A function called where a constant stands gives what it gives when the program runs.
// RUN: %run-test %s
fn gcd(a: u32, b: u32) -> u32 { var (x, y) = (a, b); while (y != 0) (x, y) = (y, x % y); return x; }
fn primes(n: u32) -> u32 {
    var found = 0u32;
    for (i in 2..n) {
        var is_prime = true;
        for (k in (2..i).step(1)) {
            if (k * k > i) break;
            if (i % k == 0) is_prime = false; else continue;
        }
        if (is_prime) found += 1; else assert(i > 3);
    }
    return found;
}
fn mix(x: i64) -> i64 { let y = x * 0x1e3779b97f4a7c15 ^ x >> 7; return y < 0 ? -y % 1000 : ~y & 255 | y << 60; }
fn bits(x: u32) -> u32 = clz(x) + 64 * ctz(x) + 4096 * popcount(x) + (brev(x) ^ bswap(x)) % 7;
fn f(x: f32) -> f32 { const LIFT = 0.1; return sqrt(x + LIFT) * 3.7 - floor(x / 0.3) + min(x, 2.5) - copysign(1, -x); }
fn fact<T: int>(n: T) -> T = n <= 1 ? 1 : n * fact(n - 1);
const table: u32[3] = [gcd(84, 36), primes(100), bits(0x00f0)];
const N = 32 - clz(max(5, 17u32) - 1);
static_assert(primes(20) == 8 && table[gcd(3, 2)] == 25 && bit_cast<u32>(f(1)) != 0, "known");
fn first<const K: u32 = ceil_div(100, 32) + 1>() -> u32 = K;
kernel k(n: u32, x: in u32[n], y: out u32[8], z: out i64[2], w: out f32[2]) launch(block = max(N, 32), grid = 1)
{
    const M = mix(-3);
    shared s: u32[block.size - u32(abs(i32(-2)))];
    var v: u32[gcd(12, 8)];
    comptime if (fact(5u32) == 120) v[0] = block.reduce(u32(1), +);
    if (thread.x > 0) return;
    (y[0], y[1], y[2], y[3]) = (table[0], table[1], table[2], N);
    (y[4], y[5], y[6], y[7]) = (gcd(x[0], x[1]) - table[0], primes(x[2]) - table[1], bits(x[3]) - table[2], first() + v[0] + first<fact(3u32)>());
    (z[0], z[1]) = (M - mix(-i64(x[4])), M);
    const W = f(1.25f32);
    (w[0], w[1]) = (W - f(f32(x[4]) - 1.75), f32(s.len) + f32((1, 2, 7)[gcd(9, 6) - 1]));
}
// CALL: k(x=[84, 36, 100, 240, 3])
// EXPECT: y = [12, 25, 16667, 5, 0, 0, 0, 43]
// EXPECT: z = [0, -2305843009213693759]
// EXPECT: w = [0, 37]
