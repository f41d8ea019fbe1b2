// A FOR variable takes every number that a CALL takes, exactly; reports have all its digits.
// REQUIRES: ckc, host
// RUN: not %ckc test --device=host %s 2>&1 | FileCheck %s --match-full-lines
kernel keep(v: u64, y: out u64[1]) launch(block = 1, grid = 1) { y[0] = v; }
kernel lowest(v: i64, y: out i64[1]) launch(block = 1, grid = 1) { y[0] = v; }
kernel float(v: f64, y: out f64[1]) launch(block = 1, grid = 1) { y[0] = v; }
// FOR: v in 2**62, 2**63, 2**64 - 1
// CALL: keep(v=v)
// EXPECT: y = v
// FOR: v in 2**63 + 1
// CALL: keep(v=v)
// EXPECT: y = 9223372036854775809
// FOR: v in 2**63..2**63 + 2
// CALL: keep(v=v)
// EXPECT: y = v
// FOR: v in -2**63, 2**63 - 1
// CALL: lowest(v=v)
// EXPECT: y = v
// FOR: v in inf, -inf, nan, 1e300, 0.1, 2.2250738585072011e-308
// CALL: float(v=v)
// EXPECT: y = v
// CALL: keep(v=0xff)
// EXPECT: y = 0b11111111
// FOR: v in 9007199254740993, 0x10, 0.1
// CALL: float(v=v)
// EXPECT: y = 0x20
// CHECK-DAG: {{.*}}:26: on host with v = 9007199254740993: y[0]: expected 32, got 9007199254740992 (1 of 1 differ)
// CHECK-DAG: {{.*}}:26: on host with v = 16: y[0]: expected 32, got 16 (1 of 1 differ)
// CHECK-DAG: {{.*}}:26: on host with v = 0.1: y[0]: expected 32, got 0.1 (1 of 1 differ)
// CHECK-DAG: 15 passed, 3 failed
