// An instance is found by the name that it was asked for, with constants in it.
// REQUIRES: ckc
// RUN: %ckc run %s 'fill<raking, f32>' --device=host --print=x | FileCheck %s
// RUN: %ckc run %s 'fill< THREE * 2 >' --device=host --print=x | FileCheck --check-prefix=SIX %s
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck --check-prefix=MANIFEST %s
// CHECK: x = [{{[0-9]+, [0-9]+}}]
// SIX: x = [6, 6]
// MANIFEST: "name": "fill<3,f64>"
// MANIFEST: "written": ["fill<THREE, f64>"]
// MANIFEST-NEXT: "params"
// MANIFEST: "name": "fill<4,f32>"
// MANIFEST-NOT: "written"
const THREE: u32 = 3;
kernel fill<const N: u32, T: float = f32>(x: out T[2]) launch(block = 2, grid = 1) { x[thread.rank] = T(N); }
export fill<THREE, f64>, fill<4, f32>;
