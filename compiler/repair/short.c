/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* short.c - repairs of integers of 16 bits.
 *
 * short_pair     module   ptxas loses a constant operand of add.s16x2        sums of components
 * short_negate   PTX      -x of -32768, used as more than 16 bits, is 32768  32 bits, then cut
 * short_min      PTX      two minima share one wrong predicate               32 bits, then cut
 */
#include "repair_private.h"

#include <string.h>

/* short_pair: vectors of 16-bit integers are added and multiplied component by component.
 *
 * LLVM makes add.s16x2 of sums of two 16-bit integers for sm_90 and newer, and ptxas may lose a
 * constant operand of it where only one half of the result is used. LLVM's loop vectoriser ends a
 * sum over an array with llvm.vector.reduce.add, which is such a sum as well.
 *
 *     add <2 x i16> %a, <i16 1, i16 2>   ->   two sums of i16
 */

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

static void split_pair_sum(Repair *r, LLVMValueRef instruction)
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
  llvm_each(r, split_pair_sum);
}

/* short_negate: negations, differences and absolute values of 16 bits are done in 32.
 *
 * ptxas does sub.s16, neg.s16 and abs.s16 in 32 bits and does not cut the result: -x of -32768,
 * compared or converted as a wider number, is 32768.
 *
 *     neg.s16 %rs2, %rs1;   ->   cvt.s32.s16 wide, %rs1; neg.s32 wide, wide;
 *                               cvt.u16.u32 %rs2, wide;
 */

static void widen_negation(PtxFunction *f, PtxLine *line)
{
  static const char *const words[] = {"neg.s16", "abs.s16", "sub.s16"};
  if (line->word_end - line->word != sizeof "neg.s16" - 1) return;
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (ptx_starts(line->word, words[i]) && line->count == (i < 2 ? 2 : 3)) ptx_in_32_bits(f, line);
}

void repair_short_negate(Repair *r)
{
  ptx_run(r, NULL, widen_negation, "neg.s16", "abs.s16", "sub.s16", NULL);
}

/* short_min: minima and maxima of 16 bits are taken in 32.
 *
 * Where a minimum is compared with the constant that it was taken with, ptxas takes two of them at
 * once, and has one predicate for which of the two is the less.
 *
 *     min.u16   %rs2, %rs1, 1;   ->   in 32 bits, as short_negate does it
 *     min.u16x2 %r3, %r1, %r2;   ->   min.u32 of the low halves, min.u32 of the high ones, prmt.b32
 */

static void split_pair(PtxFunction *f, PtxLine *line)
{
  const Operand *operands = line->operands;
  char type = line->word[4]; /* s or u */
  Buf halves = BUF(&f->r->c->scratch);
  for (unsigned i = 0; i < 2; ++i)
    buf_printf(&halves,
               " mov.b32 high%u, %.*s; cvt.%c32.%c16 low%u, high%u; shr.%c32 high%u, high%u, 16;",
               i, LEN(operands[i + 1]), type, type, i, i, type, i, i);
  ptx_replace(f, line,
              "\t{ .reg .b32 low<2>, high<2>;%s %.3s.%c32 low0, low0, low1;"
              " %.3s.%c32 high0, high0, high1; prmt.b32 %.*s, low0, high0, 0x5410; }\n",
              buf_text(&halves), line->word, type, line->word, type, LEN(operands[0]));
}

static bool is_one_of(const PtxLine *line, const char *const *words)
{
  size_t len = (size_t)(line->word_end - line->word);
  for (; *words; ++words)
    if (len == sizeof "min." - 1 + strlen(*words) && ptx_starts(line->word + 4, *words))
      return line->count == 3;
  return false;
}

static void widen_extreme(PtxFunction *f, PtxLine *line)
{
  static const char *const singles[] = {"s16", "u16", NULL}, *const pairs[] = {"s16x2", "u16x2",
                                                                               NULL};
  if (!ptx_starts(line->word, "min.") && !ptx_starts(line->word, "max.")) return;
  if (is_one_of(line, singles)) ptx_in_32_bits(f, line);
  else if (is_one_of(line, pairs)) split_pair(f, line);
}

void repair_short_min(Repair *r)
{
  ptx_run(r, NULL, widen_extreme, "min.s16", "max.s16", "min.u16", "max.u16", NULL);
}
