// Scalars that extents name are taken from the arrays, and arrays that disagree are refused by name.
// REQUIRES: ckc
// RUN: %ckc run %s k x=iota:3 y=iota:3x2 --device=host | FileCheck %s
// CHECK: {{^}}z = [3, 2, 0, 0, 0, 0, 0]{{$}}
// RUN: %ckc run %s k z=zeros:7 x=zeros:3 y=iota:3x2 --print=z:2 --device=host | FileCheck --check-prefix=ALL %s
// ALL: {{^}}z = [3, 2]{{$}}
// RUN: sh -c '%ckc run %s k x=iota:3 y=iota:4x2 --device=host; test $? = 1' 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: error: 'y' has 4x2 elements, 'y: in f32[n, m]' needs 3x2 (n = 3 from 'x', m = 2 from 'y')
// RUN: not %ckc run %s k n=2 x=iota:3 y=iota:2x2 --device=host 2>&1 | FileCheck --check-prefix=GIVEN %s
// GIVEN: error: 'x' has 3 elements, 'x: in f32[n]' needs 2 (n = 2)
// RUN: not %ckc run %s k x=iota:3 y=iota:3x2 z=zeros:6 --device=host 2>&1 | FileCheck --check-prefix=LONG %s
// LONG: error: 'z' has 6 elements, 'z: out f32[(n * 2) + 1]' needs 7 (n = 3 from 'x')
// RUN: not %ckc run %s twice z=zeros:6 --device=host 2>&1 | FileCheck --check-prefix=ODD %s
// ODD: error: 'z' has 6 elements along (n * 2) + 1: no 'n' gives that
// RUN: not %ckc run %s narrow x=zeros:300 --device=host 2>&1 | FileCheck --check-prefix=NARROW %s
// NARROW: error: 'n': 300 does not fit in u8; it is taken from 'x'
// RUN: %ckc run %s len x=zeros:12 --device=host | FileCheck --check-prefix=LEN %s
// LEN: {{^}}y = [12]{{$}}
kernel k(n: u32, m: u32, x: in f32[n], y: in f32[n, m], z: out f32[n * 2 + 1])
    launch(block = 1, grid = 1)
{
    z[0] = f32(n);
    z[1] = f32(m);
}
kernel twice(n: u32, z: out f32[n * 2 + 1]) launch(block = 1, grid = 1) {}
kernel narrow(n: u8, x: in f32[n]) launch(block = 1, grid = 1) {}
kernel len(x: in f32[], y: out u64[1]) launch(block = 1, grid = 1) { y[0] = x.len; }
