// An operator of a library's step that doesn't fit its elements is shown with its text, and where it is used.
// RUN: not %ckc %s --emit=manifest --target=sm_90 --backend=nvptx -o %t 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
struct P { r: f32; g: f32; }
algorithm sum(n: u64, x: in P[n]) -> P = reduce(x, |p, q| p + q, P(0, 0));
//      CHECK:{{.*}}step-operator.ck:4:59: error: '+' does not take 'P' [bad_operand]
// CHECK-NEXT:algorithm sum(n: u64, x: in P[n]) -> P = reduce(x, |p, q| p + q, P(0, 0));
// CHECK-NEXT:                                                          ^
//      CHECK:{{.*}}step-operator.ck:4:42: note: in 'device.reduce<{{.*}}', instantiated here
