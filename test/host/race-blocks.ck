// Accesses of different blocks are not compared: a checked build lets them pass.
// REQUIRES: host
// RUN: %ckc run %s k x=zeros:1 -check --device=host --print=x | FileCheck %s
kernel k(x: inout i32[1]) launch(block = 1, grid = 4) { x[0] = 7; }
// CHECK: x = [7]
