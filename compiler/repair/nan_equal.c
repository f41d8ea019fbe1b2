/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nan_equal.c - hides NaN constants from libNVVM, and turns tests for NaN into comparisons with 0.
 *
 * libNVVM treats a NaN that it knows as equal to itself, including those that its optimiser has
 * folded from other constants. So a constant NaN passes through inline PTX, and `x != x` compares x
 * with a number that isn't NaN:
 *
 *     fcmp une x, x   ->   fcmp uno x, 0.0
 *     fcmp oeq x, x   ->   fcmp ord x, 0.0
 */
#include "repair_private.h"

#include <math.h>

static bool is_nan(double number, unsigned bytes)
{
  (void)bytes;
  return isnan(number);
}

static void compare_with_zero(Repair *r, LLVMValueRef test)
{
  LLVMValueRef value = LLVMGetOperand(test, 0);
  if (value != LLVMGetOperand(test, 1)) return;
  bool is_for_nan;
  switch (LLVMGetFCmpPredicate(test)) {
  case LLVMRealUNO:
  case LLVMRealUNE: is_for_nan = true; break;
  case LLVMRealORD:
  case LLVMRealOEQ: is_for_nan = false; break;
  default: return;
  }
  LLVMPositionBuilderBefore(r->g->builder, test);
  llvm_replace(r, test,
               LLVMBuildFCmp(r->g->builder, is_for_nan ? LLVMRealUNO : LLVMRealORD, value,
                             LLVMConstNull(LLVMTypeOf(value)), ""));
}

static void hide_nans(Repair *r, LLVMValueRef instruction)
{
  llvm_hide_operands(r, instruction, is_nan);
  if (LLVMIsAFCmpInst(instruction)) compare_with_zero(r, instruction);
}

void repair_nan_equal(Repair *r)
{
  llvm_each(r, hide_nans);
}
