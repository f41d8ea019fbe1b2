// Kernels of an imported file are compiled if the importer exports them.
// RUN: %ckc %s --emit=manifest --target=host | FileCheck %s
// RUN: %ckc run %s scale x=ones:3 --device=host --print=x | FileCheck %s --check-prefix=SCALE
// RUN: %ckc run %s 'other<2>' x=ones:2 --device=host --print=x | FileCheck %s --check-prefix=OTHER
import "Inputs/sub/a.ck";
export scale, other<2>;
// CHECK-NOT: "name": "other"
// CHECK: "name": "scale"
// CHECK-NOT: "name": "other"
// CHECK: "name": "other<2>"
// CHECK-NOT: "name": "other
// SCALE: x = [2, 2, 2]
// OTHER: x = [7, 7]
