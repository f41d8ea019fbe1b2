// A cubin has line tables where they are asked for.
// REQUIRES: nvjitlink
// RUN: %ckc %s --emit=cubin --target=sm_90 --backend=nvptx -lineinfo -o %t
// RUN: FileCheck %s < %t
kernel k(y: out u32[1]) { y[0] = 1; }
// CHECK:      debug_line
