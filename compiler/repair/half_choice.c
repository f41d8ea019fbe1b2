/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_choice.c - a choice of halves that are added or multiplied is made by their bits.
 *
 * In `a = x - c; y = p ? x : z; b = y - c` of f16 or bf16, ptxas makes one packed instruction for a
 * and b. It puts y into the register of x first, so that a is y - c as well. So with sums, products
 * and minima. It doesn't do that with a choice that is made by bits:
 *
 *     selp.b16 %rs3, %rs1, %rs2, %p1;   ->   selp.b16 mask, -1, 0, %p1; xor.b16 both, %rs1, %rs2;
 *                                            and.b16 both, both, mask; xor.b16 %rs3, both, %rs2;
 *
 * It concerns choices of which the result and an operand take part in such arithmetic (`paired`),
 * themselves or by a copy (`origins`), or as a half of a word (`words`, `paired_words`).
 */
#include "repair_private.h"

#include <string.h>

typedef struct Seen {
  PtxTable origins[HALVES];      /* of a copy: 1 + the number of its source, of the same kind */
  PtxTable words[HALVES];        /* of a half of a word %rN or %hhN: 1 + the number of the word */
  PtxTable paired[HALVES];       /* operands and results of arithmetic on single halves */
  PtxTable paired_words[HALVES]; /* words of which a half is so */
} Seen;

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
  Seen *seen = f->seen;
  while (half != UINT32_MAX && !ptx_get(&seen->paired[kind], half)) {
    ptx_set(f, &seen->paired[kind], half, true);
    ptx_set(f, &seen->paired_words[kind], ptx_get(&seen->words[kind], half) - 1, true);
    half = ptx_get(&seen->origins[kind], half) - 1;
  }
}

static void set_origin(PtxFunction *f, Operand half, Operand source)
{
  Seen *seen = f->seen;
  for (unsigned kind = 0; kind < HALVES; ++kind) {
    uint32_t number = ptx_number(half, ptx_half_prefix[kind]);
    if (number == UINT32_MAX) continue;
    ptx_set(f, &seen->origins[kind], number, ptx_number(source, ptx_half_prefix[kind]) + 1);
    ptx_set(f, &seen->words[kind], number, ptx_number(source, ptx_word_prefix[kind]) + 1);
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

static void follow(PtxFunction *f, const PtxLine *line)
{
  follow_origin(f, line);
  if (!has_half_arithmetic(line)) return;
  for (const char *at = line->word; at < line->end; ++at) {
    Operand operand = {at, strcspn(at, ",{}; \t\n")};
    for (unsigned kind = 0; kind < HALVES && *at == '%'; ++kind)
      set_paired(f, kind, ptx_number(operand, ptx_half_prefix[kind]));
  }
}

static bool is_paired(const Seen *seen, Operand operand, bool is_half)
{
  for (unsigned kind = 0; kind < HALVES; ++kind)
    if (is_half ? ptx_get(&seen->paired[kind], ptx_number(operand, ptx_half_prefix[kind]))
                : ptx_get(&seen->paired_words[kind], ptx_number(operand, ptx_word_prefix[kind])))
      return true;
  return false;
}

static void repair(PtxFunction *f, PtxLine *line)
{
  bool is_half = ptx_starts(line->word, "selp.b16"), is_word = ptx_starts(line->word, "selp.b32");
  if ((!is_half && !is_word) || line->count != 3) return;
  const Operand *o = line->operands;
  if (!is_paired(f->seen, o[0], is_half)) return;
  if (!is_paired(f->seen, o[1], is_half) && !is_paired(f->seen, o[2], is_half)) return;
  const char *bits = is_half ? "16" : "32", *test = o[2].text + o[2].len;
  ptx_replace(f, line,
              "\t{ .reg .b%s mask, both; selp.b%s mask, -1, 0%.*s xor.b%s both, %.*s, %.*s;"
              " and.b%s both, both, mask; xor.b%s %.*s, both, %.*s; }\n",
              bits, bits, (int)(line->end - test), test, bits, LEN(o[1]), LEN(o[2]), bits, bits,
              LEN(o[0]), LEN(o[2]));
}

void repair_half_choice(Repair *r)
{
  static const char *const words[] = {"selp.b16", "selp.b32", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
