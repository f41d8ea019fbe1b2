/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* host_code.c - loads host objects into the process, by LLVM's ORC JIT linker.
 *
 * ck/compile.h has the contract. A symbol is looked up in this order: the functions that the loader
 * passes; the process; libm, which a program that isn't linked with it doesn't show. An image that
 * doesn't fit its manifest must never be loaded: the caller checks the digests first.
 */
#include "target/target_private.h"

#include <llvm-c/Error.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/OrcEE.h>
#include <stdio.h>
#include <string.h>

struct ck_host_code {
  Arena arena; /* holds this struct */
  LLVMOrcLLJITRef jit;
};

static _Thread_local char last_error[512];

static ck_status_t fail(LLVMErrorRef error, const char **out_error)
{
  char *message = LLVMGetErrorMessage(error);
  snprintf(last_error, sizeof last_error, "%s", message);
  LLVMDisposeErrorMessage(message);
  if (out_error) *out_error = last_error;
  return CK_INVALID_ARGUMENT;
}

static LLVMErrorRef add_generator(LLVMOrcLLJITRef jit, LLVMErrorRef error,
                                  LLVMOrcDefinitionGeneratorRef generator)
{
  if (!error) LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return error;
}

/* Defines where symbols are found: the loader's functions, then the process, then libm. */
static LLVMErrorRef define_symbols(LLVMOrcLLJITRef jit, const ck_host_symbol_t *symbols,
                                   size_t count)
{
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  enum { SYMBOLS_MAX = 64 };
  LLVMOrcCSymbolMapPair pairs[SYMBOLS_MAX];
  if (count > SYMBOLS_MAX) count = SYMBOLS_MAX;
  for (size_t i = 0; i < count; ++i) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name);
    pairs[i].Sym = (LLVMJITEvaluatedSymbol){
        (LLVMOrcExecutorAddress)(uintptr_t)symbols[i].address,
        {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0}};
  }
  LLVMErrorRef error =
      count ? LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, count)) : NULL;
  if (error) return error;
  LLVMOrcDefinitionGeneratorRef generator = NULL;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
  error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, prefix, NULL, NULL);
  error = add_generator(jit, error, generator);
  if (error) return error;
  error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(&generator, "libm.so.6", prefix, NULL,
                                                            NULL);
  return add_generator(jit, error, generator);
}

/* Registers objects with debug information with an attached debugger. */
static LLVMOrcObjectLayerRef make_layer(void *data, LLVMOrcExecutionSessionRef session,
                                        const char *triple)
{
  (void)data, (void)triple;
  LLVMOrcObjectLayerRef layer =
      LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManager(session);
  LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(layer,
                                                          LLVMCreateGDBRegistrationListener());
  return layer;
}

static ck_status_t load(const void *image, size_t bytes, const ck_host_symbol_t *symbols,
                        size_t symbol_count, ck_host_code_t **out, const char **out_error)
{
  LLVMOrcLLJITRef jit;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, make_layer, NULL);
  LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit, builder);
  if (error) return fail(error, out_error);
  error = define_symbols(jit, symbols, symbol_count);
  if (!error) {
    LLVMMemoryBufferRef object =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(image, bytes, "host code");
    error = LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object);
  }
  if (error) {
    LLVMErrorRef second = LLVMOrcDisposeLLJIT(jit);
    if (second) LLVMConsumeError(second);
    return fail(error, out_error);
  }
  Arena arena = {0};
  ck_host_code_t *code = NEW(&arena, ck_host_code_t);
  code->jit = jit;
  code->arena = arena;
  *out = code;
  return CK_OK;
}

ck_status_t ck_host_code_from_bytes(const void *image, size_t bytes,
                                    const ck_host_symbol_t *symbols, size_t symbol_count,
                                    ck_host_code_t **out, const char **out_error)
{
  MemoryEscape escape;
  volatile ck_status_t status = CK_OUT_OF_MEMORY;
  *out = NULL;
  if (out_error) *out_error = "";
  llvm_open();
  llvm_watch_memory();
  memory_escape_enter(&escape);
  if (setjmp(escape.at) == 0) {
    status = load(image, bytes, symbols, symbol_count, out, out_error);
    memory_escape_leave(&escape);
  }
  return status;
}

void *ck_host_code_find(const ck_host_code_t *code, const char *symbol)
{
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(code->jit, &address, symbol);
  if (!error) return (void *)(uintptr_t)address;
  LLVMConsumeError(error);
  return NULL;
}

void ck_host_code_release(ck_host_code_t *code)
{
  if (!code) return;
  LLVMErrorRef error = LLVMOrcDisposeLLJIT(code->jit);
  if (error) LLVMConsumeError(error);
  Arena arena = code->arena;
  arena_free(&arena);
}
