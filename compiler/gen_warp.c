/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gen_warp.c - what threads tell each other: inline PTX where LLVM's intrinsics are not libNVVM's,
 * and the host's exchange of values among the lanes that wait together.
 *
 * On the host a lane leaves its value in its ck_host_thread_t and is suspended. When all lanes of
 * the mask have come, the host device works out what each gets (host_exchange.def), and the lane
 * reads it where it left its own.
 */
#include "builtin.h"
#include "gen.h"

#include <stddef.h>
#include <string.h>

/* The letter of a register that holds the type. */
LLVMValueRef gen_ptx(Gen *g, const Node *call, const char *text, LLVMValueRef *args, unsigned count)
{
  LLVMTypeRef result = gen_type(g, call->type);
  Effect effect = call->builtin->effect;
  PtxAsm ptx = {.is_plain = true,
                .is_volatile = effect != EFFECT_PURE,
                .is_memory = effect == EFFECT_WAIT || effect == EFFECT_BLOCK ||
                             effect == EFFECT_GRID || effect == EFFECT_AHEAD,
                .is_convergent = effect != EFFECT_PURE};
  if (result != g->nothing) ptx.results[ptx.result_count++] = result;
  for (unsigned i = 0; i < count; ++i) asm_input(g, &ptx, args[i]);
  return asm_call(g, &ptx, text, strlen(text));
}

/* ---- the host ---- */

static const char *const exchanges[] = {
#define EXCHANGE(name, text) #name,
#include "ck/host_exchange.def"
};

static unsigned exchange_named(const char *word)
{
  for (unsigned i = 0; i < COUNT_OF(exchanges); ++i)
    if (!strcmp(exchanges[i], word)) return i;
  die("no exchange is named '%s'", word);
}

static void leave(Gen *g, size_t offset, LLVMValueRef value)
{
  LLVMBuildStore(g->builder, value, gen_thread_field(g, offset));
}

/* The value as 64 bits, and back. */
static LLVMValueRef to_bits(Gen *g, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf(value);
  if (type == g->f32) value = LLVMBuildBitCast(g->builder, value, g->i32, "");
  if (type == g->f64) value = LLVMBuildBitCast(g->builder, value, g->i64, "");
  return LLVMTypeOf(value) == g->i64 ? value : LLVMBuildZExt(g->builder, value, g->i64, "");
}

static LLVMValueRef of_bits(Gen *g, LLVMValueRef bits, LLVMTypeRef type)
{
  if (type == g->f64) return LLVMBuildBitCast(g->builder, bits, type, "");
  if (type == g->i64) return bits;
  LLVMTypeRef narrow = type == g->f32 ? g->i32 : type;
  bits = LLVMBuildTrunc(g->builder, bits, narrow, "");
  return type == g->f32 ? LLVMBuildBitCast(g->builder, bits, type, "") : bits;
}

/* Arguments: lanes, value, and of a shuffle the operand and the clamp. */
LLVMValueRef gen_lane_exchange(Gen *g, const Node *call, const char *word, LLVMValueRef *args,
                               unsigned count)
{
  LLVMTypeRef type = gen_type(g, call->type);
  leave(g, offsetof(ck_host_thread_t, exchange), gen_int(g, g->i32, exchange_named(word)));
  leave(g, offsetof(ck_host_thread_t, value), to_bits(g, args[1]));
  if (count > 2) leave(g, offsetof(ck_host_thread_t, operand), args[2]);
  if (count > 3) leave(g, offsetof(ck_host_thread_t, clamp), args[3]);
  gen_host_wait(g, call, CK_HOST_WAIT_WARP, args[0]);
  LLVMValueRef got = LLVMBuildLoad2(g->builder, g->i64,
                                    gen_thread_field(g, offsetof(ck_host_thread_t, value)), "got");
  return of_bits(g, got, type);
}

LLVMValueRef gen_check_block(Gen *g, const Node *call, LLVMValueRef value)
{
  leave(g, offsetof(ck_host_thread_t, exchange), gen_int(g, g->i32, CK_HOST_EXCHANGE_same));
  leave(g, offsetof(ck_host_thread_t, value), to_bits(g, value));
  gen_host_wait(g, call, CK_HOST_WAIT_BLOCK, gen_int(g, g->i32, 0));
  return value;
}
