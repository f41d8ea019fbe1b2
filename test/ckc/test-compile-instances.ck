// --instances is the most that --compile makes of each generic kernel, over all options.
// REQUIRES: nvjitlink
// RUN: %ckc test --compile=sm_90 --backend=nvptx --instances=1 %s | FileCheck %s
// CHECK: {{^}}2 passed, 0 failed{{$}}
kernel k<const N: u32>() launch(block = N, grid = 1) { static_assert(N != 7, "'N' is 7"); }
kernel j<const N: u32>() launch(block = N, grid = 1) { static_assert(N != 7, "'N' is 7"); }
// CALL: k<2>()
// CALL: k<7>()
// CALL: j<2>() -O1
// THEN: k<7>()
