// RUN: %run-test %s
// Persistent memory is zero at first, and keeps what earlier launches of the
// algorithm on the stream wrote.

fn count(words: inout u64[], y: out u64[]) {
    let i = grid.thread_rank;
    if (i < words.len) words[i] += i + 1;
    if (i < y.len) y[i] = words[i];
}

algorithm often(m: u32, y: out u64[]) {
    scratch persistent words: u64[50];
    for (i in 0..m) {
        launch count(block = 32, grid = 2, words, y);
        launch count(block = 64, grid = 1, words, y);
    }
}
// FOR: m in 0, 1, 4
// CALL: often(m=m, y=zeros:4)
// EXPECT: y = [2 * m, 4 * m, 6 * m, 8 * m]
