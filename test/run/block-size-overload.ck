// Who asks for the block's size in a body that was only looked at for another block is asked again.
// REQUIRES: ckc, host
// RUN: %run-test %s
fn f(a: i32) -> u32 = 1u32;
fn f(a: f32) -> u32 { return block.size; }
// CALL: first(y=zeros:1)
// EXPECT: y = [1]
kernel first(y: out u32[1]) launch(block = 64, grid = 1) { if (thread.rank == 0) y[0] = f(1i32); }
// CALL: second(y=zeros:1)
// EXPECT: y = [32]
kernel second(y: out u32[1]) launch(block = 32, grid = 1) { if (thread.rank == 0) y[0] = f(1.0f32); }
// CALL: third(y=zeros:1)
// EXPECT: y = [64]
kernel third(y: out u32[1]) launch(block = 64, grid = 1) { if (thread.rank == 0) y[0] = f(1.0f32); }
