// 16 bytes are exchanged from sm_90 on, and loaded and stored on all targets; 32 are no operand.
// RUN: not %ckc %s --target=sm_80 --emit=ptx 2>&1 | FileCheck %s
kernel k(x: inout u64x2[4], y: inout u64x4[4]) launch(block = 1, grid = 1)
{
    atomic.compare_exchange(x[0], u64x2(0), u64x2(1));
    atomic.store(x[1], atomic.load(x[0]));
    let a = atomic.load(y[0]);
}
// CHECK: :5:5: error: 'an exchange of 16 bytes' needs sm_90, the target is sm_80 [needs_sm]
// CHECK-NOT: :6:
// CHECK: :7:13: error: {{.*}}'u64x4' [bad_operand]
