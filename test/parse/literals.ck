// Literals are nodes with their values.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = 0x10;
const B = 1.5;
const C = true;
const D = 7u8;
const E = 1e3f64;
// CHECK:      b int 16 : an integer
// CHECK:      b float 1.5 : a number
// CHECK:      b bool true
// CHECK:      b int 7 : u8
// CHECK:      b float 1000 : f64
