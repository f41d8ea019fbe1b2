// What plan.c launches: an algorithm with persistent and scratch memory, small and large.
fn count(words: inout u64[], parts: inout u64[], y: inout u64[], k: u64) {
    let i = grid.thread_rank;
    if (i < parts.len) parts[i] = 1;
    if (i == 0) { words[0] += k; y[0] = words[0]; }
}
fn add(parts: in u64[], y: inout u64[]) {
    var s = 0u64;
    for (i in block.stride(parts.len)) s += parts[i];
    s = block.reduce(s, +);
    if (thread.rank == 0) y[1] += s;
}
// y[0]: the sum of k of all launches on the stream; y[1] grows by m.
algorithm step(m: u64, k: u64, y: inout u64[2]) {
    scratch persistent words: u64[1 + m / 64];
    scratch parts: u64[m];
    launch count(block = 64, grid = max(1, ceil_div(m, 64)), words, parts, y, k);
    launch add(block = 256, grid = 1, parts, y);
}
algorithm total(n: u64, x: in u32[n]) -> u64 = reduce(x.map(|v| u64(v)), +, 0u64);
fn mark(t: inout u64[], y: inout u64[]) { if (grid.thread_rank == 0) { t[0] = 7; y[1] += 1; } }
algorithm much(n: u64, y: inout u64[2]) {
    scratch t: u64[n];
    launch mark(block = 32, grid = 1, y, y);
    launch mark(block = 32, grid = 1, t, y);
}
algorithm running(n: u64, m: u64, x: in u64[n], y: inout u64[m]) { inclusive_scan(x, y, +); }
// The same with words of another meaning.
algorithm again(k: u64, y: inout u64[2]) {
    scratch persistent words: u64[1];
    launch count(block = 32, grid = 1, words, words[0..0], y, k);
}
