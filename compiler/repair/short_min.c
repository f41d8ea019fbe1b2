/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* short_min.c - minima and maxima of 16 bits are taken in 32.
 *
 * Where a minimum is compared with the constant that it was taken with, ptxas takes two of them at
 * once, and has one predicate for which of the two is the less.
 *
 *     min.u16   %rs2, %rs1, 1;   ->   in 32 bits, as short_negate.c does it
 *     min.u16x2 %r3, %r1, %r2;   ->   min.u32 of the low halves, min.u32 of the high ones, prmt.b32
 */
#include "repair_private.h"

#include <string.h>

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

static void repair(PtxFunction *f, PtxLine *line)
{
  static const char *const singles[] = {"s16", "u16", NULL}, *const pairs[] = {"s16x2", "u16x2",
                                                                               NULL};
  if (!ptx_starts(line->word, "min.") && !ptx_starts(line->word, "max.")) return;
  if (is_one_of(line, singles)) ptx_in_32_bits(f, line);
  else if (is_one_of(line, pairs)) split_pair(f, line);
}

void repair_short_min(Repair *r)
{
  static const char *const words[] = {"min.s16", "max.s16", "min.u16", "max.u16", NULL};
  ptx_run(r, &(PtxRule){.words = words, .repair = repair});
}
