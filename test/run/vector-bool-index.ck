// A component of a vector of bool at an index that is not constant; what is taken decides something.
// RUN: %run-test %s
// CALL: k(x=iota:64, y=zeros:64)
// EXPECT: y = where(x % 2 == 0, 7, 9)
kernel k(x: in u32[64], y: out i32[64]) launch(block = 64, grid = 1)
{
    shared masks: boolx2[64];
    let i = thread.x;
    masks[i] = boolx2(x[i] % 2 == 0);
    block.sync();
    let mask = masks[(i + 2) % 64];
    block.sync();
    y[i] = boolx2(mask.x, mask.y)[(x[i] * x[i]) % 2] ? 7 : 9;
    if (warp.ballot(boolx3(i > 100)[i % 3]) != 0) y[i] = 0;
}
