// A vector of small components is one access of as many bytes as it has, to load and to store.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.nvvm.ptx %}
// RUN: %if nvvm %{ FileCheck %s < %t.nvvm.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvvm.ptx %}
kernel bytes(x: in u8x16[64], y: out u8x16[64]) { y[thread.x] = x[thread.x]; }
kernel eight(x: in i8x8[64], y: out i8x8[64]) { y[thread.x] = x[thread.x]; }
kernel flags(x: in boolx16[64], y: out boolx16[64]) { y[thread.x] = x[thread.x]; }
kernel doubled(x: in bf16x8[64], y: out bf16x8[64]) { y[thread.x] = x[thread.x] * bf16x8(2); }
kernel spans(x: in u8[1024], y: out u8[1024]) { y.store(16 * thread.x, x.load<16>(16 * thread.x)); }
kernel in_shared(y: inout u8x16[64]) { shared s: u8x16[64]; s[thread.x] = y[thread.x]; block.sync(); y[thread.x] = s[63 - thread.x]; }
// CHECK-LABEL: .entry bytes
// CHECK:       ld.global.nc.v4.{{[bu]}}32
// CHECK:       st.global.v4.{{[bu]}}32
// CHECK-LABEL: .entry eight
// CHECK:       ld.global.nc.v2.{{[bu]}}32
// CHECK:       st.global.v2.{{[bu]}}32
// CHECK-LABEL: .entry flags
// CHECK-COUNT-1: st.global.v4.{{[bu]}}32
// CHECK-NOT:   st.global
// CHECK-LABEL: .entry doubled
// CHECK:       ld.global.nc.v4.{{[bu]}}32
// CHECK-COUNT-1: st.global.v4.{{[bu]}}32
// CHECK-NOT:   st.global
// CHECK-LABEL: .entry spans
// CHECK:       ld.global.nc.v4.{{[bu]}}32
// CHECK:       st.global.v4.{{[bu]}}32
// CHECK-LABEL: .entry in_shared
// CHECK:       st.shared.v4.{{[bu]}}32
// CHECK:       ld.shared.v4.{{[bu]}}32
