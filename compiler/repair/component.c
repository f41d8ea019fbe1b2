/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* component.c - expands a variable component of a loaded vector into a choice among all components.
 *
 * On NVPTX, LLVM shrinks such a load to the component alone, and then treats the address as
 * generic, whatever memory it is in: the new load has no LLVM value attached, which NVPTX asks for
 * the memory.
 *
 *     extractelement (load <4 x i32>, ...), %i   ->   %i == 3 ? part 3 : %i == 2 ? part 2 : ...
 */
#include "repair_private.h"

static void choose_component(Repair *r, LLVMValueRef extract)
{
  Gen *g = r->g;
  if (!LLVMIsAExtractElementInst(extract)) return;
  LLVMValueRef vector = LLVMGetOperand(extract, 0), index = LLVMGetOperand(extract, 1);
  if (!LLVMIsALoadInst(vector) || LLVMIsAConstantInt(index)) return;
  LLVMPositionBuilderBefore(g->builder, extract);
  LLVMValueRef chosen = gen_component(g, vector, 0);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
  for (unsigned i = 1; i < count; ++i) {
    LLVMValueRef number = LLVMConstInt(LLVMTypeOf(index), i, false);
    LLVMValueRef is_it = LLVMBuildICmp(g->builder, LLVMIntEQ, index, number, "");
    chosen = LLVMBuildSelect(g->builder, is_it, gen_component(g, vector, i), chosen, "");
  }
  llvm_replace(r, extract, chosen);
}

void repair_component(Repair *r)
{
  llvm_each(r, choose_component);
}
