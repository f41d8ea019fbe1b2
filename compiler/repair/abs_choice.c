/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* abs_choice.c - takes the absolute value of a choice of constants by its bits.
 *
 * ptxas removes abs.f32 of a choice of constants, or of what is computed from one, if it finds that
 * the number is 0 or more. It counts -0 as such; and, for the negation, 0 as 0 or less.
 *
 *     selp.f32 %f1, 0fC1800000, 0f00000000, %p1;
 *     abs.f32 %f2, %f1;   ->   mov.b32 bits, %f1; and.b32 bits, bits, 0x7fffffff;
 *                              mov.b32 %f2, bits;
 */
#include "repair_private.h"

typedef struct Seen {
  PtxTable choices; /* %fN that is a choice of constants, or is computed from one */
} Seen;

static void follow(PtxFunction *f, const PtxLine *line)
{
  Seen *seen = f->seen;
  if (line->count < 2 || !ptx_ends_in_f32(line)) return;
  bool is_choice = false, is_selected = ptx_starts(line->word, "selp.");
  for (unsigned i = 1; i < line->count; ++i) {
    Operand operand = line->operands[i];
    is_choice |= is_selected && ptx_starts(operand.text, "0f");
    is_choice |= ptx_get(&seen->choices, ptx_number(operand, "%f")) != 0;
  }
  if (is_choice) ptx_set(f, &seen->choices, ptx_number(line->operands[0], "%f"), true);
}

static void repair(PtxFunction *f, PtxLine *line)
{
  const Seen *seen = f->seen;
  Operand to = line->operands[0], from = line->operands[1];
  if (!ptx_starts(line->word, "abs.f") || line->count != 2 || !ptx_ends_in_f32(line)) return;
  if (!ptx_get(&seen->choices, ptx_number(from, "%f"))) return;
  ptx_replace(f, line,
              "\t{ .reg .b32 bits; mov.b32 bits, %.*s; and.b32 bits, bits, 0x7fffffff; "
              "mov.b32 %.*s, bits; }\n",
              LEN(from), LEN(to));
}

void repair_abs_choice(Repair *r)
{
  static const char *const words[] = {"abs.f32", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
