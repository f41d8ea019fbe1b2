kernel k(n: u32, y: out f32[1]) {
    switch (n) {
    case 0: y[0] = 1; break;
    default: y[0] = 2;
    }
    y[0] = 3;
}
