/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* warp.c - generates communication between lanes: inline PTX on a GPU, exchanges on the host
 * device.
 *
 * PTX is used where libNVVM lacks LLVM's intrinsic. On the host, a lane stores its value in its
 * ck_host_thread_t and is suspended. When all lanes of the mask have done so, the host device
 * computes the result of each (host_exchange.def) and stores it in the same place, and the lanes
 * are resumed:
 *
 *     lane 0: value = 7, suspend      lane 1: value = 9, suspend
 *     host device: sum over the mask, value = 16 in both; resume both
 */
#include "front/builtin.h"
#include "gen/gen_private.h"

#include <stddef.h>
#include <string.h>

/* Generates the inline PTX of an intrinsic. Its effect decides what the optimiser may do with
 * it. */
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

/* Converts a value to 64 bits, and of_bits() back. */
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

static LLVMValueRef bits_of_value(Gen *g, Type *type, LLVMValueRef value);

static LLVMValueRef mix(Gen *g, LLVMValueRef digest, LLVMValueRef bits)
{
  LLVMBuilderRef b = g->builder;
  enum { HALF = 32 };
  LLVMValueRef both = LLVMBuildXor(b, digest, bits, "");
  both = LLVMBuildMul(b, both, gen_int(g, g->i64, 0x9e3779b97f4a7c15u), "");
  return LLVMBuildXor(b, both, LLVMBuildLShr(b, both, gen_int(g, g->i64, HALF), ""), "");
}

/* The digest of an array, in a loop, since arrays may be long. */
static LLVMValueRef bits_of_array(Gen *g, Type *type, LLVMValueRef value)
{
  Place place = gen_local(g, type, "uniform");
  gen_store(g, &place, value);
  LLVMBuilderRef b = g->builder;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), body = gen_block(g, "uniform.body"),
                    end = gen_block(g, "uniform.end");
  gen_go(g, body);
  LLVMValueRef i = LLVMBuildPhi(b, g->i64, "i"), digest = LLVMBuildPhi(b, g->i64, "digest"),
               zero = gen_int(g, g->i64, 0), indices[2] = {zero, i};
  Place part = place;
  part.type = type->element;
  part.address = LLVMBuildInBoundsGEP2(b, gen_memory_type(g, type), place.address, indices, 2, "");
  LLVMValueRef next = mix(g, digest, bits_of_value(g, part.type, gen_load(g, &part, ""))),
               more = LLVMBuildAdd(b, i, gen_int(g, g->i64, 1), ""),
               is_more = LLVMBuildICmp(b, LLVMIntULT, more, gen_int(g, g->i64, type->count), "");
  LLVMBasicBlockRef last = LLVMGetInsertBlock(b);
  gen_incoming(i, zero, before, more, last);
  gen_incoming(digest, zero, before, next, last);
  LLVMBuildCondBr(b, is_more, body, end);
  gen_at(g, end);
  return next;
}

/* The 64 bits that threads compare to see if they have the same value: the bits of a number, or a
 * hash of all scalars in any other value. Padding doesn't count. */
static LLVMValueRef bits_of_value(Gen *g, Type *type, LLVMValueRef value)
{
  if (type_is_half(type) && LLVMTypeOf(value) != g->i16)
    value = LLVMBuildBitCast(g->builder, value, g->i16, "");
  if (type_is_scalar(type)) return to_bits(g, value);
  if (type->kind == TYPE_pointer) return LLVMBuildPtrToInt(g->builder, value, g->i64, "");
  if (type->kind == TYPE_array) return bits_of_array(g, type, value);
  LLVMValueRef digest = gen_int(g, g->i64, 0);
  uint32_t count = type->kind == TYPE_span ? type->rank + 1u : type->count;
  if (type->kind == TYPE_range) count = 3;
  for (uint32_t i = 0; i < count; ++i) {
    LLVMValueRef bits;
    if (type->kind == TYPE_vector) {
      bits = bits_of_value(g, type->element, gen_component(g, value, i));
    } else if (type_is_record(type)) {
      bits = bits_of_value(g, type->elements[i], gen_part(g, value, type, i, ""));
    } else {
      bits = LLVMBuildExtractValue(g->builder, value, i, "");
      if (type->kind == TYPE_closure && gen_is_large(type)) bits = gen_part(g, value, type, i, "");
      if (type->kind == TYPE_closure) bits = bits_of_value(g, type->elements[i], bits);
      else if (type->kind == TYPE_range) bits = to_bits(g, bits);
      else if (!i) bits = LLVMBuildPtrToInt(g->builder, bits, g->i64, "");
    }
    digest = mix(g, digest, bits);
  }
  return digest;
}

/* Arguments: the mask of lanes, the value, and for a shuffle the operand and the clamp. */
LLVMValueRef gen_lane_exchange(Gen *g, const Node *call, const char *word, LLVMValueRef *args,
                               unsigned count)
{
  LLVMTypeRef type = gen_type(g, call->type);
  gen_thread_store(g, offsetof(ck_host_thread_t, exchange),
                   gen_int(g, g->i32, exchange_named(word)));
  bool is_same = exchange_named(word) == CK_HOST_EXCHANGE_same;
  gen_thread_store(g, offsetof(ck_host_thread_t, value),
                   is_same ? bits_of_value(g, call->type, args[1]) : to_bits(g, args[1]));
  if (count > 2) gen_thread_store(g, offsetof(ck_host_thread_t, operand), args[2]);
  if (count > 3) gen_thread_store(g, offsetof(ck_host_thread_t, clamp), args[3]);
  gen_host_wait(g, call, CK_HOST_WAIT_WARP, args[0]);
  if (is_same) return args[1];
  LLVMValueRef got =
      gen_load_field(g, g->state->thread, offsetof(ck_host_thread_t, value), g->i64, "got");
  return of_bits(g, got, type);
}

LLVMValueRef gen_check_block(Gen *g, const Node *call, LLVMValueRef value)
{
  gen_thread_store(g, offsetof(ck_host_thread_t, exchange),
                   gen_int(g, g->i32, CK_HOST_EXCHANGE_same));
  gen_thread_store(g, offsetof(ck_host_thread_t, value), bits_of_value(g, call->type, value));
  gen_host_wait(g, call, CK_HOST_WAIT_BLOCK, gen_int(g, g->i32, 0));
  return value;
}
