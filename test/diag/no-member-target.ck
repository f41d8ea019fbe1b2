// What the target does not have is no member.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = target.cores;
const B = target.name != "host" == true && "a" == 1u32;
kernel k(y: out u32[1]) { y[0] = target; }
// CHECK: :3:11: error: 'target' has no member 'cores' [no_member]
// CHECK: hint: They are target.sm, target.name, target.is_gpu and target.is_host.
// CHECK: :4:44: error: '==' of 'a text' and 'u32'
// CHECK: :5:34: error: cannot convert 'target' to 'u32'
