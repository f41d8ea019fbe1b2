// A kernel does not take the name of a function that code calls by itself.
// RUN: not %ckc %s --stop-after=gen 2>&1 | FileCheck %s
kernel memset(x: inout f32[4]) { for (i in 0..4) x[i] = 0.0; }
// CHECK: error: 'memset' and 'memset' come to the same symbol [symbol_clash]
