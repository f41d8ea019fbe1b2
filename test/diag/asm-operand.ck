// The operands of inline PTX are those that its template names.
// RUN: not %ckc %s --stop-after=check --target=sm_90 2>&1 | FileCheck %s
kernel k(n: u32, b: bool, x: in f32[n])
{
    asm("add.u32 $0, $1, $2;", n, n);
    asm("add.u32 $0, $0, $0;", n, n);
    asm("costs 5$, $0", n);
    let v = asm<u32>("mov.u32 $0, $$1;");
    asm("// $0", b);
    asm("// $0", n, volatile = b);
    asm("// $0", n, quick = 1);
    asm(n);
    let w = asm<bool>("mov.u32 $0;");
}
// CHECK: :5:9: error: the template names operand $2, there are 2 [asm_operand]
// CHECK: hint: Results are numbered first, then the inputs: $0, $1, ...; $$ is a '$'.
// CHECK: :6:9: error: the template does not use operand $1 [asm_operand]
// CHECK: :7:9: error: a '$' in the template is not followed by a number [asm_operand]
// CHECK: :9:18: error: 'asm' does not take 'bool' [bad_operand]
// CHECK: :10:32: error: this is not known at compile time [not_constant]
// CHECK: :11:21: error: 'asm' has no parameter 'quick' [unknown_argument]
// CHECK: :12:9: error: 'asm' takes a text in quotes here [not_string]
// CHECK: :13:17: error: 'asm' does not take 'bool' [bad_operand]
