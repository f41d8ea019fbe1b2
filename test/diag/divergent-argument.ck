// A function decides about a barrier by a parameter, and the argument differs between threads.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn g(n: u32) { if (n > 0) block.sync(); }
fn f(n: u32) { g(n + 1); }
kernel k(n: u32) { f(n); f(thread.x); }
// CHECK: divergent-argument.ck:5:28: error: this differs between threads, and decides whether 'block.sync' is reached by its block [divergent_argument]
// CHECK: divergent-argument.ck:3:27: note: 'block.sync' is called here
// CHECK-NOT: error
