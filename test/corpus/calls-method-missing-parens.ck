kernel k(y: out u32[1]) { block.sync; y[0] = 1; }
