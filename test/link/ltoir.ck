// LTO-IR carries the manifest, and link-time optimisation keeps every kernel.
// REQUIRES: nvvm, nvjitlink
// RUN: %ckc %s --emit=ltoir --target=sm_90 --backend=libnvvm -o %t
// RUN: %python %S/Inputs/lto.py %nvjitlink sm_90 %t %t.cubin | FileCheck %s
// RUN: llvm-readelf -S %t.cubin | FileCheck %s --check-prefix=KEPT
kernel first(x: out f32[1]) { x[0] = sin(f32(x.len)); }
kernel second(x: out f32[1]) { x[0] = 2; }
// CHECK: "kernels": [
// CHECK: "symbol": "first"
// CHECK: "symbol": "second"
// KEPT-DAG: .text.first
// KEPT-DAG: .text.second
