/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half.c - repairs of PTX for f16 and bf16. ptxas keeps two of them in one register, and now and
 * then forgets that the other half is there.
 *
 * half_split    mov.b32 {%rs1, %rs2}, %r1        %rs1 used as 32 bits has %rs2 above it
 * half_sign     mov.b32 %r1, {constant, %rs1}    a negative constant loses its sign in a product
 * half_min      min.f16 of a constant            has a copy of itself above it
 * half_choice   selp.b16 of what is subtracted   is written into the other half's operand
 * half_byte     st.u8 of an f16                  stores the number as an integer
 *
 * Each writes the value with an instruction on 32 bits, or on bits, that ptxas does not combine.
 */
#include "repair_private.h"

#include <stdlib.h>
#include <string.h>

/* half_split: a half of a register is split off by a conversion.
 *
 * Of `mov.b32 {%rs1, %rs2}, %r1`, ptxas keeps %r1 itself for %rs1. Where %rs1 is used as 32 bits,
 * the other half is above it; and %rs2 may be taken for %rs1. The conversions cut:
 *
 *     mov.b32 {%rs1, %rs2}, %r1;   ->   cvt.u16.u32 %rs1, %r1;
 *                                       shr.u32 high, %r1, 16; cvt.u16.u32 %rs2, high;
 *
 * Back ends write one half as `{ .reg .b16 tmp; mov.b32 {tmp, %rs2}, %r1; }`.
 */

static void cut_halves(PtxFunction *f, PtxLine *line)
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
  ptx_run(r, NULL, cut_halves, "mov.b32", NULL);
}

/* half_sign: a negative constant of f16 is packed with another half by prmt.
 *
 * Where `mov.b32 %hh1, {%h1, %h2}` packs a negative constant and another half, and the pair is
 * multiplied, ptxas may lose the constant's sign. A permutation of bytes has the same value, and
 * ptxas doesn't take it apart:
 *
 *     mov.b16 %h1, 0xC700;
 *     mov.b32 %hh1, {%h1, %h2};   ->   mov.b32 both, {%h2, %h2};
 *                                      prmt.b32 %hh1, both, 50944, 0x1054;
 *
 * For each register of 16 bits, `known` has the number that is its only value, or HALF_open.
 */

enum { HALF_open = 1, HALF_below_zero = 0x8000 };

/* Where the results of an instruction end; of several instructions in braces, all that is there. */
static const char *results_end(const PtxLine *line)
{
  int depth = 0;
  const char *at = line->word;
  for (; at < line->end && (*at != ',' || depth); ++at) depth += (*at == '{') - (*at == '}');
  return at;
}

/* `mov.b16 %h1, 0xC700;` or `mov.u16 %rs1, -7;`, of a register that is written once. */
static void follow_constants(PtxFunction *f, const PtxLine *line)
{
  bool is_move = ptx_starts(line->word, "mov.b16") || ptx_starts(line->word, "mov.u16");
  bool is_number = is_move && line->count == 2 && !strchr("%{", *line->operands[1].text);
  uint16_t number = is_number ? (uint16_t)strtol(line->operands[1].text, NULL, 0) : 0;
  for (const char *at = line->word, *end = results_end(line); at < end; ++at) {
    Operand result = {at, strcspn(at, ",{}; \t\n")};
    for (unsigned i = 0; i < HALVES && *at == '%'; ++i) {
      uint32_t half = ptx_number(result, ptx_half_prefix[i]);
      bool is_first = !ptx_get(&f->known[i], half);
      ptx_set(f, &f->known[i], half, is_first && number ? number : (uint32_t)HALF_open);
    }
  }
}

/* The constant if it is negative, or 0. */
static uint32_t constant_of(const PtxFunction *f, Operand operand)
{
  for (unsigned i = 0; i < HALVES; ++i) {
    uint32_t found = ptx_get(&f->known[i], ptx_number(operand, ptx_half_prefix[i]));
    if (found >= HALF_below_zero) return found;
  }
  return 0;
}

static void permute(PtxFunction *f, PtxLine *line)
{
  if (!ptx_starts(line->word, "mov.b32") || line->count != 3 || *line->operands[1].text != '{')
    return;
  Operand result = line->operands[0], halves[2] = {line->operands[1], line->operands[2]};
  ++halves[0].text, --halves[0].len;
  halves[1].len = strcspn(halves[1].text, "}");
  uint32_t low = constant_of(f, halves[0]), high = constant_of(f, halves[1]);
  if (!low && !high) return;
  Operand other = halves[low ? 1 : 0];
  if (low && high) ptx_replace(f, line, "\tmov.b32 %.*s, 0x%x;\n", LEN(result), high << 16 | low);
  else
    ptx_replace(f, line,
                "\t{ .reg .b32 both; mov.b32 both, {%.*s, %.*s}; prmt.b32 %.*s, both, %u, %s; }\n",
                LEN(other), LEN(other), LEN(result), low ? low : high, low ? "0x1054" : "0x5410");
}

void repair_half_sign(Repair *r)
{
  ptx_run(r, follow_constants, permute, "mov.b32", NULL);
}

/* half_min: the minimum of two f16 is taken as the lower half of a packed minimum.
 *
 * ptxas does min.f16 of a constant and a maximum of another as a packed instruction, whose upper
 * half is a copy of the result. Where that is used as an unsigned integer, the copy is above it.
 * With min.f16x2 the lower half is taken explicitly:
 *
 *     min.f16 %rs3, %rs1, %rs2;   ->   mov.b32 pair0, {%rs1, %rs1}; mov.b32 pair1, {%rs2, %rs2};
 *                                      min.f16x2 pair0, pair0, pair1; cvt.u16.u32 %rs3, pair0;
 */

static void take_lower_half(PtxFunction *f, PtxLine *line)
{
  static const char word[] = "min.f16";
  const Operand *operands = line->operands;
  if (!ptx_starts(line->word, word) || line->word + sizeof word - 1 != line->word_end) return;
  if (line->count != 3) return;
  ptx_replace(f, line,
              "\t{ .reg .b32 pair<2>; mov.b32 pair0, {%.*s, %.*s}; mov.b32 pair1, {%.*s, %.*s};"
              " min.f16x2 pair0, pair0, pair1; cvt.u16.u32 %.*s, pair0; }\n",
              LEN(operands[1]), LEN(operands[1]), LEN(operands[2]), LEN(operands[2]),
              LEN(operands[0]));
}

void repair_half_min(Repair *r)
{
  ptx_run(r, NULL, take_lower_half, "min.f16", NULL);
}

/* half_choice: a choice of halves that are added or multiplied is made by their bits.
 *
 * In `a = x - c; y = p ? x : z; b = y - c` of f16 or bf16, ptxas makes one packed instruction for a
 * and b. It puts y into the register of x first, so that a is y - c as well. So with sums, products
 * and minima. It doesn't do that with a choice that is made by bits:
 *
 *     selp.b16 %rs3, %rs1, %rs2, %p1;   ->   selp.b16 mask, -1, 0, %p1; xor.b16 both, %rs1, %rs2;
 *                                            and.b16 both, both, mask; xor.b16 %rs3, both, %rs2;
 *
 * It concerns choices of which the result and an operand take part in such arithmetic (PAIRED),
 * themselves or by a copy (ORIGINS), or as a half of a word (WORDS, PAIRED_WORDS).
 */

/* Tables of PtxFunction.known, one for each of the HALVES kinds of registers. */
enum {
  ORIGINS,                  /* of a copy: 1 + the number of its source, of the same kind */
  WORDS = HALVES,           /* of a half of a word %rN or %hhN: 1 + the number of the word */
  PAIRED = 2 * HALVES,      /* operands and results of arithmetic on single halves */
  PAIRED_WORDS = 3 * HALVES /* words of which a half is so */
};

/* Whether the line does sums, products and minima of single halves, as `sub.rn.bf16 %rs3, %rs1,
 * %rs2;` in a line of inline PTX that may have more than one instruction. */
static bool has_half_arithmetic(const PtxLine *line)
{
  static const char *const words[] = {"add.", "sub.", "mul.", "fma.", "min.", "max.", "neg."};
  const char *word = line->word;
  for (const char *at = line->word; at < line->end; ++at) {
    if (strchr(" \t;{", *at)) word = at + 1;
    bool is_half =
        ptx_starts(at, "f16") && at > word && strchr(".b", at[-1]) && strchr(" \t", at[3]);
    for (size_t i = 0; is_half && i < COUNT_OF(words); ++i)
      if (ptx_starts(word, words[i])) return true;
  }
  return false;
}

/* Marks a half, what it is a copy of, and the word that it is a part of. */
static void set_paired(PtxFunction *f, unsigned kind, uint32_t half)
{
  while (half != UINT32_MAX && !ptx_get(&f->known[PAIRED + kind], half)) {
    ptx_set(f, &f->known[PAIRED + kind], half, true);
    ptx_set(f, &f->known[PAIRED_WORDS + kind], ptx_get(&f->known[WORDS + kind], half) - 1, true);
    half = ptx_get(&f->known[ORIGINS + kind], half) - 1;
  }
}

static void set_origin(PtxFunction *f, Operand half, Operand source)
{
  for (unsigned kind = 0; kind < HALVES; ++kind) {
    uint32_t number = ptx_number(half, ptx_half_prefix[kind]);
    if (number == UINT32_MAX) continue;
    ptx_set(f, &f->known[ORIGINS + kind], number, ptx_number(source, ptx_half_prefix[kind]) + 1);
    ptx_set(f, &f->known[WORDS + kind], number, ptx_number(source, ptx_word_prefix[kind]) + 1);
  }
}

/* `mov.u16 %rs2, %rs1;`, `cvt.u16.u32 %rs1, %r1;` and, in a line of others, `mov.b32 {%rs1, tmp},
 * %r1;` */
static void follow_origin(PtxFunction *f, const PtxLine *line)
{
  static const char split[] = "mov.b32";
  const char *at = line->word;
  while (at < line->end && !ptx_starts(at, split)) ++at;
  Operand halves[3];
  if (at < line->end && ptx_halves(at + sizeof split - 1, halves)) {
    set_origin(f, halves[0], halves[2]);
    set_origin(f, halves[1], halves[2]);
  } else if (line->count == 2 &&
             (ptx_starts(line->word, "mov.") || ptx_starts(line->word, "cvt.u16.u32"))) {
    set_origin(f, line->operands[0], line->operands[1]);
  }
}

static void follow_pairs(PtxFunction *f, const PtxLine *line)
{
  follow_origin(f, line);
  if (!has_half_arithmetic(line)) return;
  for (const char *at = line->word; at < line->end; ++at) {
    Operand operand = {at, strcspn(at, ",{}; \t\n")};
    for (unsigned kind = 0; kind < HALVES && *at == '%'; ++kind)
      set_paired(f, kind, ptx_number(operand, ptx_half_prefix[kind]));
  }
}

static bool is_paired(const PtxFunction *f, Operand operand, bool is_half)
{
  for (unsigned kind = 0; kind < HALVES; ++kind)
    if (is_half
            ? ptx_get(&f->known[PAIRED + kind], ptx_number(operand, ptx_half_prefix[kind]))
            : ptx_get(&f->known[PAIRED_WORDS + kind], ptx_number(operand, ptx_word_prefix[kind])))
      return true;
  return false;
}

static void choose_bits(PtxFunction *f, PtxLine *line)
{
  bool is_half = ptx_starts(line->word, "selp.b16"), is_word = ptx_starts(line->word, "selp.b32");
  if ((!is_half && !is_word) || line->count != 3) return;
  const Operand *o = line->operands;
  if (!is_paired(f, o[0], is_half)) return;
  if (!is_paired(f, o[1], is_half) && !is_paired(f, o[2], is_half)) return;
  const char *bits = is_half ? "16" : "32", *test = o[2].text + o[2].len;
  ptx_replace(f, line,
              "\t{ .reg .b%s mask, both; selp.b%s mask, -1, 0%.*s xor.b%s both, %.*s, %.*s;"
              " and.b%s both, both, mask; xor.b%s %.*s, both, %.*s; }\n",
              bits, bits, (int)(line->end - test), test, bits, LEN(o[1]), LEN(o[2]), bits, bits,
              LEN(o[0]), LEN(o[2]));
}

void repair_half_choice(Repair *r)
{
  ptx_run(r, follow_pairs, choose_bits, "selp.b16", "selp.b32", NULL);
}

/* half_byte: the lower byte of an f16 or bf16 is stored from a copy. `known` has the registers %rsN
 * that an instruction for f16 or bf16 has written.
 *
 * Where a result of f16 arithmetic or of a conversion to f16 is stored by st.u8, ptxas stores the
 * number as an integer, not the lower byte of its bits. A copy of 16 bits hides where it comes
 * from:
 *
 *     add.f16 %rs1, ...
 *     st.local.u8 [%rd1], %rs1;   ->   mov.b16 part0, %rs1; st.local.u8 [%rd1], part0;
 */

static void follow_halves(PtxFunction *f, const PtxLine *line)
{
  bool is_half = false;
  for (const char *at = line->word; line->count && at < line->word_end; ++at)
    is_half |= ptx_starts(at, "f16"); /* .f16, .bf16 */
  if (is_half) ptx_set(f, f->known, ptx_number(line->operands[0], "%rs"), true);
}

/* `st.local.u8 [%rd1], %rs1;`, `@%p1 st.shared.v2.u8 [%rd1], {%rs1, %rs2};` */
static void store_copy(PtxFunction *f, PtxLine *line)
{
  const char *word = line->word, *rest = word;
  if (*word == '@') {
    word += strcspn(word, " \t\n");
    word += strspn(word, " \t");
  }
  if (!ptx_starts(word, "st.")) return;
  const char *type = word + strcspn(word, " \t\n") - 2;
  if (!strchr("bsu", type[0]) || type[1] != '8') return;
  Buf copies = BUF(&f->r->c->scratch), store = BUF(&f->r->c->scratch);
  unsigned count = 0;
  for (const char *at = memchr(word, ']', (size_t)(line->end - word)); at && at < line->end;) {
    Operand value = {at, strcspn(at, ",{}; \t\n")};
    if (ptx_get(f->known, ptx_number(value, "%rs"))) {
      buf_printf(&copies, "mov.b16 part%u, %.*s; ", count, LEN(value));
      buf_printf(&store, "%.*spart%u", (int)(at - rest), rest, count++);
      rest = at + value.len;
    }
    at += value.len ? value.len : 1;
  }
  if (!count) return;
  ptx_replace(f, line, "\t{ .reg .b16 part<4>; %s%s%.*s }\n", buf_text(&copies), buf_text(&store),
              (int)(line->end - rest), rest);
}

void repair_half_byte(Repair *r)
{
  ptx_run(r, follow_halves, store_copy, ".u8", ".b8", ".s8", NULL);
}
