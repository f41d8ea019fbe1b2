// An operator is a function as a value: where a number is needed, it is one mistake.
// RUN: not %ckc %s --target=sm_90 --stop-after=check 2>&1 | FileCheck %s
kernel extent(x: in f32[4], y: out u64[1]) launch(block = 1, grid = 1)
{
    y[0] = x.extent(+);
    // CHECK: :[[@LINE-1]]:21: error: cannot convert '+' to 'u64' [type_mismatch]
    y[0] = asm<u64>("mov.u64 $0, $1;", +);
    // CHECK: :[[@LINE-1]]:40: error: 'asm' does not take '+' [bad_operand]
    // CHECK-NOT: error:
}
