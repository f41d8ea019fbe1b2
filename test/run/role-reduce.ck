// A role reduces and scans by itself, again and again, with an operator that doesn't commute too.
// RUN: %run-test %s
struct Map { a: i32; b: i32; }
fn after(f: Map, g: Map) -> Map = Map(f.a * g.a % 97, (f.b * g.a + g.b) % 97);
kernel k(x: in i32[4, 128], y: out i32[4, 128], sums: out i32[4], last: out i32[4], idle: out u32[32])
    launch(block = 160, grid = 1)
{
    split {
        other(warps = 1) { idle[other.rank] = other.reduce(other.rank, max); }
        worker(warps = 4) {
            for (r in 0..4u32) {
                let v = x[r, worker.rank];
                let sum = worker.reduce(v, +);
                y[r, worker.rank] = worker.inclusive_scan(v, +);
                let all = worker.reduce(Map(v % 5 + 1, v), after);
                if (sum > 0) worker.sync();             // the same in all threads of the role
                if (worker.rank == 0) { sums[r] = sum; last[r] = all.b; }
            }
        }
    }
}
// CALL: k(x=iota:4x128) -check
// EXPECT: y = [[sum(range(128 * r, 128 * r + i + 1)) for i in range(128)] for r in range(4)]
// EXPECT: sums = [128 * 128 * r + 8128 for r in range(4)]
// EXPECT: idle = 31
// EXPECT: last = [18, 84, 0, 71]
