// What others call a member of a group is told, or put right; so are names that many write.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(z: inout i32[64], x: out u32[64]) launch(block = 32, grid = 2) {
    let a = atomic.cas(z[0], 0, 1);
    let b = atomic.fetch_add(z[0], 1);
    x[grid.x] = block.x;
    x[thread_id.x] = warp.id;
    x[lane] = get_global_id(0);
    let p = null;
    let t = clock();
}
// CHECK: 4:20: error: 'atomic' has no member 'cas'
// CHECK: fix: write 'compare_exchange' instead
// CHECK: 5:20: error: 'atomic' has no member 'fetch_add'
// CHECK: fix: write 'add' instead
// CHECK: 6:12: error: 'grid' has no member 'x'
// CHECK: hint: The thread's number in the grid is grid.thread_rank; blocks along x are grid.dim.x.
// CHECK: 6:23: error: 'block' has no member 'x'
// CHECK: hint: The block's place is block.id.x, its extent block.dim.x; the thread's place in it is thread.x.
// CHECK: 7:7: error: 'thread_id' is not declared
// CHECK: fix: write 'thread' instead
// CHECK: 7:27: error: 'warp' has no member 'id'
// CHECK: fix: write 'rank' instead
// CHECK: 8:7: error: 'lane' is not declared
// CHECK: hint: Did you mean 'warp.lane'?
// CHECK: 8:15: error: 'get_global_id' is OpenCL
// CHECK: hint: The thread's number in the grid is grid.thread_rank.
// CHECK: 9:13: error: 'null' is C++
// CHECK: hint: A pointer to nowhere is ptr<f32>(0).
// CHECK: 10:13: error: 'clock' is not declared
// CHECK: hint: The multiprocessor's clock is read by clock64(), in cycles.
// CHECK-NOT: fix:
