/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* round.c - generates conversions with a rounding mode: T(value, round = up).
 *
 * GPU    cvt.rn .rz .rp .rm, by intrinsics that both back ends have, or by inline PTX
 * host   The value is rounded to nearest and compared with the exact value. If the rounding went in
 *        the wrong direction, the result moves by one unit in the last place (put_right, step).
 *
 *     f32(x, round = down), x = 1 + 2^-24 * 1.5:   to nearest 1 + 2^-23 > x, so one step back: 1
 *
 * Two roundings in the same direction are one rounding, so f64 and integers reach f16 and bf16 by
 * way of f32 and f64. This isn't true for rounding to nearest, which half.c does.
 */
#include "front/memory.h"
#include "gen/gen_private.h"

static const char *suffix(uint64_t word)
{
  static const char *const suffixes[] = {"rn", "rz", "rp", "rm"};
  return suffixes[word];
}

static LLVMValueRef bits_of(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeRef bits = type == g->f64 ? g->i64 : type == g->f32 ? g->i32 : g->i16;
  return LLVMBuildBitCast(g->builder, value, bits, "");
}

/* Moves a float by one unit in the last place, away from zero or towards it: its bits, as an
 * integer, plus or minus 1. */
static LLVMValueRef step(Gen *g, LLVMValueRef value, LLVMValueRef is_wanted, LLVMValueRef is_away)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef bits = bits_of(g, value);
  LLVMTypeRef type = LLVMTypeOf(bits);
  LLVMValueRef by = LLVMBuildSelect(b, is_away, gen_int(g, type, 1), LLVMConstAllOnes(type), "");
  by = LLVMBuildSelect(b, is_wanted, by, LLVMConstNull(type), "");
  return LLVMBuildBitCast(b, LLVMBuildAdd(b, bits, by, ""), LLVMTypeOf(value), "");
}

/* Corrects `near`, which is `value` rounded to nearest, for the mode. `near_wide` is `near` in the
 * type of `value`. */
static LLVMValueRef put_right(Gen *g, LLVMValueRef near, LLVMValueRef near_wide, LLVMValueRef value,
                              uint64_t word)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef is_above = LLVMBuildFCmp(b, LLVMRealOGT, near_wide, value, "");
  LLVMValueRef is_below = LLVMBuildFCmp(b, LLVMRealOLT, near_wide, value, "");
  LLVMValueRef bits = bits_of(g, near);
  LLVMValueRef is_negative =
      LLVMBuildICmp(b, LLVMIntSLT, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
  if (word == WORD_round_down) return step(g, near, is_above, is_negative);
  if (word == WORD_round_up) return step(g, near, is_below, LLVMBuildNot(b, is_negative, ""));
  LLVMValueRef is_far = LLVMBuildSelect(b, is_negative, is_below, is_above, "");
  return step(g, near, is_far, LLVMConstInt(g->i1, 0, false));
}

static LLVMValueRef f32_of_f64(Gen *g, LLVMValueRef value, uint64_t word)
{
  if (g->target->has_rounding)
    return gen_call_named(g, arena_printf(&g->c->scratch, "llvm.nvvm.d2f.%s", suffix(word)), g->f32,
                          &value, 1);
  LLVMValueRef near = LLVMBuildFPTrunc(g->builder, value, g->f32, "");
  return put_right(g, near, LLVMBuildFPExt(g->builder, near, g->f64, ""), value, word);
}

static LLVMValueRef f16_of_f32(Gen *g, LLVMValueRef value, uint64_t word)
{
  LLVMTypeRef half = LLVMHalfTypeInContext(g->context);
  if (g->target->has_rounding) {
    const char *text = arena_printf(&g->c->scratch, "cvt.%s.f16.f32 $0, $1;", suffix(word));
    return LLVMBuildBitCast(g->builder, gen_ptx_value(g, text, g->i16, &value, 1), half, "");
  }
  LLVMValueRef near = LLVMBuildFPTrunc(g->builder, value, half, "");
  return put_right(g, near, LLVMBuildFPExt(g->builder, near, g->f32, ""), value, word);
}

/* PTX has conversions to bf16 only to nearest and towards zero. So the upper half of the f32 is
 * taken, and 1 added to its bits for a step away from zero if the lower half isn't zero. */
static LLVMValueRef bf16_of_f32(Gen *g, LLVMValueRef value, uint64_t word)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef bits = bits_of(g, value), sixteen = gen_int(g, g->i32, 16),
               zero = LLVMConstNull(g->i32);
  LLVMValueRef high = LLVMBuildLShr(b, bits, sixteen, "");
  if (word != WORD_round_zero) {
    LLVMIntPredicate side = word == WORD_round_up ? LLVMIntSGE : LLVMIntSLT;
    LLVMValueRef low = LLVMBuildAnd(b, bits, gen_int(g, g->i32, 0xffff), "");
    LLVMValueRef is_away = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntNE, low, zero, ""),
                                        LLVMBuildICmp(b, side, bits, zero, ""), "");
    high = LLVMBuildAdd(b, high, LLVMBuildZExt(b, is_away, g->i32, ""), "");
  }
  high = LLVMBuildTrunc(b, high, g->i16, "");
  LLVMValueRef is_number = LLVMBuildFCmp(b, LLVMRealORD, value, value, "");
  return LLVMBuildSelect(b, is_number, high, gen_int(g, g->i16, 0x7fff), "");
}

/* Converts an integer with more bits than the float has: its magnitude is cut to the bits that fit,
 * which converts exactly, then corrected by one step. */
static LLVMValueRef cut_int(Gen *g, LLVMValueRef value, const Type *from, Type *to, uint64_t word)
{
  enum { F32_DIGITS = 24, F64_DIGITS = 53 };
  LLVMBuilderRef b = g->builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef zero = LLVMConstNull(type), one = gen_int(g, type, 1);
  LLVMValueRef is_negative = LLVMConstInt(g->i1, 0, false);
  if (type_is_signed(from)) is_negative = LLVMBuildICmp(b, LLVMIntSLT, value, zero, "");
  LLVMValueRef size = LLVMBuildSelect(b, is_negative, LLVMBuildNeg(b, value, ""), value, "");
  LLVMValueRef args[2] = {size, LLVMConstInt(g->i1, 0, false)};
  LLVMValueRef spare = gen_call_named(
      g, arena_printf(&g->c->scratch, "llvm.ctlz.i%u", (unsigned)from->bits), type, args, 2);
  LLVMValueRef room =
      gen_int(g, type, from->bits - (to->kind == TYPE_f32 ? F32_DIGITS : F64_DIGITS));
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntUGE, spare, room, "");
  LLVMValueRef drop = LLVMBuildSelect(b, fits, zero, LLVMBuildSub(b, room, spare, ""), "");
  LLVMValueRef mask = LLVMBuildSub(b, LLVMBuildShl(b, one, drop, ""), one, "");
  LLVMValueRef lost = LLVMBuildAnd(b, size, mask, "");
  LLVMValueRef kept = LLVMBuildAnd(b, size, LLVMBuildNot(b, mask, ""), "");
  LLVMValueRef result = LLVMBuildUIToFP(b, kept, gen_type(g, to), "");
  LLVMValueRef is_away = LLVMConstInt(g->i1, 0, false);
  if (word == WORD_round_up) is_away = LLVMBuildNot(b, is_negative, "");
  if (word == WORD_round_down) is_away = is_negative;
  LLVMValueRef is_cut = LLVMBuildICmp(b, LLVMIntNE, lost, zero, "");
  result = step(g, result, LLVMBuildAnd(b, is_cut, is_away, ""), LLVMConstInt(g->i1, 1, false));
  return LLVMBuildSelect(b, is_negative, LLVMBuildFNeg(b, result, ""), result, "");
}

static LLVMValueRef float_of_int(Gen *g, LLVMValueRef value, Type *from, Type *to, uint64_t word)
{
  bool is_long = from->bits == 64, is_f64 = to->kind == TYPE_f64;
  if (from->bits < 32 || (is_f64 && !is_long)) return gen_convert(g, value, from, to);
  if (!g->target->has_rounding) return cut_int(g, value, from, to, word);
  const char *name =
      arena_printf(&g->c->scratch, "llvm.nvvm.%s%s2%c.%s", type_is_signed(from) ? "" : "u",
                   is_long ? "ll" : "i", is_f64 ? 'd' : 'f', suffix(word));
  return gen_call_named(g, name, gen_type(g, to), &value, 1);
}

/* Limits an integer that overflows f16 to one that overflows it too. LLVM assumes that an integer
 * with few significant bits is exact in f16, whatever its magnitude (see limit_int in half.c). */
static LLVMValueRef no_more(Gen *g, LLVMValueRef value)
{
  LLVMBuilderRef b = g->builder;
  for (int sign = 1; sign >= -1; sign -= 2) {
    LLVMValueRef end = LLVMConstReal(g->f64, sign * 0x1p17);
    LLVMRealPredicate beyond = sign > 0 ? LLVMRealOGT : LLVMRealOLT;
    value = LLVMBuildSelect(b, LLVMBuildFCmp(b, beyond, value, end, ""), end, value, "");
  }
  return value;
}

static LLVMValueRef int_of_float(Gen *g, LLVMValueRef value, Type *from, Type *to, uint64_t word)
{
  static const char *const names[] = {"rint", "trunc", "ceil", "floor"};
  if (!g->target->has_rounding) {
    const char *name =
        arena_printf(&g->c->scratch, "llvm.%s.f%u", names[word], (unsigned)from->bits);
    value = gen_call_named(g, name, gen_type(g, from), &value, 1);
  }
  return gen_float_to_int(g, value, from, to, suffix(word));
}

static LLVMValueRef round_scalar(Gen *g, LLVMValueRef value, Type *from, Type *to, uint64_t word)
{
  Types *types = g->c->types;
  if (type_is_half(from) && from != to) {
    value = gen_half_to_f32(g, value, from);
    from = types->type_f32;
  }
  if (type_is_int(to)) return int_of_float(g, value, from, to, word);
  if (word == WORD_round_nearest) return gen_convert(g, value, from, to);
  if (type_is_int(from)) {
    Type *wide = type_is_half(to) ? types->type_f64 : to;
    value = float_of_int(g, value, from, wide, word);
    if (!g->target->has_rounding && to->kind == TYPE_f16) value = no_more(g, value);
    from = wide;
  }
  if (from->kind == TYPE_f64 && to->kind != TYPE_f64) {
    value = f32_of_f64(g, value, word);
    from = types->type_f32;
  }
  if (from == to || !type_is_half(to)) return gen_convert(g, value, from, to);
  return to->kind == TYPE_f16 ? f16_of_f32(g, value, word) : bf16_of_f32(g, value, word);
}

LLVMValueRef gen_round(Gen *g, LLVMValueRef value, Type *from, Type *to, uint64_t round)
{
  if (to->kind != TYPE_vector) return round_scalar(g, value, from, to, round - 1);
  LLVMValueRef result = LLVMGetUndef(gen_type(g, to));
  for (unsigned i = 0; i < to->count; ++i) {
    LLVMValueRef part = gen_component(g, value, i);
    part = round_scalar(g, part, from->element, to->element, round - 1);
    result = gen_with_component(g, result, part, i);
  }
  return result;
}
