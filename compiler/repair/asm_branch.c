/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* asm_branch.c - convergent inline PTX is said to have side effects.
 *
 * libNVVM moves a convergent asm without side effects into the branch that uses its result. There
 * not all threads reach it, as a shuffle or a vote needs.
 */
#include "repair_private.h"

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
