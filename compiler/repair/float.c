/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* float.c - repairs of PTX for f32: ptxas infers too much about signs, factors and bools.
 *
 * product_scale   mul.f32 by 2, 4, 8    is joined with a product before it, and rounds once
 * bool_float      cvt.rn.f32 of a bool  gives the bool's bits, or -0 for 0
 * abs_choice      abs.f32               is left out where the operand may be -0
 * nan_sign        setp.gt.f32           is true for NaN where a number can't be negative
 *
 * `f->known` has, for each register, the fact that ptxas infers; only such lines are changed.
 */
#include "repair_private.h"

#include <string.h>

/* product_scale: a product that is multiplied by 2, 4, 8 or a reciprocal of them is mul.rn.f32.
 *
 * ptxas makes one instruction, FMUL with a scale, of `mul.f32 %f2, %f1, %f0` and `mul.f32 %f3, %f2,
 * 0f40000000`. It rounds once, the two round twice where the first product is subnormal. With .rn
 * said explicitly, ptxas does not join them. mul.f32 without .rn rounds likewise by itself.
 */

/* Is it a factor of `FMUL.D2`, `FMUL.M4` and so on? */
static bool is_scale(Operand operand)
{
  static const char *const numbers[] = {"0f3E000000", "0f3E800000", "0f3F000000",
                                        "0f40000000", "0f40800000", "0f41000000"};
  for (size_t i = 0; i < COUNT_OF(numbers); ++i)
    if (operand.len == strlen(numbers[i]) && ptx_starts(operand.text, numbers[i])) return true;
  return false;
}

static void find_scaled(PtxFunction *f, const PtxLine *line)
{
  if (line->count != 3 || !ptx_starts(line->word, "mul.")) return;
  for (unsigned i = 1; i < line->count; ++i)
    if (is_scale(line->operands[3 - i]))
      ptx_set(f, f->known, ptx_number(line->operands[i], "%f"), true);
}

static void round_product(PtxFunction *f, PtxLine *line)
{
  static const char word[] = "mul.f32";
  if (!ptx_starts(line->word, word)) return;
  if (!ptx_get(f->known, ptx_number(line->operands[0], "%f"))) return;
  const char *after = line->word + sizeof word - 1;
  ptx_replace(f, line, "\tmul.rn.f32%.*s\n", (int)(line->end - after), after);
}

void repair_product_scale(Repair *r)
{
  ptx_run(r, find_scaled, round_product, "mul.f32", NULL);
}

/* bool_float: a bool is converted to a float by a choice of 1 and 0.
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

typedef enum Bit { BIT_open, BIT_known, BIT_none } Bit;

/* Registers of integers, by their number of bits. */
enum { CLASS_16, CLASS_32, CLASS_64, CLASSES };
static const char *const class_prefix[CLASSES] = {"%rs", "%r", "%rd"};

/* NULL: no register of integers. */
static PtxTable *bits_of(PtxFunction *f, Operand operand, uint32_t *out_number, unsigned *out_class)
{
  for (unsigned i = 0; i < CLASSES; ++i) {
    *out_number = ptx_number(operand, class_prefix[i]);
    if (*out_number == UINT32_MAX) continue;
    *out_class = i;
    return &f->known[i];
  }
  return NULL;
}

static bool is_bit(PtxFunction *f, Operand operand)
{
  uint32_t number;
  unsigned class;
  if (operand.len == 1 && (*operand.text == '0' || *operand.text == '1')) return true;
  const PtxTable *bits = bits_of(f, operand, &number, &class);
  return bits && ptx_get(bits, number) == BIT_known;
}

static bool makes_bit(PtxFunction *f, const PtxLine *line)
{
  const char *word = line->word;
  const Operand *operands = line->operands;
  if (line->is_asm || line->count < 2) return false;
  bool first = is_bit(f, operands[1]), second = line->count == 3 && is_bit(f, operands[2]);
  if (line->count == 2) return first && (ptx_starts(word, "mov.") || ptx_starts(word, "cvt."));
  if (ptx_starts(word, "and.")) return first || second;
  return first && second &&
         (ptx_starts(word, "selp.") || ptx_starts(word, "or.") || ptx_starts(word, "xor."));
}

static void follow_bits(PtxFunction *f, const PtxLine *line)
{
  uint32_t number;
  unsigned class;
  PtxTable *bits = line->count ? bits_of(f, line->operands[0], &number, &class) : NULL;
  if (!bits) return;
  bool is_first = ptx_get(bits, number) == BIT_open;
  ptx_set(f, bits, number, is_first && makes_bit(f, line) ? BIT_known : BIT_none);
}

/* `cvt.rn.f32.u32 %f1, %r1;` in whatever direction it rounds. */
static void choose_one(PtxFunction *f, PtxLine *line)
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
  if (!is_bit(f, operands[1]) || !bits_of(f, operands[1], &number, &class)) return;
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
  ptx_run(r, follow_bits, choose_one, "cvt.r", NULL);
}

/* abs_choice: takes the absolute value of a choice of constants by its bits.
 *
 * ptxas removes abs.f32 of a choice of constants, or of what is computed from one, if it finds that
 * the number is 0 or more. It counts -0 as such; and, for the negation, 0 as 0 or less.
 *
 *     selp.f32 %f1, 0fC1800000, 0f00000000, %p1;
 *     abs.f32 %f2, %f1;   ->   mov.b32 bits, %f1; and.b32 bits, bits, 0x7fffffff;
 *                              mov.b32 %f2, bits;
 */

static void follow_choices(PtxFunction *f, const PtxLine *line)
{
  if (line->count < 2 || !ptx_ends_in_f32(line)) return;
  bool is_choice = false, is_selected = ptx_starts(line->word, "selp.");
  for (unsigned i = 1; i < line->count; ++i) {
    Operand operand = line->operands[i];
    is_choice |= is_selected && ptx_starts(operand.text, "0f");
    is_choice |= ptx_get(f->known, ptx_number(operand, "%f")) != 0;
  }
  if (is_choice) ptx_set(f, f->known, ptx_number(line->operands[0], "%f"), true);
}

static void repair_abs(PtxFunction *f, PtxLine *line)
{
  Operand to = line->operands[0], from = line->operands[1];
  if (!ptx_starts(line->word, "abs.f") || line->count != 2 || !ptx_ends_in_f32(line)) return;
  if (!ptx_get(f->known, ptx_number(from, "%f"))) return;
  ptx_replace(f, line,
              "\t{ .reg .b32 bits; mov.b32 bits, %.*s; and.b32 bits, bits, 0x7fffffff; "
              "mov.b32 %.*s, bits; }\n",
              LEN(from), LEN(to));
}

void repair_abs_choice(Repair *r)
{
  ptx_run(r, follow_choices, repair_abs, "abs.f32", NULL);
}

/* nan_sign: a comparison of a number that can't be negative is the negation of its opposite.
 *
 * ptxas knows that x * x, |x| and 2^x are 0 or more, and takes `setp.gt.f32` of such a number and
 * one below 0 for true, also if it is NaN. Likewise ge, lt and le. The opposite, which is true for
 * NaN, is right:
 *
 *     setp.gt.f32 %p1, %f1, %f2;   ->   setp.leu.f32 %p1, %f1, %f2; not.pred %p1, %p1;
 *
 * The signs of registers are followed in the order of the lines, while they are repaired.
 */

typedef enum Sign { SIGN_open, SIGN_known } Sign;

static Sign sign_of(const PtxFunction *f, Operand operand)
{
  return (Sign)ptx_get(f->known, ptx_number(operand, "%f"));
}

/* The sign that ptxas infers for an instruction's result. */
static Sign sign_made(const PtxFunction *f, const PtxLine *line)
{
  const Operand *operands = line->operands;
  bool is_product = line->count == 3 && ptx_starts(line->word, "mul.");
  if (is_product && ptx_is_same(operands[1], operands[2])) return SIGN_known;
  if (ptx_starts(line->word, "abs.") || ptx_starts(line->word, "ex2.")) return SIGN_known;
  bool is_passed_on = ptx_starts(line->word, "mov.") || ptx_starts(line->word, "neg.");
  return line->count == 2 && is_passed_on ? sign_of(f, operands[1]) : SIGN_open;
}

/* Of `setp.XX.f32 %p1, %f1, %f2;`: the comparison that is true where this one is not; NULL: ptxas
 * has no idea of its own. */
static const char *opposite(const PtxFunction *f, const PtxLine *line)
{
  static const char *const words[][2] = {
      {"gt", "leu"}, {"ge", "ltu"}, {"lt", "geu"}, {"le", "gtu"}};
  const char *test = line->word + sizeof "setp." - 1;
  if (line->count != 3 ||
      (sign_of(f, line->operands[1]) == SIGN_open && sign_of(f, line->operands[2]) == SIGN_open))
    return NULL;
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (ptx_starts(test, words[i][0]) && test[2] == '.') return words[i][1];
  return NULL;
}

static void repair_test(PtxFunction *f, PtxLine *line)
{
  const char *word = opposite(f, line);
  if (!word) return;
  Operand result = line->operands[0];
  const char *type = strchr(line->word + sizeof "setp." - 1, '.');
  ptx_replace(f, line, "\tsetp.%s%.*s\n\tnot.pred %.*s, %.*s;\n", word, (int)(line->end - type),
              type, LEN(result), LEN(result));
}

static void follow_sign(PtxFunction *f, PtxLine *line)
{
  if (!line->count || !ptx_ends_in_f32(line)) return;
  if (ptx_starts(line->word, "setp.")) repair_test(f, line);
  else ptx_set(f, f->known, ptx_number(line->operands[0], "%f"), sign_made(f, line));
}

void repair_nan_sign(Repair *r)
{
  ptx_run(r, NULL, follow_sign, "setp.", NULL);
}
