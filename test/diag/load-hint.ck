// The words of x.load<N> and x.store, and what they take.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: inout f32[64], n: u32) launch(block = 1, grid = 1)
{
    x.store(0, x.load<4>(0, cache = streamin));
    x.store(0, f32x4(0), cache = constant);
    let a = x.load<4>(0, cache = n);
    let b = x.load<4>(0, caches = global);
}
// CHECK: :5:37: error: 'streamin' is not declared [undeclared]
// CHECK: hint: Did you mean 'streaming'?
// CHECK: :6:34: error: 'store' takes all, global, streaming, no_allocate, evict_first, evict_last, through or volatile [memory_order]
// CHECK: :7:34: error: 'load' takes all, global, streaming, last, no_allocate, evict_first, evict_last, constant, through or volatile [memory_order]
// CHECK: :8:26: error: 'load' has no parameter 'caches' [unknown_argument]
