/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* max_negation.c - replaces a maximum or minimum of a negation by a comparison and a choice.
 *
 * sm_90 and newer have one instruction, VIMNMX3, for two nested max.s32 or min.s32. If one of its
 * operands is -x, ptxas passes x instead.
 *
 *     neg.s32 %r2, %r1;
 *     max.s32 %r4, %r2, %r3;   ->   setp.gt.s32 first, %r2, %r3; selp.b32 %r4, %r2, %r3, first;
 */
#include "repair_private.h"

typedef struct Seen {
  PtxTable negations; /* %rN that holds a negated number */
} Seen;

/* `neg.s32 %r2, %r1;`, `sub.s32 %r2, 0, %r1;`, and copies of them. */
static void follow(PtxFunction *f, const PtxLine *line)
{
  Seen *seen = f->seen;
  const Operand *operands = line->operands;
  bool is_negation = ptx_starts(line->word, "neg.s32");
  if (line->count == 2 && ptx_starts(line->word, "mov."))
    is_negation = ptx_get(&seen->negations, ptx_number(operands[1], "%r")) != 0;
  if (line->count == 3 && ptx_starts(line->word, "sub.s32"))
    is_negation = operands[1].len == 1 && *operands[1].text == '0';
  if (is_negation) ptx_set(f, &seen->negations, ptx_number(operands[0], "%r"), true);
}

static void repair(PtxFunction *f, PtxLine *line)
{
  const Seen *seen = f->seen;
  Operand to = line->operands[0], a = line->operands[1], b = line->operands[2];
  bool is_max = ptx_starts(line->word, "max.s32");
  if (line->count != 3 || (!is_max && !ptx_starts(line->word, "min.s32"))) return;
  if (!ptx_get(&seen->negations, ptx_number(a, "%r")) &&
      !ptx_get(&seen->negations, ptx_number(b, "%r")))
    return;
  ptx_replace(f, line,
              "\t{ .reg .pred first; setp.%s.s32 first, %.*s, %.*s; "
              "selp.b32 %.*s, %.*s, %.*s, first; }\n",
              is_max ? "gt" : "lt", LEN(a), LEN(b), LEN(to), LEN(a), LEN(b));
}

void repair_max_negation(Repair *r)
{
  static const char *const words[] = {"max.s32", "min.s32", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
