// In a checked build, threads race at a byte of a union whatever the parts' names are, and bytes that no part was written through are unwritten.
// RUN: not %ckc run %s race --device=host -check y=zeros:64 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %ckc run %s unwritten --device=host -check y=zeros:64 2>&1 | FileCheck %s
kernel race(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { words: u32[64]; bytes: u8[256]; }
    words[thread.x] = 1;
    y[thread.x] = bytes[thread.x];
}
// RACE: shared-union.ck:8:19:
// RACE-SAME: 'bytes[thread.x]'
kernel unwritten(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared union { words: u32[64]; bytes: u8[64]; }
    bytes[thread.x] = 1;
    block.sync();
    y[thread.x] = words[thread.x];
}
// CHECK: shared-union.ck:17:19: {{.*}}[16,0,0] 'words[thread.x]' reads what no thread has written so far of the shared variable 'words'
