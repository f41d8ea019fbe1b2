// Members that are not there, and how CUDA called them.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(x: in f32[]) { let a = thread.w; let b = x.size; let c = 1.len; }
// CHECK: error: 'thread' has no member 'w' [no_member]
// CHECK: error: 'in f32[]' has no member 'size' [no_member]
