// A mistake in the source ends with 1; its place, the line and the id are on standard error.
// REQUIRES: ckc
// RUN: sh -c '%ckc %s --emit=manifest; test $? = 1' 2>&1 | FileCheck %s
// RUN: sh -c '%ckc - --emit=manifest < %s; test $? = 1' 2>&1 | FileCheck --check-prefix=STDIN %s
// RUN: sh -c '%ckc run %s k x=zeros:1; test $? = 1' 2>&1 | FileCheck %s
// CHECK: diagnostics.ck:[[@LINE+3]]:57: error: cannot convert 'f32' to 'i32' [type_mismatch]
// CHECK: let k: i32 = x[0];
// STDIN: <stdin>:[[@LINE+1]]:57: error:
kernel k(x: in f32[1]) launch(block = 1) { let k: i32 = x[0]; }
