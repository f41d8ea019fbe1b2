/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvptx.c - module to PTX by LLVM's NVPTX back end.
 *
 * needs   an optimised module (opt.c)
 * gives   c->ptx
 * fails   with DIAG_target_failed; a log line where libdevice is called and not found
 *
 * libdevice is bitcode: it is linked into the module, made internal, and __nvvm_reflect is answered
 * by LLVM's NVVMReflect, which says 0 to whether square roots are exact: that is said here.
 */
#include "target_private.h"

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

/* Only what the program calls, and what that calls, is kept by the optimiser. */
static void make_internal(LLVMModuleRef module)
{
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t len;
    if (!LLVMIsDeclaration(function) && !strncmp(LLVMGetValueName2(function, &len), "__", 2))
      LLVMSetLinkage(function, LLVMInternalLinkage);
  }
}

/* As libNVVM by default: outside fast { ... } hypot's root is rounded right. */
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

bool nvptx_link_libdevice(Compile *c)
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
    diag_at(&c->diag, DIAG_target_failed, (Span){0, 0}, c->target.name,
            "libdevice is not bitcode that it reads");
  answer_exact_roots(g->module);
  make_internal(g->module);
  return is_good;
}

/* Inline PTX of 128 bits came with PTX 8.3 and 8.4. Everything else does with less, which older
 * drivers read. */
static void raise_version(Compile *c)
{
  static const char wanted[] = ".version 8.4";
  char *at = strstr(c->ptx.data, ".b128") ? strstr(c->ptx.data, ".version ") : NULL;
  if (at && strncmp(at, wanted, sizeof wanted - 1) < 0) memcpy(at, wanted, sizeof wanted - 1);
}

bool pass_nvptx(Compile *c)
{
  if (!llvm_emit(c, LLVMAssemblyFile, &c->ptx)) return false;
  raise_version(c);
  return true;
}
