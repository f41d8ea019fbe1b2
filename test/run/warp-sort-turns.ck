// Tiles sort in turns of their own, beside those that do not, and what they call may sort twice.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: turns(x=rand:80, y=zeros:80)
// EXPECT: y = np.concatenate([np.sort(x[i:i + 8]) if i // 8 % 3 else x[i:i + 8] for i in range(0, 80, 8)])
kernel turns(x: in f64[80], y: out f64[80]) launch(block = (5, 4, 2), grid = 1)
{
    let t = warp.tile<4>;
    let i = thread.rank;
    var keys = [x[2 * i], x[2 * i + 1]];
    for (turn in 0..t.broadcast(i / 4 % 3, 0)) keys = both(keys);
    (y[2 * i], y[2 * i + 1]) = (keys[0], keys[1]);
}
fn both(keys: f64[2]) -> f64[2] = warp.tile<4>.merge_sort(warp.tile<4>.merge_sort(keys, >), <);
