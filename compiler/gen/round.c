/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* round.c - conversions that say how they round: T(value, round = up).
 *
 *   GPU    cvt.rn .rz .rp .rm, by intrinsics that both back ends have, or inline PTX
 *   host   to nearest, and then a step of one last digit where that went to the wrong side
 *
 * Two roundings in one direction are one, so f64 and integers reach f16 and bf16 by way of f32 and
 * f64. To nearest that is not so: half.c does it.
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

/* The bits are those of a float: one last digit on, away from zero or back. */
static LLVMValueRef step(Gen *g, LLVMValueRef value, LLVMValueRef is_wanted, LLVMValueRef is_away)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef bits = bits_of(g, value);
  LLVMTypeRef type = LLVMTypeOf(bits);
  LLVMValueRef by = LLVMBuildSelect(b, is_away, gen_int(g, type, 1), LLVMConstAllOnes(type), "");
  by = LLVMBuildSelect(b, is_wanted, by, LLVMConstNull(type), "");
  return LLVMBuildBitCast(b, LLVMBuildAdd(b, bits, by, ""), LLVMTypeOf(value), "");
}

/* `near` is the nearest to `value`, and the same again in the type of `value`. */
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
  if (!g->is_host)
    return gen_call_named(g, arena_printf(&g->c->scratch, "llvm.nvvm.d2f.%s", suffix(word)), g->f32,
                          &value, 1);
  LLVMValueRef near = LLVMBuildFPTrunc(g->builder, value, g->f32, "");
  return put_right(g, near, LLVMBuildFPExt(g->builder, near, g->f64, ""), value, word);
}

static LLVMValueRef f16_of_f32(Gen *g, LLVMValueRef value, uint64_t word)
{
  LLVMTypeRef half = LLVMHalfTypeInContext(g->context);
  if (!g->is_host) {
    const char *text = arena_printf(&g->c->scratch, "cvt.%s.f16.f32 $0, $1;", suffix(word));
    return LLVMBuildBitCast(g->builder, gen_ptx_value(g, text, g->i16, &value, 1), half, "");
  }
  LLVMValueRef near = LLVMBuildFPTrunc(g->builder, value, half, "");
  return put_right(g, near, LLVMBuildFPExt(g->builder, near, g->f32, ""), value, word);
}

/* PTX rounds to bf16 to nearest and towards zero alone: the upper half, and one more away from zero
 * if the lower half is not empty. */
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

/* Of an integer that has more digits than the float: those that don't fit are cut off its
 * magnitude, which then is exact. */
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
  if (g->is_host) return cut_int(g, value, from, to, word);
  const char *name =
      arena_printf(&g->c->scratch, "llvm.nvvm.%s%s2%c.%s", type_is_signed(from) ? "" : "u",
                   is_long ? "ll" : "i", is_f64 ? 'd' : 'f', suffix(word));
  return gen_call_named(g, name, gen_type(g, to), &value, 1);
}

/* An integer that is no f16, as another one that is none: LLVM takes an integer that has few digits
 * for one that is the same in f16, whatever its size. */
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
  if (g->is_host) {
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
    if (g->is_host && to->kind == TYPE_f16) value = no_more(g, value);
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
