// Targets of one file that differ in what a launch has to know are an error.
// REQUIRES: nvjitlink, nvvm
// RUN: not %ckc %s --emit=fatbin --target=sm_80,sm_90 -o %t 2>&1 | FileCheck %s
const BLOCK: u32 = target.sm >= 90 ? 512 : 256;
kernel k() launch(block = BLOCK, grid = 1) {}
// CHECK: error: kernels for sm_80 and sm_90 differ in their arguments or launch: one file can't hold both
