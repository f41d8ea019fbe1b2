// Threads that return early do not come to what follows.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(n: u64, x: inout f32[n])
{
    let i = grid.thread_rank;
    block.sync();
    if (i >= n) return;
    block.sync();
}
// CHECK: return.ck:7:9: error: not all threads of the block come to 'block.sync': this differs between threads [divergent]
// CHECK: return.ck:7:17: note: those for which it holds leave here
// CHECK: return.ck:8:5: note: 'block.sync' is called here
// CHECK: return.ck:5:9: note: 'i' gets its value here
// CHECK: return.ck:5:13: note: 'grid.thread_rank' differs between threads
// CHECK: hint: Let all threads come to it: none may leave before it.
// CHECK-NOT: error
