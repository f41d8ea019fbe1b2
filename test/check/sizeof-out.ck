// The size of an element of an `out` span is known without reading it.
// RUN: %ckc %s --emit=llvm -o %t
// RUN: not %ckc %s --emit=llvm -D READ=true 2>&1 | FileCheck %s
const READ = false;
struct P { a: f32; b: f64; }
kernel k(y: out f32[8], p: out P[8], z: out u64[3])
{
    z[0] = sizeof(y[0]);
    z[1] = alignof(p[1].b);
    comptime if (READ) z[2] = sizeof(z[u64(y[1])]);
}
// CHECK: error: 'y' is 'out': it can't be read [read_out]
// CHECK-NOT: error
