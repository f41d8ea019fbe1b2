/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_byte.c - the lower byte of an f16 or bf16 is stored from a copy.
 *
 * Where a result of f16 arithmetic or of a conversion to f16 is stored by st.u8, ptxas stores the
 * number as an integer, not the lower byte of its bits. A copy of 16 bits hides where it comes
 * from:
 *
 *     add.f16 %rs1, ...
 *     st.local.u8 [%rd1], %rs1;   ->   mov.b16 part0, %rs1; st.local.u8 [%rd1], part0;
 */
#include "repair_private.h"

#include <string.h>

typedef struct Seen {
  PtxTable halves; /* %rsN that an instruction for f16 or bf16 has written */
} Seen;

static void follow(PtxFunction *f, const PtxLine *line)
{
  Seen *seen = f->seen;
  bool is_half = false;
  for (const char *at = line->word; line->count && at < line->word_end; ++at)
    is_half |= ptx_starts(at, "f16"); /* .f16, .bf16 */
  if (is_half) ptx_set(f, &seen->halves, ptx_number(line->operands[0], "%rs"), true);
}

/* `st.local.u8 [%rd1], %rs1;`, `@%p1 st.shared.v2.u8 [%rd1], {%rs1, %rs2};` */
static void repair(PtxFunction *f, PtxLine *line)
{
  const Seen *seen = f->seen;
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
    if (ptx_get(&seen->halves, ptx_number(value, "%rs"))) {
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
  static const char *const words[] = {".u8", ".b8", ".s8", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
