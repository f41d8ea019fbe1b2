// What another piece's function gives may differ between threads.
// RUN: not %ckc %s --emit=ptx --stop-after=uniform --target=sm_90 2>&1 | FileCheck %s
import fn theirs(x: i32) -> i32;
kernel k(x: inout i32[1])
{
    if (theirs(1) == 3) block.sync();
    if (block.uniform(theirs(2)) == 3) block.sync();
}
// CHECK: linked-function.ck:6:9: error: {{.*}} [divergent]
// CHECK: note: 'theirs(1)' differs between threads
// CHECK-NOT: error:
