kernel k(y: out f32[1]) { /* sets y
    y[0] = 1;
}
