// spread.ck - the minimum and the maximum of an array in one pass: a reduction with a user-defined
// function.
// FOR: n in 1, 255, 100000
// CALL: spread(x=rand:n:1:-5..5)
// EXPECT: result = {lo: x.min(), hi: x.max()}
// CALL: spread(x=[3, -1, 2])
// EXPECT: result = {lo: -1, hi: 3}
// CALL: spread(x=zeros:0)
// EXPECT: result = {lo: inf, hi: -inf}
struct MinMax { lo: f32; hi: f32; }
algorithm spread(n: u64, x: in f32[n]) -> MinMax =
    reduce(x.map(|v| MinMax(v, v)), |a, b| MinMax(min(a.lo, b.lo), max(a.hi, b.hi)), MinMax(inf, -inf));
