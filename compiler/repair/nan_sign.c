/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nan_sign.c - a comparison of a number that can't be negative is the negation of its opposite.
 *
 * ptxas knows that x * x, |x| and 2^x are 0 or more, and takes `setp.gt.f32` of such a number and
 * one below 0 for true, also if it is NaN. Likewise ge, lt and le. The opposite, which is true for
 * NaN, is right:
 *
 *     setp.gt.f32 %p1, %f1, %f2;   ->   setp.leu.f32 %p1, %f1, %f2; not.pred %p1, %p1;
 *
 * The signs of registers are followed in the order of the lines, while they are repaired.
 */
#include "repair_private.h"

#include <string.h>

typedef enum Sign { SIGN_open, SIGN_known } Sign;

typedef struct Seen {
  PtxTable signs; /* of %fN */
} Seen;

static Sign sign_of(const Seen *seen, Operand operand)
{
  return (Sign)ptx_get(&seen->signs, ptx_number(operand, "%f"));
}

/* The sign that ptxas infers for an instruction's result. */
static Sign sign_made(const Seen *seen, const PtxLine *line)
{
  const Operand *operands = line->operands;
  bool is_product = line->count == 3 && ptx_starts(line->word, "mul.");
  if (is_product && ptx_is_same(operands[1], operands[2])) return SIGN_known;
  if (ptx_starts(line->word, "abs.") || ptx_starts(line->word, "ex2.")) return SIGN_known;
  bool is_passed_on = ptx_starts(line->word, "mov.") || ptx_starts(line->word, "neg.");
  return line->count == 2 && is_passed_on ? sign_of(seen, operands[1]) : SIGN_open;
}

/* Of `setp.XX.f32 %p1, %f1, %f2;`: the comparison that is true where this one is not; NULL: ptxas
 * has no idea of its own. */
static const char *opposite(const Seen *seen, const PtxLine *line)
{
  static const char *const words[][2] = {
      {"gt", "leu"}, {"ge", "ltu"}, {"lt", "geu"}, {"le", "gtu"}};
  const char *test = line->word + sizeof "setp." - 1;
  if (line->count != 3 || (sign_of(seen, line->operands[1]) == SIGN_open &&
                           sign_of(seen, line->operands[2]) == SIGN_open))
    return NULL;
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (ptx_starts(test, words[i][0]) && test[2] == '.') return words[i][1];
  return NULL;
}

static void repair_test(PtxFunction *f, PtxLine *line)
{
  const char *word = opposite(f->seen, line);
  if (!word) return;
  Operand result = line->operands[0];
  const char *type = strchr(line->word + sizeof "setp." - 1, '.');
  ptx_replace(f, line, "\tsetp.%s%.*s\n\tnot.pred %.*s, %.*s;\n", word, (int)(line->end - type),
              type, LEN(result), LEN(result));
}

static void repair(PtxFunction *f, PtxLine *line)
{
  Seen *seen = f->seen;
  if (!line->count || !ptx_ends_in_f32(line)) return;
  if (ptx_starts(line->word, "setp.")) repair_test(f, line);
  else ptx_set(f, &seen->signs, ptx_number(line->operands[0], "%f"), sign_made(seen, line));
}

void repair_nan_sign(Repair *r)
{
  static const char *const words[] = {"setp.", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), NULL, repair});
}
