// The manifest has each kernel with its parameters.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
kernel k(n: u64, a: f32, p: bool, x: in f32[n, 4], y: inout f64[]) { shared t: f32[8]; if (n > 1) block.sync(); }
// CHECK:      "manifest": 1
// CHECK:      "target": "sm_90"
// CHECK:      "name": "k"
// CHECK:      "symbol": "k"
// CHECK:      "line": 3
// CHECK:      {"name": "n", "kind": "scalar", "type": "u64"}
// CHECK:      {"name": "p", "kind": "scalar", "type": "bool"}
// CHECK:      {"name": "x", "kind": "span", "type": "f32", "access": "in", "extents": ["n", "4"]}
// CHECK:      {"name": "y", "kind": "span", "type": "f64", "access": "inout"}
// CHECK:      "shared_bytes": 32
// CHECK:      "coroutine": false
