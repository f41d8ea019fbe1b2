/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_min.c - the minimum of two f16 is taken as the lower half of a packed minimum.
 *
 * ptxas does min.f16 of a constant and a maximum of another as a packed instruction, whose upper
 * half is a copy of the result. Where that is used as an unsigned integer, the copy is above it.
 * With min.f16x2 the lower half is taken explicitly:
 *
 *     min.f16 %rs3, %rs1, %rs2;   ->   mov.b32 pair0, {%rs1, %rs1}; mov.b32 pair1, {%rs2, %rs2};
 *                                      min.f16x2 pair0, pair0, pair1; cvt.u16.u32 %rs3, pair0;
 */
#include "repair_private.h"

static void repair(PtxFunction *f, PtxLine *line)
{
  static const char word[] = "min.f16";
  const Operand *operands = line->operands;
  if (!ptx_starts(line->word, word) || line->word + sizeof word - 1 != line->word_end) return;
  if (line->count != 3) return;
  ptx_replace(f, line,
              "\t{ .reg .b32 pair<2>; mov.b32 pair0, {%.*s, %.*s}; mov.b32 pair1, {%.*s, %.*s};"
              " min.f16x2 pair0, pair0, pair1; cvt.u16.u32 %.*s, pair0; }\n",
              LEN(operands[1]), LEN(operands[1]), LEN(operands[2]), LEN(operands[2]),
              LEN(operands[0]));
}

void repair_half_min(Repair *r)
{
  static const char *const words[] = {"min.f16", NULL};
  ptx_run(r, &(PtxRule){.words = words, .repair = repair});
}
