/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* convert.c - generates conversions between scalars, with the same result on every target.
 *
 * Floats to integers saturate, and NaN gives 0. On a GPU that is cvt.rzi, except that NaN gives
 * 0x80... if f64 or 64-bit integers are involved (PTX ISA, cvt), which a select corrects. LLVM's
 * fptosi is undefined for such values, and NVVM IR's LLVM 7 has no saturating one.
 */
#include "gen/gen_private.h"

static LLVMValueRef int_to_int(Gen *g, LLVMValueRef value, const Type *from, Type *to)
{
  LLVMTypeRef type = gen_type(g, to);
  if (to->bits < from->bits) return LLVMBuildTrunc(g->builder, value, type, "");
  if (to->bits == from->bits) return value;
  return type_is_signed(from) ? LLVMBuildSExt(g->builder, value, type, "")
                              : LLVMBuildZExt(g->builder, value, type, "");
}

static LLVMValueRef clamp_int(Gen *g, LLVMValueRef value, const Type *to)
{
  bool is_signed = type_is_signed(to);
  uint64_t max = UINT64_MAX >> (64 - to->bits) >> is_signed;
  LLVMValueRef top = LLVMConstInt(g->i32, max, true), bottom = LLVMConstInt(g->i32, ~max, true);
  LLVMValueRef above =
      LLVMBuildICmp(g->builder, is_signed ? LLVMIntSGT : LLVMIntUGT, value, top, "");
  value = LLVMBuildSelect(g->builder, above, top, value, "");
  if (!is_signed) return value;
  LLVMValueRef below = LLVMBuildICmp(g->builder, LLVMIntSLT, value, bottom, "");
  return LLVMBuildSelect(g->builder, below, bottom, value, "");
}

LLVMValueRef gen_float_to_int(Gen *g, LLVMValueRef value, const Type *from, Type *to,
                              const char *round)
{
  bool is_f64 = from->kind == TYPE_f64, is_signed = type_is_signed(to);
  if (!g->target->has_rounding) {
    const char *name = arena_printf(&g->c->scratch, "llvm.fpto%ci.sat.i%u.f%u",
                                    is_signed ? 's' : 'u', to->bits, from->bits);
    return gen_call_named(g, name, gen_type(g, to), &value, 1);
  }
  const char *name = arena_printf(&g->c->scratch, "llvm.nvvm.%c2%s%s.%s", is_f64 ? 'd' : 'f',
                                  is_signed ? "" : "u", to->bits == 64 ? "ll" : "i", round);
  LLVMValueRef result = gen_call_named(g, name, to->bits == 64 ? g->i64 : g->i32, &value, 1);
  if (to->bits < 32)
    result = LLVMBuildTrunc(g->builder, clamp_int(g, result, to), gen_type(g, to), "");
  if (!is_f64 && to->bits < 64) return result;
  LLVMValueRef is_number = LLVMBuildFCmp(g->builder, LLVMRealORD, value, value, "");
  return LLVMBuildSelect(g->builder, is_number, result, LLVMConstNull(gen_type(g, to)), "");
}

LLVMValueRef gen_convert(Gen *g, LLVMValueRef value, Type *from, Type *to)
{
  LLVMTypeRef type = gen_type(g, to);
  if (from == to || from->kind == TYPE_closure) return value; /* a key has its order's captures */
  if (to->kind == TYPE_pointer && from->kind == TYPE_pointer)
    return gen_cast_address(g, value, gen_space(g, from->space), gen_space(g, to->space));
  if (to->kind == TYPE_pointer) {
    value = LLVMBuildIntToPtr(g->builder, value, g->ptr, "");
    return gen_cast_address(g, value, SPACE_GENERIC, gen_space(g, to->space));
  }
  if (from->kind == TYPE_pointer) /* its generic address */
    return LLVMBuildPtrToInt(
        g->builder, gen_cast_address(g, value, gen_space(g, from->space), SPACE_GENERIC), type, "");
  if (to->kind == TYPE_vector) return gen_vector_convert(g, value, from, to);
  if (type_is_half(from) || type_is_half(to)) return gen_half_convert(g, value, from, to);
  if (to->kind == TYPE_bool) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    return type_is_float(from) ? LLVMBuildFCmp(g->builder, LLVMRealUNE, value, zero, "")
                               : LLVMBuildICmp(g->builder, LLVMIntNE, value, zero, "");
  }
  if (from->kind == TYPE_bool)
    return type_is_float(to) ? LLVMBuildUIToFP(g->builder, value, type, "")
                             : LLVMBuildZExt(g->builder, value, type, "");
  if (type_is_float(from) && type_is_float(to))
    return from->bits < to->bits ? LLVMBuildFPExt(g->builder, value, type, "")
                                 : LLVMBuildFPTrunc(g->builder, value, type, "");
  if (type_is_float(from)) return gen_float_to_int(g, value, from, to, "rz");
  if (type_is_float(to))
    return type_is_signed(from) ? LLVMBuildSIToFP(g->builder, value, type, "")
                                : LLVMBuildUIToFP(g->builder, value, type, "");
  return int_to_int(g, value, from, to);
}
