// A step that launches kernels and must not write what it reads says so for spans of one parameter too.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s --implicit-check-not=error:
algorithm right(n: u64, x: inout i32[n], y: out i32[n]) { adjacent_difference(x.reverse(), y.reverse(), -); }
algorithm wrong(n: u64, x: inout i32[n]) {
    // CHECK: :[[#@LINE+2]]:5: error: 'elements' of 'adjacent_difference' reads what 'to' writes, 'x' [step_overlap]
    // CHECK: hint: It writes to other memory.
    adjacent_difference(x, x, -);
}
