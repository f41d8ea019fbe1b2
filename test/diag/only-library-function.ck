// What the library declares with two underscores is not for programs, however it is called.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(y: out u32[1]) { y[0] = __base<32>() + __lane_of(); let m = 1u32.__match<true>(2); }
fn __lane_of() -> u32 = 1;
// CHECK: :3:34: error: '__base' is internal: only the library may call it [only_library]
// CHECK-NEXT: kernel
// CHECK-NEXT: ^~~~~~
// CHECK-NEXT: hint: Names that start with two underscores belong to the library.
// CHECK-NOT: __lane_of
// CHECK: error: {{.*}}__match
