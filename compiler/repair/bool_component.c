/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bool_component.c - a component of a vector of bools, by a variable index, is a bit of a word.
 *
 * libNVVM 13.0 keeps such a vector in memory and uses the byte that it loads as a predicate, which
 * is wrong. NVPTX keeps it in memory as well, which is slow. Packed into the bits of a word, the
 * component is a shift:
 *
 *     extractelement <4 x i1> %v, i32 %i   ->   (v0 | v1 << 1 | v2 << 2 | v3 << 3) >> %i
 */
#include "repair_private.h"

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
