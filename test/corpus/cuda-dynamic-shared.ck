kernel k(y: out f32[1]) {
    extern __shared__ float buf[];
    y[0] = 1;
}
