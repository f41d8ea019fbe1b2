// The bytes of scratch memory follow arguments into functions, and each declaration has its own.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
struct Pair { a: u32; b: u32; fn sum -> u32 = self.a + self.b; }
fn inner<I: type>(it: I) { scratch t: f64[it.len]; t[0] = 1; }
fn outer(p: Pair, x: in f32[]) { inner(x.map(|v| v + 1)); scratch s: u8[p.sum, 2]; s[0, 0] = 1; }
kernel k(n: u32, x: in f32[n + 1]) launch(block = 32, grid = n) { outer(Pair(n, 3), x); inner(x[2..n]); }
// CHECK: "name": "k",
// CHECK: "scratch_bytes": "n 1 + u32 8 * 255 + 256 / 256 * n 3 + u32 2 * 1 * 255 + 256 / 256 * + n 2 - 8 * 255 + 256 / 256 * +",
