/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* atomic_space.c - an atomic operation on a generic address of shared memory is one on shared
 * memory.
 *
 * An atomic operation with an order and a scope is inline PTX, which an optimiser does not look
 * into. Where a function whose span may be any memory is inlined into one that passes shared
 * memory, the inline PTX still has the generic address. With .shared it is twice as fast.
 *
 *     cvta.shared.u64 %rd1, %rd2;
 *     red.relaxed.cta.add.u32 [%rd1], %r1;
 *         ->   cvta.to.shared.u64 there, %rd1; red.relaxed.cta.shared.add.u32 [there], %r1;
 */
#include "repair_private.h"

#include <string.h>

static void repair(PtxFunction *f, PtxLine *line)
{
  static const char *const scopes[] = {".cta.", ".gpu.", ".sys.", ".cluster."};
  if (!ptx_starts(line->word, "red.") && !ptx_starts(line->word, "atom.")) return;
  const char *scope_end = NULL, *open = memchr(line->text, '[', (size_t)(line->end - line->text));
  if (!open) return;
  Operand address = {open + 1, strcspn(open + 1, "+]\n")};
  if (ptx_base(f, f->seen, address) != PTX_BASE_shared || address.text[address.len] != ']') return;
  for (size_t i = 0; i < COUNT_OF(scopes) && !scope_end; ++i) {
    const char *scope = strstr(line->word, scopes[i]);
    if (scope && scope < line->word_end) scope_end = scope + strlen(scopes[i]) - 1;
  }
  if (!scope_end || ptx_starts(scope_end, ".shared") || ptx_starts(scope_end, ".global")) return;
  const char *after = address.text + address.len + 1;
  ptx_replace(f, line,
              "\t{ .reg .b64 there; cvta.to.shared.u64 there, %.*s; %.*s.shared%.*s[there]%.*s }\n",
              LEN(address), (int)(scope_end - line->word), line->word, (int)(open - scope_end),
              scope_end, (int)(line->end - after), after);
}

void repair_atomic_space(Repair *r)
{
  static const char *const words[] = {"red.", "atom.", NULL};
  ptx_run(r, &(PtxRule){.words = words, .seen_bytes = sizeof(PtxAddresses), .repair = repair});
}
