// Declarations: let for what stays, var for what changes, the type where the value does not say it.
// RUN: %python %top/test/fix_test.py %ckc %s | FileCheck %s
const float PI = 3.14f;
static constexpr int TILE = 32;
#define BLOCK 256   // threads
kernel k(y: out f32[8]) launch(block = BLOCK) {
    __shared__ float tile[TILE][TILE + 1];
    int i = threadIdx.x, j = 0;
    unsigned int u = 1;
    long long wide = 5;
    const auto twice = 2 * i;
    float v[4] = {0}, w;
    double d = PI;
    bool is_first = i == 0;
    j += 1; w = 1;
    y[0] = v[1] + w + (float)d + tile[1][2] + (float)(i * 2) + (float)j + float(u) + (f32)wide + f32(twice);
}
// CHECK:      const PI = 3.14;
// CHECK-NEXT: const TILE = 32;
// CHECK-NEXT: const BLOCK = 256;   // threads
// CHECK:      shared tile: f32[TILE, TILE + 1];
// CHECK-NEXT: let i = thread.x; var j = 0;
// CHECK-NEXT: let u: u32 = 1;
// CHECK-NEXT: let wide: i64 = 5;
// CHECK-NEXT: let twice = 2 * i;
// CHECK-NEXT: var v: f32[4]; var w: f32;
// CHECK-NEXT: let d: f64 = PI;
// CHECK-NEXT: let is_first: bool = i == 0;
// CHECK:      y[0] = v[1] + w + f32(d) + tile[1][2] + f32(i * 2) + f32(j) + f32(u) + f32(wide) + f32(twice);
