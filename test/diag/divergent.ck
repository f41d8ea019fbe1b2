// A condition that differs between threads decides about a barrier, through a function too.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn f() { block.sync(); }
kernel k(n: u32) { if (thread.x < n) f(); }
// CHECK: divergent.ck:4:24: error: not all threads of the block come to 'block.sync': this differs between threads [divergent]
// CHECK: divergent.ck:4:38: note: 'block.sync' is called here
// CHECK: divergent.ck:3:10: note: 'block.sync' is called here
// CHECK: divergent.ck:4:24: note: 'thread.x' differs between threads
