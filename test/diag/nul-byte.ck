// A NUL byte is no text.
// RUN: printf 'const A = 1;\n\000' > %t.ck
// RUN: not %ckc %t.ck --stop-after=check 2>&1 | FileCheck %s
// CHECK: :2:1: error: a NUL byte stands in the text [nul_byte]
