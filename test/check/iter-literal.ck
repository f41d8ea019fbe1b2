// A literal that is stored through a map_store is an i32 or f32: no type asks for it.
// RUN: not %ckc %s --target=host --stop-after=check 2>&1 | FileCheck %s
kernel k(x: inout f32[4], y: inout f64[4])
{
    x.reverse()[0] = 1.5;
    let it = y.map_store(|v: f64| v / 2);
    it[1] = 3;
}
// CHECK: :7:5: error: cannot convert 'i32' to 'f64' [type_mismatch]
// CHECK-NOT: error:
