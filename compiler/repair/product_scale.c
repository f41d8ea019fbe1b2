/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* product_scale.c - a product that is multiplied by 2, 4, 8 or a reciprocal of them is mul.rn.f32.
 *
 * ptxas makes one instruction, FMUL with a scale, of `mul.f32 %f2, %f1, %f0` and `mul.f32 %f3, %f2,
 * 0f40000000`. It rounds once, the two round twice where the first product is subnormal. With .rn
 * said explicitly, ptxas does not join them. mul.f32 without .rn rounds likewise by itself.
 */
#include "repair_private.h"

#include <string.h>

typedef struct Seen {
  PtxTable scaled; /* %fN that is multiplied by a factor which ptxas may fold into FMUL */
} Seen;

/* Is it a factor of `FMUL.D2`, `FMUL.M4` and so on? */
static bool is_scale(Operand operand)
{
  static const char *const numbers[] = {"0f3E000000", "0f3E800000", "0f3F000000",
                                        "0f40000000", "0f40800000", "0f41000000"};
  for (size_t i = 0; i < COUNT_OF(numbers); ++i)
    if (operand.len == strlen(numbers[i]) && ptx_starts(operand.text, numbers[i])) return true;
  return false;
}

static void follow(PtxFunction *f, const PtxLine *line)
{
  Seen *seen = f->seen;
  if (line->count != 3 || !ptx_starts(line->word, "mul.")) return;
  for (unsigned i = 1; i < line->count; ++i)
    if (is_scale(line->operands[3 - i]))
      ptx_set(f, &seen->scaled, ptx_number(line->operands[i], "%f"), true);
}

static void repair(PtxFunction *f, PtxLine *line)
{
  static const char word[] = "mul.f32";
  const Seen *seen = f->seen;
  if (!ptx_starts(line->word, word)) return;
  if (!ptx_get(&seen->scaled, ptx_number(line->operands[0], "%f"))) return;
  const char *after = line->word + sizeof word - 1;
  ptx_replace(f, line, "\tmul.rn.f32%.*s\n", (int)(line->end - after), after);
}

void repair_product_scale(Repair *r)
{
  static const char *const words[] = {"mul.f32", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
