// `union` is a word of the language between `shared` and `{` alone.
// RUN: %ckc %s --emit=tokens | FileCheck %s
shared union { union shared union : union(
// CHECK: 3:1 shared shared
// CHECK-NEXT: 3:8 union union
// CHECK-NEXT: 3:14 { {
// CHECK-NEXT: 3:16 a name union
// CHECK-NEXT: 3:22 shared shared
// CHECK-NEXT: 3:29 a name union
// CHECK-NEXT: 3:35 : :
// CHECK-NEXT: 3:37 a name union
