// The hint of a choice stands where `if` follows on the same line; a missing ';' before the next line's `if` is that alone.
// RUN: split-file %s %t
// RUN: not %ckc %t/line.ck --stop-after=check 2>&1 | FileCheck %s
// RUN: not %ckc %t/next.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=NEXT --implicit-check-not=hint:
//--- line.ck
kernel k(n: u32, x: inout f32[1]) {
    let s = 1.0 if n > 1 else 2.0;
}
// CHECK: :2:16: error: expected ';'
// CHECK: hint: A choice is written condition ? a : b.
//--- next.ck
kernel k(n: u32, x: inout f32[1]) {
    var s = 0.0
    if (n > 1) s = 1;
    x[0] = s;
}
// NEXT: :2:16: error: expected ';' [expected]
// NEXT: fix: write ';' here
