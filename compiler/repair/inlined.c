/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* inlined.c - repairs of local variables, which go wrong once their function is inlined.
 *
 * inlined_life   an inliner says that a callee's variables are dead behind the call; optimisers
 *                then give their bytes to others too early
 * inlined_bits   libNVVM's inliner gives variables of several callees one place
 */
#include "front/target.h"
#include "repair_private.h"

#include <string.h>

/* inlined_life: a variable is marked as alive to the function's end.
 *
 * Without a marker LLVM's inliner adds its own ones, to the call. Two optimisers fail with these:
 *
 *   GPU    libNVVM replaces a copy of a large variable by the variable itself, even if the copy is
 *          read behind the call, when another variable may use the same bytes.
 *   host   LLVM's coroutine passes leave a variable on the stack if it is dead at all waits. But
 *          the address of an element may have been computed before a wait, as LICM does for a
 *          constant index; behind the wait the thread runs on another stack.
 *
 *     %v = alloca [4 x i32]   ->   %v = alloca [4 x i32]
 *                                  call void @llvm.lifetime.start.p0(i64 16, ptr %v)
 */

static uint64_t scalars_of(LLVMTypeRef type)
{
  uint64_t count = 0;
  switch (LLVMGetTypeKind(type)) {
  case LLVMArrayTypeKind: return LLVMGetArrayLength2(type) * scalars_of(LLVMGetElementType(type));
  case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i)
      count += scalars_of(LLVMStructGetTypeAtIndex(type, i));
    return count;
  default: return 1;
  }
}

/* On the host, the variables of all functions that may be inlined; on a GPU, those that are too
 * large for registers. */
static bool may_die(Gen *g, LLVMValueRef variable)
{
  enum { REGISTERS = 256 };
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable));
  return g->target->has_ptx ? scalars_of(LLVMGetAllocatedType(variable)) > REGISTERS
                            : LLVMGetLinkage(function) == LLVMInternalLinkage;
}

static void begin_life(Repair *r, LLVMValueRef variable)
{
  Gen *g = r->g;
  if (!LLVMIsAAllocaInst(variable) || !may_die(g, variable)) return;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->module);
  uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable));
  llvm_place_behind(g->builder, variable);
  gen_call_named(g, "llvm.lifetime.start.p0", g->nothing,
                 (LLVMValueRef[]){gen_int(g, g->i64, bytes), variable}, 2);
  r->has_changed = true;
}

void repair_inlined_life(Repair *r)
{
  llvm_each(r, begin_life);
}

/* inlined_bits: a variable that is written as one type and read as another lies in a struct.
 *
 * libNVVM's inliner merges arrays of one type in functions that it inlines, and refuses an f16 at
 * an offset where another function has three bytes: "unsupported operation". A struct stays alone.
 *
 *     %bits = alloca [3 x i8]   ->   %bits = alloca { [3 x i8] }
 *
 * The generator marks such variables with `!ck.bits`.
 */

static void put_into_struct(Repair *r, LLVMValueRef variable)
{
  Gen *g = r->g;
  if (!LLVMIsAAllocaInst(variable) || !gen_is_marked(g, variable, GEN_MARK_bits)) return;
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  size_t len;
  const char *name = arena_printf(&g->c->scratch, "%s", LLVMGetValueName2(variable, &len));
  LLVMPositionBuilderBefore(g->builder, variable);
  type = LLVMStructTypeInContext(g->context, &type, 1, false);
  LLVMValueRef made = LLVMBuildAlloca(g->builder, type, "");
  LLVMSetAlignment(made, LLVMGetAlignment(variable));
  llvm_replace(r, variable, made);
  LLVMSetValueName2(made, name, strlen(name));
}

void repair_inlined_bits(Repair *r)
{
  llvm_each(r, put_into_struct);
}
