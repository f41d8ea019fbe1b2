// block.size and block.dim are constants where launch(block = ...) is one: in functions too, which
// are compiled for each block that they are called in.
// REQUIRES: ckc, host
// RUN: %run-test %s
fn reversed<T: type>(v: T) -> T {
    shared all: T[block.size];
    const LAST = block.size - 1;
    static_assert(LAST < 1024);
    all[thread.rank] = v;
    block.sync();
    return all[LAST - thread.rank];
}
fn twice(v: u32) -> u32 = 2 * reversed(v);              // has no <...>, and needs the size as well
fn columns() -> u32 { comptime if (block.dim.y == 1) return 1; else return block.dim.x; }
// CALL: flat(y=zeros:48)
// EXPECT: y = [2 * (47 - i) + 1 for i in range(48)]
kernel flat(y: out u32[48]) launch(block = 48, grid = 1) { y[thread.rank] = twice(thread.rank) + columns(); }
// CALL: deep(y=zeros:16)
// EXPECT: y = [2 * (15 - i) + 4 for i in range(16)]
kernel deep(y: out u32[16]) launch(block = (4, 2, 2), grid = 1) { y[thread.rank] = twice(thread.rank) + columns(); }
// CALL: any<8>(y=zeros:8)
// EXPECT: y = [2 * (7 - i) + 1 for i in range(8)]
kernel any<const N: u32>(y: out u32[N]) launch(block = N, grid = 1) { y[thread.rank] = twice(thread.rank) + columns(); }
export any<8>;
