// A struct holds a span or a function through its compile-time parameters: iterators.
// RUN: %run-test %s
// CALL: k(x=iota:6, y=zeros:6, z=zeros:6)
// EXPECT: z = [30, 15, 6, 1, 2, 5]
// EXPECT: y = [0, 0, 5, 6, 8, 10]
struct Map<I: type, F: fn> {
    it: I; f: F;
    fn len -> u64 = self.it.len;
    fn [](i: u64) = self.f(self.it[i]);
}
struct Strided<I: type> {
    it: I; k: u64;
    fn len -> u64 = self.it.len / self.k;
    fn [](i: u64) = self.it[i * self.k];
}
fn []=<I: type, T: type>(s: Strided<I>, i: u64, v: T) { s.it[i * s.k] = v; }
struct Count<T: number> { from: T; fn [](i: u64) -> T = self.from + T(i); }
struct Gather<I: type, J: type> { it: I; at: J; fn [](i: u64) = self.it[self.at[i]]; }
fn map<I: type, F: fn>(it: I, f: F) -> Map<I, F> = Map(it, f);
fn strided<I: type>(it: I, k: u64) -> Strided<I> = Strided(it, k);
fn total<I: type>(it: I) -> f32 { var s = 0.0; for (i in 0..it.len) s += it[i]; return s; }
kernel k(n: u64, x: in f32[n], y: inout f32[n], z: out f32[6]) launch(block = 1, grid = 1)
{
    let a = 2.0;
    let m = x.map(|v| v * a);
    z[0] = total(m);
    z[1] = total(m.map(|v| v + 1).strided(2));
    z[2] = f32(m.len);
    z[3] = Count(3)[4] == 7 ? 1 : 0;
    z[4] = Gather(x, Count(0))[2];
    z[5] = total(x[1..3].map(|v| v * v));
    for (i in 0..n) if (m[i] > 3) y[i] = m[i];
    let s = y.strided(2);
    s[1] += 1.0;
}
