// Code for the host is not linked: only a call needs the other piece.
// RUN: not %ckc %s --target=host -o %t 2>&1 | FileCheck %s
// RUN: not %ckc %s --target=host --emit=llvm 2>&1 | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=host
import fn unused();
import fn theirs(x: f32) -> f32;
kernel k(y: out f32[2]) { y[0] = theirs(1.0); y[1] = theirs(2.0); }
// CHECK-NOT: unused
// CHECK: :6:11: error: 'theirs' is another piece's of a link, and code for the host is not linked [import_host]
// CHECK: hint: Call it in 'comptime if (!target.is_host)', and say what the host does.
// CHECK-NOT: error:
