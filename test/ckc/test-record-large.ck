// The scalars of a large record are made, read and written in linear time: 16384 of them.
// RUN: %ckc test %s --device=host --timeout=5 | FileCheck %s
// CHECK: 1 passed, 0 failed
// RUN: timeout 5 %ckc run %s turned p=iota:2 --device=host --print=p --save=p:%t.npy > %t.txt
// RUN: timeout 5 %ckc run %s turned p=@%t.npy --device=host | FileCheck --check-prefix=READ %s
// READ: y = [255]
struct Page { at: u32; bytes: u8[16384]; }
kernel turned(n: u32, p: inout Page[n], y: out u32[1]) launch(block = 32, grid = 1)
{
    if (thread.x == 0) y[0] = u32(p[0].bytes[16383]);
    for (i in block.stride(16384)) p[0].bytes[i] = u8(i);
}
// CALL: turned(p=ones:1)
// EXPECT: y = 1
