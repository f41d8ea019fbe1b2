kernel k(x: in i32[64], y: out i32[64]) launch(block = 64, grid = 1) {
    y[thread.x] = __syncthreads_or(x[thread.x]) + __syncthreads_count(x[thread.x] > 1);
}
