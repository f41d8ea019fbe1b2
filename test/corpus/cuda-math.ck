kernel k(x: in f32[4], y: out f32[4]) {
    y[0] = sqrtf(x[0]);
    y[1] = fmaxf(x[0], 1.0f);
    y[2] = __expf(x[0]);
    y[3] = powf(x[0], 2.0f);
}
