// --kernel makes code and manifest of the kernels that it names, and of nothing else.
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx --kernel=twice.2.double | FileCheck %s
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx --kernel=other | FileCheck %s --check-prefix=OTHER
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx "--kernel=fill<f64>" | FileCheck %s --check-prefix=INSTANCE
// RUN: not %ckc %s --target=sm_90 --backend=nvptx --emit=ptx --kernel=third 2>&1 | FileCheck %s --check-prefix=NONE
fn copy(x: in f32[], y: out f32[]) { y[grid.thread_rank] = x[grid.thread_rank]; }
fn double(y: inout f32[]) { y[grid.thread_rank] *= 2; }
algorithm twice(x: in f32[64], y: out f32[64]) {
    launch copy(block = 64, grid = 1, x, y);
    launch double(block = 64, grid = 1, y);
}
kernel fill<T: number>(y: out T[1]) launch(block = 1, grid = 1) { y[0] = T(1); }
export fill<f32>, fill<f64>;
kernel other(y: out f32[1]) launch(block = 1, grid = 1) { y[0] = 1; }
// CHECK-NOT: .entry
// CHECK: .entry twice_2_double
// CHECK-NOT: .entry
// CHECK-NOT: "name": "twice.1.copy"
// CHECK: "name": "twice.2.double"
// CHECK-NOT: "algorithms"
// OTHER-NOT: .entry
// OTHER: .entry other
// OTHER-NOT: .entry
// NONE: error: there is no kernel 'third'
// INSTANCE-NOT: .entry
// INSTANCE: .entry fill_f64
// INSTANCE-NOT: .entry
