// --time counts shared memory that is too large for a block's variables.
// REQUIRES: nvjitlink
// RUN: %ckc %s --emit=cubin --target=sm_90 --backend=nvptx --time -o %t 2>&1 | FileCheck %s
kernel small(y: inout u32[32]) {
    shared a: u32[256];
    a[thread.x] = y[thread.x];
    block.sync();
    y[thread.x] = a[31 - thread.x];
}
kernel large(y: inout u32[32]) {
    shared a: u32[16384];
    a[thread.x] = y[thread.x];
    block.sync();
    y[thread.x] = a[31 - thread.x];
}
// CHECK: kernel {{ *}}target {{ *}}registers {{ *}}shared
// CHECK: small {{ *}}sm_90 {{ *}}{{[0-9]+}} {{ *}}1024
// CHECK: large {{ *}}sm_90 {{ *}}{{[0-9]+}} {{ *}}65536
