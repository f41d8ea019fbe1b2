// A lane is elected by one instruction from sm_90 on.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=libnvvm | FileCheck %s --check-prefix=OLD
kernel k(y: out u32[32]) launch(block = 32, grid = 1) { if (warp.elect()) y[0] = 1; }
// CHECK: elect.sync
// OLD-NOT: elect.sync
