// 'ckc run' takes structs, vectors, tuples and arrays of constants as print() writes them, and prints them.
// RUN: %ckc run %s k 'p={x: 1.5, on: true, n: [4, -5], i: {a: 7, v: [(1, 2), (3, 4)]}}' 'v=(1, 2, 3)' \
// RUN:   't=(3, 0.25)' --device=host | FileCheck %s
// CHECK: y = [{x: 0, on: false, n: [0, 0], i: {a: 0, v: [(0, 0), (0, 0)]}}, {x: 1.5, on: true, n: [4, -5], i: {a: 7, v: [(1, 2), (3, 4)]}}]
// CHECK: z = [3.75, 7]
// RUN: %ckc run %s k 'p={2,false,[1,2],{3,[(0,0),(0,0)]}}' 'v=( 0,0 , 0 )' 't=(3, 0.25)' --device=host --print=y:1 \
// RUN:   y=zeros:2 | FileCheck --check-prefix=PLACES %s
// PLACES: y = [{x: 0, on: false, n: [0, 0], i: {a: 0, v: [(0, 0), (0, 0)]}}]
// RUN: not %ckc run %s k 'p={x: 2, off: true}' 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: 'p': 'off' stands where 'on' is
// RUN: not %ckc run %s k 'p={x: 2, on: true}' 2>&1 | FileCheck --check-prefix=FEW %s
// FEW: 'p': there are fewer values than it has
// RUN: not %ckc run %s k 't=(1, 2, 3)' 2>&1 | FileCheck --check-prefix=MORE %s
// MORE: 't': there are more values than it has
// RUN: not %ckc run %s k 'v=(1, 2, x)' 2>&1 | FileCheck --check-prefix=KIND %s
// KIND: 'v': 'x' is no argument and no FOR variable
// RUN: not %ckc run %s k v=1 2>&1 | FileCheck --check-prefix=OPEN %s
// OPEN: 'v': '1': '(' is missing
// RUN: not %ckc run %s k 'p={x: 2, on: true' 2>&1 | FileCheck --check-prefix=CLOSE %s
// CLOSE: 'p={x: 2, on: true': expected '}' after the values
// RUN: not %ckc run %s k 2>&1 | FileCheck --check-prefix=NEED %s
// NEED: k needs values for 'p: {x:f32@0,on:bool@4,
struct In { a: u8; v: f32x2[2]; }
struct P { x: f32; on: bool; n: i32[2]; i: In; }
kernel k(p: P, v: f32x3, t: (i32, f64), y: out P[2], z: out f32[2]) launch(block = 1, grid = 1)
{
    z[0] = p.x + v.y + f32(t[1]);
    z[1] = f32(p.i.a);
    y[1] = p;
}
