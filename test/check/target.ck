// The target's members are constants; the branch that is not taken is not checked.
// RUN: %ckc %s --stop-after=check --target=sm_90a | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: %ckc %s --stop-after=check --target=host | FileCheck %s --check-prefixes=CHECK,HOST
const WIDTH: u32 = target.sm >= 80 ? 16 : 8;
static_assert(target.is_gpu != target.is_host);
kernel k(y: out u32[4])
{
    comptime if (target.is_host) y[0] = 1;
    else y[0] = 1.5 > 1 ? target.sm : 0;
    comptime if (target.name == "sm_90a") y[1] = 2;
    comptime if (target.is_gpu && target.name != "sm_90a") y[2] = true + 1u32;
    y[3] = WIDTH;
}
// CHECK-LABEL: kernel k
// GPU: int 90 : u32
// GPU: int 2 : u32
// GPU: int 16 : u32
// HOST: int 1 : u32
// HOST: int 8 : u32
