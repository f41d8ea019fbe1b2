// A checked block marks a shared variable as unwritten once after each barrier, however many threads pass
// its declaration: two variables of 64 KB, whose addresses agree in their low bits, take no minute.
// RUN: %ckc test %s --device=host -check --timeout=15 | FileCheck %s
// RUN: not %ckc run %s late --device=host -check 2>&1 | FileCheck %s --check-prefix=LATE
kernel rounds(count: u32, y: inout u32[512]) launch(block = 512, grid = 1)
{
    for (r in 0u32..count) {
        shared a: u32[16384];
        shared b: u32[16384];
        a[thread.x * 32] = thread.x;
        b[thread.x * 32] = a[thread.x * 32] + r;
        block.sync();
        y[thread.x] += b[(thread.x ^ 1) * 32];
        block.sync();
    }
}
// CALL: rounds(count=200, y=zeros:512)
// EXPECT: y = 200 * (arange(512) ^ 1) + 19900
// CHECK: 1 passed, 0 failed
kernel late(y: out u32[64]) launch(block = 64, grid = 1)
{
    for (r in 0..2) {
        shared a: u32[16384];
        shared b: u32[16384];
        a[thread.x] = 7;
        if (r == 0) b[thread.x] = a[thread.x];
        block.sync();
        y[thread.x] = b[thread.x ^ 1];
        block.sync();
    }
}
// LATE: 'b[thread.x ^ 1]' reads what no thread has written so far of the shared variable 'b'
