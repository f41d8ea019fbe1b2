// Inline PTX is an error on the host, outside the branch that is not taken.
// RUN: not %ckc %s --stop-after=check --target=host 2>&1 | FileCheck %s
kernel k(y: out u32[1])
{
    comptime if (target.is_gpu) y[0] = asm<u32>("mov.u32 $0, %smid;");
    y[0] = asm<u32>("mov.u32 $0, %smid;");
}
// CHECK-NOT: :5:
// CHECK: :6:12: error: PTX can't run on the host [asm_host]
// CHECK: hint: Give the host a branch: comptime if (target.is_host) ... else ...
