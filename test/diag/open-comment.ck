// A comment without an end is reported where it starts, and nothing else is.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 1;
/* never
// CHECK: error: the comment that starts here never ends [open_comment]
// CHECK-NOT: error:
