/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_sign.c - a negative constant of f16 is packed with another half by prmt.
 *
 * Where `mov.b32 %hh1, {%h1, %h2}` packs a negative constant and another half, and the pair is
 * multiplied, ptxas may lose the constant's sign. A permutation of bytes has the same value, and
 * ptxas doesn't take it apart:
 *
 *     mov.b16 %h1, 0xC700;
 *     mov.b32 %hh1, {%h1, %h2};   ->   mov.b32 both, {%h2, %h2};
 *                                      prmt.b32 %hh1, both, 50944, 0x1054;
 *
 * For each register of 16 bits, `constants` has the number that is its only value, or HALF_open.
 */
#include "repair_private.h"

#include <stdlib.h>
#include <string.h>

enum { HALF_open = 1, HALF_below_zero = 0x8000 };

typedef struct Seen {
  PtxTable constants[HALVES];
} Seen;

/* Where the results of an instruction end; of several instructions in braces, all that is there. */
static const char *results_end(const PtxLine *line)
{
  int depth = 0;
  const char *at = line->word;
  for (; at < line->end && (*at != ',' || depth); ++at) depth += (*at == '{') - (*at == '}');
  return at;
}

/* `mov.b16 %h1, 0xC700;` or `mov.u16 %rs1, -7;`, of a register that is written once. */
static void follow(PtxFunction *f, const PtxLine *line)
{
  Seen *seen = f->seen;
  bool is_move = ptx_starts(line->word, "mov.b16") || ptx_starts(line->word, "mov.u16");
  bool is_number = is_move && line->count == 2 && !strchr("%{", *line->operands[1].text);
  uint16_t number = is_number ? (uint16_t)strtol(line->operands[1].text, NULL, 0) : 0;
  for (const char *at = line->word, *end = results_end(line); at < end; ++at) {
    Operand result = {at, strcspn(at, ",{}; \t\n")};
    for (unsigned i = 0; i < HALVES && *at == '%'; ++i) {
      uint32_t half = ptx_number(result, ptx_half_prefix[i]);
      bool is_first = !ptx_get(&seen->constants[i], half);
      ptx_set(f, &seen->constants[i], half, is_first && number ? number : (uint32_t)HALF_open);
    }
  }
}

/* The constant if it is negative, or 0. */
static uint32_t constant_of(const Seen *seen, Operand operand)
{
  for (unsigned i = 0; i < HALVES; ++i) {
    uint32_t found = ptx_get(&seen->constants[i], ptx_number(operand, ptx_half_prefix[i]));
    if (found >= HALF_below_zero) return found;
  }
  return 0;
}

static void repair(PtxFunction *f, PtxLine *line)
{
  if (!ptx_starts(line->word, "mov.b32") || line->count != 3 || *line->operands[1].text != '{')
    return;
  Operand result = line->operands[0], halves[2] = {line->operands[1], line->operands[2]};
  ++halves[0].text, --halves[0].len;
  halves[1].len = strcspn(halves[1].text, "}");
  uint32_t low = constant_of(f->seen, halves[0]), high = constant_of(f->seen, halves[1]);
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
  static const char *const words[] = {"mov.b32", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
