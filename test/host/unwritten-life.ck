// A variable whose bytes another one has had before is unwritten all the same: a checked build has them apart, and an unchecked one together.
// RUN: not %ckc run %s k --device=host -check y=zeros:64 2>&1 | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s --check-prefix=BYTES
// RUN: %ckc %s --emit=manifest --target=host -check | FileCheck %s --check-prefix=APART
kernel k(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared tile: u32[64];
    shared sums: u32[64];
    tile[thread.x] = 1;
    block.sync();
    let v = tile[63 - thread.x];
    block.sync();
    y[thread.x] = v + sums[thread.x];
}
// CHECK: unwritten-life.ck:13:23: {{.*}} 'sums[thread.x]' reads what no thread has written so far of the shared variable 'sums'
// BYTES: "shared_bytes": 256
// APART: "shared_bytes": 512
