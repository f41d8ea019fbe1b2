// The host prints by its own function.
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(a: f32) { print("{}", a); assert(a > 1, "small"); if (a > 2) trap(); }
// CHECK:      call void @ck_host_print(
// CHECK:      call void @ck_host_assert(
// CHECK:      call void @ck_host_trap(
