// A constructor among the arguments is no barrier: memory that is used again gets one.
// RUN: %ckc %s --emit=ptx --target=sm_90 | FileCheck %s
// REQUIRES: nvvm
struct Two { a: u32; b: u32; }
fn swap(v: Two) -> Two {
    shared all: Two[64];
    all[thread.x] = v;
    block.sync();
    return all[63 - thread.x];
}
kernel k(y: out u32[64]) launch(block = 64, grid = 1) { y[thread.x] = swap(Two(swap(Two(1, thread.x)).b, 2)).a; }
// CHECK:      st.shared
// CHECK:      bar.sync
// CHECK:      ld.shared
// CHECK:      bar.sync
// CHECK:      st.shared
// CHECK:      bar.sync
// CHECK:      ld.shared
