// A number by which a function of the block or warp decides how it goes on is the same in all threads.
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
fn sort(keys: u32[2], bits: u32) -> u32[2] = block.radix_sort(keys, end_bit = bits);
kernel k(n: u32, x: inout u32[128]) launch(block = 64, grid = 1)
{
    var v = [x[thread.rank], x[thread.rank + 64]];
    v = block.radix_sort(v, begin_bit = n, end_bit = block.uniform(x[0]));
    v = sort(v, n);
    v[0] = block.reduce_to(n, v[0], +) + warp.shuffle(v[0], thread.rank);
    v = block.radix_sort(v, end_bit = x[0]);
    v = block.radix_sort(v, v, begin_bit = thread.rank % 32)[0];
    v = sort(v, warp.lane);
    v[0] = block.reduce_to(thread.x, v[0], +);
    (x[thread.rank], x[thread.rank + 64]) = (v[0], v[1]);
}
// CHECK-NOT: error:
// CHECK: library-options.ck:10:39: error: this differs between threads, and decides whether 'block.sync' is reached by its block [divergent_argument]
// CHECK: note: 'block.sync' is called here
// CHECK: hint: If it is the same in the block, say so: block.uniform(...).
// CHECK: library-options.ck:11:44: error: this differs between threads, and decides whether 'block.sync' is reached by its block [divergent_argument]
// CHECK-NOT: hint:
// CHECK: library-options.ck:12:17: error: this differs between threads, and decides whether 'block.sync' is reached by its block [divergent_argument]
// CHECK: library-options.ck:13:28: error: this differs between threads, and decides whether 'warp.{{.*}}' is reached by its warp [divergent_argument]
// CHECK-NOT: error:
