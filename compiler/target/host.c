/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host.c - module to an x86-64 object, threads split at their waits.
 *
 * needs   a module of host code; functions that wait inlined into their kernels
 * gives   c->object
 * fails   with DIAG_target_failed
 *
 * A kernel that waits is one function that runs one thread. Each wait became a call of ck.suspend
 * and one of ck.leave (gen/intrinsic.c); here they become what LLVM's switched coroutines have, and
 * its coroutine passes, which are part of its optimiser's pipelines, make one function of it that
 * starts a thread and one that resumes it anywhere.
 */
#include "target_private.h"

#include <string.h>

static LLVMValueRef function_of(LLVMValueRef instruction)
{
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* The first call of `name` in a function, or NULL. */
static LLVMValueRef call_in(Gen *g, LLVMValueRef function, const char *name)
{
  LLVMValueRef callee = LLVMGetNamedFunction(g->module, name);
  for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use; use = LLVMGetNextUse(use))
    if (function_of(LLVMGetUser(use)) == function) return LLVMGetUser(use);
  return NULL;
}

static void split_at(Gen *g, LLVMValueRef mark)
{
  LLVMValueRef args[] = {LLVMConstNull(LLVMTokenTypeInContext(g->context)), LLVMConstNull(g->i1)};
  LLVMPositionBuilderBefore(g->builder, mark);
  LLVMReplaceAllUsesWith(mark, gen_call_named(g, "llvm.coro.suspend", g->i8, args, 2));
  LLVMInstructionEraseFromParent(mark);
}

/* Where a function gives its state to the host device: one place, as LLVM wants it. */
static LLVMBasicBlockRef way_out(Gen *g, LLVMValueRef function)
{
  LLVMValueRef there = call_in(g, function, "llvm.coro.end");
  if (there) return LLVMGetInstructionParent(there);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->context, function, "leave");
  LLVMValueRef args[] = {call_in(g, function, "llvm.coro.begin"), LLVMConstNull(g->i1),
                         LLVMConstNull(LLVMTokenTypeInContext(g->context))};
  /* The builder still has the line of another function, which LLVM's tables can't take. */
  LLVMSetCurrentDebugLocation2(g->builder, LLVMInstructionGetDebugLoc(args[0]));
  LLVMPositionBuilderAtEnd(g->builder, block);
  gen_call_named(g, "llvm.coro.end", g->i1, args, 3);
  LLVMBuildRet(g->builder, args[0]);
  return block;
}

/* What follows is unreachable. */
static void leave_at(Gen *g, LLVMValueRef mark)
{
  LLVMValueRef end = LLVMGetNextInstruction(mark);
  LLVMBasicBlockRef out = way_out(g, function_of(mark));
  LLVMPositionBuilderBefore(g->builder, mark);
  LLVMBuildBr(g->builder, out);
  LLVMInstructionEraseFromParent(end);
  LLVMInstructionEraseFromParent(mark);
}

static void replace_marks(Gen *g, const char *name, void (*replace)(Gen *g, LLVMValueRef mark))
{
  LLVMValueRef mark = LLVMGetNamedFunction(g->module, name);
  if (!mark) return;
  for (LLVMUseRef use = LLVMGetFirstUse(mark), next; use; use = next) {
    next = LLVMGetNextUse(use);
    replace(g, LLVMGetUser(use));
  }
  LLVMDeleteFunction(mark);
}

void host_split(Compile *c)
{
  LLVMClearInsertionPosition(c->gen->builder);
  LLVMSetCurrentDebugLocation2(c->gen->builder, NULL);
  replace_marks(c->gen, "ck.suspend", split_at);
  replace_marks(c->gen, "ck.leave", leave_at);
}

/* A frame of more than a page could reach past the protected pages below a stack: with this it
 * touches each page in turn, and a recursion that is too deep is found
 * (runtime/driver/host_guard.c). */
static void probe_stacks(Gen *g)
{
  static const char key[] = "probe-stack", value[] = "inline-asm";
  LLVMAttributeRef probe =
      LLVMCreateStringAttribute(g->context, key, sizeof key - 1, value, sizeof value - 1);
  LLVMValueRef function = LLVMGetFirstFunction(g->module);
  for (; function; function = LLVMGetNextFunction(function))
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, probe);
}

/* The image knows its manifest: ck/compile.h says how. The optimiser has run, so that nothing drops
 * what no code refers to. */
static void embed_digest(Compile *c)
{
  Gen *g = c->gen;
  Digest digest = digest_of(c->manifest.data, c->manifest.len - strlen(MANIFEST_END));
  LLVMValueRef bytes =
      LLVMConstStringInContext2(g->context, (const char *)&digest, sizeof digest, true);
  LLVMValueRef constant = LLVMAddGlobal(g->module, LLVMTypeOf(bytes), "ck.manifest");
  LLVMSetInitializer(constant, bytes);
  LLVMSetGlobalConstant(constant, true);
  LLVMSetLinkage(constant, LLVMInternalLinkage);
  LLVMSetAlignment(constant, 8);
  LLVMSetSection(constant, CK_HOST_MANIFEST_SECTION);
}

bool pass_host(Compile *c)
{
  probe_stacks(c->gen);
  embed_digest(c);
  return llvm_emit(c, LLVMObjectFile, &c->object);
}
