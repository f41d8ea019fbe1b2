// Shared memory whose bytes another variable had, or the same one in an earlier call or round, starts unwritten.
// RUN: not %ckc run %s blocks --device=host -check 2>&1 | FileCheck %s
// RUN: not %ckc run %s calls --device=host -check 2>&1 | FileCheck --check-prefix=CALL %s
// RUN: not %ckc run %s rounds --device=host -check 2>&1 | FileCheck --check-prefix=ROUND %s
kernel blocks(y: out u32[64]) launch(block = 64, grid = 1)
{
    { shared first: u32[64]; first[thread.x] = 1; y[thread.x] = first[thread.x]; }
    { shared second: u32[64]; y[thread.x] = second[thread.x]; }
}
// CHECK: unwritten-again.ck:8:45: {{.*}} 'second[thread.x]' reads what no thread has written so far of the shared variable 'second'
fn last(is_filled: bool) -> u32 {
    shared all: u32[64];
    if (is_filled) all[thread.x] = thread.x;
    block.sync();
    return all[63];
}
kernel calls(y: out u32[64]) launch(block = 64, grid = 1) { y[thread.x] = last(true) + last(false); }
// CALL: 'all[63]' reads what no thread has written so far of the shared variable 'all'
kernel rounds(y: out u32[64]) launch(block = 64, grid = 1)
{
    for (r in 0..2) {
        shared s: u32[64];
        if (r == 0) s[thread.x] = 1;
        block.sync();
        y[thread.x] = s[thread.x ^ 1];
        block.sync();
    }
}
// ROUND: 's[thread.x ^ 1]' reads what no thread has written so far of the shared variable 's'
