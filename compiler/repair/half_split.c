/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_split.c - a half of a register is split off by a conversion.
 *
 * Of `mov.b32 {%rs1, %rs2}, %r1`, ptxas keeps %r1 itself for %rs1. Where %rs1 is used as 32 bits,
 * the other half is above it; and %rs2 may be taken for %rs1. The conversions cut:
 *
 *     mov.b32 {%rs1, %rs2}, %r1;   ->   cvt.u16.u32 %rs1, %r1;
 *                                       shr.u32 high, %r1, 16; cvt.u16.u32 %rs2, high;
 *
 * Back ends write one half as `{ .reg .b16 tmp; mov.b32 {tmp, %rs2}, %r1; }`.
 */
#include "repair_private.h"

static void repair(PtxFunction *f, PtxLine *line)
{
  static const char open[] = "{ .reg .b16 tmp; ", close[] = " }";
  bool is_alone = *line->word != '{';
  const char *at = line->word + (is_alone || !ptx_starts(line->word, open) ? 0 : sizeof open - 1);
  if (!ptx_starts(at, "mov.b32")) return;
  Operand halves[3];
  at = ptx_halves(at + sizeof "mov.b32" - 1, halves);
  if (at && !is_alone) at = ptx_starts(at, close) ? at + sizeof close - 1 : NULL;
  bool has_low = at && ptx_number(halves[0], "%rs") != UINT32_MAX,
       has_high = at && ptx_number(halves[1], "%rs") != UINT32_MAX;
  if (at && ptx_number(halves[2], "%r") == UINT32_MAX) return;
  if (at != line->end || (!has_low && !has_high)) return;
  Buf text = BUF(&f->r->c->scratch);
  if (has_low) buf_printf(&text, "\tcvt.u16.u32 %.*s, %.*s;\n", LEN(halves[0]), LEN(halves[2]));
  if (has_high)
    buf_printf(&text, "\t{ .reg .b32 high; shr.u32 high, %.*s, 16; cvt.u16.u32 %.*s, high; }\n",
               LEN(halves[2]), LEN(halves[1]));
  ptx_replace(f, line, "%s", buf_text(&text));
}

void repair_half_split(Repair *r)
{
  static const char *const words[] = {"mov.b32", NULL};
  ptx_run(r, &(PtxRule){.words = words, .repair = repair});
}
