kernel k(n: u32, x: in u32[n], bins: inout u32[16]) {
    let i = grid.thread_rank;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
