// A group's method that comes to a convergent asm is called by the group together; others may differ.
// RUN: not %ckc %s --target=sm_80 --stop-after=uniform 2>&1 | FileCheck %s
fn warp.first(v: u32) -> u32 = asm<u32>("shfl.sync.idx.b32 $0, $1, 0, 31, -1;", v, convergent = true);
fn warp.clock() -> u32 = asm<u32>("mov.u32 $0, %clock;", volatile = true);
fn indirectly(v: u32) -> u32 = warp.first(v);
kernel k(y: out u32[32]) launch(block = 32, grid = 1)
{
    let i = thread.rank;
    if (i < 7) y[0] = warp.clock();
    if (i < 8) y[1] = warp.first(i);
    if (i < 9) y[2] = indirectly(i);
    y[3] = indirectly(i);
}
// CHECK: asm.ck:[[#@LINE-4]]:9: error: not all threads of the warp come to 'warp.first': this differs between threads
// CHECK: asm.ck:[[#@LINE-4]]:9: error: not all threads of the warp come to 'warp.first': this differs between threads
// CHECK-NOT: error:
