// What overlap.c launches: each step of the library, and each form of span. Extents are n, but for a result.
algorithm kept(n: u64, x: in u32[n], y: out u32[n]) -> u64 = select(x, |v| v % 3 != 1, y);
algorithm summed(n: u64, x: in u32[n], w: in u32[n]) -> u64 = reduce(zip(x, w).map(|p| u64(p[0] * p[1])), +, 0);
algorithm sorted(n: u64, x: in u32[n], w: inout u32[n], y: out u32[n]) {
    radix_sort(w);
    for (i in grid.stride(n)) y[i] = w[i] + x[i];
}
kernel lengths(x: in u32[], w: in u32[x.len], y: inout u32[], z: out u32[x.len]) launch(block = 64, grid = 1) {
    for (i in block.stride(x.len)) {
        y[i] += x[i] + w[i];
        z[i] = y[i];
    }
}
kernel rows(n: u64, x: in u16[n, 2], w: in u16[n, 2], y: out u64[n]) launch(block = 64, grid = ceil_div(n, 64)) {
    let i = grid.thread_rank;
    if (i < n) y[i] = u64(x[i, 0]) * u64(w[i, 1]);
}
