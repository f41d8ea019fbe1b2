// A byte that is not UTF-8 is named, even in a comment.
// RUN: printf 'const A = 1; // \377\n' > %t.ck
// RUN: not %ckc %t.ck --stop-after=check 2>&1 | FileCheck %s
// CHECK: :1:17: error: the byte 0xff is not UTF-8 [not_utf8]
