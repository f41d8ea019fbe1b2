// A conversion prints the type of its value.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: f32, i: i32) { print("{:x}", a); print("{:.2}", i); print("{:q}", i); print("{a}", i); }
// CHECK: error: '{:x}' in the format does not print 'f32' [print_conversion]
// CHECK: hint: Write {}, {:8} for a width, {:x} for an integer, {:.3} or {:e} for a float
// CHECK: error: '{:.2}' in the format does not print 'i32' [print_conversion]
// CHECK: error: '{:q}' in the format does not print 'i32' [print_conversion]
// CHECK: error: '{a}' in the format does not print 'i32' [print_conversion]
