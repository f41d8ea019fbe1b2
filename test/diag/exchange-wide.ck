// 16 bytes are exchanged from sm_90 on; other atomics take 8 at most.
// RUN: not %ckc %s --target=sm_80 --emit=ptx 2>&1 | FileCheck %s
kernel k(x: inout u64x2[4]) launch(block = 1, grid = 1)
{
    atomic.compare_exchange(x[0], u64x2(0), u64x2(1));
    let a = atomic.load(x[0]);
}
// CHECK: :5:5: error: 'an exchange of 16 bytes' needs sm_90, the target is sm_80 [needs_sm]
// CHECK: :6:13: error: {{.*}}'u64x2' [bad_operand]
