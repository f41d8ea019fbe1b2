/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bits.c - generates, for the host, integer operations that are one instruction on a GPU:
 * byte_perm, dp4a, the upper half of a product. The words are those behind '@' in
 * front/builtin.def.
 */
#include "gen/gen_private.h"

#include <string.h>

typedef LLVMValueRef GenBits(Gen *g, LLVMValueRef *args);

/* Byte i of a word, extended to 32 bits. */
static LLVMValueRef byte_of(Gen *g, LLVMValueRef word, unsigned i, bool is_signed)
{
  LLVMValueRef byte = LLVMBuildLShr(g->builder, word, gen_int(g, g->i32, 8 * i), "");
  byte = LLVMBuildTrunc(g->builder, byte, g->i8, "");
  return is_signed ? LLVMBuildSExt(g->builder, byte, g->i32, "")
                   : LLVMBuildZExt(g->builder, byte, g->i32, "");
}

static LLVMValueRef dot_bytes(Gen *g, LLVMValueRef *args, bool is_signed)
{
  LLVMValueRef sum = args[2];
  for (unsigned i = 0; i < 4; ++i) {
    LLVMValueRef product = LLVMBuildMul(g->builder, byte_of(g, args[0], i, is_signed),
                                        byte_of(g, args[1], i, is_signed), "");
    sum = LLVMBuildAdd(g->builder, sum, product, "");
  }
  return sum;
}

static LLVMValueRef dot_signed(Gen *g, LLVMValueRef *args)
{
  return dot_bytes(g, args, true);
}

static LLVMValueRef dot_unsigned(Gen *g, LLVMValueRef *args)
{
  return dot_bytes(g, args, false);
}

static LLVMValueRef byte_perm(Gen *g, LLVMValueRef *args)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef low = LLVMBuildZExt(b, args[0], g->i64, "");
  LLVMValueRef high = LLVMBuildZExt(b, args[1], g->i64, "");
  high = LLVMBuildShl(b, high, gen_int(g, g->i64, 32), "");
  LLVMValueRef all = LLVMBuildOr(b, high, low, ""), result = gen_int(g, g->i32, 0);
  for (unsigned i = 0; i < 4; ++i) {
    LLVMValueRef choice = LLVMBuildLShr(b, args[2], gen_int(g, g->i32, 4 * i), "");
    LLVMValueRef at = LLVMBuildAnd(b, choice, gen_int(g, g->i32, 7), "");
    at = LLVMBuildZExt(b, LLVMBuildShl(b, at, gen_int(g, g->i32, 3), ""), g->i64, "");
    LLVMValueRef byte = LLVMBuildTrunc(b, LLVMBuildLShr(b, all, at, ""), g->i8, "");
    LLVMValueRef sign = LLVMBuildAShr(b, byte, gen_int(g, g->i8, 7), "");
    LLVMValueRef is_sign = LLVMBuildAnd(b, choice, gen_int(g, g->i32, 8), "");
    is_sign = LLVMBuildICmp(b, LLVMIntNE, is_sign, gen_int(g, g->i32, 0), "");
    byte = LLVMBuildZExt(b, LLVMBuildSelect(b, is_sign, sign, byte, ""), g->i32, "");
    byte = LLVMBuildShl(b, byte, gen_int(g, g->i32, 8 * i), "");
    result = LLVMBuildOr(b, result, byte, "");
  }
  return result;
}

/* The upper half of a product of 64 bits. */
static LLVMValueRef wide_product(Gen *g, LLVMValueRef *args, bool is_signed)
{
  LLVMTypeRef wide = LLVMIntTypeInContext(g->context, 128);
  LLVMValueRef parts[2];
  for (unsigned i = 0; i < 2; ++i)
    parts[i] = is_signed ? LLVMBuildSExt(g->builder, args[i], wide, "")
                         : LLVMBuildZExt(g->builder, args[i], wide, "");
  LLVMValueRef product = LLVMBuildMul(g->builder, parts[0], parts[1], "");
  product = LLVMBuildLShr(g->builder, product, LLVMConstInt(wide, 64, false), "");
  return LLVMBuildTrunc(g->builder, product, g->i64, "");
}

static LLVMValueRef wide_signed(Gen *g, LLVMValueRef *args)
{
  return wide_product(g, args, true);
}

static LLVMValueRef wide_unsigned(Gen *g, LLVMValueRef *args)
{
  return wide_product(g, args, false);
}

static const struct {
  const char *word;
  GenBits *gen;
} rows[] = {
    {"byte_perm", byte_perm},     {"dot_signed", dot_signed},       {"dot_unsigned", dot_unsigned},
    {"wide_signed", wide_signed}, {"wide_unsigned", wide_unsigned},
};

static GenBits *find(const char *word)
{
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (!strcmp(word, rows[i].word)) return rows[i].gen;
  return NULL;
}

bool gen_is_bits(const char *word)
{
  return find(word) != NULL;
}

LLVMValueRef gen_bits(Gen *g, const char *word, LLVMValueRef *args)
{
  return find(word)(g, args);
}
