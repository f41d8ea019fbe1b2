// A brace that is missing: the note says which one is open.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) {
    if (n > 1) {
}
// CHECK: error: unexpected the end of the file [expected]
// CHECK: 3:18: note: this '{' is open
