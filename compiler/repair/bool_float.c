/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bool_float.c - a bool is converted to a float by a choice of 1 and 0.
 *
 * ptxas makes of `cvt.rn.f32.u32` of a bool a selection by bits, and gets what follows wrong: its
 * bits, made 64, are the bool's, and where it is compared with numbers below 0, 0 is -0.
 *
 *     selp.u32 %r1, 1, 0, %p1;
 *     cvt.rn.f32.u32 %f1, %r1;   ->   setp.ne.b32 one, %r1, 0;
 *                                     selp.f32 %f1, 0f3F800000, 0f00000000, one;
 *
 * `bits` has, for each register of integers that is written once, whether it can be 0 and 1 alone.
 */
#include "repair_private.h"

#include <string.h>

typedef enum Bit { BIT_open, BIT_known, BIT_none } Bit;

/* Registers of integers, by their number of bits. */
enum { CLASS_16, CLASS_32, CLASS_64, CLASSES };
static const char *const class_prefix[CLASSES] = {"%rs", "%r", "%rd"};

typedef struct Seen {
  PtxTable bits[CLASSES];
} Seen;

/* NULL: no register of integers. */
static PtxTable *bits_of(Seen *seen, Operand operand, uint32_t *out_number, unsigned *out_class)
{
  for (unsigned i = 0; i < CLASSES; ++i) {
    *out_number = ptx_number(operand, class_prefix[i]);
    if (*out_number == UINT32_MAX) continue;
    *out_class = i;
    return &seen->bits[i];
  }
  return NULL;
}

static bool is_bit(Seen *seen, Operand operand)
{
  uint32_t number;
  unsigned class;
  if (operand.len == 1 && (*operand.text == '0' || *operand.text == '1')) return true;
  const PtxTable *bits = bits_of(seen, operand, &number, &class);
  return bits && ptx_get(bits, number) == BIT_known;
}

static bool makes_bit(Seen *seen, const PtxLine *line)
{
  const char *word = line->word;
  const Operand *operands = line->operands;
  if (line->is_asm || line->count < 2) return false;
  bool first = is_bit(seen, operands[1]), second = line->count == 3 && is_bit(seen, operands[2]);
  if (line->count == 2) return first && (ptx_starts(word, "mov.") || ptx_starts(word, "cvt."));
  if (ptx_starts(word, "and.")) return first || second;
  return first && second &&
         (ptx_starts(word, "selp.") || ptx_starts(word, "or.") || ptx_starts(word, "xor."));
}

static void follow(PtxFunction *f, const PtxLine *line)
{
  uint32_t number;
  unsigned class;
  PtxTable *bits = line->count ? bits_of(f->seen, line->operands[0], &number, &class) : NULL;
  if (!bits) return;
  bool is_first = ptx_get(bits, number) == BIT_open;
  ptx_set(f, bits, number, is_first && makes_bit(f->seen, line) ? BIT_known : BIT_none);
}

/* `cvt.rn.f32.u32 %f1, %r1;` in whatever direction it rounds. */
static void repair(PtxFunction *f, PtxLine *line)
{
  static const struct {
    const char *name, *type, *one, *zero;
  } floats[] = {{".f16.", "b16", "0x3C00", "0x0000"},
                {".bf16.", "b16", "0x3F80", "0x0000"},
                {".f32.", "f32", "0f3F800000", "0f00000000"},
                {".f64.", "f64", "0d3FF0000000000000", "0d0000000000000000"}};
  uint32_t number;
  unsigned class;
  const Operand *operands = line->operands;
  if (!ptx_starts(line->word, "cvt.") || line->count != 2) return;
  if (!is_bit(f->seen, operands[1]) || !bits_of(f->seen, operands[1], &number, &class)) return;
  for (size_t i = 0; i < COUNT_OF(floats); ++i) {
    const char *to = strstr(line->word, floats[i].name);
    const char *from = to ? to + strlen(floats[i].name) : NULL;
    if (!from || from >= line->word_end || (*from != 'u' && *from != 's')) continue;
    ptx_replace(f, line,
                "\t{ .reg .pred one; setp.ne.b%u one, %.*s, 0; selp.%s %.*s, %s, %s, one; }\n",
                16u << class, LEN(operands[1]), floats[i].type, LEN(operands[0]), floats[i].one,
                floats[i].zero);
    return;
  }
}

void repair_bool_float(Repair *r)
{
  static const char *const words[] = {"cvt.r", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
