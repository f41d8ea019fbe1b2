// A method belongs to a group.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn wave.size -> u32 = 64;
kernel k() {}
// CHECK: :3:4: error: 'wave' is not a group [unknown_group]
