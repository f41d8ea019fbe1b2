// An algorithm whose steps are launched reads by no iterator what it writes. In-place selections of
// spans have a cooperative step, those of other spans don't.
// RUN: not %ckc %s -DK=1 --stop-after=check 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not %ckc %s -DK=2 --stop-after=check 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %ckc %s -DK=3 --stop-after=check 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: %ckc %s --target=sm_90 --emit=manifest -o - | FileCheck %s
const K: u32 = 0;
algorithm place(n: u64, x: inout i32[n]) -> u64 = select(x[1..n], |v| v > 0, x);
algorithm other(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v > 0, y);
algorithm halves(n: u64, x: inout i32[n], y: out i32[n], flags: in u8[n]) -> u64 {
    comptime if (K == 1) return partition(x, |v| v < 0, x, y);
    comptime if (K == 2) return partition(x, |v| v < 0, y, y);
    comptime if (K == 3) return select_flagged(x, flags, x);
    return select(x, |v| v < 0, y);
}
// READ: error: 'items' of 'partition' reads what 'parts' writes, 'x' [step_overlap]
// TWICE: error: 'parts' of 'partition' reads what 'parts' writes, 'y' [step_overlap]
// FLAGS: error: 'pairs' of 'select_flagged' reads what 'items' writes, 'x' [step_overlap]
// CHECK: "name": "place.1.select_step"
// CHECK: "cooperative": true
// CHECK-NOT: select_step
// CHECK: "name": "other.2.split_tiles"
// CHECK-NOT: "cooperative": true
// CHECK: "condition": "n 131072 <="
