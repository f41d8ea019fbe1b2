/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* constant.c - repairs of what optimisers do with constants and conversions of them.
 *
 * constant_gap    the printers of PTX forget the gap behind a constant vector of three
 * conversions     LLVM folds conversions that saturate, or round to zero, as plain ones
 * subnormal_fma   libNVVM folds fma of constants to infinity where the addend is subnormal
 * nan_equal       libNVVM takes a constant NaN for equal to itself
 *
 * The last three hide the operation or the constant behind inline PTX, which optimisers don't look
 * into.
 */
#include "repair_private.h"

#include <math.h>
#include <string.h>

/* constant_gap: constant vectors of three components are written as vectors of four.
 *
 * A vector of three occupies four components in memory. The PTX printers of LLVM and libNVVM write
 * an initializer byte by byte, and leave out the fourth one, so that the next member lies where the
 * gap should be:
 *
 *     { <3 x i8> <1, 2, 3>, i8 7 }   is printed as   1, 2, 3, 7      instead of   1, 2, 3, 0, 7
 */

static bool has_gap(LLVMTypeRef type)
{
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind: return LLVMGetVectorSize(type) == 3;
  case LLVMArrayTypeKind: return LLVMGetArrayLength2(type) && has_gap(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i)
      if (has_gap(LLVMStructGetTypeAtIndex(type, i))) return true;
    return false;
  default: return false;
  }
}

static LLVMValueRef with_fourth(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool is_struct = kind == LLVMStructTypeKind, is_array = kind == LLVMArrayTypeKind;
  if (!has_gap(type)) return value;
  unsigned count = is_struct  ? LLVMCountStructElementTypes(type)
                   : is_array ? (unsigned)LLVMGetArrayLength2(type)
                              : 4;
  LLVMValueRef *parts = NEW_ARRAY(&g->c->scratch, LLVMValueRef, count);
  for (unsigned i = 0; i < count; ++i)
    parts[i] = i == 3 && !is_struct && !is_array
                   ? LLVMConstNull(LLVMTypeOf(parts[0]))
                   : with_fourth(g, LLVMGetAggregateElement(value, i));
  return is_struct  ? LLVMConstStructInContext(g->context, parts, count, false)
         : is_array ? LLVMConstArray2(LLVMTypeOf(parts[0]), parts, count)
                    : LLVMConstVector(parts, count);
}

static void fill_gaps(Gen *g, LLVMValueRef global)
{
  size_t len;
  const char *name = arena_printf(&g->c->scratch, "%s", LLVMGetValueName2(global, &len));
  LLVMValueRef data = with_fourth(g, LLVMGetInitializer(global)), made;
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  LLVMSetValueName2(global, "", 0);
  made = LLVMAddGlobalInAddressSpace(g->module, LLVMTypeOf(data), name, space);
  LLVMSetInitializer(made, data);
  LLVMSetGlobalConstant(made, true);
  LLVMSetLinkage(made, LLVMGetLinkage(global));
  LLVMSetAlignment(made, LLVMGetAlignment(global));
  LLVMReplaceAllUsesWith(global, made);
  LLVMDeleteGlobal(global);
}

void repair_constant_gap(Repair *r)
{
  LLVMValueRef last = LLVMGetLastGlobal(r->g->module), next;
  for (LLVMValueRef global = LLVMGetFirstGlobal(r->g->module); global; global = next) {
    next = global == last ? NULL : LLVMGetNextGlobal(global);
    if (!LLVMIsGlobalConstant(global) || !has_gap(LLVMGlobalGetValueType(global))) continue;
    fill_gaps(r->g, global);
    r->has_changed = true;
  }
}

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
