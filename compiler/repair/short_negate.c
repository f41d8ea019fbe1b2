/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* short_negate.c - negations, differences and absolute values of 16 bits are done in 32.
 *
 * ptxas does sub.s16, neg.s16 and abs.s16 in 32 bits and does not cut the result: -x of -32768,
 * compared or converted as a wider number, is 32768.
 *
 *     neg.s16 %rs2, %rs1;   ->   cvt.s32.s16 wide, %rs1; neg.s32 wide, wide;
 *                               cvt.u16.u32 %rs2, wide;
 */
#include "repair_private.h"

static void repair(PtxFunction *f, PtxLine *line)
{
  static const char *const words[] = {"neg.s16", "abs.s16", "sub.s16"};
  if (line->word_end - line->word != sizeof "neg.s16" - 1) return;
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (ptx_starts(line->word, words[i]) && line->count == (i < 2 ? 2 : 3)) ptx_in_32_bits(f, line);
}

void repair_short_negate(Repair *r)
{
  static const char *const words[] = {"neg.s16", "abs.s16", "sub.s16", NULL};
  ptx_run(r, &(PtxRule){.words = words, .repair = repair});
}
