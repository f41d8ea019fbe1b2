/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* warp.c - repairs of instructions that several threads of a warp execute together.
 *
 * asm_branch     module   libNVVM moves a convergent asm into a branch     it has side effects
 * part_barrier   PTX      ptxas duplicates bar.sync behind a part's shuffle   barrier.sync
 * vote_mask      PTX      ptxas asks the whole warp instead of a part         other lanes cleared
 */
#include "repair_private.h"

#include <string.h>

/* asm_branch: convergent inline PTX is said to have side effects.
 *
 * libNVVM moves a convergent asm without side effects into the branch that uses its result. There
 * not all threads reach it, as a shuffle or a vote needs.
 */

static bool is_convergent(LLVMValueRef call)
{
  unsigned kind = LLVMGetEnumAttributeKindForName("convergent", sizeof "convergent" - 1);
  return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void add_effects(Repair *r, LLVMValueRef call)
{
  LLVMValueRef code = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  if (!code || !LLVMIsAInlineAsm(code)) return;
  if (LLVMGetInlineAsmHasSideEffects(code) || !is_convergent(call)) return;
  size_t text_len, constraints_len;
  const char *text = LLVMGetInlineAsmAsmString(code, &text_len),
             *constraints = LLVMGetInlineAsmConstraintString(code, &constraints_len);
  LLVMValueRef other =
      LLVMGetInlineAsm(LLVMGetCalledFunctionType(call), (char *)text, text_len, (char *)constraints,
                       constraints_len, true, LLVMGetInlineAsmNeedsAlignedStack(code),
                       LLVMGetInlineAsmDialect(code), LLVMGetInlineAsmCanUnwind(code));
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
  r->has_changed = true;
}

void repair_asm_branch(Repair *r)
{
  llvm_each(r, add_effects);
}

/* part_barrier: a barrier in a function that shuffles parts of a warp is barrier.sync.
 *
 * Behind a shuffle of a part of a warp, ptxas has two paths, for parts that are together and for
 * those that came late, and duplicates into both what follows, bar.sync too. A warp whose parts
 * take both paths arrives twice, and waits for ever. ptxas keeps barrier.sync, which any part of a
 * warp may reach, out of those paths.
 *
 *     shfl.sync.idx.b32 %r1, %r2, 3, 6151, %r4;   a mask that may be less than the warp
 *     bar.sync 0;   ->   barrier.sync 0;
 */

/* The last operand is the mask of participating lanes; -1 is the whole warp. */
static void find_parts(PtxFunction *f, const PtxLine *line)
{
  static const char *const words[] = {"shfl.sync.",      "vote.sync.",  "match.any.sync.",
                                      "match.all.sync.", "redux.sync.", "bar.warp.sync"};
  for (size_t i = 0; i < COUNT_OF(words) && !f->known->count; ++i) {
    if (!ptx_starts(line->word, words[i])) continue;
    const char *mask = line->end;
    while (mask > line->word_end && !strchr(", \t", mask[-1])) --mask;
    if (!ptx_starts(mask, "-1;") && !ptx_starts(mask, "0xffffffff;")) ptx_set(f, f->known, 0, true);
    return;
  }
}

/* `bar.sync 0;`, `bar.red.popc.u32 %r1, 0, %p1;` and so on, not `bar.warp.sync -1;` */
static void rename_barrier(PtxFunction *f, PtxLine *line)
{
  if (!f->known->count || !ptx_starts(line->word, "bar.") || ptx_starts(line->word, "bar.warp."))
    return;
  const char *after = line->word + sizeof "bar" - 1;
  ptx_replace(f, line, "\tbarrier%.*s\n", (int)(line->end - after), after);
}

void repair_part_barrier(Repair *r)
{
  ptx_run(r, find_parts, rename_barrier, "bar.", NULL);
}

/* vote_mask: the lanes that a vote or a match doesn't ask are cleared in its result.
 *
 * Behind a barrier ptxas executes the votes of several parts of a warp as one: it assumes that all
 * lanes that execute one instruction name one mask. The result then has lanes of the other parts.
 *
 *     vote.sync.ballot.b32 %r3, %p1, %r2;   ->   vote.sync.ballot.b32 %r3, %p1, %r2;
 *                                                and.b32 %r3, %r3, %r2;
 *
 * vote.sync.all and .any have no lanes to clear. The library uses them with whole warps alone.
 */

static void clear_others(PtxFunction *f, PtxLine *line)
{
  const Operand *operands = line->operands;
  if (!ptx_starts(line->word, "vote.sync.ballot.") && !ptx_starts(line->word, "match.any.sync."))
    return;
  if (line->count != 3 || *operands[2].text != '%') return;
  ptx_replace(f, line, "%.*s\n\tand.b32 %.*s, %.*s, %.*s;\n", (int)(line->end - line->text),
              line->text, LEN(operands[0]), LEN(operands[0]), LEN(operands[2]));
}

void repair_vote_mask(Repair *r)
{
  ptx_run(r, NULL, clear_others, "vote.sync.ballot.", "match.any.sync.", NULL);
}
