// A function that an algorithm launches has roles, and blocks that poll what the others write.
// RUN: %run-test %s
struct Word { value: u32; tag: u32; }
fn scanner(x: in u32[], sums: inout Word[], before: inout Word[], y: out u32[]) {
    grid.together();
    let (b, part) = (block.id.x, ceil_div(u32(x.len), 4));
    let end = min(u32(x.len), (b + 1) * part);
    split {
        worker(warps = 1) {
            if (worker.rank == 0) {
                var (sum, w) = (0u32, Word(0, 0));
                for (i in b * part..end) sum += x[i];
                atomic.store(sums[b], Word(sum, 1));
                while (w.tag == 0) { w = atomic.load(before[b]); thread.yield(); }
                for (i in b * part..end) { w.value += x[i]; y[i] = w.value; }
            }
        }
        scan(warps = 1) {
            if (scan.rank == 0 && b == 0) {
                var (all, k) = (0u32, 0u32);
                while (k < 4) {
                    let w = atomic.load(sums[k]);
                    if (w.tag == 0) { thread.yield(); continue; }
                    atomic.store(before[k], Word(all, 1));
                    (all, k) = (all + w.value, k + 1);
                }
            }
        }
    }
}
fn clear(sums: out Word[], before: out Word[]) { sums[thread.rank] = Word(0, 0); before[thread.rank] = Word(0, 0); }
algorithm run(n: u64, x: in u32[n], y: out u32[n]) {
    scratch sums: Word[4];
    scratch before: Word[4];
    launch clear(block = 4, grid = 1, sums, before);
    launch scanner(block = 64, grid = 4, x, sums, before, y);
}
// FOR: n in 1, 4, 1000
// CALL: run(x=iota:n)
// EXPECT: y = cumsum(x)
