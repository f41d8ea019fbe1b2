// Shared memory is .shared, with its alignment.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(y: out f32[32]) launch(block = 32) { shared s: f32[32]; s[31 - thread.x] = 1; block.sync(); y[thread.x] = s[thread.x]; }
// CHECK:      .shared .align 16 .b8
// CHECK:      st.shared
// CHECK:      bar{{(rier)?}}.sync
// CHECK:      ld.shared
