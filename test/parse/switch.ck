// Labels that follow each other are one case; `default` is a name but at the start of a statement.
// RUN: %ckc %s --dump=parse --stop-after=parse | FileCheck %s
fn f(default: u32) { switch (default) { case 1: case 2, 3: g(); h(); default: g(default = 1); } }
// CHECK:      param default
// CHECK:      switch
// CHECK-NEXT:   name default
// CHECK-NEXT:   b case
// CHECK-NEXT:     int 1
// CHECK-NEXT:     int 2
// CHECK-NEXT:     int 3
// CHECK-NEXT:     evaluate
// CHECK:      evaluate
// CHECK:      b case
// CHECK-NEXT:   open
// CHECK:      argument default
