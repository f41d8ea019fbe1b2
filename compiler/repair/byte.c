/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* byte.c - repairs of integers of 8 bits and of vectors of them.
 *
 * byte_word      bytes of a word                 libNVVM keeps the next byte above one
 * byte_product   products of vectors of bytes    NVPTX leaves a component undefined that is 0
 * byte_sum       sums and comparisons            libNVVM, ptxas compare before they cut to 8 bits
 * byte_load      loads of vectors of 16 bytes    NVPTX takes them for aligned
 *
 * The first three replace the operation by one of whole numbers, component by component where
 * needed.
 */
#include "repair_private.h"

/* byte_word: the bytes of a word are taken by shifts.
 *
 * Where a word is cast to a vector of bytes, libNVVM takes byte i by a shift and leaves the next
 * bytes above it. A sum of such bytes is compared with what is above it.
 *
 *     bitcast i32 %word to <4 x i8>   ->   byte i is trunc(lshr %word, 8 * i) to i8
 */

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

/* byte_product: products of vectors of bytes are computed component by component.
 *
 * NVPTX's instruction selection may leave a component undefined that is 0 because of a constant in
 * either vector, if all components that are used are 0. So with products that are widened to
 * 16-bit integers.
 *
 *     mul <4 x i8> %a, <i8 0, i8 3, i8 0, i8 5>   ->   four products of i8
 */

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

/* byte_sum: integers of 8 bits are added, multiplied, shifted and compared in 32 bits.
 *
 * libNVVM compares or shifts a sum of 8 bits before it is cut to 8 bits: 200 + 100 is 300, not 44.
 * LLVM also packs such sums as add.s16x2, which ptxas gets wrong (short_pair). In 32 bits the cut
 * is an instruction of its own:
 *
 *     add i8 %a, %b         ->   trunc(add i32 (zext %a), (zext %b)) to i8
 *     icmp slt i8 %a, %b    ->   icmp slt i32 (sext %a), (sext %b)
 */

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

/* byte_load: a vector of 16 bytes that isn't aligned to 16 is loaded in halves.
 *
 * NVPTX loads such a vector by ld.v4.u32 whatever its alignment is, and the GPU reports a
 * misaligned address. LLVM makes these vectors from loads of adjacent bytes.
 *
 *     load <16 x i8>, align 1   ->   two of load <8 x i8>, align 1; a shuffle
 */

static LLVMValueRef load_half(Gen *g, LLVMValueRef whole, unsigned at)
{
  enum { HALF = 8 };
  unsigned kind = LLVMGetMDKindIDInContext(g->context, "invariant.load", 14);
  LLVMValueRef index = gen_int(g, g->i32, at), address = LLVMGetOperand(whole, 0);
  address = LLVMBuildInBoundsGEP2(g->builder, g->i8, address, &index, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(g->builder, LLVMVectorType(g->i8, HALF), address, "");
  LLVMValueRef is_invariant = LLVMGetMetadata(whole, kind);
  LLVMSetAlignment(load, llvm_align_at(LLVMGetAlignment(whole), at));
  LLVMSetVolatile(load, LLVMGetVolatile(whole));
  if (is_invariant) LLVMSetMetadata(load, kind, is_invariant);
  return load;
}

static void halve_load(Repair *r, LLVMValueRef load)
{
  enum { BYTES = 16 };
  Gen *g = r->g;
  if (!LLVMIsALoadInst(load)) return;
  LLVMTypeRef type = LLVMTypeOf(load);
  if (!llvm_is_vector(type) || LLVMGetElementType(type) != g->i8) return;
  if (LLVMGetVectorSize(type) != BYTES || LLVMGetAlignment(load) >= BYTES) return;
  LLVMPositionBuilderBefore(g->builder, load);
  LLVMValueRef low = load_half(g, load, 0), high = load_half(g, load, BYTES / 2), order[BYTES];
  for (unsigned i = 0; i < BYTES; ++i) order[i] = gen_int(g, g->i32, i);
  LLVMValueRef mask = LLVMConstVector(order, BYTES);
  llvm_replace(r, load, LLVMBuildShuffleVector(g->builder, low, high, mask, ""));
}

void repair_byte_load(Repair *r)
{
  llvm_each(r, halve_load);
}
