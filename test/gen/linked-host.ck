// On the host an exported function is like any other, and an imported one is not asked for where
// `comptime if` leaves it out.
// RUN: %ckc %s --emit=llvm --stop-after=gen --target=host | FileCheck %s
// RUN: %ckc run %s k y=zeros:2 --device=host --print=y | FileCheck %s --check-prefix=RAN
import fn theirs(x: f32) -> f32;
export fn mine(x: f32) -> f32 { return 3 * x; }
kernel k(y: out f32[2]) launch(block = 1, grid = 1)
{
    y[0] = mine(5.0);
    comptime if (target.is_host) y[1] = 1;
    else y[1] = theirs(2.0);
}
// CHECK-NOT: @theirs
// CHECK: define internal float @ck.mine
// CHECK-NOT: @theirs
// RAN: y = [15, 1]
