/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* short_pair.c - vectors of 16-bit integers are added and multiplied component by component.
 *
 * LLVM makes add.s16x2 of sums of two 16-bit integers for sm_90 and newer, and ptxas may lose a
 * constant operand of it where only one half of the result is used. LLVM's loop vectoriser ends a
 * sum over an array with llvm.vector.reduce.add, which is such a sum as well.
 *
 *     add <2 x i16> %a, <i16 1, i16 2>   ->   two sums of i16
 */
#include "repair_private.h"

#include <string.h>

static bool is_arithmetic(LLVMValueRef instruction)
{
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMSDiv:
  case LLVMSRem:
  case LLVMAShr:
  case LLVMUDiv:
  case LLVMURem:
  case LLVMLShr: return true;
  default: return false;
  }
}

static bool is_sum_of_components(LLVMValueRef instruction)
{
  static const char prefix[] = "llvm.vector.reduce.add.v";
  size_t len;
  return LLVMIsACallInst(instruction) &&
         !strncmp(LLVMGetValueName2(LLVMGetCalledValue(instruction), &len), prefix,
                  sizeof prefix - 1);
}

static LLVMValueRef sum_of_components(Gen *g, LLVMValueRef vector)
{
  LLVMValueRef sum = NULL;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); ++i) {
    LLVMValueRef part = gen_component(g, vector, i);
    sum = sum ? LLVMBuildAdd(g->builder, sum, part, "") : part;
  }
  return sum;
}

static void split(Repair *r, LLVMValueRef instruction)
{
  LLVMPositionBuilderBefore(r->g->builder, instruction);
  if (is_sum_of_components(instruction)) {
    LLVMValueRef vector = LLVMGetOperand(instruction, 0);
    llvm_replace(r, instruction, sum_of_components(r->g, vector));
  } else if (is_arithmetic(instruction)) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (llvm_is_vector(type) && LLVMGetElementType(type) == r->g->i16)
      llvm_replace(r, instruction, llvm_by_component(r->g, instruction));
  }
}

void repair_short_pair(Repair *r)
{
  llvm_each(r, split);
}
