/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* integer.c - repairs of PTX for integers of 32 and 64 bits.
 *
 * signed_field   bfe.s32            is converted to a float as signed, though cvt says unsigned
 * max_negation   max.s32 of -x      takes x for -x in a maximum of three
 * abs_lowest     abs.s32, abs.s64   are taken for 0 or more, which the lowest number is not
 *
 * Each replaces the instruction by two or three that ptxas does not combine.
 */
#include "repair_private.h"

#include <stdio.h>

/* signed_field: a signed field of bits that becomes an unsigned float is cut out by shifts.
 *
 * Where bfe.s32 takes one or two bytes, and the result is converted to a float as an unsigned
 * number, ptxas converts the bytes themselves, as signed ones: -1 gives -1.0, not 4294967296.0.
 *
 *     bfe.s32 %r2, %r1, 8, 8;   ->   shl.b32 field, %r1, 16; shr.s32 %r2, field, 24;
 */

/* `cvt.rn.f32.u32 %f1, %r1;` */
static void find_unsigned(PtxFunction *f, const PtxLine *line)
{
  bool is_unsigned = line->word_end - line->word > 4 && ptx_starts(line->word_end - 4, ".u32");
  if (line->count == 2 && is_unsigned && ptx_starts(line->word, "cvt.r"))
    ptx_set(f, f->known, ptx_number(line->operands[1], "%r"), true);
}

static void shift_field(PtxFunction *f, PtxLine *line)
{
  enum { BITS = 32 };
  Operand to = line->operands[0], from = line->operands[1];
  if (line->count != 3 || !ptx_starts(line->word, "bfe.s32")) return;
  if (!ptx_get(f->known, ptx_number(to, "%r"))) return;
  unsigned first = 0, count = 0;
  if (sscanf(line->operands[2].text, "%u, %u;", &first, &count) != 2) return;
  if (!count || first + count > BITS) return;
  ptx_replace(f, line, "\t{ .reg .b32 field; shl.b32 field, %.*s, %u; shr.s32 %.*s, field, %u; }\n",
              LEN(from), BITS - first - count, LEN(to), BITS - count);
}

void repair_signed_field(Repair *r)
{
  ptx_run(r, find_unsigned, shift_field, "bfe.s32", NULL);
}

/* max_negation: replaces a maximum or minimum of a negation by a comparison and a choice.
 *
 * sm_90 and newer have one instruction, VIMNMX3, for two nested max.s32 or min.s32. If one of its
 * operands is -x, ptxas passes x instead.
 *
 *     neg.s32 %r2, %r1;
 *     max.s32 %r4, %r2, %r3;   ->   setp.gt.s32 first, %r2, %r3; selp.b32 %r4, %r2, %r3, first;
 */

/* `neg.s32 %r2, %r1;`, `sub.s32 %r2, 0, %r1;`, and copies of them. */
static void follow_negations(PtxFunction *f, const PtxLine *line)
{
  const Operand *operands = line->operands;
  bool is_negation = ptx_starts(line->word, "neg.s32");
  if (line->count == 2 && ptx_starts(line->word, "mov."))
    is_negation = ptx_get(f->known, ptx_number(operands[1], "%r")) != 0;
  if (line->count == 3 && ptx_starts(line->word, "sub.s32"))
    is_negation = operands[1].len == 1 && *operands[1].text == '0';
  if (is_negation) ptx_set(f, f->known, ptx_number(operands[0], "%r"), true);
}

static void choose_extreme(PtxFunction *f, PtxLine *line)
{
  Operand to = line->operands[0], a = line->operands[1], b = line->operands[2];
  bool is_max = ptx_starts(line->word, "max.s32");
  if (line->count != 3 || (!is_max && !ptx_starts(line->word, "min.s32"))) return;
  if (!ptx_get(f->known, ptx_number(a, "%r")) && !ptx_get(f->known, ptx_number(b, "%r"))) return;
  ptx_replace(f, line,
              "\t{ .reg .pred first; setp.%s.s32 first, %.*s, %.*s; "
              "selp.b32 %.*s, %.*s, %.*s, first; }\n",
              is_max ? "gt" : "lt", LEN(a), LEN(b), LEN(to), LEN(a), LEN(b));
}

void repair_max_negation(Repair *r)
{
  ptx_run(r, follow_negations, choose_extreme, "max.s32", "min.s32", NULL);
}

/* abs_lowest: an absolute value of an integer is a choice of x and -x.
 *
 * ptxas takes the result of abs.s32 and abs.s64 for 0 or more in comparisons and divisions. That of
 * the lowest number is that number itself.
 *
 *     abs.s32 %r2, %r1;   ->   setp.lt.s32 below, %r1, 0; neg.s32 other, %r1;
 *                              selp.b32 %r2, other, %r1, below;
 */

static void choose_sign(PtxFunction *f, PtxLine *line)
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
  ptx_run(r, NULL, choose_sign, "abs.s32", "abs.s64", NULL);
}
