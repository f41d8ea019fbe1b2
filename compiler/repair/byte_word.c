/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* byte_word.c - the bytes of a word are taken by shifts.
 *
 * Where a word is cast to a vector of bytes, libNVVM takes byte i by a shift and leaves the next
 * bytes above it. A sum of such bytes is compared with what is above it.
 *
 *     bitcast i32 %word to <4 x i8>   ->   byte i is trunc(lshr %word, 8 * i) to i8
 */
#include "repair_private.h"

/* `bitcast i32 %word to <4 x i8>`, of words of any type: each byte by a shift. */
static void shift_bytes(Repair *r, LLVMValueRef cast)
{
  Gen *g = r->g;
  enum { BYTE = 8, WORD = 32 };
  if (!LLVMIsABitCastInst(cast) || !llvm_is_vector(LLVMTypeOf(cast))) return;
  LLVMTypeRef type = LLVMTypeOf(cast), byte = LLVMGetElementType(type), word = g->i32;
  if (LLVMGetTypeKind(byte) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(byte) != BYTE) return;
  LLVMBuilderRef b = g->builder;
  LLVMPositionBuilderBefore(b, cast);
  unsigned count = LLVMGetVectorSize(type), each = WORD / BYTE;
  if (count < each) word = LLVMIntTypeInContext(g->context, BYTE * (each = count));
  LLVMValueRef words = LLVMGetOperand(cast, 0), result = LLVMGetUndef(type);
  words = LLVMBuildBitCast(b, words, LLVMVectorType(word, count / each), "");
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef bits = LLVMConstInt(word, (uint64_t)BYTE * (i % each), false), part;
    part = LLVMBuildExtractElement(b, words, gen_int(g, g->i32, i / each), "");
    part = LLVMBuildTrunc(b, LLVMBuildLShr(b, part, bits, ""), byte, "");
    result = LLVMBuildInsertElement(b, result, part, gen_int(g, g->i32, i), "");
  }
  llvm_replace(r, cast, result);
}

void repair_byte_word(Repair *r)
{
  llvm_each(r, shift_bytes);
}
