// Blocks of a cooperative grid poll what the others write: a chain against the order of the blocks, and a scanner.
// RUN: %run-test %s
struct Word { value: u32; tag: u32; }
kernel backwards(n: u32, x: in u32[n], words: inout Word[n + 1], y: out u32[1])
    launch(block = 32, grid = n)
{
    grid.together();
    let i = block.id.x;                             // block n - 1 begins, block 0 is the last
    var w = Word(0, u32(i == n - 1));
    while (w.tag == 0) { w = atomic.load(words[i + 1]); thread.yield(); }
    block.sync();
    if (thread.rank == 0) atomic.store(words[i], Word(w.value + x[i], 1));
    if (i == 0 && thread.rank == 0) y[0] = w.value + x[0];
}
// CALL: backwards(x=ones:30, words=zeros:31) -check
// EXPECT: y = 30
kernel scanner(n: u32, x: in u32[n], sums: inout Word[4], before: inout Word[4], y: out u32[n]) launch(block = 64, grid = 4)
{
    grid.together();
    let (b, part) = (block.id.x, ceil_div(n, 4));
    if (thread.rank == 32) {                        // of block 0: adds up what the blocks publish
        var (all, k) = (0u32, b == 0 ? 0u32 : 4);
        while (k < 4) {
            let w = atomic.load(sums[k]);
            if (w.tag == 0) { thread.yield(); continue; }
            atomic.store(before[k], Word(all, 1));
            all += w.value;
            k += 1;
        }
    } else if (thread.rank == 0) {
        var sum = 0u32;
        for (i in b * part..min(n, (b + 1) * part)) sum += x[i];
        atomic.store(sums[b], Word(sum, 1));
        var w = Word(0, 0);
        while (w.tag == 0) { w = atomic.load(before[b]); thread.yield(); }
        for (i in b * part..min(n, (b + 1) * part)) { w.value += x[i]; y[i] = w.value; }
    }
}
// CALL: scanner(x=iota:1000, sums=zeros:4, before=zeros:4) -check
// EXPECT: y = cumsum(x)
