// A checked build on the host tells the bytes of a word apart once one of them is accessed alone.
// RUN: %ckc run %s apart --device=host -check y=zeros:8 --print=y | FileCheck %s
// RUN: not %ckc run %s whole --device=host -check y=zeros:8 2>&1 | FileCheck --check-prefix=WHOLE %s
// RUN: not %ckc run %s part --device=host -check y=zeros:8 2>&1 | FileCheck --check-prefix=PART %s
kernel apart(y: out u32[8]) launch(block = 8, grid = 1)
{
    shared union { words: u32[2]; bytes: u8[8]; }
    if (thread.x < 2) words[thread.x] = 7;
    block.sync();
    bytes[thread.x] = 1;
    block.sync();
    y[thread.x] = words[thread.x / 4];
}
// CHECK: y = [16843009, 16843009,

kernel whole(y: out u32[8]) launch(block = 8, grid = 1)
{
    shared union { words: u32[2]; bytes: u8[8]; }
    bytes[thread.x] = 1;
    if (thread.x == 6) y[0] = words[1];
}
// WHOLE: race-parts.ck:20:31: block: [0,0,0], thread: [6,0,0] race: 'words[1]' reads 'words', which thread [{{[457]}},0,0] writes by 'bytes[thread.x]' at {{.*}}race-parts.ck:19:5

kernel part(y: out u32[8]) launch(block = 8, grid = 1)
{
    shared union { words: u32[2]; bytes: u8[8]; }
    if (thread.x < 2) words[thread.x] = 7;
    if (thread.x == 1) y[0] = bytes[3];
}
// PART: race-parts.ck:28:31: block: [0,0,0], thread: [1,0,0] race: 'bytes[3]' reads 'bytes', which thread [0,0,0] writes by 'words[thread.x]' at {{.*}}race-parts.ck:27:23
