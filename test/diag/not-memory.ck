// Atomic operations need memory that others see, and that may be written.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, x: in u32[n], y: out u32[n], z: inout u32[n], f: inout f32[n])
{
    var v = 0u32;
    atomic.add(v, 1);
    atomic.add(n, 1);
    atomic.add(3, 1);
    atomic.add(x[0], 1);
    atomic.add(y[0], 1);
    atomic.store(y[0], 1);
    atomic.or(f[0], 1);
    v = atomic.load(x[0]) + load(x[1]);
    store(x[0], 1);
    atomic.add(z[0], 1.5);
}
// CHECK: :6:16: error: this is no memory that others see [not_memory]
// CHECK: hint: Memory that others see is an element of a span, or shared.
// CHECK: :7:16: error: this is no memory that others see [not_memory]
// CHECK: :8:16: error: this is no memory that others see [not_memory]
// CHECK: :9:16: error: 'x' is 'in': it can't be written [assign_in]
// CHECK: :10:16: error: 'y' is 'out': it can't be read [read_out]
// CHECK: :12:5: error: 'atomic.or' does not take 'f32' [bad_operand]
// CHECK: note: in 'atomic.or<f32,0,2>' of the library
// CHECK: hint: It takes integers and vectors of them.
// CHECK: :14:11: error: 'x' is 'in': it can't be written [assign_in]
// CHECK: :15:22: error: 1.5 does not fit in 'u32' [constant_range]
