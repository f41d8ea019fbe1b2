// A split has all warps of its block, a role no other split, and its name in its own statements.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
fn f() { split { a(warps = 8, registers = 40) { } } }
kernel few() launch(block = 256, grid = 1) { split { a(warps = 1) { } } }
kernel words() launch(block = 256, grid = 1) { split { a(1) { } b(threads = 32) { } } }
kernel none(n: u32) launch(block = 256, grid = 1) { split { a(warps = 0) { } b(warps = n) { } } }
kernel inner() launch(block = 256, grid = 1) { split { a(warps = 8) { split { b(warps = 2) { } } } } }
kernel other() launch(block = 256, grid = 1) { split { a(warps = 1) { b.sync(); } b(warps = 7) { } } }
@registers(64)
kernel limits() launch(block = 256, grid = 1) { split { a(warps = 8, registers = 40) { } } }
kernel odd() launch(block = 256, grid = 1) { split { a(warps = 4, registers = 44) { } b(warps = 4, registers = 40) { } } }
kernel good() launch(block = 256, grid = 1) { let split = 3; split { a(warps = 8) { print("{}", split); } } }
// CHECK: :3:18: error: a kernel gives its roles registers; 'f' is a function [role_kernel]
// CHECK: :4:46: error: static_assert failed: the roles of a split have all warps of the block, 32 threads each [static_assert]
// CHECK: :5:58: error: the role 'a' takes warps = N and registers = N [role_words]
// CHECK: :5:67: error: the role 'b' takes warps = N and registers = N [role_words]
// CHECK: :6:61: error: a role of 0 warps: a block has 1 to 32 [role_warps]
// CHECK: :6:{{.*}} error: this is not known at compile time [not_constant]
// CHECK: :7:71: error: a split does not stand in a role of another one [split_place]
// CHECK: :8:71: error: 'b' is not declared [undeclared]
// CHECK: :10:57: error: the registers of roles follow from the block, without @registers [role_limits]
// CHECK: :11:54: error: static_assert failed: the registers of a role are a multiple of 8, from 24 to 256 [static_assert]
// CHECK-NOT: :12:
