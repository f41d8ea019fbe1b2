// Every atomic operation, from many blocks, on every width.
// RUN: %run-test %s
kernel sums<T: number>(n: u64, x: in T[n], y: inout T[8]) launch(block = 64, grid = ceil_div(n, 64))
{
    let i = grid.thread_rank;
    if (i >= n) return;
    atomic.add(y[0], x[i]);
    atomic.sub(y[1], x[i]);
    atomic.min(y[2], x[i]);
    atomic.max(y[3], x[i], order = acq_rel, scope = system);
    atomic.add(y[4], 1);
    atomic.exchange(y[5], 7, order = seq_cst);
}
export sums<i8>, sums<u8>, sums<i16>, sums<u16>, sums<i32>, sums<u32>, sums<i64>, sums<u64>, sums<f32>, sums<f64>;
// CALL: sums<i8>(x=iota:120, y=zeros:8)
// EXPECT: y = [-28, 28, 0, 119, 120, 7, 0, 0]
// CALL: sums<u8>(x=iota:120, y=[0, 0, 200, 0, 0, 0, 0, 0])
// EXPECT: y = [228, 28, 0, 119, 120, 7, 0, 0]
// CALL: sums<i16>(x=iota:300, y=[0, 0, 5, -5, 0, 0, 0, 0])
// EXPECT: y = [-20686, 20686, 0, 299, 300, 7, 0, 0]
// CALL: sums<u16>(x=iota:300, y=[0, 0, 5, 0, 0, 0, 0, 0])
// EXPECT: y = [44850, 20686, 0, 299, 300, 7, 0, 0]
// CALL: sums<i32>(x=iota:1000, y=[0, 0, -5, -5, 0, 0, 0, 0])
// EXPECT: y = [499500, -499500, -5, 999, 1000, 7, 0, 0]
// CALL: sums<u32>(x=iota:1000, y=zeros:8)
// EXPECT: y = [499500, 4294467796, 0, 999, 1000, 7, 0, 0]
// CALL: sums<i64>(x=iota:1000, y=[0, 0, -5, -5, 0, 0, 0, 0])
// EXPECT: y = [499500, -499500, -5, 999, 1000, 7, 0, 0]
// CALL: sums<u64>(x=iota:1000, y=[4294967296, 499500, 5, 0, 0, 0, 0, 0])
// EXPECT: y = [4295466796, 0, 0, 999, 1000, 7, 0, 0]
// CALL: sums<f32>(x=iota:1000, y=[0, 0, 5, -5, 0, 0, 0, 0])
// EXPECT: y = [499500, -499500, 0, 999, 1000, 7, 0, 0]
// CALL: sums<f64>(x=iota:1000, y=[0.5, 0, 5, -5, 0, 0, 0, 0])
// EXPECT: y = [499500.5, -499500, 0, 999, 1000, 7, 0, 0]
