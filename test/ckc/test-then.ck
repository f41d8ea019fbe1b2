// THEN is one more launch on the arrays of the launches before: shared by name, or left out; EXPECT sees them all.
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 7 passed, 0 failed
struct P { lo: i32; hi: f32; }
kernel scale(n: u32, a: f32, x: in f32[n], y: out f32[n]) launch(block = 1, grid = 1) { for (i in 0..n) y[i] = a * x[i]; }
kernel raise(n: u32, by: f32, z: inout f32[n]) launch(block = 1, grid = 1) { for (i in 0..n) z[i] += by; }
kernel pair(n: u32, m: u32, p: inout P[n], z: in f32[m]) launch(block = 1, grid = 1) { for (i in 0..n) p[i].hi += z[i]; }
algorithm total(n: u64, z: in f32[n]) -> f32 = reduce(z, |a, b| a + b, 0.0);
// FOR: k in 1, 7
// CALL: scale(a=2, x=rand:k)
// EXPECT: y = 2 * x
// THEN: raise(by=1, z=y)
// EXPECT: z = y + 1
// EXPECT: y = 2 * x + 1
// THEN: raise(by=2)
// EXPECT: z = 2 * x + 3
// EXPECT: x = rand:k
// CALL: scale(a=3, x=[1, 2, 3])
// THEN: scale(x=y)
// EXPECT: y = 3 * x
// EXPECT: x = [3, 6, 9]
// CALL: pair(p=[{lo: 1, hi: 2}, {lo: 3, hi: 4}], z=[1, 2])
// THEN: scale(a=2, x=z + p.hi)
// EXPECT: y = [8, 16]
// THEN: pair(z=y, p=p)
// EXPECT: p = [{lo: 1, hi: 11}, {lo: 3, hi: 22}]
// EXPECT: p[1].hi = 6 + z[1]
// CALL: total(z=[1, 2, 3])
// EXPECT: result = 6
// THEN: scale(a=result, x=z)
// EXPECT: y = [6, 12, 18]
// THEN: total(z=y)
// EXPECT: result = 36
// CALL: scale(a=2, x=[1, 2])
// THEN: pair(p=zeros:2, z=x, n=3)
// EXPECT-ERROR: 'p' has 2 elements
// CALL: scale(a=2, x=[1, 2])
// THEN: pair(p=x, z=[1])
// EXPECT-ERROR: 'p
