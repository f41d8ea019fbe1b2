/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* part_barrier.c - a barrier in a function that shuffles parts of a warp is barrier.sync.
 *
 * Behind a shuffle of a part of a warp, ptxas has two paths, for parts that are together and for
 * those that came late, and duplicates into both what follows, bar.sync too. A warp whose parts
 * take both paths arrives twice, and waits for ever. ptxas keeps barrier.sync, which any part of a
 * warp may reach, out of those paths.
 *
 *     shfl.sync.idx.b32 %r1, %r2, 3, 6151, %r4;   a mask that may be less than the warp
 *     bar.sync 0;   ->   barrier.sync 0;
 */
#include "repair_private.h"

#include <string.h>

typedef struct Seen {
  bool has_parts; /* of a warp, that shuffle, vote or wait */
} Seen;

/* The last operand is the mask of participating lanes; -1 is the whole warp. */
static void follow(PtxFunction *f, const PtxLine *line)
{
  static const char *const words[] = {"shfl.sync.",      "vote.sync.",  "match.any.sync.",
                                      "match.all.sync.", "redux.sync.", "bar.warp.sync"};
  Seen *seen = f->seen;
  for (size_t i = 0; i < COUNT_OF(words) && !seen->has_parts; ++i) {
    if (!ptx_starts(line->word, words[i])) continue;
    const char *mask = line->end;
    while (mask > line->word_end && !strchr(", \t", mask[-1])) --mask;
    seen->has_parts = !ptx_starts(mask, "-1;") && !ptx_starts(mask, "0xffffffff;");
    return;
  }
}

/* `bar.sync 0;`, `bar.red.popc.u32 %r1, 0, %p1;` and so on, not `bar.warp.sync -1;` */
static void repair(PtxFunction *f, PtxLine *line)
{
  const Seen *seen = f->seen;
  if (!seen->has_parts || !ptx_starts(line->word, "bar.") || ptx_starts(line->word, "bar.warp."))
    return;
  const char *after = line->word + sizeof "bar" - 1;
  ptx_replace(f, line, "\tbarrier%.*s\n", (int)(line->end - after), after);
}

void repair_part_barrier(Repair *r)
{
  static const char *const words[] = {"bar.", NULL};
  ptx_run(r, &(PtxRule){words, sizeof(Seen), follow, repair});
}
