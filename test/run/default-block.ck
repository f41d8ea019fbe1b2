// A default is worked out where an argument is left out: in the block there, by all of its threads.
// REQUIRES: ckc, host
// RUN: %run-test %s
fn reversed(v: u32) -> u32 {
    shared all: u32[block.size];
    all[thread.rank] = v;
    block.sync();
    return all[block.size - 1 - thread.rank];
}
struct Before { n: u32 = reversed(thread.rank); }
fn given(a: u32 = reversed(thread.rank)) -> u32 { return a; }
// CALL: a(y=zeros:8)
// EXPECT: y = [(7 - i) * 3 for i in range(8)]
kernel a(y: out u32[8]) launch(block = 8, grid = 1) { y[thread.rank] = given() + Before().n + After().n; }
// CALL: b(y=zeros:4)
// EXPECT: y = [(3 - i) * 3 for i in range(4)]
kernel b(y: out u32[4]) launch(block = 4, grid = 1) { y[thread.rank] = given() + Before().n + After().n; }
struct After { n: u32 = reversed(thread.rank); }
