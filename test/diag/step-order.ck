// A step in place may not read elements in another order than it writes them, nor write what its function reads.
// RUN: not %ckc %s --emit=manifest -o %t 2>&1 | FileCheck %s
algorithm there(n: u64, x: inout i32[n], y: inout i32[n]) {
    inclusive_scan(x, x, +);
    transform(x.reverse(), x.reverse(), |v| -v);
    transform(zip(x, y.reverse()), x, |p| p[0] - p[1]);
    inclusive_scan(x.reverse(), y, +);
}
algorithm back(n: u64, x: inout i32[n]) {
    inclusive_scan(x, x.reverse(), +);
}
// CHECK-NOT: step-order.ck:{{[4-7]}}:
// CHECK: step-order.ck:10:5: error: 'elements' of 'scan' reads what 'to' writes, 'x' [step_overlap]
