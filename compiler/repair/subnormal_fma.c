/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* subnormal_fma.c - subnormal constants are hidden from libNVVM.
 *
 * It folds fma(a, b, c) of constants wrongly where c is subnormal and a * b has another sign:
 * fma(0.25f16, -0x1.00cp-13, 0x3p-24) becomes infinity. A constant may reach an fma by any way, so
 * each is hidden where it is an operand.
 */
#include "repair_private.h"

#include <math.h>

static bool is_subnormal(double number, unsigned bytes)
{
  double least = bytes == 2 ? 0x1p-14 : bytes == 4 ? 0x1p-126 : 0x1p-1022;
  return number != 0 && fabs(number) < least;
}

static void hide_subnormals(Repair *r, LLVMValueRef instruction)
{
  llvm_hide_operands(r, instruction, is_subnormal);
}

void repair_subnormal_fma(Repair *r)
{
  llvm_each(r, hide_subnormals);
}
