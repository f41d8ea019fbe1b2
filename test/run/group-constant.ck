// A property of a group whose value is a constant is one: here the extent of an array.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: k(y=zeros:32)
// EXPECT: y = [8 * (31 - i) + 128 for i in range(32)]
fn block.bytes -> u32 = 4 * block.size;
kernel k(y: out u32[32]) launch(block = 32, grid = 1)
{
    shared t: u32[block.bytes];
    t[4 * thread.x] = 8 * thread.x;
    block.sync();
    y[thread.x] = t[4 * (31 - thread.x)] + block.bytes;
}
