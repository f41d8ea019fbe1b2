// -g describes structs, vectors, tuples and pointers through both back ends, for ptxas too.
// REQUIRES: nvvm, ptxas
// RUN: %ckc %S/../host/debug-types.ck --emit=ptx --target=sm_90 --backend=libnvvm -g -o %t.n
// RUN: %ptxas-verify < %t.n
// RUN: FileCheck %s < %t.n
// RUN: %ckc %S/../host/debug-types.ck --emit=ptx --target=sm_75 --backend=nvptx -g -o %t.p
// RUN: %ptxas-verify < %t.p
// RUN: FileCheck %s < %t.p
// RUN: %ckc %S/../host/debug-types.ck --emit=ptx --target=sm_120 --backend=libnvvm -g -o %t.120
// RUN: %ptxas-verify < %t.120
// CHECK: .section	.debug_info
