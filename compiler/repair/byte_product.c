/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* byte_product.c - products of vectors of bytes are computed component by component.
 *
 * NVPTX's instruction selection may leave a component undefined that is 0 because of a constant in
 * either vector, if all components that are used are 0. So with products that are widened to
 * 16-bit integers.
 *
 *     mul <4 x i8> %a, <i8 0, i8 3, i8 0, i8 5>   ->   four products of i8
 */
#include "repair_private.h"

static void split_product(Repair *r, LLVMValueRef instruction)
{
  if (LLVMGetInstructionOpcode(instruction) != LLVMMul) return;
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (!llvm_is_vector(type) || LLVMGetElementType(type) != r->g->i8) return;
  LLVMPositionBuilderBefore(r->g->builder, instruction);
  llvm_replace(r, instruction, llvm_by_component(r->g, instruction));
}

void repair_byte_product(Repair *r)
{
  llvm_each(r, split_product);
}
