// The manifest has each launch of an algorithm as a kernel with the algorithm's parameters: under which
// condition it is launched, in which loops, and with which memory.
// RUN: %ckc %s --emit=manifest --target=sm_90 > %t
// RUN: FileCheck %s < %t
// RUN: %python %top/test/output/manifest/Inputs/validate.py %top/docs/manifest.schema.json %t
fn f(x: inout f32[], y: inout f32[], k: u32) { if (grid.thread_rank < x.len) x[grid.thread_rank] += y[0] + f32(k); }
fn g(w: inout u64[], x: inout f32[]) { x[0] += f32(w[0]); }
algorithm a(n: u64, m: u32, x: inout f32[n]) {
    scratch y: f32[n];
    scratch persistent w: u64[n / 2];
    if (n > 100) { for (i in 0..m) { launch f(block = 64, grid = (ceil_div(n, 64), 2), x, y, i); } }
    else { launch g(block = 32, grid = 1, w, x); }
}
// CHECK:      "name": "a.1.f",
// CHECK:      "launch": {"block": ["64", "1", "1"], "grid": ["n 64 ceil_div", "2"]},
// CHECK-NEXT: "scratch_bytes": "n 4 * 255 + 256 / 256 *",
// CHECK-NEXT: "condition": "n 100 >",
// CHECK-NEXT: "loops": [{"loop": {{[0-9]+}}, "from": "0", "to": "m"}],
// CHECK-NEXT: "kept_bytes": "256 n 2 / 8 * 255 + 256 / 256 * +",
// CHECK-NEXT: "kept_own": true,
// CHECK:      "name": "a.2.g",
// CHECK:      "launch": {"block": ["32", "1", "1"], "grid": ["1"]},
// CHECK:      "condition": "n 100 > !",
// CHECK:      "algorithms": [
// CHECK:      "name": "a",
// CHECK:      "steps": ["a.1.f", "a.2.g"]
