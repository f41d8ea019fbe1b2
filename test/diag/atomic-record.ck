// A struct of another size than one access has, or with a comparison of its bytes, is no operand of an atomic.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct Three { a: u32; b: u32; c: u32; }
struct Two { a: u16; b: u32; }
kernel k(x: inout Three[2], y: inout Two[2], z: inout f32x3[2]) launch(block = 1, grid = 1)
{
    x[1] = atomic.load(x[0]);
    atomic.compare_exchange(y[0], Two(1, 2), Two(3, 4));
    atomic.store(z[0], f32x3(1));
}
// CHECK: error: 'atomic.load' does not take 'Three' [bad_operand]
// CHECK: hint: It takes structs and tuples of 1, 2, 4, 8 or 16 bytes.
// CHECK: error: 'atomic.compare_exchange' does not take 'Two' [bad_operand]
// CHECK: hint: It takes integers, floats and vectors of them.
// CHECK: error: 'atomic.store' does not take 'f32x3' [bad_operand]
// CHECK: hint: It takes vectors of at most 16 bytes, not of 3 components.
