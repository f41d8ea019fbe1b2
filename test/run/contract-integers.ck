// The launcher reads bools, large u64s, and parameters with the names of operations.
// RUN: %run-test %s
kernel flag(on: bool, x: out u32[on ? 3 : 2]) launch(block = 1, grid = 1) { x[0] = u32(x.len); }
kernel large(n: u64, x: out u32[min(n >> 62, ~0u64)]) launch(block = 1, grid = u32(n >> 62)) { x[0] = u32(x.len); }
kernel named(min: u32, x: out u32[min]) launch(block = 1, grid = max(min, 1)) { x[0] = u32(x.len); }
kernel narrow(n: u32, x: out u32[u8(n)]) launch(block = 1, grid = 1) { x[0] = u32(x.len); }
// CALL: flag(on=true, x=zeros:3)
// EXPECT: x=[3, 0, 0]
// CALL: large(n=18446744073709551615, x=zeros:3)
// EXPECT: x=[3, 0, 0]
// CALL: named(min=2, x=zeros:2)
// EXPECT: x=[2, 0]
// CALL: narrow(n=300, x=zeros:44)
// EXPECT-ERROR: 'x': its extent n overflows (n = 300)
