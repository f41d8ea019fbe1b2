// Spans of arrays have the arrays' extents as last axes; a struct's fields stand in expressions; arrays of records are files.
// RUN: mkdir -p %t
// RUN: %ckc run %s add 'p=({r: 0, c: 5}, 1)' 'k=[[1, 2, 3], [4, 5, 6]]' --device=host --save=y:%t/y.npy q=zeros:2 --save=q:%t/q.npy
// RUN: %ckc run %s add 'p=({r: 0, c: 1}, 2)' k=@%t/y.npy q=@%t/q.npy --device=host --print=y --print=q | FileCheck --check-prefix=FILE %s
// FILE: {{^y = .}}[7, 8, 9], [10, 11, 12]]
// FILE: {{^}}q = [({r: 2, c: 2}, 4), ({r: 2, c: 2}, 8)]
// RUN: %python -c "import numpy as np; a = np.load('%t/q.npy'); print(a.dtype.names, a['f0']['c'], a['f1'])" | FileCheck --check-prefix=NUMPY %s
// NUMPY: ('f0', 'f1') [1 1] [2. 4.]
// RUN: %ckc test --device=host %s | FileCheck %s
// CHECK: 3 passed, 0 failed
struct At { r: i8; c: i32; }
kernel add(p: (At, f64), k: in i32[3][2], y: out i32[3][2], q: inout (At, f64)[2]) launch(block = 1, grid = 1)
{
    for (i in 0u32..2) {
        for (j in 0u32..3) y[i][j] = k[i][j] + p[0].c;
        q[i][0].r += i8(1);
        q[i][0].c += 1;
        q[i][1] += 2.0 * f64(i + 1);
    }
}
// CALL: add(p=({r: 0, c: 5}, 1), k=[[1, 2, 3], [4, 5, 6]], q=zeros:2)
// EXPECT: y = k + 5
// EXPECT: y = [[6, 7, 8], [9, 10, 11]]
// EXPECT: q = [({r: 1, c: 1}, 2), ({r: 1, c: 1}, 4)]
// CALL: add(p=({r: 0, c: 0}, 1), k=rand:2, q=ones:2)
// EXPECT: y = k
// EXPECT: q.f0 = {r: 2, c: 2}
// CALL: add(p=({r: 0, c: 0}, 1), k=iota:2, q=({r: [1, 2], c: 3}, [4, 5]))
// EXPECT: q.f0.r = q.f0.r + 1
// EXPECT: y = [[0, 0, 0], [1, 1, 1]]
