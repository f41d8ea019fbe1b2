// A list may divide; a comment is in none.
// RUN: %ckc %s --emit=tokens | FileCheck %s
f<a, b / 2>(x);
f<a % 2>(x);
a < b // c>(x)
;
// CHECK: {{^}}3:2 < of a list <
// CHECK: {{^}}4:2 < of a list <
// CHECK: {{^}}5:3 < <
