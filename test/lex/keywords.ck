// Each keyword is a token of its own; a longer name is a name.
// RUN: %ckc %s --emit=tokens | FileCheck %s
import const fn kernel struct algorithm export launch static_assert let var shared scratch
if else while for in inout break continue return unroll comptime fast dyn true false
kernels _if i32 enum switch case
// CHECK: 3:1 import import
// CHECK-NEXT: 3:8 const const
// CHECK-NEXT: 3:14 fn fn
// CHECK-NEXT: 3:17 kernel kernel
// CHECK-NEXT: 3:24 struct struct
// CHECK-NEXT: 3:31 algorithm algorithm
// CHECK-NEXT: 3:41 export export
// CHECK-NEXT: 3:48 launch launch
// CHECK-NEXT: 3:55 static_assert static_assert
// CHECK-NEXT: 3:69 let let
// CHECK-NEXT: 3:73 var var
// CHECK-NEXT: 3:77 shared shared
// CHECK-NEXT: 3:84 scratch scratch
// CHECK-NEXT: 4:1 if if
// CHECK-NEXT: 4:4 else else
// CHECK-NEXT: 4:9 while while
// CHECK-NEXT: 4:15 for for
// CHECK-NEXT: 4:19 in in
// CHECK-NEXT: 4:22 inout inout
// CHECK-NEXT: 4:28 break break
// CHECK-NEXT: 4:34 continue continue
// CHECK-NEXT: 4:43 return return
// CHECK-NEXT: 4:50 unroll unroll
// CHECK-NEXT: 4:57 comptime comptime
// CHECK-NEXT: 4:66 fast fast
// CHECK-NEXT: 4:71 dyn dyn
// CHECK-NEXT: 4:75 true true
// CHECK-NEXT: 4:80 false false
// CHECK-NEXT: 5:1 a name kernels
// CHECK-NEXT: 5:9 a name _if
// CHECK-NEXT: 5:13 a name i32
// CHECK-NEXT: 5:17 enum enum
// CHECK-NEXT: 5:22 switch switch
// CHECK-NEXT: 5:29 case case
