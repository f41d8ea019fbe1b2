// Integers of three bases, with _ and a type behind.
// RUN: %ckc %s --emit=tokens | FileCheck %s
0 42 1_000_000 0xFf 0b1010 7u8 0x1Fi64 08
// CHECK: an integer 0
// CHECK: an integer 42
// CHECK: an integer 1_000_000
// CHECK: an integer 0xFf
// CHECK: an integer 0b1010
// CHECK: an integer 7u8
// CHECK: an integer 0x1Fi64
// CHECK: an integer 08
