// What a part of a union is assigned, another part reads: no warning. A part that nothing uses is one.
// RUN: %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out u32[1])
{
    shared union { a: f32; b: u32; c: i32; }
    a = 1;
    y[0] = b;
}
// CHECK-NOT: 'a'
// CHECK: :5:36: warning: nothing uses 'c' [unused_variable]
