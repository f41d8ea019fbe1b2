kernel k(n: u32, y: out f32[n]) {
    float *buf = (float *)malloc(n * sizeof(float));
    y[0] = 1;
}
