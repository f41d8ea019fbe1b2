/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_vector.c - without optimisation, an element is put into a vector of f16 as an integer.
 *
 * libNVVM, which does not optimise and compiles for a target before sm_100, refuses to take a
 * vector of f16 into which an element was put for an integer: "unsupported operation".
 *
 *     insertelement <2 x half> %v, half %x, i32 1
 *         ->   bitcast (insertelement <2 x i16> (bitcast %v), i16 (bitcast %x), i32 1)
 */
#include "repair_private.h"

static void insert_bits(Repair *r, LLVMValueRef instruction)
{
  Gen *g = r->g;
  LLVMTypeRef type = LLVMTypeOf(instruction), half = LLVMHalfTypeInContext(g->context);
  if (!LLVMIsAInsertElementInst(instruction) || LLVMGetElementType(type) != half) return;
  LLVMBuilderRef b = g->builder;
  LLVMPositionBuilderBefore(b, instruction);
  LLVMTypeRef bits = LLVMVectorType(g->i16, LLVMGetVectorSize(type));
  LLVMValueRef vector = LLVMBuildBitCast(b, LLVMGetOperand(instruction, 0), bits, "");
  LLVMValueRef part = LLVMBuildBitCast(b, LLVMGetOperand(instruction, 1), g->i16, "");
  vector = LLVMBuildInsertElement(b, vector, part, LLVMGetOperand(instruction, 2), "");
  llvm_replace(r, instruction, LLVMBuildBitCast(b, vector, type, ""));
}

void repair_half_vector(Repair *r)
{
  if (r->c->options.opt_level == CK_OPT_0) llvm_each(r, insert_bits);
}
