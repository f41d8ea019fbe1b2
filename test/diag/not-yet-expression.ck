// Lists say that they are not there yet.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) { let a = [1,
    2]; }
// CHECK: error: list: this version
