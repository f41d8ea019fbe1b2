/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvptx.c - makes PTX from the module by LLVM's NVPTX back end.
 *
 * needs   an optimised module (opt.c)
 * gives   c->ptx
 * keeps   the module's functions
 * fails   with DIAG_target_failed; with a line in the log where libdevice is called and not found
 *
 * libdevice is bitcode. It is linked into the module and made internal, so that the optimiser drops
 * what isn't called. libdevice asks for settings by __nvvm_reflect("NAME"), which LLVM's
 * NVVMReflect pass answers. That says 0 to whether square roots are correctly rounded, so that
 * answer is given here.
 */
#include "front/target.h"
#include "target/target_private.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

static bool calls_libdevice(LLVMModuleRef module)
{
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t len;
    if (LLVMIsDeclaration(function) && !strncmp(LLVMGetValueName2(function, &len), "__nv_", 5))
      return true;
  }
  return false;
}

/* Makes libdevice's functions internal, so that the optimiser keeps only those that are reached. */
static void make_internal(LLVMModuleRef module)
{
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t len;
    if (!LLVMIsDeclaration(function) && !strncmp(LLVMGetValueName2(function, &len), "__", 2))
      LLVMSetLinkage(function, LLVMInternalLinkage);
  }
}

/* Answers as libNVVM does by default: outside of fast { ... } the square root in hypot is correctly
 * rounded. */
static void answer_exact_roots(LLVMModuleRef module)
{
  LLVMValueRef reflect = LLVMGetNamedFunction(module, "__nvvm_reflect");
  for (LLVMUseRef use = reflect ? LLVMGetFirstUse(reflect) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use), asked = LLVMGetOperand(call, 0);
    LLVMValueRef text = LLVMIsAGlobalVariable(asked) ? LLVMGetInitializer(asked) : NULL;
    size_t len;
    if (text && LLVMIsConstantString(text) &&
        !strcmp(LLVMGetAsString(text, &len), "__CUDA_PREC_SQRT"))
      LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), 1, false));
  }
}

bool nvptx_link_libdevice(Session *c)
{
  Gen *g = c->gen;
  if (!calls_libdevice(g->module)) return true;
  Buf why = BUF(&c->scratch);
  const char *path = toolkit_find(TOOLKIT_libdevice, &c->scratch, &why);
  char *text;
  size_t bytes;
  if (!path || !file_read(&c->scratch, path, FILE_REGULAR, &text, &bytes)) {
    buf_printf(&c->log,
               "error: the program calls mathematical functions of libdevice.10.bc, which is not "
               "found. Looked at:\n%s",
               buf_text(&why));
    c->is_unavailable = true;
    return false;
  }
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(text, bytes, path, false);
  LLVMModuleRef libdevice = NULL;
  bool is_good = !LLVMParseBitcodeInContext2(g->context, buffer, &libdevice);
  LLVMDisposeMemoryBuffer(buffer);
  if (is_good) {
    LLVMSetTarget(libdevice, LLVMGetTarget(g->module));
    LLVMSetDataLayout(libdevice, LLVMGetDataLayoutStr(g->module));
    is_good = !LLVMLinkModules2(g->module, libdevice);
  }
  if (!is_good && !c->diag.error_count)
    diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target->name,
            "libdevice is not bitcode that it reads");
  answer_exact_roots(g->module);
  make_internal(g->module);
  return is_good;
}

/* Raises the PTX version to 8.4 where 128-bit instructions are used, which came with 8.3 and 8.4.
 * All other code gets by with a lower version, which older drivers accept. */
static void raise_version(Session *c)
{
  static const char wanted[] = ".version 8.4";
  char *at = strstr(c->ptx.data, ".b128") ? strstr(c->ptx.data, ".version ") : NULL;
  if (at && strncmp(at, wanted, sizeof wanted - 1) < 0) memcpy(at, wanted, sizeof wanted - 1);
}

bool pass_nvptx(Session *c)
{
  if (!llvm_emit(c, LLVMAssemblyFile, &c->ptx)) return false;
  raise_version(c);
  return true;
}
