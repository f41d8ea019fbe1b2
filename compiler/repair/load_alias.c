/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* load_alias.c - a load whose address may be one of two parameters' is an ordinary one.
 *
 * libNVVM makes one load of two that stand in the branches of an if. Where one of them is of memory
 * that nobody writes, ld.global.nc, so is the result; the other one may be of memory that the
 * kernel writes, which the cache of ld.global.nc doesn't see.
 *
 *     selp.b64 %rd3, %rd1, %rd2, %p1;            addresses of two parameters
 *     ld.global.nc.f32 %f1, [%rd3];   ->   ld.global.f32 %f1, [%rd3];
 */
#include "repair_private.h"

#include <string.h>

static void repair(PtxFunction *f, PtxLine *line)
{
  if (!ptx_starts(line->word, "ld.global.nc.")) return;
  const char *open = memchr(line->text, '[', (size_t)(line->end - line->text));
  if (!open) return;
  Operand address = {open + 1, strcspn(open + 1, "+]\n")};
  if (ptx_base(f, f->seen, address) != PTX_BASE_mixed) return;
  const char *after = line->word + sizeof "ld.global.nc" - 1;
  ptx_replace(f, line, "\tld.global%.*s\n", (int)(line->end - after), after);
}

void repair_load_alias(Repair *r)
{
  static const char *const words[] = {"ld.global.nc.", NULL};
  ptx_run(r, &(PtxRule){.words = words, .seen_bytes = sizeof(PtxAddresses), .repair = repair});
}
