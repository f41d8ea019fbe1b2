// rand:N:SEED:LO..HI is uniform from LO to HI; an integer may be HI.
// REQUIRES: ckc
// RUN: %ckc run %s small x=rand:1000:1:-1..1 --device=host --print=seen | FileCheck %s
// RUN: %ckc run %s between x=rand:1000:1:2.5..3 --device=host --print=seen | FileCheck --check-prefix=FLOAT %s
// RUN: sh -c '%ckc run %s small x=rand:3:1:2..1 --device=host; test $? = 2' 2>&1 | FileCheck --check-prefix=BAD %s
// CHECK: seen = [1, 1, 1, 0]
// FLOAT: seen = [0, 1]
// BAD: error: 'x': rand:3:1:2..1: there is nothing in this range
kernel small(n: u64, x: in i32[n], seen: out u32[4]) launch(block = 1, grid = 1)
{
    for (i in 0..n) seen[x[i] >= -1 && x[i] <= 1 ? u64(x[i] + 1) : 3] = 1;
}
kernel between(n: u64, x: in f32[n], seen: out u32[2]) launch(block = 1, grid = 1)
{
    for (i in 0..n) seen[x[i] >= 2.5 && x[i] < 3 ? 1 : 0] = 1;
}
