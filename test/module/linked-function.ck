// What an imported file exports to a link is its own piece's; what it imports is known here.
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx | FileCheck %s
import "Inputs/linked.ck";
kernel k(y: out f32[2]) launch(block = 1, grid = 1)
{
    y[0] = helper(1.0);
    y[1] = elsewhere(2.0);
}
// CHECK-NOT: .visible .func
// CHECK: .extern .func  (.param .b32 func_retval0) elsewhere
// CHECK-NOT: .visible .func
