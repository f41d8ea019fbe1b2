// Methods and operators go with a value, whether or not its struct's file is imported.
// RUN: %ckc run %s k x=ones:1 --device=host --print=x | FileCheck %s
import "Inputs/maker.ck";
kernel k(x: inout f32[1]) launch(block = 1, grid = 1) { x[0] = (make(1) + make(2)).sum; }
// CHECK: x = [33]
