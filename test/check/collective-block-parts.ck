// An exchange by shuffle where lanes are missing is an error that says what to leave out.
// RUN: not %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s
kernel parts(y: out u32[1]) launch(block = 40, grid = 1) { y[0] = warp.exchange<blocked_to_striped>([1u32, 2], shuffle = true)[0]; }
// CHECK: [[@LINE-1]]:67: error: static_assert failed: an exchange by shuffle takes whole groups of lanes: leave out `shuffle`
