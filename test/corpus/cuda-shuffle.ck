kernel k(x: in f32[32], y: out f32[1]) {
    var v = x[thread.x];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    if (thread.x == 0) y[0] = v;
}
