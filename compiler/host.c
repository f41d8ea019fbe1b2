/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host.c - module to an x86-64 object, threads split at their waits.
 *
 * needs   a module of host code; functions that wait inlined into their kernels
 * gives   c->object
 * fails   with DIAG_target_failed
 *
 * A kernel that waits is one function that runs one thread. Each wait became a call of ck.suspend
 * (gen_intrinsic.c); here it becomes llvm.coro.suspend.retcon, and LLVM's coroutine passes, which
 * are part of its optimiser's pipelines, cut the function there.
 */
#include "llvm_target.h"

void host_split(Compile *c)
{
  Gen *g = c->gen;
  LLVMValueRef mark = LLVMGetNamedFunction(g->module, "ck.suspend");
  if (!mark) return;
  LLVMTypeRef type = LLVMFunctionType(g->i1, NULL, 0, true);
  LLVMValueRef suspend = LLVMAddFunction(g->module, "llvm.coro.suspend.retcon.i1", type);
  LLVMUseRef use, next = NULL;
  LLVMClearInsertionPosition(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  for (use = LLVMGetFirstUse(mark); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    LLVMPositionBuilderBefore(g->builder, call);
    LLVMBuildCall2(g->builder, type, suspend, NULL, 0, "");
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDeleteFunction(mark);
}

bool pass_host(Compile *c)
{
  return llvm_emit(c, LLVMObjectFile, &c->object);
}
