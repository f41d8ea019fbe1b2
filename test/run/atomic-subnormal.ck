// On a GPU, sums of f32 in global memory take and give subnormals as zero; in shared memory they don't.
// REQUIRES: ckc, host
// RUN: %run-test %s
// TAGS: no_host
// CALL: add(x=[1e-39, 2e-38, 1], by=[2e-39, -1.5e-38, 1e-39], shared_too=zeros:3)
// EXPECT: x = [0, 0, 1]
// EXPECT: shared_too = x + by
// TOLERANCE: exact
kernel add(x: inout f32[3], by: in f32[3], shared_too: out f32[3]) launch(block = 3, grid = 1)
{
    shared part: f32[3];
    let i = thread.rank;
    part[i] = x[i];
    atomic.add(part[i], by[i]);
    shared_too[i] = part[i];
    atomic.add(x[i], by[i]);
}
