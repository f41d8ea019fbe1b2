/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* abs_lowest.c - an absolute value of an integer is a choice of x and -x.
 *
 * ptxas takes the result of abs.s32 and abs.s64 for 0 or more in comparisons and divisions. That of
 * the lowest number is that number itself.
 *
 *     abs.s32 %r2, %r1;   ->   setp.lt.s32 below, %r1, 0; neg.s32 other, %r1;
 *                              selp.b32 %r2, other, %r1, below;
 */
#include "repair_private.h"

static void repair(PtxFunction *f, PtxLine *line)
{
  if (!ptx_starts(line->word, "abs.s") || line->count != 2) return;
  const char *type = line->word + sizeof "abs." - 1;
  Operand to = line->operands[0], from = line->operands[1];
  if (!ptx_starts(type, "s32") && !ptx_starts(type, "s64")) return;
  ptx_replace(f, line,
              "\t{ .reg .pred below; .reg .b%.2s other; setp.lt.%.3s below, %.*s, 0; "
              "neg.%.3s other, %.*s; selp.b%.2s %.*s, other, %.*s, below; }\n",
              type + 1, type, LEN(from), type, LEN(from), type + 1, LEN(to), LEN(from));
}

void repair_abs_lowest(Repair *r)
{
  static const char *const words[] = {"abs.s32", "abs.s64", NULL};
  ptx_run(r, &(PtxRule){.words = words, .repair = repair});
}
