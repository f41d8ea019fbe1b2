// RUN: %run-test %s
// Reductions and scans call the program's function with neighbours alone, in order, and with nothing
// that isn't there.
struct Run { lo: u32; hi: u32; mark: u64; }
fn join(a: Run, b: Run) -> Run {
    assert(a.mark == 77 && b.mark == 77, "an item that is not there");
    assert(a.hi + 1 == b.lo, "no neighbours");
    return Run(a.lo, b.hi, 77);
}
fn item(i: u64) -> Run = Run(u32(i) + 1, u32(i) + 1, 77);
algorithm all(n: u64) -> Run = reduce(tabulate(item).take(n), join, Run(0, 0, 77));
algorithm each(n: u64, y: out u32[n]) { inclusive_scan(tabulate(item).take(n), y.map_store(|r| r.hi), join); }
algorithm from(n: u64, y: out u32[n]) {
    exclusive_scan(tabulate(item).take(n), y.map_store(|r| r.hi), join, Run(0, 0, 77));
}
// FOR: n in 0, 1, 7, 8, 9, 255, 2047, 2048, 2049, 65536, 65537, 70001
// CALL: all(n=n)
// EXPECT: result = {lo: 0, hi: n, mark: 77}
// FOR: n in 0, 1, 31, 32, 33, 127, 512, 513, 131072, 131073, 140001
// CALL: each(n=n, y=zeros:n)
// EXPECT: y = arange(n) + 1
// FOR: n in 0, 1, 2, 127, 128, 129, 511, 512, 2048, 2049
// CALL: from(n=n, y=zeros:n)
// EXPECT: y = arange(n)
