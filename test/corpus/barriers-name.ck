kernel k(y: out f32[1]) { block.barrier(); syncthreads(); y[0] = 1; }
