// A product of vectors of bytes of which constants make all components 0 that are read is 0 in each.
// RUN: %run-test %s
kernel k(s: i8, at: in u32[2], y: out i32[2, 3]) launch(block = 2, grid = 1) {
    let t = thread.rank;
    var v = i8x16(i8x8(s, 3, 126, 5, 0, s, 0, 7),
                  i8x8(s, 21, 0, 0, 0, 0, s, 0) * i8x8(s, 95, 0, s, 0, s, 0, 0));
    v[at[t] % 16] = 9;
    y[t, 0] = v[13];
    y[t, 1] = v[14];
    y[t, 2] = v[15];
}
// CALL: k(s=5, at=[3, 15])
// EXPECT: y = [[0, 0, 0], [0, 0, 9]]
