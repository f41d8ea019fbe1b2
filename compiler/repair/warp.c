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
 *
 * A mask is the whole warp if it is -1, or a register whose one assignment is `mov.b32 %r4, -1;`.
 */

/* Tables of a function. ASSIGNED: what 32-bit registers get; MASKS: which of them are masks; PARTS
 * is not empty if a mask is neither a register nor -1. */
enum { ASSIGNED, MASKS, PARTS };
enum { ONES = 1, OTHER }; /* in ASSIGNED: -1, and nothing else */

/* Notes the registers that an instruction assigns, which are in its first operand. It goes from
 * `word` to the semicolon. The address of a store counts as assigned as well, but is no mask. */
static void note_assigned(PtxFunction *f, const char *word, const char *end)
{
  const char *at = word + strcspn(word, " \t;"), *source = at;
  int depth = 0;
  if (ptx_starts(word, "bar.")) return;
  for (; source < end && (depth || *source != ','); ++source)
    depth += (*source == '{') - (*source == '}');
  source += *source == ',';
  source += strspn(source, " \t");
  bool is_ones = ptx_starts(word, "mov.") && ptx_starts(source, "-1;");
  for (; at < source; ++at) {
    if (at[0] != '%' || at[1] != 'r' || at[2] < '0' || at[2] > '9') continue;
    uint32_t number = ptx_number((Operand){at, 2 + strspn(at + 2, "0123456789")}, "%r");
    if (number == UINT32_MAX) continue;
    bool is_first = !ptx_get(&f->known[ASSIGNED], number);
    ptx_set(f, &f->known[ASSIGNED], number, is_first && is_ones ? ONES : OTHER);
  }
}

/* The last operand is the mask of participating lanes. */
static void note_mask(PtxFunction *f, const char *word, const char *end)
{
  static const char *const words[] = {"shfl.sync.",      "vote.sync.",  "match.any.sync.",
                                      "match.all.sync.", "redux.sync.", "bar.warp.sync"};
  bool has_mask = false;
  for (size_t i = 0; i < COUNT_OF(words); ++i) has_mask |= ptx_starts(word, words[i]);
  if (!has_mask) return;
  const char *mask = end;
  while (mask > word && !strchr(", \t", mask[-1])) --mask;
  if (ptx_starts(mask, "-1;") || ptx_starts(mask, "0xffffffff;")) return;
  uint32_t number = ptx_number((Operand){mask, (size_t)(end - mask)}, "%r");
  if (number != UINT32_MAX) ptx_set(f, &f->known[MASKS], number, true);
  else ptx_set(f, &f->known[PARTS], 0, true);
}

/* A line of inline PTX may have several instructions. */
static void find_parts(PtxFunction *f, const PtxLine *line)
{
  for (const char *at = line->text, *end; at < line->end; at = end + 1) {
    end = memchr(at, ';', (size_t)(line->end - at));
    if (!end) return;
    at += strspn(at, " \t{");
    if (*at == '@') at += strcspn(at, " \t;");
    at += strspn(at, " \t");
    if (*at == '.') continue;
    note_assigned(f, at, end);
    note_mask(f, at, end);
  }
}

static bool has_parts(const PtxFunction *f)
{
  const PtxTable *masks = &f->known[MASKS];
  bool has = f->known[PARTS].count;
  for (uint32_t i = 0; i < masks->count; ++i)
    has |= masks->at[i] && ptx_get(&f->known[ASSIGNED], i) != ONES;
  return has;
}

/* `bar.sync 0;`, `bar.red.popc.u32 %r1, 0, %p1;` and so on, not `bar.warp.sync -1;` */
static void rename_barrier(PtxFunction *f, PtxLine *line)
{
  if (!ptx_starts(line->word, "bar.") || ptx_starts(line->word, "bar.warp.") || !has_parts(f))
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
