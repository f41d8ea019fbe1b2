// A byte order mark at the start is passed over.
// RUN: printf '\357\273\277const A = 1;' > %t.ck
// RUN: %ckc %t.ck --emit=tokens | FileCheck %s
// CHECK: 1:4 const const
