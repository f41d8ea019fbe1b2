// print packs its values as C does: small integers as 32 bits, f32 as f64, bool as a text.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: f32, b: i8, c: bool, d: u64) { print("{} {:x} {} {:.3} 100%", a, b, c, a); print("{}", d); }
// CHECK-DAG: c"%.9g %x %s %.3g 100%%\0A\00"
// CHECK-DAG: c"%llu\0A\00"
// CHECK:      fpext float %a to double
// CHECK:      zext i8 %b to i32
// CHECK:      select i1
// CHECK:      call i32 @vprintf
