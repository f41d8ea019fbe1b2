// What TOLERANCE means, for one call and for all, and .npy files beside the .ck file.
// REQUIRES: ckc, host
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.ck
// RUN: %ckc run %s k x=iota:3 --save=y:%t/three.npy --device=host
// RUN: %ckc test --device=host %t/a.ck --filter=good | FileCheck %s
// CHECK: {{^}}5 passed, 0 failed{{$}}
// RUN: not %ckc test --device=host %t/a.ck --filter=bad 2>&1 | FileCheck --check-prefix=BAD %s
// BAD-COUNT-3: y[1]: expected
// BAD: {{^}}0 passed, 3 failed{{$}}
// TOLERANCE: absolute 0.5
// NAME: good
// CALL: k(x=[0, 1000])
// EXPECT: y = [0.5, 999.5]
// NAME: bad
// CALL: k(x=[0, 1000])
// EXPECT: y = [0.5, 999.25]
// NAME: good
// CALL: k(x=[1e-6, 1000])
// EXPECT: y = [1.0001e-6, 1000.1]
// TOLERANCE: relative 1e-3
// NAME: bad
// CALL: k(x=[1e-6, 1e-6])
// EXPECT: y = [1e-6, 1.1e-6]
// TOLERANCE: relative 1e-3
// NAME: good
// CALL: k(x=[1e-6, 1e-6])
// EXPECT: y = 1.1e-6
// TOLERANCE: 1e-3
// NAME: good
// CALL: k(x=@three.npy)
// EXPECT: y = @three.npy
// TOLERANCE: exact
// NAME: good
// CALL: k(x=[1, 0.1])
// EXPECT: y = x
// NAME: bad
// CALL: k(x=[1, 2])
// EXPECT: y = [1, 2.0000003]
// TOLERANCE: exact
kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = n, grid = 1) { y[thread.x] = x[thread.x]; }
