// No component is assigned twice at once.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out f32x4[1])
{
    var v = f32x4(1);
    v.xyx = f32x3(2);
    v.xy = v.yx;
    y[0] = v;
}
// CHECK: error: 'x' stands twice in 'xyx', which is assigned [swizzle_repeat]
