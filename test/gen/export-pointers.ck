// Pointers of an exported function may point to the same memory: what is read behind a write is read then.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s
export fn both(x: ptr<f32>, y: ptr<f32>) -> f32 {
    let a = y[0];
    x[0] = 1;
    return a + y[0];
}
// CHECK-LABEL: both(
// CHECK: ld.f32
// CHECK: st.{{[bfu]}}32
// CHECK: ld.f32
