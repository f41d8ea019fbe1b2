/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half.c - generates f16 and bf16: conversions and arithmetic, with the same bits on every target.
 *
 * f16 is LLVM's half. bf16 is an i16 with the upper half of an f32, because NVVM IR has no such
 * type; GPU instructions for it are inline PTX.
 *
 * Where a target has no instruction, the operation is done in f32 and rounded to the half. Rounding
 * twice gives the same as rounding once for + - * / and the square root, because f32 has at least 2
 * * 11 + 2 bits (Figueroa, "When is double rounding innocuous?", 1995). A conversion from a type
 * with more bits than f32 goes through an f32 that is rounded to odd: the last bit is set if
 * anything was cut off, so that the second rounding sees it (Boldo and Melquiond, "Emulation of FMA
 * and correctly rounded sums", 2008).
 *
 *     f64 -> bf16     nearest(nearest(x)) may be wrong by one unit: a tie that isn't one
 *                     nearest(odd(x)) is right
 */
#include "front/target.h"
#include "gen/gen_private.h"

#include <string.h>

LLVMValueRef gen_ptx_value(Gen *g, const char *text, LLVMTypeRef result, LLVMValueRef *args,
                           unsigned count)
{
  PtxAsm ptx = {.is_plain = true, .results = {result}, .result_count = 1};
  for (unsigned i = 0; i < count; ++i) asm_input(g, &ptx, args[i]);
  return asm_call(g, &ptx, text, strlen(text));
}

static bool has_sm(const Gen *g, unsigned sm)
{
  return g->target->sm >= sm; /* 0 of the host */
}

static LLVMValueRef as_bits(Gen *g, LLVMValueRef value)
{
  return LLVMBuildBitCast(g->builder, value, LLVMTypeOf(value) == g->f64 ? g->i64 : g->i32, "");
}

/* ---- to and from f32 ---- */

LLVMValueRef gen_half_to_f32(Gen *g, LLVMValueRef value, const Type *from)
{
  if (from->kind == TYPE_f16) return LLVMBuildFPExt(g->builder, value, g->f32, "");
  LLVMValueRef wide = LLVMBuildZExt(g->builder, value, g->i32, "");
  wide = LLVMBuildShl(g->builder, wide, gen_int(g, g->i32, 16), "");
  return LLVMBuildBitCast(g->builder, wide, g->f32, "");
}

static LLVMValueRef bf16_of_f32(Gen *g, LLVMValueRef value)
{
  if (has_sm(g, 80)) return gen_ptx_value(g, "cvt.rn.bf16.f32 $0, $1;", g->i16, &value, 1);
  LLVMBuilderRef b = g->builder;
  LLVMValueRef bits = as_bits(g, value), sixteen = gen_int(g, g->i32, 16);
  LLVMValueRef odd = LLVMBuildLShr(b, bits, sixteen, "");
  odd = LLVMBuildAnd(b, odd, gen_int(g, g->i32, 1), "");
  LLVMValueRef rounded = LLVMBuildAdd(b, bits, gen_int(g, g->i32, 0x7fff), "");
  rounded = LLVMBuildLShr(b, LLVMBuildAdd(b, rounded, odd, ""), sixteen, "");
  rounded = LLVMBuildTrunc(b, rounded, g->i16, "");
  LLVMValueRef is_number = LLVMBuildFCmp(b, LLVMRealORD, value, value, "");
  return LLVMBuildSelect(b, is_number, rounded, gen_int(g, g->i16, 0x7fff), "");
}

static LLVMValueRef gen_half_of_f32(Gen *g, LLVMValueRef value, const Type *to)
{
  if (to->kind == TYPE_bf16) return bf16_of_f32(g, value);
  return LLVMBuildFPTrunc(g->builder, value, LLVMHalfTypeInContext(g->context), "");
}

/* Rounds an f64 to an f32, to odd: towards zero, and the last bit is set if that cut bits off. */
static LLVMValueRef odd_of_f64(Gen *g, LLVMValueRef value)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef near = LLVMBuildFPTrunc(b, value, g->f32, "");
  LLVMValueRef near_wide = LLVMBuildFPExt(b, near, g->f64, "");
  LLVMValueRef sign_off = gen_int(g, g->i64, UINT64_MAX >> 1);
  LLVMValueRef size = LLVMBuildAnd(b, as_bits(g, value), sign_off, "");
  LLVMValueRef near_size = LLVMBuildAnd(b, as_bits(g, near_wide), sign_off, "");
  LLVMValueRef is_above = LLVMBuildICmp(b, LLVMIntUGT, near_size, size, "");
  LLVMValueRef is_equal = LLVMBuildICmp(b, LLVMIntEQ, near_size, size, "");
  LLVMValueRef bits = as_bits(g, near);
  bits = LLVMBuildSub(b, bits, LLVMBuildZExt(b, is_above, g->i32, ""), "");
  LLVMValueRef odd = LLVMBuildOr(b, bits, gen_int(g, g->i32, 1), "");
  bits = LLVMBuildSelect(b, is_equal, as_bits(g, near), odd, "");
  LLVMValueRef is_number = LLVMBuildFCmp(b, LLVMRealORD, value, value, "");
  bits = LLVMBuildSelect(b, is_number, bits, as_bits(g, near), "");
  return LLVMBuildBitCast(b, bits, g->f32, "");
}

static LLVMValueRef half_of_f64(Gen *g, LLVMValueRef value, const Type *to)
{
  if (to->kind == TYPE_f16 && g->target->has_f16)
    return LLVMBuildFPTrunc(g->builder, value, LLVMHalfTypeInContext(g->context), "");
  return gen_half_of_f32(g, odd_of_f64(g, value), to);
}

/* Rounds an integer to at most `digits` significant bits, to odd: drops the low bits and sets the
 * last one that is kept if any of them was set. In two's complement this rounds down, which does as
 * well as towards zero. */
static LLVMValueRef odd_int(Gen *g, LLVMValueRef value, const Type *from, unsigned digits)
{
  LLVMBuilderRef b = g->builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned cut = from->bits - digits;
  uint64_t low = (1ull << cut) - 1;
  LLVMValueRef dropped = LLVMBuildAnd(b, value, gen_int(g, type, low), "");
  LLVMValueRef is_odd = LLVMBuildICmp(b, LLVMIntNE, dropped, LLVMConstNull(type), "");
  LLVMValueRef last =
      LLVMBuildSelect(b, is_odd, gen_int(g, type, low + 1), LLVMConstNull(type), "");
  LLVMValueRef cut_value = LLVMBuildAnd(b, value, gen_int(g, type, ~low), "");
  cut_value = LLVMBuildOr(b, cut_value, last, "");
  LLVMValueRef distance = value;
  if (type_is_signed(from)) distance = LLVMBuildAdd(b, value, gen_int(g, type, 1ull << digits), "");
  uint64_t limit = 1ull << (digits + type_is_signed(from));
  LLVMValueRef is_exact = LLVMBuildICmp(b, LLVMIntULE, distance, gen_int(g, type, limit), "");
  return LLVMBuildSelect(b, is_exact, value, cut_value, "");
}

static LLVMValueRef half_of_int(Gen *g, LLVMValueRef value, Type *from, const Type *to)
{
  enum { F32_DIGITS = 24, F64_DIGITS = 53 };
  bool is_f16 = to->kind == TYPE_f16, is_long = from->bits == 64;
  bool is_direct = is_f16 && g->target->has_f16 && from->kind != TYPE_bool;
  LLVMTypeRef type = is_direct ? gen_type(g, g->c->types->type_f16) : is_long ? g->f64 : g->f32;
  if (from->bits >= 32 && !is_direct)
    value = odd_int(g, value, from, is_long ? F64_DIGITS : F32_DIGITS);
  value = type_is_signed(from) ? LLVMBuildSIToFP(g->builder, value, type, "")
                               : LLVMBuildUIToFP(g->builder, value, type, "");
  if (is_f16 && from->bits >= 32 && LLVMIsAInstruction(value)) gen_mark(g, value, GEN_MARK_half);
  if (is_direct) return value;
  return is_long ? half_of_f64(g, value, to) : gen_half_of_f32(g, value, to);
}

LLVMValueRef gen_half_convert(Gen *g, LLVMValueRef value, Type *from, Type *to)
{
  if (type_is_half(from)) {
    value = gen_half_to_f32(g, value, from);
    return gen_convert(g, value, g->c->types->type_f32, to);
  }
  if (from->kind == TYPE_f32) return gen_half_of_f32(g, value, to);
  if (from->kind == TYPE_f64) return half_of_f64(g, value, to);
  return half_of_int(g, value, from, to);
}

/* ---- arithmetic ---- */

LLVMValueRef gen_half_negate(Gen *g, LLVMValueRef value)
{
  return LLVMBuildXor(g->builder, value, gen_int(g, g->i16, 0x8000), "");
}

const char *gen_bf16_word(Op op)
{
  static const char *const words[] = {
#define OP(id, spelling, place, takes, expr, real, gen, s, u, f, bf16) bf16,
#define OP_WORD(id, spelling)                                          "",
#include "front/op.def"
  };
  return words[op];
}

/* bf16 arithmetic on one value, or on two in 32 bits. sm_90 has the instructions of op.def; sm_80
 * has only fma, whose unused operand is 1, -1 or -0. */
LLVMValueRef gen_bf16_ptx(Gen *g, Op op, LLVMValueRef a, LLVMValueRef b)
{
  LLVMTypeRef type = LLVMTypeOf(a);
  bool is_pair = type == g->i32;
  uint64_t both = is_pair ? 0x10001 : 1;
  const char *word = gen_bf16_word(op), *x2 = is_pair ? "x2" : "";
  if (has_sm(g, 90)) {
    const char *text = arena_printf(&g->c->scratch, "%s.rn.bf16%s $0, $1, $2;", word, x2);
    return gen_ptx_value(g, text, type, (LLVMValueRef[]){a, b}, 2);
  }
  LLVMValueRef args[3] = {a, gen_int(g, type, 0x3f80 * both), b};
  if (op == OP_sub) args[0] = b, args[1] = gen_int(g, type, 0xbf80 * both), args[2] = a;
  else if (op == OP_mul) args[1] = b, args[2] = gen_int(g, type, 0x8000 * both);
  else if (op != OP_add) die("sm_80 has no '%s' of bf16", op_text(op));
  const char *text = arena_printf(&g->c->scratch, "fma.rn.bf16%s $0, $1, $2, $3;", x2);
  return gen_ptx_value(g, text, type, args, 3);
}

LLVMValueRef gen_half_binary(Gen *g, Op op, Type *type, LLVMValueRef a, LLVMValueRef b)
{
  if (type->kind == TYPE_bf16 && *gen_bf16_word(op) && has_sm(g, 80))
    return gen_bf16_ptx(g, op, a, b);
  a = gen_half_to_f32(g, a, type);
  b = gen_half_to_f32(g, b, type);
  return gen_half_of_f32(g, gen_instruction(g, op, g->c->types->type_f32, a, b), type);
}

/* `word` is min or max. From sm_80 on it is one instruction; elsewhere f32's is used, which is
 * exact. */
LLVMValueRef gen_half_extreme(Gen *g, const char *word, Type *type, LLVMValueRef *args)
{
  if (has_sm(g, 80)) {
    const char *text = arena_printf(&g->c->scratch, "%s.%s $0, $1, $2;", word, type_text(type));
    LLVMValueRef bits[2];
    for (unsigned i = 0; i < 2; ++i) bits[i] = LLVMBuildBitCast(g->builder, args[i], g->i16, "");
    LLVMValueRef made = gen_ptx_value(g, text, g->i16, bits, 2);
    return LLVMBuildBitCast(g->builder, made, gen_type(g, type), "");
  }
  LLVMValueRef wide[2] = {gen_half_to_f32(g, args[0], type), gen_half_to_f32(g, args[1], type)};
  const char *name = *word == 'm' && word[1] == 'i' ? "llvm.minnum.f32" : "llvm.maxnum.f32";
  return gen_half_of_f32(g, gen_call_named(g, name, g->f32, wide, 2), type);
}

/* a * b + c with one rounding. The product is exact in f64. For f16, the sum in f64 can't lose a
 * bit that decides the second rounding; for bf16 it can, so the sum is rounded to odd by its exact
 * error. */
LLVMValueRef gen_half_fma(Gen *g, Type *type, const LLVMValueRef *args)
{
  LLVMBuilderRef b = g->builder;
  if (type->kind == TYPE_bf16 && has_sm(g, 80))
    return gen_ptx_value(g, "fma.rn.bf16 $0, $1, $2, $3;", g->i16,
                         (LLVMValueRef[]){args[0], args[1], args[2]}, 3);
  LLVMValueRef wide[3];
  for (unsigned i = 0; i < 3; ++i)
    wide[i] = LLVMBuildFPExt(b, gen_half_to_f32(g, args[i], type), g->f64, "");
  LLVMValueRef product = LLVMBuildFMul(b, wide[0], wide[1], ""), z = wide[2];
  LLVMValueRef sum = LLVMBuildFAdd(b, product, z, "");
  if (type->kind == TYPE_f16) return half_of_f64(g, sum, type);
  /* Knuth's two-sum: sum + error is product + z. */
  LLVMValueRef part = LLVMBuildFSub(b, sum, product, "");
  LLVMValueRef left = LLVMBuildFSub(b, product, LLVMBuildFSub(b, sum, part, ""), "");
  LLVMValueRef error = LLVMBuildFAdd(b, left, LLVMBuildFSub(b, z, part, ""), "");
  LLVMValueRef bits = as_bits(g, sum), one = gen_int(g, g->i64, 1), zero = LLVMConstNull(g->f64);
  LLVMValueRef is_inexact = LLVMBuildFCmp(b, LLVMRealONE, error, zero, "");
  LLVMValueRef is_even = LLVMBuildAnd(b, bits, one, "");
  is_even = LLVMBuildICmp(b, LLVMIntEQ, is_even, LLVMConstNull(g->i64), "");
  LLVMValueRef is_up = LLVMBuildFCmp(b, LLVMRealOGT, error, zero, "");
  LLVMValueRef is_positive = LLVMBuildFCmp(b, LLVMRealOGT, sum, zero, "");
  LLVMValueRef grows = LLVMBuildICmp(b, LLVMIntEQ, is_up, is_positive, "");
  LLVMValueRef step = LLVMBuildSelect(b, grows, one, LLVMConstAllOnes(g->i64), "");
  LLVMValueRef moved = LLVMBuildAdd(b, bits, step, "");
  LLVMValueRef is_moved = LLVMBuildAnd(b, is_inexact, is_even, "");
  bits = LLVMBuildSelect(b, is_moved, moved, bits, "");
  return half_of_f64(g, LLVMBuildBitCast(b, bits, g->f64, ""), type);
}
