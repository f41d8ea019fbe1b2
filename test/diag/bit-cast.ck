// bit_cast takes and gives numbers, or vectors of them, of one size.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[8], b: bool)
{
    let a = bit_cast<u64>(x[0]);
    let c = bit_cast<u8>(b);
    let d = bit_cast<f32x2>(1u32);
    let e = bit_cast<f32x2>;
    let f = sizeof(x);
    let g = bit_cast(x[0]);
    let h = bit_cast<u32, u32>(x[0]);
}
// CHECK: error: 'f32' has not as many bits as 'u64' [bit_cast]
// CHECK: error: 'bool' has not as many bits as 'u8' [bit_cast]
// CHECK: error: 'u32' has not as many bits as 'f32x2' [bit_cast]
// CHECK: error: 'bit_cast' is a function, a value is needed here [not_a_value]
// CHECK: error: 'sizeof' does not take 'in f32[]' [bad_operand]
// CHECK: error: 'T' can't be inferred from the arguments of 'bit_cast' [no_inference]
// CHECK: hint: The type stands in <>: bit_cast<u32>(x).
// CHECK: error: 'bit_cast' takes 1 type in <>, 2 are given [argument_count]
