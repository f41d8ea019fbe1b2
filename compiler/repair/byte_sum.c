/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* byte_sum.c - integers of 8 bits are added, multiplied, shifted and compared in 32 bits.
 *
 * libNVVM compares or shifts a sum of 8 bits before it is cut to 8 bits: 200 + 100 is 300, not 44.
 * LLVM also packs such sums as add.s16x2, which ptxas gets wrong (short_pair.c). In 32 bits the cut
 * is an instruction of its own:
 *
 *     add i8 %a, %b         ->   trunc(add i32 (zext %a), (zext %b)) to i8
 *     icmp slt i8 %a, %b    ->   icmp slt i32 (sext %a), (sext %b)
 */
#include "repair_private.h"

typedef enum Widening { WIDEN_no, WIDEN_any, WIDEN_signed, WIDEN_unsigned } Widening;

/* How the operands of an operation of 8 bits are made wider. */
static Widening widening(LLVMValueRef instruction)
{
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl: return WIDEN_any;
  case LLVMSDiv:
  case LLVMSRem:
  case LLVMAShr: return WIDEN_signed;
  case LLVMUDiv:
  case LLVMURem:
  case LLVMLShr: return WIDEN_unsigned;
  case LLVMICmp:
    return LLVMGetICmpPredicate(instruction) >= LLVMIntSGT ? WIDEN_signed : WIDEN_unsigned;
  default: return WIDEN_no;
  }
}

static LLVMTypeRef with_element(LLVMTypeRef type, LLVMTypeRef element)
{
  return llvm_is_vector(type) ? LLVMVectorType(element, LLVMGetVectorSize(type)) : element;
}

static LLVMValueRef in_32_bits(Gen *g, LLVMValueRef instruction, Widening widen)
{
  LLVMBuilderRef b = g->builder;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0)), wide = with_element(type, g->i32);
  LLVMValueRef operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, i);
    operands[i] = widen == WIDEN_signed ? LLVMBuildSExt(b, operand, wide, "")
                                        : LLVMBuildZExt(b, operand, wide, "");
  }
  if (opcode == LLVMICmp)
    return LLVMBuildICmp(b, LLVMGetICmpPredicate(instruction), operands[0], operands[1], "");
  LLVMValueRef result = LLVMBuildBinOp(b, opcode, operands[0], operands[1], "");
  return LLVMBuildTrunc(b, result, type, "");
}

static void widen(Repair *r, LLVMValueRef instruction)
{
  Widening how = widening(instruction);
  if (how == WIDEN_no) return;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  if ((llvm_is_vector(type) ? LLVMGetElementType(type) : type) != r->g->i8) return;
  LLVMPositionBuilderBefore(r->g->builder, instruction);
  llvm_replace(r, instruction, in_32_bits(r->g, instruction, how));
}

void repair_byte_sum(Repair *r)
{
  llvm_each(r, widen);
}
