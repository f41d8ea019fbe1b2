// 'out' is a keyword behind ':' alone, elsewhere a name.
// RUN: %ckc %s --emit=tokens | FileCheck %s
x: out f32[n], out[i] = out
// CHECK: a name x
// CHECK-NEXT: {{[0-9:]+}} : :
// CHECK-NEXT: {{[0-9:]+}} out out
// CHECK: a name out
// CHECK: a name out
