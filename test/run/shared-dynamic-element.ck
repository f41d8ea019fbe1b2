// Dynamic shared memory holds what static shared memory does: vectors, structs, tuples, arrays.
// RUN: %run-test %s
struct P { a: u8; v: f32x2; b: u16; }
kernel hold(n: u32, x: in f32[n], y: out f32[n], z: out u64[5])
    launch(block = 32, grid = 1)
{
    shared odd: u8[dyn 3];
    shared pairs: f32x2[dyn n];
    shared wide: f64x4[dyn n];
    shared structs: P[dyn n];
    shared tuples: (u8, f64)[dyn n];
    shared lists: f32[3][dyn 2, n];
    if (thread.rank == 0) odd[2] = 7;
    for (i in block.stride(n)) {
        pairs[i] = f32x2(x[i], 1);
        wide[i] = f64x4(f64(x[i]));
        structs[i] = P(3, f32x2(x[i], 2), 4);
        tuples[i] = (u8(5), f64(x[i]));
        for (k in 0..3) { lists[0, i][k] = 0; lists[1, i][k] = x[i] + f32(k); }
    }
    block.sync();
    for (i in block.stride(n)) {
        let j = n - 1 - i;
        structs[j].v.y += 1;
        let (t, d) = tuples[j];
        let list = lists[1, j];
        y[i] = pairs[j].x + pairs[j].y + f32(sum(wide[j])) + structs[j].v.y + f32(t)
             + f32(d) + list[2] + lists[0, j][1];
    }
    if (thread.rank == 0) (z[0], z[1], z[2], z[3], z[4]) = (pairs.len, wide.len, structs.len, tuples.len, u64(odd[2]));
}
// FOR: a in 1, 33, 200
// CALL: hold(x=rand:a, y=zeros:a, z=zeros:5)
// EXPECT: y = (x * 7 + 11)[::-1]
// EXPECT: z = [a, a, a, a, 7]
