// --repeat launches again from the same values; --time says how long one launch took.
// REQUIRES: ckc
// RUN: %ckc run %s add x=iota:4 --repeat=5 --print=x --device=host | FileCheck %s
// RUN: %ckc run %s add x=iota:4 --repeat=3 --time --print=x --device=host 2>&1 | FileCheck --check-prefix=TIME %s
// RUN: sh -c '%ckc run %s add x=iota:4 --repeat=0 --device=host; test $? = 2' 2>&1 | FileCheck --check-prefix=ZERO %s
// CHECK: {{^}}x = [1, 2, 3, 4]{{$}}
// TIME-DAG: {{^}}x = [1, 2, 3, 4]{{$}}
// TIME-DAG: add on host device: median {{[0-9.]+}} us, min {{[0-9.]+}} us of 3 launches; 32 bytes in spans, {{[0-9.]+}} GB/s
// ZERO: error: --repeat=0: a number from 1 to 1000000 is needed
kernel add(x: inout f32[4]) launch(block = 4, grid = 1) { x[thread.x] += 1; }
