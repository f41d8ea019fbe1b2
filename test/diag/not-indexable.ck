// Spans and arrays are indexed, nothing else.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { let a = n[0]; }
// CHECK: error: 'u32' can't be indexed [not_indexable]
