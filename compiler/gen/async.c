/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* async.c - generates asynchronous copies from global to shared memory (copy... in
 * front/memory.def).
 *
 * GPU    cp.async from sm_80 on, where copies of 16 bytes bypass L1; before, a load and a store
 * host   a load and a store; a checked build also reports which bytes are in flight until the wait
 *
 * A wait for all copies is cp.async.wait_all, which includes copies that aren't committed.
 */
#include "front/memory.h"
#include "front/target.h"
#include "gen/gen_private.h"

#include <string.h>

typedef struct Copying {
  Place to, from;
  uint64_t count; /* in elements, a power of two */
  /* u32: so many elements are copied and the others are set to zero; NULL: all are copied. */
  LLVMValueRef given;
} Copying;

static Copying take_apart(Gen *g, const Node *call)
{
  Node *to = call->b->next, *from = to->next, *count = from->next;
  Copying copying = {.count = count->bits};
  copying.to = gen_place(g, to);
  copying.from = gen_place(g, from);
  if (count->next) copying.given = gen_expr(g, count->next);
  return copying;
}

static uint64_t bytes_of(const Copying *copying)
{
  return copying->count * type_bytes(copying->to.type);
}

/* ---- load and store ---- */

static void copy_once(Gen *g, const Copying *copying, LLVMTypeRef type, unsigned align)
{
  LLVMValueRef value = LLVMBuildLoad2(g->builder, type, copying->from.address, "");
  LLVMSetAlignment(value, align);
  LLVMSetAlignment(LLVMBuildStore(g->builder, value, copying->to.address), align);
}

/* Copies element i, or stores zero. An element that isn't copied is not read. */
static void copy_element(Gen *g, const Copying *copying, LLVMTypeRef type, unsigned i)
{
  LLVMValueRef at = gen_int(g, g->i64, i), zero = LLVMConstNull(type), value,
               from = LLVMBuildGEP2(g->builder, type, copying->from.address, &at, 1, ""),
               to = LLVMBuildGEP2(g->builder, type, copying->to.address, &at, 1, ""),
               is_given =
                   LLVMBuildICmp(g->builder, LLVMIntUGT, copying->given, gen_int(g, g->i32, i), "");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), load = gen_block(g, "copy.load"),
                    end = gen_block(g, "copy.store");
  LLVMBuildCondBr(g->builder, is_given, load, end);
  gen_at(g, load);
  value = LLVMBuildLoad2(g->builder, type, from, "");
  unsigned align = gen_align(copying->to.type);
  LLVMSetAlignment(value, align);
  gen_go(g, end);
  LLVMValueRef stored = gen_phi(g, type, zero, before, value, load);
  LLVMSetAlignment(LLVMBuildStore(g->builder, stored, to), align);
}

static void copy_now(Gen *g, const Copying *copying)
{
  uint64_t bytes = copying->given ? type_bytes(copying->to.type) : bytes_of(copying);
  LLVMTypeRef type = bytes == 16 ? LLVMVectorType(g->i32, 4)
                                 : LLVMIntTypeInContext(g->context, 8 * (unsigned)bytes);
  /* The host accepts addresses that aren't aligned; a checked build reports them. */
  unsigned align = g->target->has_unaligned ? gen_align(copying->to.type) : (unsigned)bytes;
  if (!copying->given) {
    copy_once(g, copying, type, align);
    return;
  }
  for (unsigned i = 0; i < copying->count; ++i) copy_element(g, copying, type, i);
}

/* ---- cp.async ---- */

static LLVMValueRef in_space(Gen *g, const Place *place, unsigned space)
{
  LLVMValueRef address = gen_cast_address(g, place->address, place->space, space);
  gen_note_place(g, address, place->node);
  return address;
}

static void copy_async(Gen *g, const Copying *copying)
{
  uint64_t bytes = bytes_of(copying);
  LLVMValueRef args[3] = {in_space(g, &copying->to, SPACE_SHARED),
                          in_space(g, &copying->from, SPACE_GLOBAL)};
  if (copying->given)
    args[2] = LLVMBuildMul(g->builder, copying->given,
                           gen_int(g, g->i32, type_bytes(copying->to.type)), "");
  asm_memory(g,
             arena_printf(&g->c->scratch, "cp.async.%s.shared.global [$0], [$1], %u%s;",
                          bytes == 16 ? "cg" : "ca", (unsigned)bytes, copying->given ? ", $2" : ""),
             NULL, 0, args, copying->given ? 3 : 2);
}

/* The number of elements, at most all of them. */
static LLVMValueRef clamped(Gen *g, LLVMValueRef given, uint64_t count)
{
  LLVMValueRef most = gen_int(g, g->i32, count),
               is_less = LLVMBuildICmp(g->builder, LLVMIntULT, given, most, "");
  return LLVMBuildSelect(g->builder, is_less, given, most, "");
}

/* The instruction of the GPU copies all elements or, where it is switched off, stores zeros. ptxas
 * makes a copy of the whole of PTX's cp.async with a size in between, which may read beyond the end
 * of memory. So whole copies are cp.async, and a part is copied element by element. */
static void copy_whole_or_part(Gen *g, const Copying *copying)
{
  LLVMBuilderRef b = g->builder;
  LLVMValueRef less = LLVMBuildSub(b, copying->given, gen_int(g, g->i32, 1), ""),
               most = gen_int(g, g->i32, copying->count - 1);
  LLVMBasicBlockRef part = gen_block(g, "copy.part"), whole = gen_block(g, "copy.whole"),
                    end = gen_block(g, "copy.end");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, less, most, ""), part, whole);
  gen_at(g, part);
  copy_now(g, copying);
  LLVMBuildBr(b, end);
  gen_at(g, whole);
  copy_async(g, copying);
  gen_go(g, end);
}

static void gen_copy_call(Gen *g, Node *call)
{
  Copying copying = take_apart(g, call);
  bool is_seen_elsewhere = copying.to.space == SPACE_GLOBAL || copying.from.space == SPACE_SHARED;
  gen_debug_at(g, call);
  if (copying.given) copying.given = clamped(g, copying.given, copying.count);
  gen_check_copy(g, call, copying.to.address, copying.from.address, bytes_of(&copying),
                 copying.given ? LLVMBuildMul(g->builder, copying.given,
                                              gen_int(g, g->i32, type_bytes(copying.to.type)), "")
                               : gen_int(g, g->i32, bytes_of(&copying)));
  if (g->target->sm < 80 || is_seen_elsewhere) copy_now(g, &copying);
  else if (copying.given && copying.count > 1) copy_whole_or_part(g, &copying);
  else copy_async(g, &copying);
}

LLVMValueRef gen_async(Gen *g, Node *call, unsigned op)
{
  bool has_copies = g->target->sm >= 80; /* 0 of the host */
  uint64_t prior = op == MEMORY_copy_wait ? call->b->next->bits : 0;
  switch (op) {
  case MEMORY_copy_commit:
    gen_debug_at(g, call);
    gen_check_copies(g, "ck_host_copy_commit", 0);
    if (has_copies) asm_memory(g, "cp.async.commit_group;", NULL, 0, NULL, 0);
    break;
  case MEMORY_copy_wait:
    gen_debug_at(g, call);
    gen_check_copies(g, "ck_host_copy_wait", prior);
    if (has_copies)
      asm_memory(g,
                 prior ? arena_printf(&g->c->scratch, "cp.async.wait_group %u;", (unsigned)prior)
                       : "cp.async.wait_all;",
                 NULL, 0, NULL, 0);
    break;
  default: gen_copy_call(g, call);
  }
  return NULL;
}
