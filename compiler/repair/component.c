/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* component.c - repairs of vectors whose components are chosen by a variable index.
 *
 * bool_component   of a vector of bools             libNVVM takes a byte of memory for a predicate
 * component        of a vector that was loaded      NVPTX loads it from the wrong memory
 *
 * The components are in registers: the first repair shifts bits, the second one chooses.
 */
#include "repair_private.h"

/* bool_component: a component of a vector of bools, by a variable index, is a bit of a word.
 *
 * libNVVM 13.0 keeps such a vector in memory and uses the byte that it loads as a predicate, which
 * is wrong. NVPTX keeps it in memory as well, which is slow. Packed into the bits of a word, the
 * component is a shift:
 *
 *     extractelement <4 x i1> %v, i32 %i   ->   (v0 | v1 << 1 | v2 << 2 | v3 << 3) >> %i
 */

static void pack(Repair *r, LLVMValueRef extract)
{
  Gen *g = r->g;
  if (!LLVMIsAExtractElementInst(extract) || LLVMTypeOf(extract) != g->i1) return;
  LLVMValueRef vector = LLVMGetOperand(extract, 0), index = LLVMGetOperand(extract, 1);
  if (LLVMIsAConstantInt(index)) return;
  LLVMPositionBuilderBefore(g->builder, extract);
  LLVMValueRef bits = gen_int(g, g->i32, 0);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef bit = LLVMBuildZExt(g->builder, gen_component(g, vector, i), g->i32, "");
    bits =
        LLVMBuildOr(g->builder, bits, LLVMBuildShl(g->builder, bit, gen_int(g, g->i32, i), ""), "");
  }
  LLVMValueRef by = LLVMBuildTrunc(g->builder, index, g->i32, "");
  llvm_replace(r, extract,
               LLVMBuildTrunc(g->builder, LLVMBuildLShr(g->builder, bits, by, ""), g->i1, ""));
}

void repair_bool_component(Repair *r)
{
  llvm_each(r, pack);
}

/* component: expands a variable component of a loaded vector into a choice among all components.
 *
 * On NVPTX, LLVM shrinks such a load to the component alone, and then treats the address as
 * generic, whatever memory it is in: the new load has no LLVM value attached, which NVPTX asks for
 * the memory.
 *
 *     extractelement (load <4 x i32>, ...), %i   ->   %i == 3 ? part 3 : %i == 2 ? part 2 : ...
 */

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
