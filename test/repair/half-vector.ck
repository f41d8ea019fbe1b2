// Vectors of f16 that are made element by element compile at -O0 and -g, before sm_100 too.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_75 --backend=libnvvm -O0 -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -g -o %t.debug
// RUN: FileCheck %s < %t.debug
// RUN: %ckc %s %repair --emit=ptx --target=sm_100 --backend=libnvvm -O0 | FileCheck %s
// RUN: not %ckc %s --no-repair=half_vector --emit=ptx --target=sm_75 --backend=libnvvm -O0 -o %t 2>&1 | FileCheck %s --check-prefix=WITHOUT
kernel pair(y: inout f16x2[4]) { y[0] = -y[1]; y[1] = y[2] / y[3]; y[2] = sqrt(y[0]); }
kernel four(y: inout f16x4[4]) { y[0] = fma(y[1], y[2], y[3]); y[1] = max(y[2] + y[3], 1); }
kernel eight(y: inout f16x8[4]) { var v = y[0]; v[u32(y[1].x)] = 2; y[0] = abs(v - y[2]); }
// CHECK-DAG: .entry pair
// CHECK-DAG: .entry four
// CHECK-DAG: .entry eight
// WITHOUT: unsupported operation [libnvvm_failed]
