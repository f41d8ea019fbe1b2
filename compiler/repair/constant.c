/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* constant.c - repairs of what optimisers do with constants and conversions of them.
 *
 * conversions     LLVM folds conversions that saturate, or round to zero, as plain ones
 * subnormal_fma   libNVVM folds fma of constants to infinity where the addend is subnormal
 * nan_equal       libNVVM takes a constant NaN for equal to itself
 *
 * Each hides the operation or the constant behind inline PTX, which optimisers don't look into.
 */
#include "repair_private.h"

#include <math.h>
#include <string.h>

/* conversions: conversions of floats that saturate, or round to zero, are inline PTX.
 *
 * LLVM's optimiser folds llvm.nvvm.d2i.rz(x) and its like as fptosi, which is undefined where the
 * result doesn't fit, and takes d2i.rz(sitofp(x)) for x; but PTX's cvt.rzi saturates. It folds
 * llvm.nvvm.ll2d.rz(x) and its like, which round to zero, as sitofp, which rounds to nearest.
 *
 *     call i32 @llvm.nvvm.d2i.rz(double %x)   ->   asm "cvt.rzi.s32.f64 $0, $1;"
 */

/* "d", "f", "i", "ui", "ll", "ull" as PTX has them; moves past it. */
static const char *type_word(const char **at)
{
  static const char *const words[][2] = {{"d", "f64"},  {"f", "f32"},  {"i", "s32"},
                                         {"ui", "u32"}, {"ll", "s64"}, {"ull", "u64"}};
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    size_t len = strlen(words[i][0]);
    if (strncmp(*at, words[i][0], len) != 0 || ((*at)[len] != '2' && (*at)[len] != '.')) continue;
    *at += len + 1;
    return words[i][1];
  }
  return NULL;
}

/* NULL: a function that is left alone. */
static const char *conversion_text(Session *c, const char *name)
{
  static const char prefix[] = "llvm.nvvm.";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
  const char *at = name + sizeof prefix - 1;
  const char *from = type_word(&at), *to = from ? type_word(&at) : NULL;
  if (!to || strcmp(at, "rz") != 0 || (*from == 'f') == (*to == 'f')) return NULL;
  return arena_printf(&c->scratch, "cvt.%s.%s.%s $0, $1;", *to == 'f' ? "rz" : "rzi", to, from);
}

void repair_conversions(Repair *r)
{
  Gen *g = r->g;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
    size_t len;
    const char *text = conversion_text(r->c, LLVMGetValueName2(f, &len));
    for (LLVMUseRef use; text && (use = LLVMGetFirstUse(f));) {
      LLVMValueRef call = LLVMGetUser(use), value = LLVMGetOperand(call, 0);
      LLVMPositionBuilderBefore(g->builder, call);
      llvm_replace(r, call, gen_ptx_value(g, text, LLVMTypeOf(call), &value, 1));
    }
  }
}

/* subnormal_fma: subnormal constants are hidden from libNVVM.
 *
 * It folds fma(a, b, c) of constants wrongly where c is subnormal and a * b has another sign:
 * fma(0.25f16, -0x1.00cp-13, 0x3p-24) becomes infinity. A constant may reach an fma by any way, so
 * each is hidden where it is an operand.
 */

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

/* nan_equal: hides NaN constants from libNVVM, and turns tests for NaN into comparisons with 0.
 *
 * libNVVM treats a NaN that it knows as equal to itself, including those that its optimiser has
 * folded from other constants. So a constant NaN passes through inline PTX, and `x != x` compares x
 * with a number that isn't NaN:
 *
 *     fcmp une x, x   ->   fcmp uno x, 0.0
 *     fcmp oeq x, x   ->   fcmp ord x, 0.0
 */

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
