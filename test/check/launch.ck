// A launch contract is worked out from parameters and constants.
// RUN: %ckc %s --emit=manifest | FileCheck %s
kernel k<const B: u32 = 64>(n: u64, x: in f32[]) launch(block = (B, 2), grid = (ceil_div(n, B * 2), max(n, 1), x.len)) {}
// CHECK:      "launch": {"block": ["64", "2"], "grid": ["n 128 ceil_div", "n 1 max", "x.len"]}
