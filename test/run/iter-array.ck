// An array is copied into its iterator; a slice of it is a view, which can be written.
// RUN: %run-test %s
// CALL: k(y=zeros:4)
// EXPECT: y = [9, 9, 2, 1]
kernel k(y: out f32[4]) launch(block = 32, grid = 1)
{
    shared s: f32[4];
    let w = s[0..4].reverse();
    if (thread.x < 4) w[thread.x] = f32(thread.x);
    block.sync();
    var v = [1.0, 2];
    let r = v.map(|e| e);
    v[0] = 7;
    if (thread.x == 0) {
        y[0] = s[0] + 6; y[1] = s[3] + 9; y[2] = f32(s[0..4].reverse().take(9).len) - 2;
        y[3] = r[0];
    }
}
