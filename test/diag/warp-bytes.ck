// Values of 256 bytes go between lanes, not of more.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out f32[64])
{
    var v: f32[64];
    var w: f32[65];
    y[0] = warp.shuffle(v, 1)[0];
    y[1] = warp.shuffle(w, 1)[0];
}
// CHECK: :8:12: error: static_assert failed: a shuffle takes at most 256 bytes [static_assert]
// CHECK: note: in 'warp.shuffle<f32[65]>' of the library
// CHECK-NOT: error:
