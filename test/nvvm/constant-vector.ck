// A constant vector of booleans is no string, whatever LLVM's C interface says of it.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm | %ptxas-verify
kernel k(y: out i32[2], a: i32) launch(block = 1, grid = 1)
{
    var m = i32x2(a, 3) < i32x2(1, 2);
    m[1] = true;
    let picked = select(m, i32x2(a), i32x2(5, 6));
    (y[0], y[1]) = (picked.x, picked.y);
}
