// Access words are for spans.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: in u32) {}
// CHECK: error: 'in' is for spans, 'n' is 'u32' [access_word]
// CHECK: hint: A span is written in u32[n].
