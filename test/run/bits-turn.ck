// Rotations and funnel shifts by any amount: what lies beyond the width counts modulo it.
// RUN: %run-test %s
// FOR: v in 1, 1311768467463790320, 18364758544493064720
// CALL: k(a=v, l=zeros:200, r=zeros:200, fl=zeros:200, fr=zeros:200)
// EXPECT: l = [u64(v << n % 64) + (v >> 64 - n % 64) for n in range(200)]
// EXPECT: r = [(v >> n % 64) + u64(v << 64 - n % 64) for n in range(200)]
// EXPECT: fl = [u64(v << n % 64) + (2**64 - 1 - v >> 64 - n % 64) for n in range(200)]
// EXPECT: fr = [(2**64 - 1 - v >> n % 64) + u64(v << 64 - n % 64) for n in range(200)]
kernel k(a: u64, l: out u64[200], r: out u64[200], fl: out u64[200], fr: out u64[200])
    launch(block = 200, grid = 1)
{
    let n = thread.rank;
    l[n] = rotate_left(a, n);
    r[n] = rotate_right(a, n);
    fl[n] = funnel_left(a, ~a, n);
    fr[n] = funnel_right(a, ~a, n);
}
