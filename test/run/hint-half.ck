// Loads and stores with hints take f16 and bf16 too.
// RUN: %run-test %s
// CALL: k(x=[1.5, -2], w=[1.5, -2], y=zeros:2, z=zeros:2)
// EXPECT: y = [1.5, -2]
// EXPECT: z = [1.5, -2]
kernel k(x: in f16[2], w: in bf16[2], y: out f16[2], z: out bf16[2]) launch(block = 2, grid = 1)
{
    store(y[thread.x], load(x[thread.x], cache = streaming), cache = streaming);
    store(z[thread.x], load(w[thread.x], cache = constant), cache = global);
}
