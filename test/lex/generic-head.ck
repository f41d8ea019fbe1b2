// Behind the name of an item, '<' always opens a list.
// RUN: %ckc %s --emit=tokens | FileCheck %s
fn f<T: type, const N: u32 = 1>() kernel k<T: int>()
// CHECK: 3:5 < of a list <
// CHECK: 3:31 > of a list >
// CHECK: 3:43 < of a list <
// CHECK: 3:50 > of a list >
