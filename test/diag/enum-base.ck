// An enumeration is kept as an integer, which holds all of its values; each has a name of its own.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
enum H: f32 { a } enum I: u8 { a = 255, b } enum J { a, b, a } enum K { a = 1.5 } enum L { a = thread.x }
// CHECK: error: an enumeration is kept as an integer, not as 'f32' [enum_base]
// CHECK: error: the value after the last one does not fit in 'u8' [constant_range]
// CHECK: error: 'a' is declared twice [redeclared]
// CHECK: error: 1.5 does not fit in 'i32' [constant_range]
// CHECK: error: this is not known at compile time [not_constant]
