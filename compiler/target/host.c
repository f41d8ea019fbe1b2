/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host.c - makes an x86-64 object from the module, with kernels split at their waits.
 *
 * needs   a module of host code; functions that wait inlined into their kernels
 * gives   c->object
 * keeps   nothing
 * fails   with DIAG_target_failed
 *
 * A kernel that waits is one function that runs one thread. gen/intrinsic.c has marked each wait by
 * a call of ck.suspend and one of ck.leave. Here they become the intrinsics of LLVM's
 * switched-resume coroutines, and LLVM's coroutine passes, which are part of its optimisation
 * pipelines, split the function into one that starts a thread and one that resumes it at any of its
 * waits:
 *
 *     r = ck.suspend()                     r = llvm.coro.suspend(...)
 *     br r == 0, next, leave       ==>     br r == 0, next, leave
 *     leave: ck.leave(); unreachable       leave: br out
 *     next:                                out: llvm.coro.end(...); ret handle     one per function
 */
#include "target/target_private.h"

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

/* The block in which a function returns its coroutine handle. LLVM wants one per function. */
static LLVMBasicBlockRef way_out(Gen *g, LLVMValueRef function)
{
  LLVMValueRef there = call_in(g, function, "llvm.coro.end");
  if (there) return LLVMGetInstructionParent(there);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->context, function, "leave");
  LLVMValueRef args[] = {call_in(g, function, "llvm.coro.begin"), LLVMConstNull(g->i1),
                         LLVMConstNull(LLVMTokenTypeInContext(g->context))};
  /* The builder's debug location is one of another function, which LLVM refuses. */
  LLVMSetCurrentDebugLocation2(g->builder, LLVMInstructionGetDebugLoc(args[0]));
  LLVMPositionBuilderAtEnd(g->builder, block);
  gen_call_named(g, "llvm.coro.end", g->i1, args, 3);
  LLVMBuildRet(g->builder, args[0]);
  return block;
}

/* Replaces a ck.leave, and the `unreachable` behind it, by a branch to the function's exit. */
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

void host_split(Session *c)
{
  LLVMClearInsertionPosition(c->gen->builder);
  LLVMSetCurrentDebugLocation2(c->gen->builder, NULL);
  replace_marks(c->gen, "ck.suspend", split_at);
  replace_marks(c->gen, "ck.leave", leave_at);
}

/* Makes functions touch each page of a large stack frame in turn. A frame of more than a page could
 * otherwise skip the guard pages below a stack, by which runtime/driver/host_guard.c finds a
 * recursion that is too deep. */
static void probe_stacks(Gen *g)
{
  static const char key[] = "probe-stack", value[] = "inline-asm";
  LLVMAttributeRef probe =
      LLVMCreateStringAttribute(g->context, key, sizeof key - 1, value, sizeof value - 1);
  LLVMValueRef function = LLVMGetFirstFunction(g->module);
  for (; function; function = LLVMGetNextFunction(function))
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, probe);
}

/* Puts the digest of the manifest into the image (ck/compile.h). The optimiser has run, so it can't
 * drop this unused constant. */
static void embed_digest(Session *c)
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

bool pass_host(Session *c)
{
  probe_stacks(c->gen);
  embed_digest(c);
  return llvm_emit(c, LLVMObjectFile, &c->object);
}
