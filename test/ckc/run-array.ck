// 'ckc run' takes every value that a CALL line takes: lists of numbers, vectors and structs, of every rank, and expressions.
// REQUIRES: ckc, host
// RUN: %ckc run %s added 'x=[1, 2, 3]' --device=host | FileCheck %s
// CHECK: {{^}}y = [2, 3, 4]{{$}}
// RUN: %ckc run %s turned 'a=[[1, 2, 3], [4, 5, 0x10]]' --device=host | FileCheck --check-prefix=ROWS %s
// ROWS: {{^b = .}}[1, 4], [2, 5], [3, 16]]{{$}}
// RUN: %ckc run %s turned 'a=[1, 2, 3, 4, 5, 6]' h=2 w=3 --device=host | FileCheck --check-prefix=FLAT %s
// FLAT: {{^b = .}}[1, 4], [2, 5], [3, 6]]{{$}}
// RUN: %ckc run %s first 'p=[{x: 1, v: (2, 3)}, {x: 2 ** 3, v: (pi, -1)}]' 'u=[[1, 2, 3, 4], [5, 6, 7, 8]]' --device=host | FileCheck --check-prefix=STRUCTS %s
// STRUCTS: {{^}}r = [9, 4.141593]{{$}}
// RUN: %ckc run %s first 'p={x: [1, 2], v: (0, [4, 5])}' 'u=[(1, 2, 3, 4), (5, 6, 7, 8)]' --device=host | FileCheck --check-prefix=COLUMNS %s
// COLUMNS: {{^}}r = [3, 1]{{$}}
// RUN: %ckc run %s first p=rand:2:7 u=ones:2 --device=host --print=p | FileCheck --check-prefix=RANDOM %s
// RANDOM: {{^p = .}}{x: {{[-0-9.]+}}, v: ({{[-0-9.]+}}, {{[-0-9.]+}})}, {x:
// RUN: %ckc run %s added x=arange\(2**2\)*0.5 --device=host | FileCheck --check-prefix=EXPR %s
// EXPR: {{^}}y = [1, 1.5, 2, 2.5]{{$}}
// RUN: not %ckc run %s added 'x=[1, 2' --device=host 2>&1 | FileCheck --check-prefix=OPEN %s
// OPEN: error: 'x=[1, 2': expected ']' after the list's elements
// RUN: not %ckc run %s added 'x=[[1, 2], [3]]' --device=host 2>&1 | FileCheck --check-prefix=RAGGED %s
// RAGGED: error: 'x=[{{\[}}1, 2], [3]]': this row has another shape than the first one
// RUN: not %ckc run %s added x=3 --device=host 2>&1 | FileCheck --check-prefix=ONE %s
// ONE: error: 'x' is an array of f32: write x=[1, 2], x=@FILE.npy or x=zeros:N, not '3'
// RUN: not %ckc run %s added x=zeros:99999999999999999999 --device=host 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: error: 'x': zeros:99999999999999999999 has too many elements: there may be 1152921504606846975
struct P { x: f32; v: f32x2; }
kernel added(n: u32, x: in f32[n], y: out f32[n]) launch(block = 32, grid = 1) { if (thread.x < n) y[thread.x] = x[thread.x] + 1; }
kernel turned(h: u32, w: u32, a: in i32[h, w], b: out i32[w, h]) launch(block = (w, h), grid = 1) { b[thread.x, thread.y] = a[thread.y, thread.x]; }
kernel first(p: in P[2], u: in f32x4[2], r: out f32[2]) launch(block = 1, grid = 1) { r[0] = p[0].x + p[1].x; r[1] = u[0].x + p[1].v.x; }
