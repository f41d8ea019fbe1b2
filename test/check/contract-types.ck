// What a type does to an operation before the launch stands in the manifest; names of operations may be parameters.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
enum Mode { A, B }
kernel a(n: u32, m: u32, x: in f32[n * m, n / m, n % m, n << m]) {}
kernel b(n: i64, m: i64, x: in f32[n / m, n / 4, ceil_div(n, m), ceil_div(n, 4)]) {}
kernel c(n: u32, m: i32, x: in f32[~n, ~m, -m, n >> 3]) {}
kernel d(n: u32, m: i32, x: in f32[u8(n), u64(n), u64(m), i64(n)]) {}
kernel e(min: u32, neg: u32, i: bool, x: in f32[max(min, neg), i ? 1 : 2]) {}
kernel f(m: Mode, n: u64, x: in f32[m == Mode.B ? 1 : 2, min(n, ~0u64)]) {}
fn twice(n: u32) -> u32 = n * 2;
kernel g(x: in f32[twice(4)]) {}
// CHECK: "extents": ["n m * u32", "n m /", "n m %", "n m 31 & << u32"]
// CHECK: "extents": ["n m / i64", "n 4 /", "n m ceil_div i64", "n 4 ceil_div"]
// CHECK: "extents": ["n 4294967295 ^", "m ~", "m neg i32", "n 3 >>"]
// CHECK: "extents": ["n u8", "n", "m u64", "n"]
// CHECK: "extents": ["@min @neg max", "i 1 2 ?:"]
// CHECK: "extents": ["m 1 == 1 2 ?:", "n 18446744073709551615 min"]
// CHECK: "extents": ["8"]
