// Extents behind the name of what is declared go behind its type.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct P { x[3]: f32; }
kernel k(z[4]: in i32) {
    var a[4]: f32;
    shared s[32]: f32;
}
// CHECK: 3:13: error: the extents of 'x' stand behind its type [expected]
// CHECK: hint: Write x: f32[3].
// CHECK: fix: write ': f32[3]' instead
// CHECK: 4:11: error: the extents of 'z' stand behind its type
// CHECK: fix: write ': in i32[4]' instead
// CHECK: 5:10: error: the extents of 'a' stand behind its type
// CHECK: 6:13: error: the extents of 's' stand behind its type
// CHECK-NOT: error:
