// '>>' is one token outside of <...>, two inside.
// RUN: %ckc %s --emit=tokens | FileCheck %s
a >> b; a >>= b; f<g<i32>>(x); f<(a >> b)>(x);
// CHECK: {{^}}3:3 >> >>
// CHECK: {{^}}3:11 >>= >>=
// CHECK: {{^}}3:19 < of a list <
// CHECK: {{^}}3:21 < of a list <
// CHECK: {{^}}3:25 > of a list >
// CHECK-NEXT: 3:26 > of a list >
// CHECK: {{^}}3:33 < of a list <
// CHECK: >> >>
// CHECK: > of a list >
