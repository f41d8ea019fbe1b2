// A struct with a wide vector lies at a multiple of 16 bytes in shared memory, and is read so; the code
// without the repair takes the vector for aligned to 64, and the processor refuses the address.
// REQUIRES: ckc, host
// RUN: %ckc run %s k x=iota:64 y=zeros:2x64 --print=y:4 --device=host %repair | FileCheck %s
// RUN: not %ckc run %s k x=iota:64 y=zeros:2x64 --device=host --no-repair=records
// CHECK: {{^}}y = {{.*}}63, 62, 61, 60
struct Wide { v: f64x8; n: i16; }
kernel k(x: in f64[64], y: inout f64[2, 64]) launch(block = 64, grid = 1)
{
    shared one: i64[2];
    shared all: Wide[64];
    if (thread.rank < 2) one[thread.rank] = 7;
    all[thread.rank] = Wide(f64x8(x[thread.rank]), 3);
    block.sync();
    let a = all[63 - thread.rank];
    block.sync();
    y[0, thread.rank] = a.v[3];
    y[1, thread.rank] = f64(one[thread.rank % 2]);
}
