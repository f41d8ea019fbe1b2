// Bits, wrapping counters, compare and exchange, shared memory.
// RUN: %run-test %s
kernel bits<T: int>(n: u64, x: in T[n], y: inout T[8]) launch(block = 32, grid = ceil_div(n, 32))
{
    shared s: T;
    if (thread.rank == 0) s = 0;
    block.sync();
    let i = grid.thread_rank;
    if (i < n) {
        atomic.and(y[0], x[i]);
        atomic.or(y[1], x[i]);
        atomic.xor(y[2], x[i]);
        atomic.inc(y[3], 4);
        atomic.dec(y[4], 6);
        atomic.add(s, 1, scope = block);
    }
    block.sync();
    if (thread.rank == 0) {
        var old = atomic.load(y[5]);
        while (true) {
            let (seen, done) = atomic.try_exchange(y[5], old, old + atomic.load(s));
            if (done) break;
            old = seen;
        }
    }
}
export bits<u8>, bits<u16>, bits<u32>, bits<u64>;
// CALL: bits<u8>(x=[6, 14, 7, 22], y=[255, 0, 0, 0, 0, 0, 0, 0])
// EXPECT: y = [6, 31, 25, 4, 3, 4, 0, 0]
// CALL: bits<u16>(x=[6, 14, 7, 22], y=[255, 0, 0, 0, 0, 0, 0, 0])
// EXPECT: y = [6, 31, 25, 4, 3, 4, 0, 0]
// CALL: bits<u32>(x=iota:100, y=[255, 0, 0, 0, 0, 0, 0, 0])
// EXPECT: y = [0, 127, 0, 0, 5, 100, 0, 0]
// CALL: bits<u64>(x=iota:100, y=[255, 0, 0, 0, 0, 0, 0, 0])
// EXPECT: y = [0, 127, 0, 0, 5, 100, 0, 0]
