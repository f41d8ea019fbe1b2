/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* signed_field.c - a signed field of bits that becomes an unsigned float is cut out by shifts.
 *
 * Where bfe.s32 takes one or two bytes, and the result is converted to a float as an unsigned
 * number, ptxas converts the bytes themselves, as signed ones: -1 gives -1.0, not 4294967296.0.
 *
 *     bfe.s32 %r2, %r1, 8, 8;   ->   shl.b32 field, %r1, 16; shr.s32 %r2, field, 24;
 */
#include "repair_private.h"

#include <stdio.h>

typedef struct Seen {
  PtxTable unsigneds; /* %rN that is converted to a float as an unsigned number */
} Seen;

/* `cvt.rn.f32.u32 %f1, %r1;` */
static void follow(PtxFunction *f, const PtxLine *line)
{
  Seen *seen = f->seen;
  bool is_unsigned = line->word_end - line->word > 4 && ptx_starts(line->word_end - 4, ".u32");
  if (line->count == 2 && is_unsigned && ptx_starts(line->word, "cvt.r"))
    ptx_set(f, &seen->unsigneds, ptx_number(line->operands[1], "%r"), true);
}

static void repair(PtxFunction *f, PtxLine *line)
{
  enum { BITS = 32 };
  const Seen *seen = f->seen;
  Operand to = line->operands[0], from = line->operands[1];
  if (line->count != 3 || !ptx_starts(line->word, "bfe.s32")) return;
  if (!ptx_get(&seen->unsigneds, ptx_number(to, "%r"))) return;
  unsigned first = 0, count = 0;
  if (sscanf(line->operands[2].text, "%u, %u;", &first, &count) != 2) return;
  if (!count || first + count > BITS) return;
  ptx_replace(f, line, "\t{ .reg .b32 field; shl.b32 field, %.*s, %u; shr.s32 %.*s, field, %u; }\n",
              LEN(from), BITS - first - count, LEN(to), BITS - count);
}

void repair_signed_field(Repair *r)
{
  static const char *const words[] = {"bfe.s32", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
