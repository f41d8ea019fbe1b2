// @registers and @blocks_per_sm take one constant in the range that GPUs have.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
@registers(15) kernel a() launch(block = 1, grid = 1) {}
@registers(256) kernel b() launch(block = 1, grid = 1) {}
@registers(n) kernel c(n: u32) launch(block = 1, grid = 1) {}
@registers() kernel d() launch(block = 1, grid = 1) {}
@registers(32, 64) kernel e() launch(block = 1, grid = 1) {}
@blocks_per_sm(0) kernel f() launch(block = 1, grid = 1) {}
@blocks_per_sm(1.5) kernel g() launch(block = 1, grid = 1) {}
@registers(32) @registers(64) kernel h() launch(block = 1, grid = 1) {}
@registers(m) kernel i() launch(block = 1, grid = 1) {}
// CHECK: :3:12: error: '@registers' takes a constant from 16 to 255 [limit_number]
// CHECK: :4:12: error: '@registers' takes a constant from 16 to 255 [limit_number]
// CHECK: :5:12: error: '@registers' takes a constant from 16 to 255 [limit_number]
// CHECK: :6:1: error: '@registers' takes a constant from 16 to 255 [limit_number]
// CHECK: :7:1: error: '@registers' takes a constant from 16 to 255 [limit_number]
// CHECK: :8:16: error: '@blocks_per_sm' takes a constant from 1 to 32 [limit_number]
// CHECK: :9:16: error: 1.5 does not fit in 'u32' [constant_range]
// CHECK: :10:16: error: {{.*}}'registers'{{.*}} [twice_argument]
// CHECK: :11:12: error: {{.*}}'m'{{.*}} [undeclared]
